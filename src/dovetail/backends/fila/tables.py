"""Image lists of a sub-problem, as the kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.lanes import LANES
from dovetail.models.placements import NO_CELL, Placements

MAX_BYTES = 2**30
BYTES_PER_WORD = 8
BYTES_PER_CACHE_LINE = 64


@dataclass(frozen=True, eq=False)
class Near:
    """The cells near each cell whose occupancy tells its lists apart.

    `cells` has them to the front, shape (c, most), int32, padded with −1; `count` how many
    there are, shape (c,), int32.
    """

    cells: NDArray[np.int32]
    count: NDArray[np.int32]

    @property
    def bits(self) -> int:
        """How many bits the state of a cell needs."""
        return int(self.count.max(initial=0))

    def cut(self, max_cells: int) -> Near:
        """The first `max_cells` of them."""
        return Near(
            np.ascontiguousarray(self.cells[:, :max_cells]), np.minimum(self.count, max_cells)
        )


def neighbours(placements: Placements, *, ordered: bool) -> Near:
    """The neighbours, of which those before a cell are filled where cells are `ordered`."""
    own = np.arange(placements.cell_count, dtype=np.int32)[:, None]
    may_be_open = placements.neighbours != NO_CELL
    if ordered:
        may_be_open &= placements.neighbours > own
    front = np.argsort(~may_be_open, axis=1, kind="stable")
    count = np.count_nonzero(may_be_open, axis=1).astype(np.int32)
    near = np.where(may_be_open, placements.neighbours, NO_CELL).astype(np.int32, copy=False)
    return Near(np.take_along_axis(near, front, axis=1), count)


def max_covered(placements: Placements, *, ordered: bool) -> Near:
    """Up to eight cells that most images of each cell cover, most first, then by number."""
    count = placements.cell_count
    side = count + 1  # the padding, −1, counts in a row and a column of its own
    cells = np.where(placements.cells == NO_CELL, count, placements.cells).astype(np.int64)
    if ordered:
        pairs = cells.min(axis=1, initial=count, keepdims=True) * side + cells
    else:
        pairs = cells[:, :, None] * side + cells[:, None, :]
    covers = np.bincount(pairs.ravel(), minlength=side * side).reshape(side, side)[:-1, :-1]
    np.fill_diagonal(covers, 0)
    chosen = np.argsort(-covers, axis=1, kind="stable")[:, :LANES]
    covered = np.take_along_axis(covers, chosen, axis=1) > 0
    how_many = np.count_nonzero(covered, axis=1)
    return Near(np.where(covered, chosen, NO_CELL).astype(np.int32), how_many.astype(np.int32))


@dataclass(frozen=True, eq=False)
class ImageLists:
    """Lists of one kind; see `kernels.image_lists.fill_lists` for what is in them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `length` | (lists,) | int64 | how many images each has |
    | `start` | (lists + 1,) | int64 | where each begins, a multiple of the length of a block |
    | `images` | (entries,) | uint32 | placements; n where a list's last block has no image |

    A cell has lists for each of 2**bits states of those `near` it.
    """

    near: Near
    bits: int
    length: NDArray[np.int64]
    start: NDArray[np.int64]
    images: NDArray[np.uint32]


def image_lists(
    placements: Placements,
    near: Near,
    *,
    ordered: bool,
    by_shape: bool,
    block: int,
    bits: int | None = None,
    words: int,
) -> ImageLists:
    """The lists for cells that are filled in the order of their numbers, or in any order.

    With `by_shape` every shape has lists of its own. Lists begin a `block` of entries. A state
    has `bits` bits, by default as many as needed; where the lists' masks of so many `words`
    would take more than `MAX_BYTES`, the last cells near a cell are left out until they do not.
    """
    from dovetail.backends.fila.kernels.image_lists import fill_lists

    parts = max(1, len(placements.shapes)) if by_shape else 1
    part = placements.shape if by_shape else np.zeros_like(placements.shape)
    while True:
        width = near.bits if bits is None else bits
        lists = (placements.cell_count << width) * parts
        length = np.zeros(lists, dtype=np.int64)
        start = np.zeros(lists + 1, dtype=np.int64)
        none = np.empty(0, dtype=np.uint32)
        fill_lists(placements.cells, part, near.cells, width, ordered, length, start, none)
        start[1:] = np.cumsum(-(-length // block) * block)
        if int(start[-1]) * words * BYTES_PER_WORD <= MAX_BYTES or near.bits == 0:
            break
        near = near.cut(near.bits - 1)
    images = np.full(int(start[-1]), len(placements), dtype=np.uint32)
    filled = np.zeros_like(length)
    fill_lists(placements.cells, part, near.cells, width, ordered, filled, start, images)
    return ImageLists(near, width, length, start, images)


def joined(lists: Sequence[ImageLists]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Where lists begin, and the images, of lists of one or two kinds one behind the other."""
    starts, entries = [], 0
    for one in lists:
        starts.append(one.start[:-1] + entries)
        entries += int(one.start[-1])
    start = np.concatenate([*starts, [entries]]).astype(np.uint32)
    return start, np.concatenate([one.images for one in lists])


def image_masks(
    rows: NDArray[np.uint64], images: NDArray[np.uint32], block: int
) -> NDArray[np.uint64]:
    """The masks of images: rows of `rows`, shape (n, words), in blocks; see `spread_masks`."""
    from dovetail.backends.fila.kernels.image_lists import spread_masks

    masks = aligned(len(images) * rows.shape[1])
    spread_masks(rows, images, block, masks)
    return masks


def full_row(words: int) -> NDArray[np.uint64]:
    """The mask of what fits nowhere, shape (1, words)."""
    return np.full((1, words), 2**64 - 1, dtype=np.uint64)


def aligned(words: int) -> NDArray[np.uint64]:
    """An empty array that begins a cache line, so that a block lies in as few as possible."""
    words_and_line = np.empty(words + BYTES_PER_CACHE_LINE // BYTES_PER_WORD, dtype=np.uint64)
    skip = -words_and_line.ctypes.data % BYTES_PER_CACHE_LINE // BYTES_PER_WORD
    return words_and_line[skip : skip + words]


def near_masks(near: Sequence[Near], words: int) -> NDArray[np.uint64]:
    """Up to eight cells near each cell as masks of one bit, shape (kinds · c · words · 8,)."""
    masks = aligned(sum(len(one.count) for one in near) * words * LANES)
    masks.fill(0)
    by_cell = masks.reshape(len(near), -1, words, LANES)
    for kind, one in enumerate(near):
        row, column = np.nonzero(np.arange(one.cells.shape[1]) < one.count[:, None])
        cell = one.cells[row, column]
        by_cell[kind, row, cell // 64, column] = np.uint64(1) << (cell % 64).astype(np.uint64)
    return masks


def as_words(flags: NDArray[np.bool_], words: int, *, beyond: bool) -> NDArray[np.uint64]:
    """Rows of flags as bits of 64-bit words, the first the lowest; further ones are `beyond`."""
    rows, count = flags.shape
    padded = np.full((rows, 64 * words), beyond, dtype=bool)
    padded[:, :count] = flags
    packed = np.packbits(padded, axis=1, bitorder="little")
    result: NDArray[np.uint64] = packed.view(np.dtype("<u8")).astype(np.uint64)
    return result
