"""Layered dynamic programming: sets of pieces by size, and their states from both sides."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.kernels import layers
from dovetail.backends.frontier.kernels.layers import (
    AboutSets,
    ClassUses,
    GatherScratch,
    Joined,
    Kept,
    Layer,
    MadeSets,
    SetLinks,
    ShapeBits,
    Transition,
)
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.shared.state_search import MemoryBudget
from dovetail.kernels.bits import words_for
from dovetail.kernels.layout import EXHAUSTED

SET_BYTES = 8 + 1 + 8 + 8
FIRST_SETS, FIRST_STATES = 1024, 2**10
BYTES_PER_STATE = 12
GROWTH = 1.25  # of the room for states, beyond the number expected
LARGE = 2**16  # states of a layer: room for the next is then reserved
PARTS_OF_THREAD = 8
MAX_WAYS = 2**63
ROUNDING = 1.000_001  # exceeds the rounding errors of the sums

kernels: Any = layers


class PieceSets:
    """All sets of a problem by layers: `layers[k]` holds the sets that k moves use, packed, uint64.

    There are none before `make`.
    """

    def __init__(self, problem: SweepProblem) -> None:
        widths = np.array([int(times).bit_length() for times in problem.max_count], dtype=np.int64)
        shift = (np.cumsum(widths) - widths).astype(np.uint64)
        classes, shapes = np.nonzero(problem.uses)
        packed = problem.uses.astype(np.uint64) << shift[None, :]
        once = problem.max_count == 1
        volume = np.full(len(problem.weight), problem.cell_count + 1, dtype=np.int64)
        cells = np.bitwise_count(problem.mask).astype(np.int64)
        np.minimum.at(volume, problem.move_class, cells)
        self._uses, self.class_count = problem.uses > 0, len(problem.weight)
        self._classes = ClassUses(
            first=np.searchsorted(classes, np.arange(len(packed) + 1)).astype(np.int64),
            shape=shapes.astype(np.int64),
            times=problem.uses[classes, shapes].astype(np.uint64),
            packed=packed.sum(axis=1, dtype=np.uint64),
            bars=packed[:, once].sum(axis=1, dtype=np.uint64),
            many=self._any_use(~once),
            volume=volume,
        )
        self._shapes = ShapeBits(
            shift=shift,
            digit=(2**widths - 1).astype(np.uint64),
            min_count=problem.min_count.astype(np.uint64),
            max_count=problem.max_count.astype(np.uint64),
        )
        self._about: dict[int, AboutSets] = {}
        self._place = np.full(2 ** int(widths.sum()), kernels.NOWHERE, dtype=np.int32)
        self._cells = problem.cell_count
        self._shape_volumes = np.zeros(len(problem.max_count), dtype=np.int64)
        self._shape_volumes[shapes] = volume[classes] // problem.uses[classes].sum(axis=1)
        self.layers: list[NDArray[np.uint64]] = []

    @property
    def count(self) -> int:
        """Number of sets."""
        return sum(map(len, self.layers))

    @property
    def held_bytes(self) -> int:
        """Bytes of the sets and their properties."""
        return self._place.nbytes + self.count * SET_BYTES

    def make(self, memory_budget: MemoryBudget) -> Iterator[None]:
        """Make all sets, layer by layer."""
        for layer in self._layers(np.uint64(0)):
            self.layers.append(layer)
            memory_budget.check(self.held_bytes, f"more than {self.count:,} sets of pieces")
            yield

    def below(self, packed: np.uint64) -> PieceSets:
        """Return the sets within a set, the empty set first."""
        within = copy(self)
        max_count = self._used(packed)
        fewer = self._any_use(max_count < self._shapes.max_count)
        within._shapes = self._shapes._replace(max_count=max_count)
        within._classes = self._classes._replace(many=self._classes.many | fewer)
        within._about, within.layers = {}, list(within._layers(np.uint64(0)))
        return within

    def above(self, packed: np.uint64) -> PieceSets:
        """Return the sets that contain a set, which comes first."""
        beyond = copy(self)
        beyond._about, beyond.layers = {}, list(self._layers(packed))
        return beyond

    def about(self, layer: int) -> AboutSets:
        """Return the properties of the sets of a layer."""
        if layer not in self._about:
            packed = self.layers[layer]
            self._about[layer] = AboutSets(
                complete=np.zeros(len(packed), dtype=np.uint8),
                lacking=np.zeros_like(packed),
                present=np.zeros_like(packed),
            )
            kernels.about(packed, self._shapes, self._about[layer])
        return self._about[layer]

    def links(self, layer: int, *, by_end: bool) -> SetLinks:
        """Return the moves from a layer to the next, grouped by the set they leave, or reach."""
        packed, after = self.layers[layer], self.layers[layer + 1]
        own, others = (after, packed) if by_end else (packed, after)
        capacity = len(own) * self.class_count
        links = SetLinks(
            first=np.zeros(len(own) + 1, dtype=np.int64),
            end=np.empty(capacity + 1, dtype=np.int32),
            move_class=np.empty(capacity + 1, dtype=np.int32),
        )
        count = kernels.link(own, others, self._classes, self._shapes, self._place, by_end, links)
        return links._replace(end=links.end[:count], move_class=links.move_class[:count])

    def _used(self, packed: np.uint64) -> NDArray[np.uint64]:
        """Return how often a set uses each shape."""
        return (packed >> self._shapes.shift) & self._shapes.digit

    def _any_use(self, shapes: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return whether moves of each class use any of some shapes."""
        return np.asarray(self._uses[:, shapes].any(axis=1), dtype=np.uint8)

    def _layers(self, first: np.uint64) -> Iterator[NDArray[np.uint64]]:
        """Yield the sets that moves make of a set, layer by layer."""
        packed = np.array([first], dtype=np.uint64)
        used = self._used(first).astype(np.int64)
        volume = np.array([int(used @ self._shape_volumes)], dtype=np.int64)
        while len(packed):
            yield packed
            capacity = max(FIRST_SETS, 2 * len(packed)) + self.class_count
            made = MadeSets(
                packed=np.empty(capacity, dtype=np.uint64),
                volume=np.empty(capacity, dtype=np.int64),
                progress=np.zeros(2, dtype=np.int64),
            )
            while not kernels.next_sets(
                packed, volume, self._cells, self._classes, self._shapes, self._place, made
            ):
                capacity *= 2
                made = made._replace(
                    packed=np.resize(made.packed, capacity), volume=np.resize(made.volume, capacity)
                )
            count = made.progress[kernels.MADE]
            packed, volume = made.packed[:count].copy(), made.volume[:count].copy()


