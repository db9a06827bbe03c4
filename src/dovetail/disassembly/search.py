"""Searches that take batches of assemblies apart by the kernel, within limits."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly import STATE_LIMIT, Method
from dovetail.disassembly.assemblies import AssemblyBatch
from dovetail.disassembly.kernels import states as kernel
from dovetail.disassembly.kernels.guide import GUIDE_SIZE, PairGuide
from dovetail.disassembly.kernels.search import follow, look_ahead, take_apart
from dovetail.disassembly.kernels.states import (
    NODE_ASSEMBLY,
    NODE_FIRST,
    NODE_MOVES,
    NODE_PARENT,
    NODE_SIZE,
    Plans,
)
from dovetail.disassembly.plan import Assembly, Disassembly, Outcome, PlanTable, members
from dovetail.disassembly.shapes import ShapeTable
from dovetail.errors import ConfigError, show
from dovetail.models.lattices.protocol import Lattice

SLICE_STATES = 2_000  # states of a slice, which takes some milliseconds
FIRST_STATES, PAIRS = 1 << 10, 1 << 16  # initial room for states; room for pairs (powers of two)
WALK = 1 << 7  # room for the vectors of a walk, see `kernels.guide`
LEAST_SHARE = 250  # least number of states for a thread that looks ahead
MOVES_AHEAD = 1 << 17  # room for the moves that a thread finds ahead
# A search ends if, from one state in one direction, more than `SETS` sets of pieces can move or a
# set can move by `MOST_STEPS` steps.
SETS, MOST_STEPS = 1 << 14, 1 << 10
MAX_BYTES = 2 << 30  # limit on the array with the places of the pieces in all states of a part
LARGEST = 1 << 63  # a limit on states is less
REASONS = {
    "states": "the limit on states",
    "time": "the time limit",
    "stopped": "it was stopped",
    "memory": f"its states need more than {MAX_BYTES >> 30} GiB",
    "sets": f"more than {SETS:,} sets of pieces could move, or one by {MOST_STEPS:,} steps",
}


@dataclass(frozen=True)
class DisassemblyLimits:
    """Limits on a search of a batch of assemblies, and its method."""

    states: int = STATE_LIMIT  # largest number of states searched for each assembly
    deadline: float | None = None
    """Time by `time.monotonic` at which the search of the batch ends; None for no limit."""
    # Function that returns True when the search of the batch has to end.
    stopped: Callable[[], bool] = lambda: False
    method: Method = Method.BREADTH_FIRST

    def __post_init__(self) -> None:
        if type(self.states) is not int or not 0 <= self.states < LARGEST:
            expected = f"expected a whole number from 0 to {LARGEST - 1:,}"
            raise ConfigError(f"state_limit is {show(self.states)}; {expected}")


class TakingApart:
    """Search that takes assemblies on a lattice apart, one after the other.

    The gaps between pairs of shapes are kept for all assemblies. Raises `PuzzleError` for a lattice
    whose pieces do not slide.
    """

    def __init__(self, lattice: Lattice, table: ShapeTable | None = None) -> None:
        self.table = table or ShapeTable(lattice)
        axes, directions = len(lattice.axes), len(self.table.directions.vectors)
        self._axes = axes
        self._scratch = _scratch(axes, directions)
        self._ahead = list[_Ahead]()
        self._pairs = 0

    def all(
        self,
        assemblies: Sequence[Assembly],
        limits: DisassemblyLimits | None = None,
        idle: SimpleQueue[TakingApart] | None = None,
    ) -> list[Disassembly]:
        """Return the results of some assemblies in the same order; see `batch`."""
        found = self.batch(AssemblyBatch.of(self.table.placed, assemblies), limits, idle)
        return [found.disassembly(number) for number in range(len(assemblies))]

    def batch(
        self,
        batch: AssemblyBatch,
        limits: DisassemblyLimits | None = None,
        idle: SimpleQueue[TakingApart] | None = None,
    ) -> BatchResults:
        """Return the results of a batch of assemblies.

        If many states wait to be searched, threads with the objects in `idle` help, except with
        `Method.A_STAR`. The threads do not change results. Raises `PuzzleError` for an assembly of
        too many pieces or with a piece that is too long.
        """
        limits = limits or DisassemblyLimits()
        most = batch.most_pieces
        shapes, arrays = self.table.arrays(batch)
        guide = self._guide(FIRST_STATES) if limits.method is Method.A_STAR else None
        visited = _visited(FIRST_STATES, most * self._axes)
        plans = _plans(2 * most * len(batch))
        state = np.zeros(kernel.STATE_SIZE, dtype=np.int64)
        state[[kernel.PAIRS, kernel.LIMIT]] = self._pairs, limits.states
        state[kernel.LONGEST] = 1 if limits.method is Method.UNIT_STEPS else MOST_STEPS
        reasons = dict[int, str]()
        ended = None
        while ended != kernel.ALL_DONE:
            reason = _over(limits, arrays, state)
            if not reason and ended == kernel.STATES_FULL and 2 * visited.place.nbytes > MAX_BYTES:
                reason = "memory"
            if reason:
                which = int(state[kernel.ASSEMBLY])
                ends_all = reason in ("time", "stopped")
                for number in range(which, len(batch) if ends_all else which + 1):
                    reasons[number] = REASONS[reason]
                if state[kernel.PHASE] == kernel.IN_PART:
                    arrays.states[which] += state[kernel.HEAD]
                if ends_all:
                    break
                arrays.outcome[which] = kernel.TOO_MANY_SETS
                state[[kernel.STACK, kernel.PHASE, kernel.HEAD]] = 0, kernel.NEXT_PART, 0
            most_states = SLICE_STATES
            if (
                idle is not None
                and guide is None
                and self._has_looked_ahead(idle, shapes, arrays, visited, state)
            ):
                most_states = 1
            ended = take_apart(
                shapes, arrays, visited, self._scratch, plans, state, guide, most_states
            )
            if ended == kernel.STATES_FULL and 2 * visited.place.nbytes <= MAX_BYTES:
                visited = _larger(visited)
                kernel.rehash(visited, state, self._words(state))
                if guide is not None:
                    larger = self._guide(len(visited.before))
                    larger.state[: len(guide.state)] = guide.state
                    larger.queue[: len(guide.queue)] = guide.queue
                    guide = larger
            elif ended == kernel.MOVES_FULL:
                plans = plans._replace(
                    move=np.concatenate([plans.move, plans.move]),
                    moved=np.concatenate([plans.moved, plans.moved]),
                )
        self._pairs = int(state[kernel.PAIRS])
        plans = plans._replace(node=plans.node[: state[kernel.NODES]])
        return self._results(batch, arrays, plans, reasons)

    def _results(
        self,
        batch: AssemblyBatch,
        arrays: kernel.AssemblyArrays,
        plans: Plans,
        reasons: dict[int, str],
    ) -> BatchResults:
        """Return the results of a batch from the arrays of its search."""
        outcome, node = arrays.outcome, plans.node
        for number in np.flatnonzero(outcome == kernel.TOO_MANY_SETS).tolist():
            reasons.setdefault(number, REASONS["sets"])
        reasons = {n: reason for n, reason in reasons.items() if outcome[n] != kernel.LOCKED}
        outcome[list(reasons)] = kernel.OPEN
        is_apart = outcome[node[:, NODE_ASSEMBLY]] == kernel.APART
        locked = is_apart & (node[:, NODE_MOVES] == 0)
        for number in np.unique(node[locked, NODE_ASSEMBLY]).tolist():
            its = locked & (node[:, NODE_ASSEMBLY] == number)
            sets = [members(part) for part in plans.part[: len(node)][its].tolist()]
            if not _may_stay_together(sets, batch.assembly(number)):
                outcome[number] = kernel.LOCKED
        is_apart = outcome[node[:, NODE_ASSEMBLY]] == kernel.APART
        order = np.flatnonzero(is_apart & (node[:, NODE_MOVES] > 0))
        # If weights differ, a half that leaves may have been searched before the half that stays.
        if len(set(batch.kinds.weight.tolist())) > 1:
            order = np.array(_in_order(node, order), dtype=np.int64)
        table = PlanTable(_chosen(plans, order), len(batch), self.table.directions.vectors)
        outcomes = [_OUTCOMES[each] for each in outcome.tolist()]
        return BatchResults(batch, table, outcomes, arrays.states.tolist(), reasons)

    def _has_looked_ahead(
        self,
        idle: SimpleQueue[TakingApart],
        shapes: kernel.Shapes,
        arrays: kernel.AssemblyArrays,
        visited: kernel.Visited,
        state: NDArray[np.int64],
    ) -> bool:
        """Find moves ahead of the search in threads, if enough states wait and `idle` is not empty.

        Returns whether threads have helped.
        """
        head, which = int(state[kernel.HEAD]), int(state[kernel.ASSEMBLY])
        waiting = int(state[kernel.COUNT]) - head
        if state[kernel.PHASE] != kernel.IN_PART or waiting < 2 * LEAST_SHARE:
            return False
        waiting = min(waiting, int(state[kernel.LIMIT] - arrays.states[which]) - head)
        helpers = list[TakingApart]()
        try:
            while waiting >= (len(helpers) + 2) * LEAST_SHARE:
                helpers.append(idle.get_nowait())
        except Empty:
            pass
        threads = len(helpers) + 1
        if threads == 1:
            return False
        try:
            while len(self._ahead) < threads:
                self._ahead.append(_Ahead(self._axes, len(shapes.vector)))
            share = min(SLICE_STATES, waiting // threads)
            with ThreadPoolExecutor(threads) as pool:
                done = [
                    pool.submit(
                        ahead.look,
                        shapes,
                        arrays,
                        visited,
                        self._scratch,
                        state.copy(),
                        at,
                        at + share,
                    )
                    for ahead, at in zip(
                        self._ahead, range(head, head + threads * share, share), strict=False
                    )
                ]
            for ahead, states in zip(self._ahead, [each.result() for each in done], strict=False):
                fits = follow(shapes, visited, self._scratch, state, ahead.moves, states)
                if not fits or states < share:
                    break
        finally:
            for helper in helpers:
                idle.put(helper)
        return True

    def _guide(self, states: int) -> PairGuide:
        """Return an empty guide with room for `states` states."""
        directions, most, _ = self._scratch.gap.shape
        return PairGuide(
            state=np.zeros((states, GUIDE_SIZE), dtype=np.int32),
            queue=np.zeros(2 * states, dtype=np.int64),
            pair=np.full((PAIRS, 2), kernel.FREE, dtype=np.int64),
            pair_need=np.zeros((PAIRS, directions), dtype=np.int32),
            need=np.zeros((directions, most, most), dtype=np.int32),
            walk=np.zeros((WALK, 2), dtype=np.int64),
            fewest=np.zeros(directions, dtype=np.int64),
        )

    def _words(self, state: NDArray[np.int64]) -> int:
        """Return the number of words of a state of the present part."""
        part = self._scratch.part[state[kernel.STACK] - 1]
        return int(part).bit_count() * self._axes


class _Ahead:
    """Arrays of a thread that finds moves ahead of the search of a part."""

    def __init__(self, axes: int, directions: int) -> None:
        self._scratch, self._pairs = _scratch(axes, directions), 0
        self.moves = kernel.FoundMoves(
            end=np.zeros(SLICE_STATES, dtype=np.int64),
            direction=np.zeros(MOVES_AHEAD, dtype=np.int32),
            steps=np.zeros(MOVES_AHEAD, dtype=np.int32),
            moved=np.zeros(MOVES_AHEAD, dtype=np.uint64),
            size=np.zeros(1, dtype=np.int64),
        )

    def look(
        self,
        shapes: kernel.Shapes,
        arrays: kernel.AssemblyArrays,
        visited: kernel.Visited,
        search: kernel.Scratch,
        state: NDArray[np.int64],
        first: int,
        last: int,
    ) -> int:
        """Find the moves from the states `first` to `last` − 1; return the number of states done.

        `search` has the scratch arrays of the search.
        """
        top = state[kernel.STACK] - 1
        self._scratch.part[top], self._scratch.member[:] = search.part[top], search.member
        state[kernel.PAIRS] = self._pairs
        states = look_ahead(shapes, arrays, visited, self._scratch, state, self.moves, first, last)
        self._pairs = int(state[kernel.PAIRS])
        return int(states)


def _over(
    limits: DisassemblyLimits, arrays: kernel.AssemblyArrays, state: NDArray[np.int64]
) -> str:
    """Return the key in `REASONS` of a limit that is reached, or an empty text."""
    which = int(state[kernel.ASSEMBLY])
    if which == len(arrays.outcome):
        return ""
    if limits.stopped():
        return "stopped"
    if limits.deadline is not None and time.monotonic() >= limits.deadline:
        return "time"
    if state[kernel.PHASE] != kernel.IN_PART:  # the next assembly may need no search
        return ""
    searched = arrays.states[which] + state[kernel.HEAD]
    return "states" if searched >= limits.states else ""


def _scratch(axes: int, directions: int) -> kernel.Scratch:
    most = kernel.MAX_PIECES
    return kernel.Scratch(
        pair=np.full((PAIRS, 2), kernel.FREE, dtype=np.int64),
        pair_gap=np.zeros((PAIRS, directions), dtype=np.int32),
        gap=np.zeros((directions, most, most), dtype=np.int32),
        sets=np.zeros(SETS, dtype=np.uint64),
        older=np.zeros(SETS, dtype=np.int32),
        newest=np.zeros(MOST_STEPS, dtype=np.int32),
        member=np.zeros(most, dtype=np.int64),
        part=np.zeros(2 * most, dtype=np.uint64),
        part_from=np.zeros((2 * most, 2), dtype=np.int64),
        part_place=np.zeros((2 * most, most * axes), dtype=np.int64),
        found=np.zeros(2, dtype=np.uint64),
    )


def _visited(states: int, words: int) -> kernel.Visited:
    return kernel.Visited(
        place=np.zeros((states, words), dtype=np.int32),
        before=np.zeros(states, dtype=np.int32),
        direction=np.zeros(states, dtype=np.int32),
        steps=np.zeros(states, dtype=np.int32),
        moved=np.zeros(states, dtype=np.uint64),
        slot=np.zeros(2 * states, dtype=np.int64),
    )


def _larger(visited: kernel.Visited) -> kernel.Visited:
    """Return a copy with room for twice as many states, whose hash table is empty."""
    count = len(visited.before)
    larger = _visited(2 * count, visited.place.shape[1])
    for name in ("place", "before", "direction", "steps", "moved"):
        getattr(larger, name)[:count] = getattr(visited, name)
    return larger


def _plans(nodes: int) -> Plans:
    """Return room for `nodes` separations and locked parts, and for the same number of moves."""
    return Plans(
        node=np.zeros((nodes, NODE_SIZE), dtype=np.int64),
        part=np.zeros(nodes, dtype=np.uint64),
        move=np.zeros((nodes, 2), dtype=np.int32),
        moved=np.zeros(nodes, dtype=np.uint64),
    )


@dataclass(frozen=True, eq=False)
class BatchResults:
    """Results for the assemblies of a batch."""

    batch: AssemblyBatch
    plans: PlanTable
    outcomes: list[Outcome]
    states: list[int]
    reasons: Mapping[int, str]
    """Limit that ended the search, by number of an undecided assembly."""

    def disassembly(self, number: int) -> Disassembly:
        """Return the result for an assembly."""
        outcome, reason = self.outcomes[number], self.reasons.get(number, "")
        return self.plans.disassembly(number, outcome, self.states[number], reason)


_OUTCOMES = {
    kernel.OPEN: Outcome.UNDECIDED,
    kernel.APART: Outcome.APART,
    kernel.LOCKED: Outcome.LOCKED,
}


def _in_order(node: NDArray[np.int64], kept: NDArray[np.int64]) -> list[int]:
    """Return the `kept` separations, each before its parts; the part that stays comes first."""
    ways = dict[int, tuple[int, ...]]()
    for number in kept.tolist():
        which, parent, leaves, _, _ = node[number].tolist()
        ways[number] = (*ways.get(parent, (which,)), leaves)
    return sorted(ways, key=ways.__getitem__)


def _chosen(plans: Plans, order: NDArray[np.int64]) -> Plans:
    """Return the plans with only the separations `order`, in this order."""
    number = np.zeros(len(plans.node) + 1, dtype=np.int64)
    number[order], number[-1] = np.arange(len(order)), -1
    node = plans.node[order]
    node[:, NODE_PARENT] = number[node[:, NODE_PARENT]]
    moves = int(max((node[:, NODE_FIRST] + node[:, NODE_MOVES]).tolist(), default=0))
    return Plans(node, plans.part[order], plans.move[:moves].copy(), plans.moved[:moves].copy())


def _may_stay_together(sets: Sequence[tuple[int, ...]], assembly: Assembly) -> bool:
    """Return whether sets of pieces fit into groups within the copies that each group takes."""
    if any(not assembly.groups[piece] for pieces in sets for piece in pieces):
        return False
    uses = [Counter(assembly.names[piece] for piece in pieces) for pieces in sets]
    room: Counter[tuple[int, str]] = Counter()
    for name, groups in zip(assembly.names, assembly.groups, strict=True):
        room |= Counter({(group, name): copies for group, copies in groups})

    def fits(number: int, left: Counter[tuple[int, str]]) -> bool:
        if number == len(uses):
            return True
        for group in sorted({group for group, _ in room}):
            wanted = Counter({(group, name): count for name, count in uses[number].items()})
            if wanted <= left and fits(number + 1, left - wanted):
                return True
        return False

    return fits(0, room)
