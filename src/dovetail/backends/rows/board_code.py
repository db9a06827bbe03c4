"""When the search of a board is compiled for it, and how slices are searched by that code.

Long searches are: on another core, while the kernel searches, whose place the code takes between
two slices.
"""

from __future__ import annotations

import ctypes
import threading
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows import search_block
from dovetail.backends.rows.cell_code import compile_cells
from dovetail.backends.rows.cell_tables import CellTables, cell_tables
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import Stack
from dovetail.backends.rows.search_block import HEAD_SIZE, Block
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, SOLUTIONS
from dovetail.jit import runs_in_numba
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT

# Searches make so many nodes for each cell of the board, 0.3 s of them on 6x6, before it gets its
# code: on up to 100 cells, about as many as it takes to spare by the code what compiling costs,
# 3 to 5 ms for each cell. Larger boards would need more; few of their searches that get there end.
CELL_NODES_BEFORE = 1_000_000
# In slices of fewer nodes the code does not begin, nor does it make the last nodes of any: it stops
# at a word with more candidates than there are nodes left.
MIN_NODES = 10_000

REASONS = {
    search_block.DONE: EXHAUSTED,
    search_block.SPENT: WORK_SPENT,
    search_block.FULL: BUFFER_FULL,
}


@lru_cache(maxsize=1)  # searches of one board share it, as those of its sub-problems do
def board_code(board: OrderedBoard, identical_tiles: IdenticalTiles) -> BoardCode:
    """Return what may become the code of a board."""
    return BoardCode(board, identical_tiles)


class BoardCode:
    """The code of a board, once there is one.

    There never is where numba runs the kernels, where a tile changes a second word, and where it
    matters in which order copies of a tile lie.
    """

    def __init__(self, board: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        self._board, self._identical_tiles = board, identical_tiles
        self._nodes, self._thread = 0, threading.Thread(target=self._compile)
        self._native: NativeSearch | None = None

    @property
    def search(self) -> NativeSearch | None:
        """The search by it, None while there is none."""
        return self._native

    def made(self, nodes: int) -> None:
        """Hear of nodes that were made without it, and compile it when they are many."""
        self._nodes += nodes
        nodes_before = CELL_NODES_BEFORE * len(self._board.cells)
        if self._nodes >= nodes_before and self._thread.ident is None and not runs_in_numba():
            self._thread.start()

    def wait(self) -> None:
        """Wait until it is compiled; it begins now if it has not."""
        if self._thread.ident is None:
            self._thread.start()
        self._thread.join()

    def _compile(self) -> None:
        """Compile it, unless the process ends meanwhile."""
        tables = cell_tables(self._board, self._identical_tiles)
        if tables is None:
            return
        block = Block(self._board.slots.words + 1, len(self._board.cells))
        address = compile_cells(tables, block, threading.main_thread().is_alive)
        if address is not None:
            self._native = NativeSearch(tables, block, address)


class NativeSearch:
    """Slices of a search by the code at an address, which reads the `tables`."""

    def __init__(self, tables: CellTables, block: Block, address: int) -> None:
        self._tables, self._block = tables, block
        word, pointer = ctypes.c_uint64, ctypes.c_void_p
        self._function = ctypes.CFUNCTYPE(word, pointer, word, word, word, ctypes.c_bool)(address)

    def __call__(
        self, plan: NDArray[np.uint64], stack: Stack, solutions: NDArray[np.uint64], nodes: int
    ) -> tuple[int, int]:
        """Search on as the kernel does; returns why the slice ended, and how many nodes are left.

        The `plan` is that of the search, which may be kept within fewer words. Nodes left are not 0
        where there were too few for the next cell: the kernel can make them.
        """
        block, words = self._block, np.empty(self._block.size, dtype=np.uint64)
        words[:HEAD_SIZE] = (
            nodes,
            stack.state[LEVEL],
            solutions.ctypes.data,
            len(solutions),
            stack.state[BUFFERED],
            stack.state[SOLUTIONS],
        )
        by_depth = plan.reshape(block.cells + 1, -1)[:-1]
        ends = by_depth[:, int(layout.WORD)] + by_depth[:, int(layout.WORDS)]
        words[block.ends :] = ends
        parts = (block.free, stack.free), (block.fits, stack.fits), (block.frames, stack.frames)
        for begins, array in parts:
            words[begins : begins + len(array)] = array
        reason = REASONS[self._function(words.ctypes.data, 0, 0, 0, True)]
        for begins, array in parts:
            array[:] = words[begins : begins + len(array)]
        stack.state[LEVEL] = words[search_block.DEPTH]
        if reason == EXHAUSTED:
            stack.state[LEVEL] = stack.frames[layout.LEFT] = 0
            passed = ends[0] - np.uint64(1) - stack.frames[layout.AT]
            stack.frames[layout.AT] += passed
            stack.frames[layout.ROW] += passed
            stack.frames[layout.BEFORE] = stack.free[stack.frames[layout.AT]]
        stack.state[BUFFERED] = words[search_block.BUFFERED]
        stack.state[SOLUTIONS] = words[search_block.FOUND]
        return reason, int(words[search_block.UNSPENT])
