"""The kernel of `zdd` in plain Python: a dictionary of states, and recursion."""

from __future__ import annotations

import numpy as np

from dovetail.backends.zdd.kernels.search import FEWEST, FIXED, FORCED
from dovetail.backends.zdd.tables import CoverStates

WORD_BITS = 64


class Twin:
    """Counts the solutions of states, and the states, hits and nodes that it takes."""

    def __init__(self, states: CoverStates, choice: np.uint64) -> None:
        self._states, self._problem, self._choice = states, states.problem, choice
        self._words, self._live = states.words, int(states.problem.live_words)
        self._known: dict[int, int] = {}
        self.nodes = self.hits = 0
        root = joined(states.root)
        every = set(range(states.option_count))
        self.total = self._root_total(root, every)

    @property
    def states(self) -> int:
        return len(self._known)

    def _root_total(self, root: int, live: set[int]) -> int:
        if not self._states.depth:
            return int(self._has_enough(root))
        item = self._item(root, live)
        return 0 if item is None else self._below(root, live, item)

    def _below(self, state: int, live: set[int], item: int) -> int:
        total = 0
        for option in sorted(live & self._options_of(item)):
            self.nodes += 1
            total += int(self._problem.weight[option]) * self._taken(state, live, option)
        return total

    def _taken(self, state: int, live: set[int], option: int) -> int:
        below = self._after(state, option)
        if not below & joined(self._problem.branching):
            return int(self._has_enough(below))
        if below in self._known:
            self.hits += 1
            return self._known[below]
        left = live & self._set(self._problem.compatible, option)
        for counted in self._counted(option):
            if self._times_taken(below, counted) == int(self._problem.max_count[counted]):
                left -= self._set(self._problem.counted_planes, counted)
        item = self._item(below, left)
        if item is None:
            return 0
        total = self._below(below, left, item)
        self._known[below] = total
        return total

    def _after(self, state: int, option: int) -> int:
        problem, words = self._problem, self._words
        own = slice(option * words, (option + 1) * words)
        below = (state & ~joined(problem.clear[own])) + joined(problem.put[own])
        first, last = problem.touched_start[option : option + 2].tolist()
        for field in problem.touched[first:last].tolist():
            if not below & joined(problem.guard[field * words : (field + 1) * words]):
                shift = int(problem.field_word[field]) * WORD_BITS
                below &= ~(int(problem.field_mask[field]) << shift)
        return below

    def _item(self, state: int, live: set[int]) -> int | None:
        """The item to branch on; None where one has no option, unless the choice is FIXED."""
        looked_at = state & joined(self._problem.branching)
        items = [k for k in range(self._states.depth) if looked_at >> k & 1]
        left = {item: len(live & self._options_of(item)) for item in items}
        if self._choice == FIXED:
            return items[0]
        if 0 in left.values():
            return None
        if self._choice == FEWEST:
            return min(items, key=lambda item: left[item])
        assert self._choice == FORCED
        return next((item for item in items if left[item] == 1), items[0])

    def _has_enough(self, state: int) -> bool:
        return all(
            self._times_taken(state, counted) >= int(min_count)
            for counted, min_count in enumerate(self._problem.min_count)
        )

    def _times_taken(self, state: int, counted: int) -> int:
        problem = self._problem
        shift = int(problem.count_word[counted]) * WORD_BITS + int(problem.count_shift[counted])
        return state >> shift & int(problem.count_mask[counted])

    def _counted(self, option: int) -> list[int]:
        first, last = self._problem.counted_start[option : option + 2].tolist()
        return list(map(int, self._problem.counted[first:last]))

    def _options_of(self, item: int) -> set[int]:
        return self._set(self._problem.planes, item)

    def _set(self, sets: object, number: int) -> set[int]:
        words = sets[number * self._live : (number + 1) * self._live]  # type: ignore[index]
        bits = joined(words)
        return {option for option in range(self._states.option_count) if bits >> option & 1}


def joined(words: object) -> int:
    """Words, lowest first, as one number."""
    return sum(int(word) << (WORD_BITS * k) for k, word in enumerate(words))  # type: ignore[arg-type, var-annotated, misc]
