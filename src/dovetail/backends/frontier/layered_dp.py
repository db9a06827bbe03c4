"""Layered dynamic programming: states by the pieces used, counted from one side of the board."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.edge_index import EdgeIndex
from dovetail.backends.frontier.kernels.layout import (
    Endings,
    Layer,
    Links,
    Meeting,
    Pruning,
    Scratch,
    Transition,
)
from dovetail.backends.frontier.piece_sets import PieceSets
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.states import BYTES_PER_STATE, GROWTH, Side, States
from dovetail.backends.shared.bit_sets import words_for
from dovetail.backends.shared.memory_budget import MemoryBudget

LARGE = 2**16  # states of a layer: room for the next is then reserved
MAX_WAYS = 2**63
ROUNDING = 1.000_001  # more than sums of as many floating-point numbers can be off


class _Part:
    """Sets of a layer that one thread gathers, from `first` to `last` − 1."""

    def __init__(self, first: int, last: int, states: States, scratch: Scratch, size: int) -> None:
        self.first, self.last, self.states, self.scratch = first, last, states, scratch
        self.progress: NDArray[np.int64] = np.zeros(size, dtype=np.int64)


class LayeredDP:
    """Gathers layers from both sides of a problem, and joins them.

    Methods that are iterators yield when the budgeted work is done, and have to be
    gone on with. `overflow` says whether some number may have been too large for a word, and was
    counted modulo 2**64, or modulo a smaller `modulus`. No number of solutions exceeds
    `max_total`. So many `threads` gather sets side by side.
    """

    def __init__(
        self,
        problem: SweepProblem,
        automaton: Automaton,
        index: EdgeIndex,
        sets: PieceSets,
        memory_budget: MemoryBudget,
        *,
        keep: bool = False,
        expected: int = 0,
        threads: int = 1,
        modulus: int = 0,
    ) -> None:
        from dovetail.backends.frontier.kernels import layers

        self._kernels: Any = layers
        self.problem, self.automaton, self.sets = problem, automaton, sets
        self._index = index
        self._memory_budget = memory_budget
        self.overflow = False
        self.max_total = 0
        self._modulus = np.uint64(modulus)
        self._scratch = [_scratch(automaton.node_count) for _ in range(threads)]
        start = np.zeros(min(1, automaton.node_count), dtype=np.int32)
        self.near = Side(0, start, np.array([0, len(start)], dtype=np.int64), keep=keep)
        self.far = self._last_layer(keep=keep)
        if keep:
            self._reserve(self.near.states, int(GROWTH * expected))
            self._reserve(self.far.states, int(GROWTH * expected))

    @property
    def held_bytes(self) -> int:
        """What the states take."""
        return self.near.states.held_bytes + self.far.states.held_bytes

    def advance(self, *, forward: bool) -> Iterator[None]:
        """Gather the next layer of the near side, or of the far one."""
        side = self.near if forward else self.far
        number = side.number + 1 if forward else side.number - 1
        links = self.sets.links(min(number, side.number), by_end=forward)
        about = self.sets.about(number)
        run = np.zeros(len(about.complete) + 1, dtype=np.int64)
        run[0] = side.states.count
        parts = self._parts(links, side)
        self._check_ways(side)
        for part in parts:
            self._reserve(part.states, _next_size(side) // len(parts))
        transition = self._transition(links, side, forward=forward)
        pruning = Pruning(
            wanted=about.lacking if forward else about.present,
            possible=self.automaton.behind if forward else self.automaton.before,
        )
        endings = Endings(
            complete=np.zeros_like(about.complete) if forward else about.complete,
            accepting=self.automaton.accepted,
        )

        def gather(part: _Part) -> bool:
            return self._gather(part, transition, pruning, endings, run)

        for _ in _side_by_side(parts, gather):
            self._check_memory(parts)
            yield
        if len(parts) > 1:
            for part in parts:
                run[part.first + 1 : part.last + 1] += side.states.count
                side.states.extend(part.states)
        side.add(number, run)
        if not self.overflow and not self._modulus:
            side.max_ways = int(side.ways.max(initial=0))

    def joined(self) -> Generator[None, None, NDArray[np.uint64]]:
        """How many solutions go through each set of the far side's last layer.

        The near side's last layer is the one before it.
        """
        kernels = self._kernels
        count = len(self.far.run) - 1
        links = self.sets.links(self.near.number, by_end=True)
        meeting = self.meeting(links)
        through, about = np.zeros(count, dtype=np.uint64), np.zeros(count)

        def join(part: _Part) -> bool:
            part.progress[kernels.WORK] = self._memory_budget.work
            sums = part.scratch.sums
            reason = kernels.join(meeting, sums, through, about, part.progress, part.last)
            return bool(reason == kernels.DONE)

        yield from _side_by_side(self._parts(links, self.near), join)
        self._add_solutions(about)
        return through

    def meeting(self, links: Links | None = None) -> Meeting:
        """What kernels are given that go from the near side's last layer to the far side's.

        `links` are those between the two layers, by the set on the far side, if they are at hand.
        """
        links = links or self.sets.links(self.near.number, by_end=True)
        return Meeting(self._transition(links, self.near, forward=True), self.far.layer)

    def _transition(self, links: Links, side: Side, *, forward: bool) -> Transition:
        """What leads on from the last layer of a side."""
        return Transition(
            links=links,
            edges=self._index.edges(side.node, forward=forward),
            states=side.layer,
            weight=self.problem.move_classes.weight,
            modulus=self._modulus,
        )

    def ended(self) -> NDArray[np.int64]:
        """States of the near side's last layer in which the board may be left: (set, state).

        Their ways are solutions.
        """
        near, automaton = self.near, self.automaton
        complete = np.flatnonzero(self.sets.about(near.number).complete)
        rows = [np.zeros((0, 2), dtype=np.int64)]
        for number in complete:
            states = np.arange(near.run[number], near.run[number + 1])
            states = states[automaton.accepting[near.states.node[states]] > 0]
            rows.append(np.column_stack([np.full(len(states), number), states]))
        found = np.concatenate(rows)
        self.max_total += len(found) * near.max_ways
        return found

    def _reserve(self, states: States, more: int) -> None:
        """Make room for so many more, if there is plenty of memory."""
        memory_budget = self._memory_budget.memory_bytes
        if memory_budget is None or 4 * more * BYTES_PER_STATE < memory_budget:
            states.reserve(more)

    def _check_memory(self, parts: Iterable[_Part]) -> None:
        """Raises `MemoryBudgetExceededError` where states take more memory than there is."""
        own = {id(self.near.states), id(self.far.states)}
        elsewhere = sum(part.states.held_bytes for part in parts if id(part.states) not in own)
        held = self.automaton.held_bytes + self.held_bytes + elsewhere
        self._memory_budget.check(
            held, f"{self.near.states.count + self.far.states.count:,} states or more"
        )

    def _check_ways(self, side: Side) -> None:
        """See whether the ways to a state of the next layer may be too many for a word."""
        side.max_ways *= self.max_weight * (1 + self.automaton.max_edges)
        self.overflow |= side.max_ways >= MAX_WAYS

    def _add_solutions(self, about: NDArray[np.float64]) -> None:
        """See how many solutions the sides' last layers may have in common.

        Those are `about` so many where no number of ways has been too large, else at most as many
        as if all states had the most ways.
        """
        if not self.overflow:
            solutions = int(about.sum() * ROUNDING)
        else:
            pairs = self.near.size * self.automaton.max_edges
            solutions = pairs * self.near.max_ways * self.far.max_ways * self.max_weight
        self.max_total += solutions
        self.overflow |= self.max_total >= MAX_WAYS

    @property
    def max_weight(self) -> int:
        """How many times a move may count."""
        return int(self.problem.move_classes.weight.max(initial=1))

    def _gather(
        self,
        part: _Part,
        transition: Transition,
        pruning: Pruning,
        endings: Endings,
        run: NDArray[np.int64],
    ) -> bool:
        """Do as much work as there is; whether all sets of a part are gathered."""
        kernels, progress = self._kernels, part.progress
        progress[kernels.WORK] = self._memory_budget.work
        while True:
            gathered = Layer(run, part.states.node, part.states.ways)
            reason = kernels.gather(
                transition, pruning, endings, part.scratch, gathered, progress, part.last
            )
            part.states.count = int(progress[kernels.STATES])
            if reason != kernels.STATES_FULL:
                return bool(reason == kernels.DONE)
            part.states.grow()

    def _parts(self, links: Links, side: Side) -> list[_Part]:
        """The sets to be gathered, shared out among threads by the states that lead to them."""
        sets, threads = len(links.first) - 1, len(self._scratch)
        size = self._kernels.PROGRESS_SIZE
        if threads == 1:
            whole = _Part(0, sets, side.states, self._scratch[0], size)
            whole.progress[self._kernels.STATES] = side.states.count
            return [whole]
        states = np.diff(side.run)[links.end]
        done = np.concatenate([[0], np.cumsum(states)])[links.first]
        cuts = np.searchsorted(done, done[-1] * np.arange(1, threads) / threads)
        bounds = [0, *(int(cut) for cut in cuts), sets]
        parts = []
        for first, last, scratch in zip(bounds, bounds[1:], self._scratch, strict=False):
            part = _Part(first, last, States(), scratch, size)
            part.progress[self._kernels.SET] = first
            parts.append(part)
        return parts

    def _last_layer(self, *, keep: bool) -> Side:
        """The boards that may be left as they are with all moves made."""
        number = len(self.sets.layers) - 1
        complete = self.sets.about(number).complete.astype(np.int64)
        accepted = self.automaton.accepted
        node = np.tile(accepted, int(complete.sum()))
        run = np.concatenate([[0], np.cumsum(complete * len(accepted))]).astype(np.int64)
        return Side(number, node, run, keep=keep)


def _scratch(nodes: int) -> Scratch:
    """That of one thread."""
    return Scratch(
        sums=np.zeros(nodes, dtype=np.uint64), touched=np.zeros(words_for(nodes), dtype=np.uint64)
    )


def _next_size(side: Side) -> int:
    """How many states the next layer may have, 0 if few: layers grow less and less."""
    if side.size <= LARGE:
        return 0
    return side.size * side.size // max(1, list(side.sizes.values())[-2])


def _side_by_side(parts: list[_Part], work: Callable[[_Part], bool]) -> Iterator[None]:
    """Do some work for all parts, each in a thread; yields when all have paused."""
    if len(parts) == 1:
        while not work(parts[0]):
            yield
        return
    with ThreadPoolExecutor(len(parts)) as pool:
        while not all(list(pool.map(work, parts))):
            yield
