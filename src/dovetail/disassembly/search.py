"""Searches of assemblies by the kernel, within limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.kernels import breadth_first as kernel
from dovetail.disassembly.plan import Assembly, Disassembly, Move, Outcome, Separation
from dovetail.disassembly.shapes import ShapeTable, assembly_arrays
from dovetail.models.lattices.protocol import Lattice

SLICE_STATES = 2_000  # some milliseconds
BATCH = 256  # assemblies that are prepared together
FIRST_STATES, PAIRS = 1 << 10, 1 << 16  # room at the beginning; powers of two
SETS, MOST_STEPS = 1 << 14, 1 << 10  # sets of pieces that move in one direction from one state
STATE_LIMIT = 10_000_000
REASONS = {
    "states": "the limit on states",
    "time": "the time limit",
    "stopped": "it was stopped",
    "sets": f"more than {SETS:,} sets of pieces could move from one state",
}


@dataclass(frozen=True)
class Limits:
    """Limits on each assembly (`states`) and on all of them (`deadline`)."""

    states: int = STATE_LIMIT
    deadline: float | None = None
    """By `time.monotonic`."""
    stopped: Callable[[], bool] = lambda: False


class TakingApart:
    """Takes assemblies on one lattice apart, one after another.

    What it learns about pairs of shapes serves all of them. Raises `PuzzleError` for a lattice
    whose pieces do not slide.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.table = ShapeTable(lattice)
        axes, directions = len(lattice.axes), len(self.table.directions.vectors)
        most = kernel.MAX_PIECES
        self._axes = axes
        self._scratch = kernel.Scratch(
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
        self._pairs = 0

    def all(
        self,
        assemblies: Iterable[Assembly],
        limits: Limits | None = None,
        groups: Sequence[frozenset[int]] = (),
    ) -> Iterator[Disassembly]:
        """Yield what is found about each assembly, in their order.

        `groups` has the groups of each piece, by number: pieces of one group may stay together.
        """
        limits = limits or Limits()
        waiting = iter(assemblies)
        while batch := list(islice(waiting, BATCH)):
            yield from self._take_apart(batch, limits, groups)

    def _take_apart(
        self, batch: Sequence[Assembly], limits: Limits, groups: Sequence[frozenset[int]]
    ) -> list[Disassembly]:
        arrays = assembly_arrays(self.table, batch, [_only(its) for its in groups])
        shapes = self.table.arrays()
        most = max(len(assembly.cells) for assembly in batch)
        visited = _visited(FIRST_STATES, most * self._axes)
        plans = _plans(4 * most, 64)
        state = np.zeros(kernel.STATE_SIZE, dtype=np.int64)
        state[kernel.PAIRS] = self._pairs
        reasons = dict[int, str]()
        ended = None
        while ended != kernel.ALL_DONE:
            reason = _over(limits, arrays, state)
            if reason:
                which = int(state[kernel.ASSEMBLY])
                for number in range(which, which + 1 if reason == "states" else len(batch)):
                    reasons[number] = REASONS[reason]
                if reason != "states":
                    break
                arrays.outcome[which] = kernel.TOO_MANY_SETS
                arrays.states[which] += state[kernel.HEAD]
                state[[kernel.STACK, kernel.PHASE, kernel.HEAD]] = 0, kernel.NEXT_PART, 0
            ended = kernel.take_apart(
                shapes, arrays, visited, self._scratch, plans, state, SLICE_STATES
            )
            if ended == kernel.STATES_FULL:
                visited = _larger(visited)
                kernel.rehash(visited, state, self._words(arrays, state))
            elif ended in (kernel.NODES_FULL, kernel.MOVES_FULL):
                plans = _with_more_room(plans)
        self._pairs = int(state[kernel.PAIRS])
        reader = _PlanReader(plans, int(state[kernel.NODES]), self.table)
        return [
            reader.disassembly(number, int(outcome), int(states), reasons.get(number, ""), groups)
            for number, (outcome, states) in enumerate(
                zip(arrays.outcome, arrays.states, strict=True)
            )
        ]

    def _words(self, arrays: kernel.Assemblies, state: NDArray[np.int64]) -> int:
        part = self._scratch.part[state[kernel.STACK] - 1]
        return int(part).bit_count() * self._axes


def _only(groups: frozenset[int]) -> int:
    """Return the only group of a piece, −1 for none and −2 for several."""
    return next(iter(groups)) if len(groups) == 1 else -1 - bool(groups)


def _over(limits: Limits, arrays: kernel.Assemblies, state: NDArray[np.int64]) -> str:
    """Return the name of the limit that is reached."""
    which = int(state[kernel.ASSEMBLY])
    if which == len(arrays.outcome):
        return ""
    if limits.stopped():
        return "stopped"
    if limits.deadline is not None and time.monotonic() >= limits.deadline:
        return "time"
    searching = state[kernel.PHASE] == kernel.IN_PART
    searched = arrays.states[which] + (state[kernel.HEAD] if searching else 0)
    return "states" if searched >= limits.states else ""


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
    """Return room for twice as many states; the hash table is empty."""
    count = len(visited.before)
    larger = _visited(2 * count, visited.place.shape[1])
    for name in ("place", "before", "direction", "steps", "moved"):
        getattr(larger, name)[:count] = getattr(visited, name)
    return larger


def _plans(nodes: int, moves: int) -> kernel.Plans:
    return kernel.Plans(
        node=np.zeros((nodes, kernel.NODE_SIZE), dtype=np.int64),
        part=np.zeros(nodes, dtype=np.uint64),
        removed=np.zeros(nodes, dtype=np.uint64),
        move=np.zeros((moves, 2), dtype=np.int32),
        moved=np.zeros(moves, dtype=np.uint64),
    )


def _with_more_room(plans: kernel.Plans) -> kernel.Plans:
    larger = _plans(2 * len(plans.part), 2 * len(plans.moved))
    for old, new in zip(plans, larger, strict=True):
        new[: len(old)] = old
    return larger


class _PlanReader:
    """Reads the separations that the kernel found."""

    def __init__(self, plans: kernel.Plans, nodes: int, table: ShapeTable) -> None:
        self._plans, self._vectors = plans, table.directions.vectors
        self._nodes = plans.node[:nodes].tolist()
        self._of = dict[int, list[int]]()
        for number, node in enumerate(self._nodes):
            self._of.setdefault(node[kernel.NODE_ASSEMBLY], []).append(number)

    def disassembly(
        self,
        number: int,
        outcome: int,
        states: int,
        reason: str,
        groups: Sequence[frozenset[int]],
    ) -> Disassembly:
        """Return what was found about an assembly."""
        if outcome == kernel.TOO_MANY_SETS or reason:
            return Disassembly(Outcome.UNDECIDED, None, states, reason or REASONS["sets"])
        its = self._of.get(number, [])
        together = [self._plans.part[n] for n in its if not self._nodes[n][kernel.NODE_MOVES]]
        sets = [_members(int(part)) for part in together]
        if outcome == kernel.LOCKED or (sets and not _grouped(sets, groups)):
            return Disassembly(Outcome.LOCKED, None, states)
        return Disassembly(Outcome.APART, self._tree(its), states)

    def _tree(self, its: list[int]) -> Separation | None:
        """Return the separations; later ones are of parts of earlier ones."""
        found = dict[tuple[int, int], Separation]()
        for number in reversed(its):
            _, parent, removed, first, count = self._nodes[number]
            if count:
                found[parent, removed] = Separation(
                    _members(int(self._plans.part[number])),
                    tuple(self._move(first + n) for n in range(count)),
                    found.pop((number, 0), None),
                    found.pop((number, 1), None),
                )
        return found.get((-1, 0))

    def _move(self, number: int) -> Move:
        direction, steps = self._plans.move[number].tolist()
        moved = _members(int(self._plans.moved[number]))
        return Move(moved, self._vectors[direction], steps or None)


def _members(pieces: int) -> tuple[int, ...]:
    return tuple(number for number in range(pieces.bit_length()) if pieces >> number & 1)


def _grouped(sets: Sequence[tuple[int, ...]], groups: Sequence[frozenset[int]]) -> bool:
    """Return whether each set of pieces that stay together fits into a group of its own."""
    raise NotImplementedError
