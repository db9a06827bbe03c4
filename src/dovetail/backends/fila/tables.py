"""Image lists of a sub-problem, and the other tables of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.kernels.layout import AnyOrder, Attempts, ImageLists, Repeats
from dovetail.kernels.bits import aligned, bits_of
from dovetail.machine_code.layout import LANES
from dovetail.models.packings.placements import NO_CELL, Placements, cell_masks

MAX_BYTES = 2**30
MAX_WEIGHTS = 2**22  # weights of targets and cells held at once
FULL = np.uint64(2**64 - 1)
MAX_IN_THREE_DIGITS = 7  # binary digits

# Cells near a target whose occupancy selects its list. "neighbours": up to eight neighbours of the
# target. "most covered": these and, up to eight in total, the cells that are covered by the most
# images of the target.
ToldBy = Literal["nothing", "neighbours", "most covered"]


@dataclass(frozen=True)
class Variant:
    """The variant of the kernel that all searches of a segment use.

    A board has `words` words, `cell_words` of them for cells. `repeats` is True if some shape may
    have several copies.
    """

    words: int
    cell_words: int
    repeats: bool


def near_cells(
    placements: Placements, told_by: ToldBy, *, in_order: bool
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return up to eight cells near each target, whose occupancy selects its list.

    Targets are as in `fill_lists`; with `in_order` all are filled in the fixed order. The first
    array has shape (targets, 8) and is padded with −1. The second array has the number of
    neighbours among these cells, shape (targets,). If `told_by` is "nothing", there are no such
    cells, else neighbours come first. In the fixed order, only neighbours after the target count,
    because all cells before the target are filled. If `told_by` is "most covered", the cells that
    images of the target cover follow, in descending order of the number of these images, and by
    cell number on ties.
    """
    count, neighbours, kinds = placements.cell_count, placements.neighbours, 1 if in_order else 2
    is_near = neighbours != NO_CELL if told_by != "nothing" else np.zeros(neighbours.shape, bool)
    later = is_near & (neighbours > np.arange(count)[:, None])
    is_near = later if in_order else np.vstack([later, is_near])
    near = np.full((len(is_near), LANES), NO_CELL, dtype=np.int32)
    first = len(placements) + neighbours.shape[1] - np.arange(neighbours.shape[1])
    step = max(1, MAX_WEIGHTS // (count + 1))
    for kind, begin in product(range(kinds), range(0, count, step)):
        beside = neighbours[begin : begin + step]
        rows = slice(kind * count + begin, kind * count + begin + len(beside))
        weight = np.zeros((len(beside), count + 1), dtype=np.int64)  # last column: padding
        if told_by == "most covered":
            cells = np.where(placements.cells == NO_CELL, count, placements.cells).astype(np.int64)
            target = cells if kind else cells.min(axis=1, initial=count, keepdims=True)
            pairs = ((target - begin)[:, :, None] * (count + 1) + cells[:, None, :]).ravel()
            if step < count:
                pairs = pairs[(pairs >= 0) & (pairs < weight.size)]
            covers = np.bincount(pairs, minlength=weight.size)[: weight.size]
            weight[:] = covers.reshape(weight.shape)
            np.fill_diagonal(weight[:, begin:], 0)
        numbers = np.where(is_near[rows], beside, count)
        np.put_along_axis(weight, numbers, first[None, :], axis=1)
        chosen = np.argsort(-weight[:, :-1], axis=1, kind="stable")[:, :LANES]
        taken = np.take_along_axis(weight, chosen, axis=1) > 0
        near[rows, : chosen.shape[1]] = np.where(taken, chosen, NO_CELL)
    return near, np.minimum(is_near.sum(axis=1), LANES)


def image_lists(
    placements: Placements, rows: NDArray[np.uint64], near: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return the index at which each list begins, and the images of all lists; see `fill_lists`.

    Each list begins with a new block. The last block of a list is filled up with the number of
    placements in place of images. If the masks would take more than `MAX_BYTES`, the last columns
    of `near` are set to −1, in place, until the masks fit or no column is left.
    """
    from dovetail.backends.fila.kernels.image_lists import fill_lists

    cells, count, part = placements.cells, placements.cell_count, np.zeros_like(placements.shape)
    length = np.zeros(len(near) << LANES, dtype=np.int64)
    start = np.zeros(len(length) + 1, dtype=np.int64)
    none = np.empty(0, dtype=np.uint32)
    for bits in range(LANES, -1, -1):
        near[:, bits:] = NO_CELL
        length[:] = 0
        fill_lists(cells, rows, part, near, count, length, start, none)
        start[1:] = np.cumsum(-(-length // LANES) * LANES)
        if int(start[-1]) * rows[0].nbytes <= MAX_BYTES:
            break
    images = np.full(int(start[-1]), len(placements), dtype=np.uint32)
    length[:] = 0
    fill_lists(cells, rows, part, near, count, length, start, images)
    return start, images


def kernel_lists(
    placements: Placements, told_by: ToldBy, *, in_order: bool, attempts: bool, variant: Variant
) -> tuple[ImageLists, Attempts | None]:
    """Return the lists as the kernel takes them, and the tables of `attempts` if requested."""
    cells, shapes, words = placements.cell_count, len(placements.shapes), variant.words
    near, neighbours = near_cells(placements, told_by, in_order=in_order)
    no_image, empty_board = len(placements), len(placements) + 1
    first_bit = shape_bits(shapes, words)
    taken = np.hstack([placements.cells, (first_bit + placements.shape)[:, None]])
    rows = np.zeros((len(placements) + 2, words), dtype=np.uint64)
    rows[:no_image] = cell_masks(taken, 64 * words)
    rows[no_image] = FULL
    start, images = image_lists(placements, rows, near)
    # a last block of empty images, with a separate placement and a separate shape
    images = np.append(images, np.full(LANES, empty_board, dtype=np.uint32))
    repeats = None
    if variant.repeats:
        repeats = Repeats(
            shape_of=np.append(placements.shape, [shapes, shapes]).astype(np.uint32),
            shape_bit=(first_bit + np.arange(shapes + 1)).astype(np.uint64),
            copies=np.array([*(shape.max_count for shape in placements.shapes), 1], dtype="u8"),
        )
    lists = ImageLists(
        near=near_masks(near, words),
        cells=np.uint64(cells),
        start=(np.append(start, start[-1]) // LANES).astype(np.uint32),
        masks=image_masks(rows, images),
        images=images,
        repeats=repeats,
    )
    return lists, _attempts(placements, rows, near, neighbours) if attempts else None


def shape_bits(shapes: int, words: int) -> int:
    """Return the first bit of the shapes on a board.

    The shapes come last, before a bit that is always set, so that padding of lists never fits.
    """
    return 64 * words - shapes - 1


def _attempts(
    placements: Placements,
    rows: NDArray[np.uint64],
    near: NDArray[np.int32],
    neighbours: NDArray[np.int64],
) -> Attempts:
    from dovetail.backends.fila.kernels.image_lists import IGNORED, fill_lists, spread_digits

    shapes, words, bits = len(placements.shapes), rows.shape[1], int(neighbours.max(initial=0))
    only = np.where(np.arange(bits) < neighbours[:, None], near[:, :bits], np.int32(IGNORED))
    states = len(near) << bits
    tried, none = np.zeros(states * shapes, dtype=np.int64), np.empty(0, dtype=np.uint32)
    cells, count = placements.cells, placements.cell_count
    fill_lists(cells, rows, placements.shape, only, count, tried, tried, none)
    first_word, shift = divmod(shape_bits(shapes, words), 64)
    length = int(tried.max(initial=0)).bit_length()
    digits = np.zeros((states + 1, length, words - first_word), dtype=np.uint64)
    spread_digits(tried.reshape(states, -1), shift, digits)
    return Attempts(digits.ravel(), np.uint64(bits), np.uint64(length), np.uint64(first_word))


def any_order(placements: Placements, heuristic: NDArray[np.uint64], words: int) -> AnyOrder:
    """Return the tables for the choice of the next target; cells take `words` words."""
    cells = placements.cell_count
    row, column = np.nonzero(placements.neighbours != NO_CELL)
    apart = placements.neighbours[row, column] - row
    steps = np.unique(apart)
    flags = np.zeros((len(steps), cells), dtype=bool)
    flags[np.searchsorted(steps, apart), row] = True
    return AnyOrder(
        cells_of=tuple(bits_of(np.ones((1, cells), dtype=bool), words)[0]),
        steps=(steps % (64 * words)).astype(np.uint64),
        sides=bits_of(flags, words).ravel(),
        many=True if len(placements.neighbours.T) > MAX_IN_THREE_DIGITS else None,
        heuristic=heuristic,
    )


def image_masks(rows: NDArray[np.uint64], images: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the rows of all images, in blocks; see `spread_masks`."""
    from dovetail.backends.fila.kernels.image_lists import spread_masks

    masks = aligned(len(images) * rows.shape[1])
    spread_masks(rows, images, masks)
    return masks


def near_masks(near: NDArray[np.int32], words: int) -> NDArray[np.uint64]:
    """Return the cells near each target as single-bit masks, shape (targets · words · 8,)."""
    masks = aligned(len(near) * words * LANES)
    masks.fill(0)
    row, column = np.nonzero(near != NO_CELL)
    cell = near[row, column]
    bit = np.uint64(1) << (cell % 64).astype(np.uint64)
    masks.reshape(-1, words, LANES)[row, cell // 64, column] = bit
    return masks
