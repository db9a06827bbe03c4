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
GROWTH = 1.25  # states for which room is reserved, per expected state
LARGE = 2**16  # for a layer with more states, room for the next layer is reserved
PARTS_OF_THREAD = 8
MAX_WAYS = 2**63
ROUNDING = 1.000_001  # factor larger than the rounding errors of the sums

kernels: Any = layers


class PieceSets:
    """All sets of pieces of a problem, in layers.

    `layers[k]` has the sets of pieces that k moves use, packed as uint64. There are no layers
    before `make`.
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
        """Memory of the sets and their properties in bytes."""
        return self._place.nbytes + self.count * SET_BYTES

    def make(self, memory_budget: MemoryBudget) -> Iterator[None]:
        """Make all sets; yield after each layer.

        Raises `MemoryBudgetExceededError` if the sets exceed the budget.
        """
        for layer in self._layers(np.uint64(0)):
            self.layers.append(layer)
            memory_budget.check(self.held_bytes, f"more than {self.count:,} sets of pieces")
            yield

    def below(self, packed: np.uint64) -> PieceSets:
        """Return the subsets of a set, in layers from the empty set on."""
        within = copy(self)
        max_count = self._used(packed)
        fewer = self._any_use(max_count < self._shapes.max_count)
        within._shapes = self._shapes._replace(max_count=max_count)
        within._classes = self._classes._replace(many=self._classes.many | fewer)
        within._about, within.layers = {}, list(within._layers(np.uint64(0)))
        return within

    def above(self, packed: np.uint64) -> PieceSets:
        """Return the supersets of a set, in layers from this set on."""
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
        """Return the links from a layer to the next layer.

        Links are grouped by the set that they leave, or that they reach if `by_end`.
        """
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
        """Return 1 for each class of moves that uses a shape of the mask `shapes`, else 0."""
        return np.asarray(self._uses[:, shapes].any(axis=1), dtype=np.uint8)

    def _layers(self, first: np.uint64) -> Iterator[NDArray[np.uint64]]:
        """Yield the set `first` as a layer, then the layers of the sets that moves make from it."""
        packed = np.array([first], dtype=np.uint64)
        used = self._used(first).astype(np.int64)
        volume = np.array([int(used @ self._shape_volumes)], dtype=np.int64)
        while len(packed):
            yield packed
            capacity = max(FIRST_SETS, 2 * len(packed)) + self.class_count
            sets = MadeSets(
                packed=np.empty(capacity, dtype=np.uint64),
                volume=np.empty(capacity, dtype=np.int64),
                progress=np.zeros(2, dtype=np.int64),
            )
            while not kernels.next_sets(
                packed, volume, self._cells, self._classes, self._shapes, self._place, sets
            ):
                capacity *= 2
                sets = sets._replace(
                    packed=np.resize(sets.packed, capacity), volume=np.resize(sets.volume, capacity)
                )
            count = sets.progress[kernels.MADE]
            packed, volume = sets.packed[:count].copy(), sets.volume[:count].copy()


class LayerStates:
    """Arrays of states: the `node` of the automaton, int32, and the number of `ways`, uint64.

    Only the first `count` entries are states. States given by their `node` have 1 way each.
    """

    def __init__(self, node: NDArray[np.int32] | None = None) -> None:
        self.node = np.zeros(FIRST_STATES, dtype=np.int32) if node is None else node.copy()
        self.ways: NDArray[np.uint64] = np.ones(len(self.node), dtype=np.uint64)
        self.count = 0 if node is None else len(node)

    def reserve(self, more: int) -> None:
        """Make room for `more` states; the room takes no memory until it is used."""
        entries, count = self.count + more, self.count
        if entries > len(self.node):
            node, ways = np.empty(entries, dtype=np.int32), np.empty(entries, dtype=np.uint64)
            node[:count], ways[:count] = self.node[:count], self.ways[:count]
            self.node, self.ways = node, ways


class Side:
    """The layers counted from one side of the board; the last layer is layer `number`.

    Set s of layer k has states `runs[k][s]` to `runs[k][s + 1]` − 1, ascending by node. Unless
    `keep` is True, only the last layer is kept. The states of the last layer have at most
    `max_ways` ways each.
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
        """Index of the first state of each set of the last layer, then the end of the last set."""
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
        """Nodes of the last layer's states."""
        return self.states.node[int(self.run[0]) : int(self.run[-1])]

    @property
    def ways(self) -> NDArray[np.uint64]:
        """Numbers of ways to the last layer's states."""
        return self.states.ways[int(self.run[0]) : int(self.run[-1])]

    def add(self, number: int, states: LayerStates, run: NDArray[np.int64]) -> None:
        """Add layer `number`, the last part of `states`; kept layers are the parts before it."""
        if not self.keep:
            del self.runs[self.number]
        self.number, self.states = number, states
        self.runs[number], self.sizes[number] = run, int(run[-1] - run[0])


