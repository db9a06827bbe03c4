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
        from dovetail.backends.frontier.kernels import unrank

        self._kernels: Any = unrank
        self._ways, self._ended, self._meeting = ways, counting.ended, ways.meeting
        layered_dp = ways.layered_dp
        self._bases = ways.first_set[[layered_dp.near.number, layered_dp.far.number]].tolist()
        self._sums = np.zeros(layered_dp.automaton.node_count, dtype=np.uint64)
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
            near_base, far_base = self._bases
            image = self._kernels.through(
                left, group, near_base, far_base, self._ways.tables, self._meeting, self._sums, row
            )
            return row, int(image)
        layer, ended_set, state = self._ended[group - self._groups]
        near = self._ways.layered_dp.near
        at_set = int(self._ways.first_set[layer] + ended_set)
        node = int(near.states.node[state])
        image = self._kernels.ended(left, at_set, node, self._ways.tables, row)
        return row, int(image)