class LayerStates:
    """States in a row: `node` of the automaton, int32, and the `ways` to it, uint64.

    Only the first `count` entries are states; given states have 1 way each.
    """

    def __init__(self, node: NDArray[np.int32] | None = None) -> None:
        self.node = np.zeros(FIRST_STATES, dtype=np.int32) if node is None else node.copy()
        self.ways: NDArray[np.uint64] = np.ones(len(self.node), dtype=np.uint64)
        self.count = 0 if node is None else len(node)

    def reserve(self, more: int) -> None:
        """Make room for more states at once: it takes no memory until it is used."""
        entries, count = self.count + more, self.count
        if entries > len(self.node):
            node, ways = np.empty(entries, dtype=np.int32), np.empty(entries, dtype=np.uint64)
            node[:count], ways[:count] = self.node[:count], self.ways[:count]
            self.node, self.ways = node, ways


class Side:
    """The layers counted from a side; the last layer is `number`.

    Set s of layer k has states `runs[k][s]` to `runs[k][s + 1]` − 1, ascending by node. Unless all
    layers are to be kept, there is none but the last layer. No state of the last layer has more
    than `max_ways`.
    """

    def __init__(
        self, number: int, node: NDArray[np.int32], run: NDArray[np.int64], *, keep: bool
    ) -> None:
        self.number, self.states, self.keep = number, LayerStates(node), keep
        self.runs = {number: run}
        self.sizes = {number: len(node)}
        self.max_ways = 1

    @property
    def run(self) -> NDArray[np.int64]:
        """Where the states of each set of the last layer begin."""
        return self.runs[self.number]

    @property
    def layer(self) -> Layer:
        """The last layer."""
        return Layer(self.run, self.states.node, self.states.ways)

    @property
    def size(self) -> int:
        """Number of states of the last layer."""
        return self.sizes[self.number]

    @property
    def node(self) -> NDArray[np.int32]:
        """The nodes of the last layer's states."""
        return self.states.node[int(self.run[0]) : int(self.run[-1])]

    @property
    def ways(self) -> NDArray[np.uint64]:
        """The ways to the last layer's states."""
        return self.states.ways[int(self.run[0]) : int(self.run[-1])]

    def add(self, number: int, states: LayerStates, run: NDArray[np.int64]) -> None:
        """Complete a layer: the last of some states, which hold the layers before it if kept."""
        if not self.keep:
            del self.runs[self.number]
        self.number, self.states = number, states
        self.runs[number], self.sizes[number] = run, int(run[-1] - run[0])


