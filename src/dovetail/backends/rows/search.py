"""One search by `rows`: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.board_code import MIN_NODES, board_code
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import Stack
from dovetail.backends.rows.levels import branches, keep_branches, levels
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard, first_row, tables_of
from dovetail.backends.shared.kernel_search import KernelSearch, Level
from dovetail.backends.shared.kernels.state import OWN
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.kernels.slices import WORK_SPENT


class RowsSearch(KernelSearch):
    """Puts into each cell of a board in turn every tile that fits."""

    def __init__(self, board: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        from dovetail.backends.rows.kernels.search import search

        self._kernel: Any = search
        self._board, cells = board, len(board.cells)
        self._identical_tiles = identical_tiles
        self._tables = tables_of(board, identical_tiles)
        self._code = board_code(board, identical_tiles)
        self._stack = Stack(
            free=self._tables.free.copy(),
            frames=self._before_the_first(),
            fits=np.zeros(cells, dtype=np.uint64),
            placed_at=np.zeros(board.slots.tiles, dtype=np.uint64),
            state=np.zeros(OWN, dtype=np.uint64),
        )
        state = self._stack.state
        super().__init__(
            state, SolutionBuffer(cells, np.uint64, state), self._stack.fits, None, cells
        )

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        """Search on by the board's code, if it has one, and to the last node by the kernel."""
        native, left = self._code.search, min(max(1, work), nodes - self.nodes)
        if native is not None and left >= MIN_NODES:
            reason, left = native(self._tables.tables.plan, self._stack, solutions, left)
            if reason != WORK_SPENT or left == 0:
                return self.why_ended(reason, nodes)
        made = self.nodes
        ended: int = self._kernel(
            self._tables.tables, self._tables.others, self._stack, solutions, np.uint64(left)
        )
        self._code.made(self.nodes - made)
        return self.why_ended(ended, nodes)

    def compile_code(self) -> None:
        """Give the board its code now, if it can have any."""
        self._code.wait()

    def take(self) -> NDArray[np.int32]:
        orientation = self._tables.orientation[super().take()]
        options: NDArray[np.int32] = self._board.orientations.option[self._board.cells, orientation]
        return options

    def _levels(self) -> Iterator[Level] | None:
        if self._identical_tiles == "each":  # then several candidates are one option
            return None
        return levels(self._board, self._tables, self._stack)

    def _keep(self, options: Sequence[int]) -> None:
        # keeping a word to itself changes the plan, which other searches do not share
        keep_branches(self._board, self._tables, self._stack, options)

    def _branches(self) -> Iterator[tuple[int, int]]:
        return branches(self._board, self._tables, self._stack)

    def _before_the_first(self) -> NDArray[np.uint64]:
        """The frames before anything is put down, shape (n · 8,)."""
        tables, section = self._tables.tables, self._board.section_at[0]
        frames = np.zeros((len(self._board.cells), 1 << int(layout.FRAME_BITS)), dtype=np.uint64)
        word = section.words.first
        row, before = first_row(self._board, self._tables), self._tables.free[word]
        frames[0, layout.LEFT] = tables.masks[row] & before
        frames[0, layout.ROW], frames[0, layout.AT], frames[0, layout.BEFORE] = row, word, before
        frames[0, layout.STATE] = tables.plan[layout.START]
        return frames.reshape(-1)