class SetRange:
    """The sets from `first` to `last` − 1, whose states a thread adds to `states`.

    `progress` is the array that the kernels take.
    """

    def __init__(self, first: int, last: int, states: LayerStates) -> None:
        self.first, self.last, self.states = first, last, states
        self.progress: NDArray[np.int64] = np.zeros(kernels.PROGRESS_SIZE, dtype=np.int64)
        self.progress[kernels.SET], self.progress[kernels.STATES] = first, states.count


Lookups = Callable[[], NDArray[np.int64]]
Work = Callable[[SetRange, GatherScratch], int]


class LayeredDP:
    """Dynamic programming that gathers layers from both sides of a problem, and joins them.

    Methods that are iterators yield when the budgeted work is done. Numbers of ways are counted
    modulo `modulus`, or modulo 2**64 if `modulus` is 0. All layers are kept if `room`, the expected
    number of states, is given. `threads` is the number of threads that gather sets.
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
        # `overflow`: True if some number of ways may have exceeded a word. `max_total`: upper bound
        # on the number of solutions.
        self.overflow, self.max_total = False, 0
        # Largest number of times that a move counts.
        self._max_weight = int(automaton.problem.weight.max(initial=1))
        self._scratch = [_scratch(automaton.node_count) for _ in range(threads)]
        start = np.zeros(min(1, automaton.node_count), dtype=np.int32)
        self.near = Side(0, start, np.array([0, len(start)], dtype=np.int64), keep=keep)
        last = len(sets.layers) - 1
        complete = sets.about(last).complete.astype(np.int64)
        accepted = automaton.accepted
        run = np.concatenate([[0], np.cumsum(complete * len(accepted))]).astype(np.int64)
        self.far = Side(last, np.tile(accepted, int(complete.sum())), run, keep=keep)
        self._reserve(self.near.states, int(GROWTH * (room or 0)))
        self._reserve(self.far.states, int(GROWTH * (room or 0)))

    def advance(self, *, forward: bool) -> Iterator[None]:
        """Gather the next layer of the near side if `forward`, else of the far side.

        Raises `MemoryBudgetExceededError` if the states exceed the budget.
        """
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

        The near side's last layer must be the layer before it. A bound on the number of these
        solutions is added to `max_total`.
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
        """Return how many solutions go through each set of the layer between the two sides.

        The states of this layer are not kept, because the largest layers are in the middle. A bound
        on the number of these solutions is added to `max_total`.
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
        """Join all sets; return the number of states that were visited without being kept."""
        parts = shared_out(sets, lookups, LayerStates(), len(self._scratch))
        yield from side_by_side(parts, self._scratch, self._memory_budget, work)
        return sum(int(part.progress[kernels.STATES]) for part in parts)

    def crossing(self) -> Transition:
        """Return the transition from the near side's last layer to the far side's.

        The transition has no links if the near side has all layers.
        """
        none = np.zeros(0, dtype=np.int32)
        links = SetLinks(np.zeros(1, dtype=np.int64), none, none)
        if self.near.number < self.far.number:
            links = self.sets.links(self.near.number, by_end=True)
        return self._transition(links, self.near, forward=True)

    def ended(self) -> NDArray[np.int64]:
        """Return the states of the near side's last layer in which solutions end.

        In these states, all unsettled cells may stay empty, and each piece is used often enough.
        The result has a row (set, state) for each of them. A bound on the number of these solutions
        is added to `max_total`.
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
        """Return the transition from the last layer of a side to the next."""
        edges = self.automaton.edges_by_class(side.node, forward=forward)
        return Transition(links, edges, side.layer, self.automaton.problem.weight, self._modulus)

    def _kept(self, number: int, *, forward: bool) -> Kept:
        """Return the conditions for states of a layer to be kept."""
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
        """Raise `MemoryBudgetExceededError` if automaton and states exceed the budget."""
        held = {id(states): states for states in (self.near.states, self.far.states)}
        held |= {id(part.states): part.states for part in parts}
        self._memory_budget.check(
            self.automaton.held_bytes
            + BYTES_PER_STATE * sum(states.count for states in held.values()),
            f"{self.near.states.count + self.far.states.count:,} states or more",
        )

    def _check_ways(self, side: Side) -> None:
        """Update `max_ways` for the next layer of a side; set `overflow` if it gets too large."""
        side.max_ways *= self._max_weight * (1 + self.automaton.max_edges)
        self.overflow |= side.max_ways >= MAX_WAYS

    def _add_solutions(self, about: NDArray[np.float64], states: int) -> None:
        """Add to `max_total` an upper bound on the solutions through `states` states of a layer.

        The bound is the sum of `about` unless some number of ways may have exceeded a word. In that
        case, each state, and the end of each of its edges, is assumed to have the most ways.
        """
        near, far, edges = self.near.max_ways, self.far.max_ways, 1 + self.automaton.max_edges
        self.overflow |= edges * max(near, far) >= MAX_WAYS
        if not self.overflow:
            self.max_total += int(about.sum() * ROUNDING)
        else:
            self.max_total += states * near * edges * far * self._max_weight
        self.overflow |= self.max_total >= MAX_WAYS


def shared_out(sets: int, lookups: Lookups, states: LayerStates, threads: int) -> list[SetRange]:
    """Divide the sets of a layer into parts with about the same number of lookups of states.

    A single thread gets all sets, and adds to `states`. For several threads there are several parts
    per thread, because parts with the same number of lookups take different times. Each of these
    parts has separate states.
    """
    if threads == 1:
        return [SetRange(0, sets, states)]
    done, count = np.cumsum(lookups()), threads * PARTS_OF_THREAD
    cuts = np.searchsorted(done, int(done[-1]) * np.arange(1, count) // count)
    return [
        SetRange(first, last, LayerStates()) for first, last in pairwise([0, *cuts.tolist(), sets])
    ]


def put_together(parts: list[SetRange], states: LayerStates, run: NDArray[np.int64]) -> None:
    """Append the states of all parts to `states`, and free the states of each part.

    At first, the entries of `run` count from the beginning of each part. The entries are changed to
    count from the beginning of `states`.
    """
    states.reserve(sum(part.states.count for part in parts))
    for part in parts:
        part_states, first, last = part.states, states.count, states.count + part.states.count
        run[part.first + 1 : part.last + 1] += first
        states.node[first:last] = part_states.node[: part_states.count]
        states.ways[first:last] = part_states.ways[: part_states.count]
        states.count, part.states = last, LayerStates()


def side_by_side(
    parts: list[SetRange], scratch: list[GatherScratch], memory_budget: MemoryBudget, work: Work
) -> Iterator[None]:
    """Process all parts, with a thread for each scratch; yield when the budgeted work is done.

    A thread that has finished a part takes the next part. `work` processes a part within the work
    left of its `progress`, and returns why the processing ended.
    """
    left = deque(parts)

    def go_on(scratch: GatherScratch) -> None:
        budgeted = memory_budget.work
        while budgeted > 0:
            try:
                part = left.popleft()
            except IndexError:
                return
            part.progress[kernels.WORK_LEFT] = budgeted
            if work(part, scratch) != EXHAUSTED:
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
    """Return an estimate of the number of states of a side's next layer.

    The result is 0 if the last layer has at most `LARGE` states, or is the only layer so far.
    """
    if side.size <= LARGE or len(side.sizes) == 1:
        return 0
    return side.size * side.size // max(1, list(side.sizes.values())[-2])


def _lookups(links: SetLinks, side: Side) -> NDArray[np.int64]:
    """Return how many states of a side's last layer are looked up for each set."""
    states = np.diff(side.run)[links.end]
    return np.diff(np.concatenate([[0], np.cumsum(states)])[links.first])
