"""Machine code for a single board. In long searches, the code replaces the kernel.

The code is compiled in a thread while the kernel searches. The search changes from the kernel to
the code between two slices.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import RowsStack
from dovetail.backends.rows.tables import BoardTables, IdenticalTiles, OrderedBoard, tables_of
from dovetail.jit import runs_in_numba
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    EXHAUSTED,
    LEVEL,
    SOLUTIONS,
    WORD_BITS,
    WORK_SPENT,
)
from dovetail.machine_code import BOARD, board, is_on

# Nodes per cell that are searched on a board before its code is compiled, 0.3 s of search on 6x6.
# On up to 100 cells, the code needs about as many nodes to save the time of compiling, 3 to 5 ms
# per cell. Larger boards would need more nodes, but few long searches of such boards ever end.
CELL_NODES_BEFORE = 1_000_000
# The kernel searches slices of fewer nodes. It also makes the last nodes of every slice, since the
# code stops at a word with more candidates than there are nodes left.
MIN_NODES = 10_000

REASONS = {board.DONE: EXHAUSTED, board.SPENT: WORK_SPENT, board.FULL: BUFFER_FULL}


@lru_cache(maxsize=1)  # searches of a board and of its sub-problems share the code
def board_code(ordered: OrderedBoard, identical_tiles: IdenticalTiles) -> BoardCode:
    """Return the code of a board; the code may not be compiled yet."""
    return BoardCode(ordered, identical_tiles)


class BoardCode:
    """Code of a board. The code is compiled when searches of the board are long.

    The code is never compiled if numba runs the kernels, if the piece `BOARD` of `machine_code` is
    off, if a tile changes a second word, if identical tiles are distinguished, or if the board has
    a single cell.
    """

    def __init__(self, ordered: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        self._ordered, self._identical_tiles = ordered, identical_tiles
        self._nodes, self._thread = 0, threading.Thread(target=self._compile)
        self._code: board.CompiledBoard | None = None

    @property
    def is_compiled(self) -> bool:
        """True if the code can search slices."""
        return self._code is not None

    def made(self, nodes: int) -> None:
        """Add to the number of nodes made without the code.

        The compilation starts when there are `CELL_NODES_BEFORE` nodes per cell.
        """
        self._nodes += nodes
        nodes_before = CELL_NODES_BEFORE * len(self._ordered.cells)
        if self._nodes >= nodes_before and self._thread.ident is None:
            self._thread.start()

    def wait(self) -> None:
        """Start the compilation if it has not started, and wait until the compilation ends."""
        if self._thread.ident is None:
            self._thread.start()
        self._thread.join()

    def _compile(self) -> None:
        """Compile the code if the board can have code, unless the process ends meanwhile."""
        tables, cells = tables_of(self._ordered, self._identical_tiles), len(self._ordered.cells)
        has_none = tables.others is not None or len(tables.tables.later) or cells == 1
        if not has_none and is_on(BOARD) and not runs_in_numba():
            described = _described(self._ordered, tables)
            self._code = board.compile_board(described, threading.main_thread().is_alive)

    def search(
        self, tables: BoardTables, stack: RowsStack, solutions: NDArray[np.uint64], nodes: int
    ) -> tuple[int, int]:
        """Search as the kernel does; return why the slice ended and the number of nodes left.

        `tables` are the tables of the search; for a part of a search, their `plan` has fewer words
        of candidates. If the reason is `WORK_SPENT`, some nodes may be left, because they are too
        few for the next word of candidates. The kernel can make these nodes.
        """
        assert self._code is not None
        block, cells, depth = self._code.block, len(stack.fits), int(stack.state[LEVEL])
        words = np.empty(block.size, dtype=np.uint64)
        words[: board.HEAD_SIZE] = (
            nodes,
            depth,
            solutions.ctypes.data,
            len(solutions),
            stack.state[BUFFERED],
            stack.state[SOLUTIONS],
        )
        fits, frames = words[block.fits :][:cells], words[block.frames : block.ends]
        rows, free = frames.reshape(cells, -1), stack.free.reshape(cells, -1)
        ends = tables.tables.plan.reshape(cells + 1, -1)[:-1, layout.END]
        words[block.ends :], fits[:], frames[:] = ends, stack.fits, stack.frames
        rows[:, board.ROW], rows[:, board.AT] = rows[:, : board.LEFT].T // np.uint64(WORD_BITS)
        rows[:, board.BEFORE] = free[np.arange(cells), rows[:, board.AT].astype(np.int64)]
        words[block.free : block.fits] = free[depth]
        reason = REASONS[self._code.search(words)]
        depth = int(words[board.DEPTH])
        if reason == EXHAUSTED:  # leave the frames as the kernel leaves them at its end
            depth, rows[0, board.LEFT] = 0, 0
            passed = ends[0] - np.uint64(1) - rows[0, board.AT]
            rows[0, [board.ROW, board.AT]] += passed
        stack.fits[:], stack.frames[:] = fits, frames
        stack.state[[LEVEL, BUFFERED, SOLUTIONS]] = depth, words[board.BUFFERED], words[board.FOUND]
        _restore(stack, rows, ends, tables.tables.taken, depth)
        return reason, int(words[board.UNSPENT])


def _restore(
    stack: RowsStack,
    rows: NDArray[np.uint64],
    ends: NDArray[np.uint64],
    taken: NDArray[np.uint64],
    depth: int,
) -> None:
    """Restore the entries of the stack, up to a depth, that the code does not write."""
    frames, free = stack.frames.reshape(len(rows), -1), stack.free.reshape(len(rows), -1)
    above = rows[:depth]
    changed = (above[:, board.BEFORE] ^ taken[above[:, board.SLOT]]).tolist()
    words = above[:, board.AT].tolist()
    open_slots = free[0].tolist()
    by_depth = [open_slots.copy()]
    for word, now in zip(words, changed, strict=True):
        open_slots[word] = now
        by_depth.append(open_slots.copy())
    free[: depth + 1] = np.array(by_depth, dtype=np.uint64)
    back, has_more = int(layout.NOTHING), rows[:, board.AT] + np.uint64(1) < ends
    for at, more in enumerate((has_more | (rows[:, board.LEFT] > 0))[: depth + 1].tolist()):
        frames[at, layout.BACK] = back
        back = at if more else back
    frames[depth, [layout.ENTRY, layout.SLOT]] = rows[depth, [board.ROW, board.AT]] * WORD_BITS


def _described(ordered: OrderedBoard, tables: BoardTables) -> board.CodeTables:
    """Return the tables from which the code of a board is written."""
    its, cells = tables.tables, len(ordered.cells)
    colours = its.seen.reshape(-1, len(tables.orientation))
    described = []
    for row in its.plan.reshape(cells + 1, -1)[:-1].tolist():
        first, end, seen, start, *pairs = row
        earlier, side = list[tuple[int, NDArray[np.uint16]]](), seen // colours.shape[1]
        while pairs[0] != layout.NOTHING:
            place, begins, *pairs = pairs
            depth = place >> int(layout.FRAME_BITS)
            earlier.append((depth, colours[begins // colours.shape[1]]))
        is_seen = side < len(colours) - 1  # the last row of `colours` is for no side
        words = board.WordRange(first, end - first)
        described.append(board.Cell(words, start, earlier, colours[side] if is_seen else None))
    return board.CodeTables(
        described, len(tables.free), its.step, its.masks, its.fitting, its.taken
    )
