"""Layered dynamic programming: states by the pieces used, counted from one side of the board."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.edge_index import EdgeIndex
from dovetail.backends.frontier.kernels.layout import (
    AboutSets,
    Endings,
    Joined,
    Layer,
    Links,
    Meeting,
    Pruning,
    Scratch,
    Transition,
)
from dovetail.backends.frontier.parts import Part, put_together, shared_out, side_by_side
from dovetail.backends.frontier.piece_sets import PieceSets
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.states import BYTES_PER_STATE, GROWTH, Side, States
from dovetail.backends.shared.bit_sets import words_for
from dovetail.backends.shared.memory_budget import MemoryBudget

LARGE = 2**16  # states of a layer: room for the next is then reserved
MAX_WAYS = 2**63
ROUNDING = 1.000_001  # more than sums of as many floating-point numbers can be off


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
        states = side.states if side.keep else States()
        run = np.zeros(len(about.complete) + 1, dtype=np.int64)
        run[0] = states.count
        parts = shared_out(_lookups(links, side), states, len(self._scratch))
        self._check_ways(side)
        for part in parts:
            self._reserve(part.states, _next_size(side) // len(parts))
        transition = self._transition(links, side, forward=forward)
        pruning = self._pruning(about, forward=forward)
        endings = Endings(
            complete=np.zeros_like(about.complete) if forward else about.complete,
            accepting=self.automaton.accepted,
        )

        def gather(part: Part, scratch: Scratch) -> bool:
            return self._gather(part, transition, pruning, endings, scratch, run)

        for _ in self._side_by_side(parts, gather):
            self._check_memory(parts)
            yield
        if len(parts) > 1:
            put_together(parts, states, run)
        side.add(number, states, run)
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

        def join(part: Part, scratch: Scratch) -> bool:
            reason = kernels.join(meeting, scratch.sums, through, about, part.progress, part.last)
            return bool(reason == kernels.DONE)

        parts = shared_out(_lookups(links, self.near), States(), len(self._scratch))
        yield from self._side_by_side(parts, join)
        self._add_solutions(about, self.near.size, self.far.max_ways)
        return through

    def joined_between(self) -> Generator[None, None, NDArray[np.uint64]]:
        """How many solutions go through each set of the layer between the sides' last ones.

        Its states are gone through without being kept: the largest layers are those in the middle.
        """
        kernels, number = self._kernels, self.near.number + 1
        before = self.sets.links(self.near.number, by_end=True)
        after = self.sets.links(number, by_end=False)
        about_sets = self.sets.about(number)
        count = len(about_sets.complete)
        joined = Joined(ways=np.zeros(count, dtype=np.uint64), roughly=np.zeros(count))
        nearby = self._transition(before, self.near, forward=True)
        beyond = self._transition(after, self.far, forward=False)
        pruning = self._pruning(about_sets, forward=True)
        endings = Endings(about_sets.complete, self.automaton.accepted)
        lookups = _lookups(before, self.near) + _lookups(after, self.far)
        parts = shared_out(lookups, States(), len(self._scratch))
        self._check_ways(self.near)

        def join(part: Part, scratch: Scratch) -> bool:
            reason = kernels.join_between(
                nearby, beyond, pruning, endings, scratch, joined, part.progress, part.last
            )
            return bool(reason == kernels.DONE)

        yield from self._side_by_side(parts, join)
        size = sum(int(part.progress[kernels.STATES]) for part in parts)
        self.near.sizes[number] = size
        self._add_solutions(joined.roughly, size, self.far.max_ways)
        return joined.ways

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

    def _pruning(self, about: AboutSets, *, forward: bool) -> Pruning:
        """Which states of some sets are kept."""
        return Pruning(
            wanted=about.lacking if forward else about.present,
            possible=self.automaton.behind if forward else self.automaton.before,
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

    def _check_memory(self, parts: Iterable[Part]) -> None:
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

    def _add_solutions(self, about: NDArray[np.float64], states: int, max_behind: int) -> None:
        """See how many solutions there may be by way of so many states of a layer.

        Those are `about` so many where no number of ways has been too large, else at most as many
        as if each state had the most ways, and each edge on from it led to `max_behind`.
        """
        edges = 1 + self.automaton.max_edges
        self.overflow |= edges * max(self.near.max_ways, self.far.max_ways) >= MAX_WAYS
        if not self.overflow:
            self.max_total += int(about.sum() * ROUNDING)
        else:
            self.max_total += states * self.near.max_ways * edges * max_behind * self.max_weight
        self.overflow |= self.max_total >= MAX_WAYS

    @property
    def max_weight(self) -> int:
        """How many times a move may count."""
        return int(self.problem.move_classes.weight.max(initial=1))

    def _gather(
        self,
        part: Part,
        transition: Transition,
        pruning: Pruning,
        endings: Endings,
        scratch: Scratch,
        run: NDArray[np.int64],
    ) -> bool:
        """Do as much work as there is; whether all sets of a part are gathered."""
        kernels, progress = self._kernels, part.progress
        while True:
            gathered = Layer(run, part.states.node, part.states.ways)
            reason = kernels.gather(
                transition, pruning, endings, scratch, gathered, progress, part.last
            )
            part.states.count = int(progress[kernels.STATES])
            if reason != kernels.STATES_FULL:
                return bool(reason == kernels.DONE)
            part.states.grow()

    def _side_by_side(
        self, parts: list[Part], work: Callable[[Part, Scratch], bool]
    ) -> Iterator[None]:
        """Go through all parts; yields when the budgeted work is done."""
        return side_by_side(parts, self._scratch, self._memory_budget, work)

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
    words = words_for(nodes)
    return Scratch(
        sums=np.zeros(nodes, dtype=np.uint64),
        touched=np.zeros(words, dtype=np.uint64),
        groups=np.zeros(words_for(words), dtype=np.uint64),
    )


def _next_size(side: Side) -> int:
    """How many states the next layer may have, 0 if few: layers grow less and less."""
    if side.size <= LARGE:
        return 0
    return side.size * side.size // max(1, list(side.sizes.values())[-2])


def _lookups(links: Links, side: Side) -> NDArray[np.int64]:
    """How many states of a side's last layer are looked up for each set."""
    states = np.diff(side.run)[links.end]
    return np.diff(np.concatenate([[0], np.cumsum(states)])[links.first])