class SetRange:
    """The sets from `first` to `last` − 1, for one thread, which may add to `states`.

    `progress` is that of the kernels.
    """

    def __init__(self, first: int, last: int, states: LayerStates) -> None:
        self.first, self.last, self.states = first, last, states
        self.progress: NDArray[np.int64] = np.zeros(kernels.PROGRESS_SIZE, dtype=np.int64)
        self.progress[kernels.SET], self.progress[kernels.STATES] = first, states.count


Lookups = Callable[[], NDArray[np.int64]]
Work = Callable[[SetRange, GatherScratch], int]


class LayeredDP:
    """Gathers layers from both sides of a problem, and joins them.

    Methods that are iterators yield when the budgeted work is done. `overflow` says whether some
    number may have been too large for a word, and was counted modulo 2**64, or modulo a smaller
    `modulus`. No number of solutions exceeds `max_total`. All layers are kept where `room` for a
    number of states is given. `threads` is the number of threads that gather sets.
    """

    def __init__(
        self,
        automaton: Automaton,
        sets: PieceSets,
        memory_budget: MemoryBudget,
        room: int | None = None,
        threads: int = 1,
        modulus: int = 0,
    ) -> None:
        self.automaton, self.sets, keep = automaton, sets, room is not None
        self._memory_budget, self._modulus = memory_budget, np.uint64(modulus)
        self.overflow, self.max_total = False, 0
        # How many times a move may count.
        self._max_weight = int(automaton.problem.weight.max(initial=1))
        self._scratch = [_scratch(automaton.node_count) for _ in range(threads)]
        start = np.zeros(min(1, automaton.node_count), dtype=np.int32)
        self.near = Side(0, start, np.array([0, len(start)], dtype=np.int64), keep=keep)
        last = len(sets.layers) - 1
        complete = sets.about(last).complete.astype(np.int64)
        accepted = automaton.accepted  # boards that may be left as they are with all moves made
        run = np.concatenate([[0], np.cumsum(complete * len(accepted))]).astype(np.int64)
        self.far = Side(last, np.tile(accepted, int(complete.sum())), run, keep=keep)
        self._reserve(self.near.states, int(GROWTH * (room or 0)))
        self._reserve(self.far.states, int(GROWTH * (room or 0)))

    def advance(self, *, forward: bool) -> Iterator[None]:
        """Gather the next layer of the near side, or of the far side."""
        side = self.near if forward else self.far
        number = side.number + 1 if forward else side.number - 1
        links = self.sets.links(min(number, side.number), by_end=forward)
        kept = self._kept(number, forward=forward)
        states = side.states if side.keep else LayerStates()
        run = np.full(len(kept.complete) + 1, states.count, dtype=np.int64)
        sets, threads = len(kept.complete), len(self._scratch)
        parts = shared_out(sets, lambda: _lookups(links, side), states, threads)
        self._check_ways(side)
        for part in parts:
            self._reserve(part.states, _next_size(side) // len(parts))
        transition = self._transition(links, side, forward=forward)
        if forward:
            kept = kept._replace(complete=np.zeros_like(kept.complete))

        def gather(part: SetRange, scratch: GatherScratch) -> int:
            states, reason = part.states, int(kernels.STATES_FULL)
            while reason == kernels.STATES_FULL:
                layer = Layer(run, states.node, states.ways)
                reason = kernels.gather(transition, kept, scratch, layer, part.progress, part.last)
                states.count = int(part.progress[kernels.STATES])
                if reason == kernels.STATES_FULL:
                    states.reserve(max(FIRST_STATES, 2 * len(states.node)) - states.count)
            return reason

        for _ in side_by_side(parts, self._scratch, self._memory_budget, gather):
            self._check_memory(parts)
            yield
        if len(parts) > 1:
            put_together(parts, states, run)
        side.add(number, states, run)
        if not self.overflow and not self._modulus:
            side.max_ways = int(side.ways.max(initial=0))

    def joined(self) -> Generator[None, None, NDArray[np.uint64]]:
        """Return how many solutions go through each set of the far side's last layer.

        The near side's last layer is the layer before it.
        """
        count = len(self.far.run) - 1
        joined = Joined(np.zeros(count, dtype=np.uint64), np.zeros(count))
        links = self.sets.links(self.near.number, by_end=True)
        transition, behind = self._transition(links, self.near, forward=True), self.far.layer
        yield from self._join(
            count,
            lambda: _lookups(links, self.near),
            lambda part, scratch: kernels.join(
                transition, behind, scratch, joined, part.progress, part.last
            ),
        )
        self._add_solutions(joined.roughly, self.near.size)
        return joined.ways

    def joined_between(self) -> Generator[None, None, NDArray[np.uint64]]:
        """Return how many solutions go through each set of the layer between the last layers.

        Its states are gone through without being kept: the largest layers are in the middle.
        """
        number = self.near.number + 1
        before = self.sets.links(self.near.number, by_end=True)
        after = self.sets.links(number, by_end=False)
        nearby = self._transition(before, self.near, forward=True)
        beyond = self._transition(after, self.far, forward=False)
        kept = self._kept(number, forward=True)
        joined = Joined(np.zeros_like(kept.wanted), np.zeros(len(kept.wanted)))
        self._check_ways(self.near)
        self.near.sizes[number] = size = yield from self._join(
            len(kept.complete),
            lambda: _lookups(before, self.near) + _lookups(after, self.far),
            lambda part, scratch: kernels.join_between(
                nearby, beyond, kept, scratch, joined, part.progress, part.last
            ),
        )
        self._add_solutions(joined.roughly, size)
        return joined.ways

    def _join(self, sets: int, lookups: Lookups, work: Work) -> Generator[None, None, int]:
        """Join all sets; returns the number of states gone through without being kept."""
        parts = shared_out(sets, lookups, LayerStates(), len(self._scratch))
        yield from side_by_side(parts, self._scratch, self._memory_budget, work)
        return sum(int(part.progress[kernels.STATES]) for part in parts)

    def crossing(self) -> Transition:
        """Return the transition from the near side's last layer to the far side's.

        It has no links where the near side has all layers.
        """
        none = np.zeros(0, dtype=np.int32)
        links = SetLinks(np.zeros(1, dtype=np.int64), none, none)
        if self.near.number < self.far.number:
            links = self.sets.links(self.near.number, by_end=True)
        return self._transition(links, self.near, forward=True)

    def ended(self) -> NDArray[np.int64]:
        """Return the states of the near side's last layer in which the board may be left.

        Rows of (set, state); their ways are solutions.
        """
        near, accepting = self.near, self.automaton.nodes.accepting
        rows = [np.zeros((0, 2), dtype=np.int64)]
        for number in np.flatnonzero(self.sets.about(near.number).complete):
            states = np.arange(near.run[number], near.run[number + 1])
            states = states[accepting[near.states.node[states]] > 0]
            rows.append(np.column_stack([np.full(len(states), number), states]))
        found = np.concatenate(rows)
        self.max_total += len(found) * near.max_ways
        return found

    def _transition(self, links: SetLinks, side: Side, *, forward: bool) -> Transition:
        """Return the transition on from the last layer of a side."""
        edges = self.automaton.edges_by_class(side.node, forward=forward)
        return Transition(links, edges, side.layer, self.automaton.problem.weight, self._modulus)

    def _kept(self, number: int, *, forward: bool) -> Kept:
        """Return which states of the sets of a layer are kept."""
        about, nodes = self.sets.about(number), self.automaton.nodes
        return Kept(
            wanted=about.lacking if forward else about.present,
            possible=nodes.behind if forward else nodes.before,
            complete=about.complete,
            accepting=self.automaton.accepted,
        )

    def _reserve(self, states: LayerStates, more: int) -> None:
        """Make room for more states, if there is plenty of memory."""
        if self._memory_budget.allows(4 * more * BYTES_PER_STATE):
            states.reserve(more)

    def _check_memory(self, parts: Iterable[SetRange]) -> None:
        """Raise `MemoryBudgetExceededError` where states take more memory than there is."""
        held = {id(states): states for states in (self.near.states, self.far.states)}
        held |= {id(part.states): part.states for part in parts}
        self._memory_budget.check(
            self.automaton.held_bytes
            + BYTES_PER_STATE * sum(states.count for states in held.values()),
            f"{self.near.states.count + self.far.states.count:,} states or more",
        )

    def _check_ways(self, side: Side) -> None:
        """Note whether the ways to a state of the next layer may be too many for a word."""
        side.max_ways *= self._max_weight * (1 + self.automaton.max_edges)
        self.overflow |= side.max_ways >= MAX_WAYS

    def _add_solutions(self, about: NDArray[np.float64], states: int) -> None:
        """Add an upper bound of the solutions by way of a number of `states` of a layer.

        The bound is `about` if no number of ways has been too large. Else it is as if each state
        had the most ways, and each edge on from it led to the most ways on.
        """
        near, far, edges = self.near.max_ways, self.far.max_ways, 1 + self.automaton.max_edges
        self.overflow |= edges * max(near, far) >= MAX_WAYS
        if not self.overflow:
            self.max_total += int(about.sum() * ROUNDING)
        else:
            self.max_total += states * near * edges * far * self._max_weight
        self.overflow |= self.max_total >= MAX_WAYS


def shared_out(sets: int, lookups: Lookups, states: LayerStates, threads: int) -> list[SetRange]:
    """Return the sets of a layer in parts of about as many lookups of states each.

    A single thread gets all sets, and adds to `states`. Several threads get several parts each,
    with states of their own, since parts with the same number of lookups take different times.
    """
    if threads == 1:
        return [SetRange(0, sets, states)]
    done, count = np.cumsum(lookups()), threads * PARTS_OF_THREAD
    cuts = np.searchsorted(done, int(done[-1]) * np.arange(1, count) // count)
    return [
        SetRange(first, last, LayerStates()) for first, last in pairwise([0, *cuts.tolist(), sets])
    ]


def put_together(parts: list[SetRange], states: LayerStates, run: NDArray[np.int64]) -> None:
    """Add the states of parts to other states, part after part; each gives its states up then.

    `run` has where the states of each set end, counted from the beginning of its part.
    """
    states.reserve(sum(part.states.count for part in parts))
    for part in parts:
        own, first, last = part.states, states.count, states.count + part.states.count
        run[part.first + 1 : part.last + 1] += first
        states.node[first:last] = own.node[: own.count]
        states.ways[first:last] = own.ways[: own.count]
        states.count, part.states = last, LayerStates()


def side_by_side(
    parts: list[SetRange], scratch: list[GatherScratch], memory_budget: MemoryBudget, work: Work
) -> Iterator[None]:
    """Go through all parts, a thread for each scratch; yields when the budgeted work is done.

    A thread takes the next part whenever it is done with a part. `work` does as much of it as its
    `progress` has work left, and returns why it ended.
    """
    left = deque(parts)

    def go_on(own: GatherScratch) -> None:
        budgeted = memory_budget.work
        while budgeted > 0:
            try:
                part = left.popleft()
            except IndexError:
                return
            part.progress[kernels.WORK_LEFT] = budgeted
            if work(part, own) != EXHAUSTED:
                left.appendleft(part)
                return
            budgeted = int(part.progress[kernels.WORK_LEFT])

    if len(scratch) == 1:
        go_on(scratch[0])
        while left:
            yield
            go_on(scratch[0])
        return
    with ThreadPoolExecutor(len(scratch)) as pool:
        list(pool.map(go_on, scratch))
        while left:
            yield
            list(pool.map(go_on, scratch))


def _scratch(nodes: int) -> GatherScratch:
    """Return the scratch of a thread."""
    words = words_for(nodes)
    return GatherScratch(
        sums=np.zeros(nodes, dtype=np.uint64),
        touched=np.zeros(words, dtype=np.uint64),
        groups=np.zeros(words_for(words), dtype=np.uint64),
    )


def _next_size(side: Side) -> int:
    """Return an upper estimate of the states of the next layer, 0 if they are few."""
    if side.size <= LARGE:
        return 0
    return side.size * side.size // max(1, list(side.sizes.values())[-2])


def _lookups(links: SetLinks, side: Side) -> NDArray[np.int64]:
    """Return how many states of a side's last layer are looked up for each set."""
    states = np.diff(side.run)[links.end]
    return np.diff(np.concatenate([[0], np.cumsum(states)])[links.first])
