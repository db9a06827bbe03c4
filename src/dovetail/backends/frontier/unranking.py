"""The solution that has a number."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.ways import NOWHERE, Ways


class Unranking:
    """The solutions of a counted problem, numbered from 0 to `total` − 1.

    Each has as many numbers as its weight says; which has which depends on the problem alone.
    """

    def __init__(self, counting: Counting, ways: Ways) -> None:
        from dovetail.backends.frontier.kernels import unrank  # imports numba

        self._kernels: Any = unrank
        self._ways, self._ended = ways, counting.ended
        self._groups = len(counting.through)
        numbers = [*counting.through.tolist(), *counting.ended_ways.tolist()]
        self._up_to = list(accumulate(numbers))
        self.total = counting.total

    def sample(self, sample_size: int) -> NDArray[np.int32]:
        """So many solutions, evenly spread over all numbers; all of them where there are fewer.

        Rows hold moves, −1 behind the last.
        """
        rows = [
            self.unranked(n * self.total // sample_size)[0]
            for n in range(sample_size)
            if self.total
        ]
        found = np.array(rows, dtype=np.int32).reshape(len(rows), self._ways.moves)
        distinct: NDArray[np.int32] = np.unique(found, axis=0) if self._ways.moves else found[:1]
        return distinct

    def unranked(self, number: int) -> tuple[NDArray[np.int32], int]:
        """The moves of the solution with a number, and which of the times it counts is meant."""
        group = bisect_right(self._up_to, number)
        left = np.uint64(number - (self._up_to[group - 1] if group else 0))
        row = np.full(self._ways.moves, NOWHERE, dtype=np.int32)
        if group < self._groups:
            return row, self._across(left, group, row)
        layer, ended_set, state = self._ended[group - self._groups]
        near = self._ways.layered_dp.near
        at_set = int(self._ways.first_set[layer] + ended_set)
        _, image = self._back(left, at_set, int(near.states.node[state]), row, 0)
        return row, image

    def _across(self, number: np.uint64, group: int, row: NDArray[np.int32]) -> int:
        """Fill a row with the solution that has a number among those through a set."""
        ways, layered_dp = self._ways, self._ways.layered_dp
        automaton, near, far = layered_dp.automaton, layered_dp.near, layered_dp.far
        assert ways.meeting is not None
        sums = np.zeros(automaton.node_count, dtype=np.uint64)
        source, node, move_class, nth, target, left, times, right = self._kernels.across(
            number, group, *ways.meeting, sums
        )
        leaving = np.arange(automaton.first_edge[node], automaton.first_edge[node + 1])
        leaving = leaving[layered_dp.problem.move_class[automaton.move[leaving]] == move_class]
        row[0] = automaton.move[leaving[nth]]
        column, image = self._back(left, int(ways.first_set[near.number] + source), node, row, 1)
        _, beyond = self._kernels.forth(
            right,
            int(ways.first_set[far.number] + group),
            target,
            ways.step,
            ways.complete,
            ways.begin,
            ways.end,
            far.states.node,
            far.states.ways,
            *ways.edges[:3],
            automaton.accepting,
            layered_dp.problem.move_class,
            layered_dp.problem.move_classes.weight,
            row,
            column,
        )
        return max(int(times), image, int(beyond))

    def _back(
        self, number: np.uint64, at_set: int, node: int, row: NDArray[np.int32], column: int
    ) -> tuple[int, int]:
        """Fill a row with the way back that has a number; the column behind it, and the image."""
        ways, layered_dp = self._ways, self._ways.layered_dp
        column, image = self._kernels.back(
            number,
            at_set,
            node,
            ways.step,
            ways.begin,
            ways.end,
            layered_dp.near.states.node,
            layered_dp.near.states.ways,
            *ways.edges[3:],
            layered_dp.problem.move_class,
            layered_dp.problem.move_classes.weight,
            row,
            column,
        )
        return column, int(image)
