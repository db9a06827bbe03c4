"""All solutions of a problem in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layout import KnownLinks, Meeting, Stack
from dovetail.backends.frontier.ways import NOWHERE, Ways
from dovetail.backends.shared.memory_budget import MemoryBudget

CROSSINGS = 2**14
FIRST_LINKS = 2**17
WORK_PER_STEP = 3  # of a budget's


class RowBuffer:
    """Rows of moves that are filled, taken and filled anew; `limit` says how many may be filled."""

    def __init__(self, rows: int, moves: int) -> None:
        self.rows: NDArray[np.int32] = np.full((rows, moves), NOWHERE, dtype=np.int32)
        self.filled = 0
        self.limit = rows

    def open_for(self, max_rows: int | None) -> None:
        """Let so many more rows be filled at most, where there are as many left."""
        rows = len(self.rows)
        self.limit = rows if max_rows is None else min(rows, self.filled + max_rows)

    def take(self) -> NDArray[np.int32]:
        """The rows that are filled."""
        taken = self.rows[: self.filled].copy()
        self.filled = 0
        return taken


class Listing:
    """Puts all solutions into the rows of a buffer, with −1 behind the last move.

    `ended` are the solutions that end on the near side, as `Counting` has them.
    """

    def __init__(
        self, ways: Ways, ended: NDArray[np.int64], memory_budget: MemoryBudget, buffer: RowBuffer
    ) -> None:
        from dovetail.backends.frontier.kernels import walk

        self._kernels: Any = walk
        self._ways, self._ended, self._memory_budget, self._buffer = (
            ways,
            ended,
            memory_budget,
            buffer,
        )
        layered_dp = ways.layered_dp
        self._found = np.full((CROSSINGS, walk.CROSSING_SIZE), NOWHERE, dtype=np.int64)
        links = max(FIRST_LINKS, 1 + layered_dp.automaton.max_edges)
        self._known = KnownLinks(
            near=np.full(layered_dp.near.states.count, NOWHERE, dtype=np.int32),
            far=np.full(layered_dp.far.states.count, NOWHERE, dtype=np.int32),
            rows=np.empty((links, walk.LINK_SIZE), dtype=np.int32),
        )
        self._stack = Stack(
            frames=np.zeros((ways.moves + 3, walk.FRAME_SIZE), dtype=np.int64),
            path=np.zeros(ways.moves, dtype=np.int32),
            progress=np.zeros(walk.PROGRESS_SIZE, dtype=np.int64),
        )

    def steps(self) -> Iterator[None]:
        """Yields when the work is done, or no row is left."""
        kernels, found, first_set = self._kernels, self._found, self._ways.first_set
        for first in range(0, len(self._ended), CROSSINGS):
            some = self._ended[first : first + CROSSINGS]
            found[: len(some), kernels.NEAR_SET] = first_set[some[:, 0]] + some[:, 1]
            found[: len(some), kernels.NEAR_STATE] = some[:, 2]
            yield from self._walk(len(some))
        if self._ways.meeting is not None:
            yield from self._cross(self._ways.meeting)

    def _cross(self, meeting: Meeting) -> Iterator[None]:
        """Go through the crossings from the near side to the far one."""
        kernels, layered_dp = self._kernels, self._ways.layered_dp
        first_set = self._ways.first_set
        marked = np.full(layered_dp.automaton.node_count, NOWHERE, dtype=np.int64)
        progress = np.zeros(kernels.CROSSING_PROGRESS_SIZE, dtype=np.int64)
        reason = None
        while reason != kernels.DONE:
            progress[kernels.CROSSINGS], progress[kernels.CROSSING_WORK] = (
                0,
                self._memory_budget.work,
            )
            reason = kernels.crossings(
                meeting,
                marked,
                first_set[layered_dp.near.number],
                first_set[layered_dp.far.number],
                layered_dp.automaton.max_edges,
                self._found,
                progress,
            )
            yield from self._walk(int(progress[kernels.CROSSINGS]))
            yield

    def _walk(self, crossings: int) -> Iterator[None]:
        """List what makes so many crossings."""
        kernels, progress, buffer = self._kernels, self._stack.progress, self._buffer
        progress[[kernels.CROSSING, kernels.HEIGHT]] = 0
        while True:
            progress[kernels.ROWS] = buffer.filled
            progress[kernels.WORK] = max(1, self._memory_budget.work // WORK_PER_STEP)
            reason = kernels.walk(
                self._found[:crossings],
                self._ways.tables,
                self._known,
                self._stack,
                buffer.rows[: buffer.limit],
            )
            buffer.filled = int(progress[kernels.ROWS])
            if reason == kernels.DONE:
                return
            if reason == kernels.LINKS_FULL:
                rows = self._known.rows
                more = np.concatenate([rows, np.empty_like(rows)])
                self._known = self._known._replace(rows=more)
            else:
                yield
