"""The solution that has a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.kernels.layout import Unranked
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
        size = min(sample_size, self.total)
        found, _ = self.unranked([n * self.total // size for n in range(size)])
        distinct: NDArray[np.int32] = np.unique(found, axis=0) if self._ways.moves else found[:1]
        return distinct

    def unranked(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        """The moves of the n solutions with some numbers: rows, −1 behind the last move.

        And of each, which of the times it counts is meant, shape (n,).
        """
        groups = [bisect_right(self._up_to, number) for number in numbers]
        left = [
            number - (self._up_to[group - 1] if group else 0)
            for number, group in zip(numbers, groups, strict=True)
        ]
        unranked = Unranked(
            number=np.array(left, dtype=np.uint64),
            through=np.array([NOWHERE if g >= self._groups else g for g in groups], np.int64),
            rows=np.full((len(numbers), self._ways.moves), NOWHERE, dtype=np.int32),
            image=np.zeros(len(numbers), dtype=np.uint64),
        )
        if self._meeting is not None:
            near_base, far_base = self._bases
            self._kernels.through(
                unranked, near_base, far_base, self._ways.tables, self._meeting, self._sums
            )
        for place, group in enumerate(groups):
            if group >= self._groups:
                self._write_ended(unranked, place, group - self._groups)
        return unranked.rows, unranked.image

    def _write_ended(self, unranked: Unranked, place: int, end: int) -> None:
        """Write a solution that ends in a state of the near side."""
        layer, ended_set, state = self._ended[end]
        at_set = int(self._ways.first_set[layer] + ended_set)
        node = int(self._ways.layered_dp.near.states.node[state])
        unranked.image[place] = self._kernels.ended(
            unranked.number[place], at_set, node, self._ways.tables, unranked.rows[place]
        )
