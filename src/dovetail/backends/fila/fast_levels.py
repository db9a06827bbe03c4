"""Levels of a search by the fast kernel: what is left to be tried, and how to begin there.

The kernel places each image of a block that fits, which is a node, before it goes on below one of
them. So a level leaves a part for each image behind which the search may go on, and one with the
images that have not been placed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.kernels.fast_layout import Lists, Repeats
from dovetail.backends.fila.kernels.layout import Stack
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.errors import ConfigError
from dovetail.kernels.lanes import LANES

FULL = np.uint64(2**64 - 1)


def levels(
    kernel: Any, lists: Lists, stack: Stack, repeats: Repeats | None, board: tuple[np.uint64, ...]
) -> Iterator[Level]:
    """Yield the levels of a search; `kernel` is its module."""
    rows, pieces = _rows(stack), int(stack.pieces)
    remaining = int(stack.state[LEVEL])
    if remaining > pieces:  # not begun, or come to the end
        if rows[remaining, kernel.FITTING] or rows[remaining, kernel.LIVE]:
            yield NOT_BRANCHED
        return
    live = [_live_entries(kernel, row) for row in rows[: pieces + 1]]
    open_board = _OpenBoard(lists, repeats, board)
    found: list[Level] = []
    for level in range(remaining, pieces + 1):
        row, taken = rows[level], None
        if level > remaining:
            entry = live[level].pop(0)
            taken = int(lists.images[entry])
            open_board.take_back(entry)
        block = int(row[kernel.BLOCK])
        entries = _entries(block, int(row[kernel.FITTING]))
        entries += open_board.fitting(block + 1, int(row[kernel.END])).tolist()
        placed = lists.images[live[level]].tolist()
        found.append(Level(taken, [lists.images[entries].tolist()], placed))
    yield from reversed(found)


def keep_branches(
    kernel: Any,
    lists: Lists,
    stack: Stack,
    board: tuple[np.uint64, ...],
    level: int,
    options: Sequence[int],
) -> None:
    """Leave only some images to be placed where `level` pieces remain.

    The kernel has begun with the list of its target there. The other images are removed from that
    list, which is not used below: its cell is filled. Raises `ConfigError` where the options are
    not all among the images that fit.
    """
    row = _rows(stack)[level]
    entries = np.empty(0, dtype=np.int64)
    if int(stack.state[LEVEL]) == level:
        open_board = _OpenBoard(lists, None, board)
        entries = open_board.fitting(int(row[kernel.BEGIN]), int(row[kernel.END]))
    wanted = np.isin(lists.images[entries], options)
    if np.count_nonzero(wanted) != len(options):
        raise ConfigError("sub-problem: fila does not branch on its options there")
    masks = lists.masks.reshape(-1, len(board), LANES)
    masks[entries[~wanted] // LANES, :, entries[~wanted] % LANES] = FULL
    kept = entries[wanted].tolist()
    block, last = kept[0] // LANES, kept[-1] // LANES
    row[[kernel.BEGIN, kernel.BLOCK, kernel.END]] = block, block, last + 1
    row[kernel.FITTING] = sum(1 << one % LANES for one in kept if one // LANES == block)
    row[kernel.LIVE] = 0


class _OpenBoard:
    """A board with what has been placed, and the tests of the kernel.

    Without `repeats` no shape has several copies, or nothing is taken back.
    """

    def __init__(self, lists: Lists, repeats: Repeats | None, board: tuple[np.uint64, ...]) -> None:
        self._board = np.array(board, dtype=np.uint64)
        self._masks = lists.masks.reshape(-1, len(board), LANES)
        self._images, self._repeats = lists.images, repeats
        self._copies = None if repeats is None else repeats.copies.copy()

    def take_back(self, entry: int) -> None:
        """Take back the image of an entry of the lists."""
        self._board ^= self._masks[entry // LANES, :, entry % LANES]
        if self._repeats is not None:
            assert self._copies is not None
            shape = self._repeats.shape_of[self._images[entry]]
            self._copies[shape] += np.uint64(1)
            if self._copies[shape] > 1:  # the shape's bit was clear, and stays so
                bit = int(self._repeats.shape_bit[shape])
                self._board[bit // 64] ^= np.uint64(1 << bit % 64)

    def fitting(self, block: int, end: int) -> NDArray[np.int64]:
        """The entries from a block to before another whose images fit, in their order."""
        taken = (self._masks[block:end] & self._board[:, None]).any(axis=1)
        entries: NDArray[np.int64] = block * LANES + np.flatnonzero(~taken.ravel())
        return entries


def _rows(stack: Stack) -> NDArray[np.uint64]:
    """The stack by pieces remaining."""
    return stack.rows.reshape(int(stack.pieces) + 2, -1)


def _live_entries(kernel: Any, row: NDArray[np.uint64]) -> list[int]:
    """The entries of a row's block behind which the search may go on."""
    return _entries(int(row[kernel.BLOCK]), int(row[kernel.LIVE]))


def _entries(block: int, lanes: int) -> list[int]:
    return [block * LANES + lane for lane in range(LANES) if lanes >> lane & 1]
