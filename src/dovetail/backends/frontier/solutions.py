"""From counts back to solutions: all of them in turn, or the one that has a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.automaton import Automaton
from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.room import Room

CROSSINGS = 2**14
NOWHERE = -1
WORK_PER_STEP = 8  # of a budget's


class RowBuffer:
    """Rows of moves that are filled, taken and filled anew; `limit` says how many may be filled."""

    def __init__(self, rows: int, moves: int) -> None:
        self.rows: NDArray[np.int32] = np.full((rows, moves), NOWHERE, dtype=np.int32)
        self.filled = 0
        self.limit = rows

    def open_for(self, most: int | None) -> None:
        """Let so many more rows be filled at most, where there are as many left."""
        rows = len(self.rows)
        self.limit = rows if most is None else min(rows, self.filled + most)

    def take(self) -> NDArray[np.int32]:
        """The rows that are filled."""
        taken = self.rows[: self.filled].copy()
        self.filled = 0
        return taken


class Solutions:
    """The solutions of a problem that was counted with all layers kept.

    They are numbered from 0 to `total` − 1, as often as their weights say; which one has a number
    depends on the problem alone. Rows hold moves, −1 behind the last.
    """

    def __init__(self, counting: Counting, room: Room) -> None:
        from dovetail.backends.frontier.kernels import walk  # imports numba

        assert counting.programme is not None
        self._kernels: Any = walk
        self._counting, self._room = counting, room
        self._programme = programme = counting.programme
        sizes = [len(layer) for layer in programme.sets.layers]
        self._first_set = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._states = self._sets_and_states()
        self._edges_both_ways = _edges_both_ways(programme.automaton)
        self._meeting = self._where_sides_meet()
        ways = [*counting.through.tolist(), *counting.ended_ways.tolist()]
        self._up_to = list(accumulate(ways))

    @property
    def moves(self) -> int:
        """How many moves the longest row has."""
        return len(self._programme.sets.layers) - 1

    def listed(self, buffer: RowBuffer) -> Iterator[None]:
        """Put all solutions into rows; yields when the work is done, or no row is left."""
        kernels = self._kernels
        found = np.full((CROSSINGS, kernels.CROSSING_SIZE), NOWHERE, dtype=np.int64)
        ended = self._counting.ended
        for first in range(0, len(ended), CROSSINGS):
            some = ended[first : first + CROSSINGS]
            found[: len(some), kernels.NEAR_SET] = self._first_set[some[:, 0]] + some[:, 1]
            found[: len(some), kernels.NEAR_NODE] = self._programme.near.states.node[some[:, 2]]
            yield from self._walked(found, len(some), buffer)
        if self._meeting is None:
            return
        progress = np.zeros(kernels.CROSSING_PROGRESS_SIZE, dtype=np.int64)
        marked = np.zeros(self._programme.automaton.node_count, dtype=np.uint8)
        reason = None
        while reason != kernels.DONE:
            progress[kernels.CROSSINGS], progress[kernels.CROSSING_WORK] = 0, self._room.work
            reason = kernels.crossings(
                *self._meeting.of_crossings(),
                marked,
                *self._first_set[[self._programme.near.number, self._programme.far.number]],
                self._programme.most_edges,
                found,
                progress,
            )
            yield from self._walked(found, int(progress[kernels.CROSSINGS]), buffer)
            yield

    def sample(self, most: int) -> NDArray[np.int32]:
        """So many solutions, evenly spread over all numbers; all of them where there are fewer."""
        total = self._counting.total
        rows = [self.numbered(number * total // most)[0] for number in range(most) if total]
        found = np.array(rows, dtype=np.int32).reshape(len(rows), self.moves)
        distinct: NDArray[np.int32] = np.unique(found, axis=0) if self.moves else found[:1]
        return distinct

    def numbered(self, number: int) -> tuple[NDArray[np.int32], int]:
        """The solution with a number, and which of the times that it counts is meant."""
        group = bisect_right(self._up_to, number)
        left = np.uint64(number - (self._up_to[group - 1] if group else 0))
        row = np.full(self.moves, NOWHERE, dtype=np.int32)
        through = len(self._counting.through)
        if group >= through:
            layer, ended_set, state = self._counting.ended[group - through]
            node = int(self._programme.near.states.node[state])
            _, image = self._back(left, int(self._first_set[layer] + ended_set), node, row, 0)
            return row, image
        return row, self._across(left, group, row)

    def _across(self, number: np.uint64, group: int, row: NDArray[np.int32]) -> int:
        """Fill a row with the solution that has a number among those through a set."""
        assert self._meeting is not None
        programme, automaton = self._programme, self._programme.automaton
        near, far = programme.near, programme.far
        sums = np.zeros(automaton.node_count, dtype=np.uint64)
        source, node, kind, nth, target, left, times, right = self._kernels.across(
            number, group, *self._meeting.arguments, sums
        )
        leaving = np.arange(automaton.first_edge[node], automaton.first_edge[node + 1])
        leaving = leaving[programme.problem.kind[automaton.move[leaving]] == kind]
        row[0] = automaton.move[leaving[nth]]
        column, image = self._back(left, int(self._first_set[near.number] + source), node, row, 1)
        _, beyond = self._kernels.forth(
            right,
            int(self._first_set[far.number] + group),
            target,
            self._states.step,
            self._states.complete,
            self._states.begin,
            self._states.end,
            far.states.node,
            far.states.ways,
            automaton.first_edge,
            automaton.to,
            automaton.move,
            automaton.accepting,
            programme.problem.kind,
            programme.problem.kinds.weight,
            row,
            column,
        )
        return max(int(times), image, int(beyond))

    def _back(
        self, number: np.uint64, at_set: int, node: int, row: NDArray[np.int32], column: int
    ) -> tuple[int, int]:
        """Fill a row with the way back that has a number; the column behind it, and the image."""
        near, problem = self._programme.near.states, self._programme.problem
        column, image = self._kernels.back(
            number,
            at_set,
            node,
            self._states.step,
            self._states.begin,
            self._states.end,
            near.node,
            near.ways,
            *self._edges_both_ways[3:],
            problem.kind,
            problem.kinds.weight,
            row,
            column,
        )
        return column, int(image)

    def _walked(self, found: NDArray[np.int64], count: int, buffer: RowBuffer) -> Iterator[None]:
        """List what makes so many crossings."""
        kernels, programme = self._kernels, self._programme
        progress = np.zeros(kernels.PROGRESS_SIZE, dtype=np.int64)
        stack = np.zeros((self.moves + 3, kernels.FRAME_SIZE), dtype=np.int64)
        while True:
            progress[kernels.ROWS] = buffer.filled
            progress[kernels.WORK] = max(1, self._room.work // WORK_PER_STEP)
            reason = kernels.walk(
                found,
                count,
                self._states.step,
                self._states.complete,
                self._states.begin,
                self._states.end,
                programme.near.states.node,
                programme.far.states.node,
                *self._edges_both_ways,
                programme.automaton.accepting,
                programme.problem.kind,
                stack,
                buffer.rows[: buffer.limit],
                progress,
            )
            buffer.filled = int(progress[kernels.ROWS])
            if reason == kernels.DONE:
                return
            yield

    def _where_sides_meet(self) -> _Meeting | None:
        """None where the near side has all layers."""
        programme = self._programme
        if programme.near.number >= programme.far.number:
            return None
        links = programme.sets.links(programme.near.number, by_end=True)
        return _Meeting(programme.meeting(links, programme.edges(programme.near, forward=True)))

    def _sets_and_states(self) -> _SetStates:
        """What walks have to know of each set."""
        programme, sets = self._programme, self._programme.sets
        count, kinds = int(self._first_set[-1]), len(programme.problem.kinds.weight)
        step = np.full((count, kinds), NOWHERE, dtype=np.int32)
        begin, end = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        complete = np.concatenate([sets.about(k).complete for k in range(len(sets.layers))])
        for number in range(len(sets.layers) - 1):
            near = number < programme.near.number
            if not near and number < programme.far.number:
                continue
            links = sets.links(number, by_end=near)
            own, other = self._first_set[[number + near, number + 1 - near]]
            rows = own + np.repeat(np.arange(len(links.first) - 1), np.diff(links.first))
            step[rows, links.kind] = other + links.end
        for side in (programme.near, programme.far):
            for number, run in side.runs.items():
                own_sets = slice(self._first_set[number], self._first_set[number + 1])
                begin[own_sets], end[own_sets] = run[:-1], run[1:]
        return _SetStates(step, complete, begin, end)


@dataclass(frozen=True, eq=False)
class _SetStates:
    """Arrays by set, numbered through all layers; see `kernels.walk`."""

    step: NDArray[np.int32]
    complete: NDArray[np.uint8]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Meeting:
    """What `Programme.meeting` gives."""

    arguments: tuple[Any, ...]

    def of_crossings(self) -> tuple[Any, ...]:
        """The same without weights and ways."""
        first, end, kind, _, run, node, _, *edges, behind_run, behind_node, _ = self.arguments
        return first, end, kind, run, node, *edges, behind_run, behind_node


def _edges_both_ways(automaton: Automaton) -> tuple[NDArray[Any], ...]:
    """The edges by the node they leave, and by the node they reach."""
    source = np.repeat(np.arange(automaton.node_count), np.diff(automaton.first_edge))
    order = np.argsort(automaton.to, kind="stable")
    reached = np.bincount(automaton.to, minlength=automaton.node_count)
    return (
        automaton.first_edge,
        automaton.to,
        automaton.move,
        np.concatenate([[0], np.cumsum(reached)]).astype(np.int64),
        source[order].astype(np.int32),
        automaton.move[order],
    )
