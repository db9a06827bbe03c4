"""Kernel of the fit filter: it tests whether each cell and shape has a disjoint placement.

Cells and shapes are items, cells first. Each required item has a witness: a placement that covers
the item. For each item, the kernel keeps the set of all items whose witness covers this item. When
a placement is tested, the union of these sets over its items gives the items whose witnesses
collide with the placement. Only the columns of these items are searched for another witness.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.models.reductions.kernels.layout import WORD_BITS, Columns, PlacementTable, Witnesses

ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel(inline=True)
def goes_with(
    one: int,
    other: int,
    repeats: bool,
    masks: NDArray[np.uint64],
    shape: NDArray[np.int32],
    kept: NDArray[np.bool_],
) -> bool:
    """Return whether placement `other` is left and can be placed beside placement `one`.

    With `repeats`, the shape of `one` may be used again.
    """
    if not kept[other] or (shape[other] == shape[one] and not repeats):
        return False
    for word in range(masks.shape[1]):
        if masks[one, word] & masks[other, word]:
            return False
    return True


@kernel(inline=True)
def set_witness(
    item: np.int64,
    placement: int,
    there: bool,
    cells: NDArray[np.int32],
    shape_item: int,
    clashing: NDArray[np.uint64],
) -> None:
    """Record that `placement` is the witness of `item` or, if not `there`, that it no longer is.

    `shape_item` is the item of the placement's shape. `clashing`, shape (items, words), has for
    each item the set of all items whose witness covers this item.
    """
    word, bit = item // WORD_BITS, ONE << np.uint64(item % WORD_BITS)
    for k in range(cells.shape[1] + 1):
        has = shape_item if k == cells.shape[1] else cells[placement, k]
        if has >= 0:
            if there:
                clashing[has, word] |= bit
            else:
                clashing[has, word] &= ~bit


@kernel
def drop_unfit(
    placements: PlacementTable,
    columns: Columns,
    needed: NDArray[np.int64],
    max_count: NDArray[np.int64],
    to_fixed_point: bool,
    kept: NDArray[np.bool_],
    scratch: Witnesses,
) -> None:
    """Drop unfit placements in one pass, from the last to the first, or in passes to a fixed point.

    The types of `placements`, `columns` and `scratch` describe their arrays. The initial content of
    `scratch` does not matter. There are n placements.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `needed` | (items,) | int64 | minimum number of placements that cover each item |
    | `max_count` | (shapes,) | int64 | maximum number of placements of each shape |
    | `kept` | (n,) | bool | in and out: placements that are left, updated during a pass |
    """
    masks, cells, shape = placements.masks, placements.cells, placements.shape
    start, column = columns.start, columns.member
    witness, clashing, lost = scratch.at, scratch.clashing, scratch.lost
    suspects, taken = scratch.suspects, scratch.taken
    items, words = len(needed), len(lost)
    cell_count = items - len(max_count)
    for wanted in range(items):
        witness[wanted] = start[wanted]
    clashing[:] = NONE
    lost[:] = NONE
    for wanted in range(items):
        if needed[wanted] > 0:
            lost[wanted // WORD_BITS] |= ONE << np.uint64(wanted % WORD_BITS)
    dropped = True
    while dropped:
        dropped = False
        taken[:] = -1
        for placement in range(len(shape) - 1, -1, -1):
            if not kept[placement]:
                continue
            repeats = max_count[shape[placement]] > 1
            for word in range(words):
                suspects[word] = lost[word]
            for k in range(cells.shape[1] + 1):
                has = cell_count + shape[placement]
                if k < cells.shape[1]:
                    has = cells[placement, k]
                if has >= 0:
                    taken[has] = placement
                    if has < cell_count or not repeats:
                        for word in range(words):
                            suspects[word] |= clashing[has, word]
            fits = True
            for word in range(words):
                rest = suspects[word]
                while fits and rest != NONE:
                    item = word * WORD_BITS + np.int64(trailing_zeros(rest))
                    rest &= rest - ONE
                    if needed[item] <= (taken[item] == placement):
                        continue
                    first, end = start[item], start[item + 1]
                    at, tries = witness[item], end - first
                    while tries > 0 and not goes_with(
                        placement, column[at], repeats, masks, shape, kept
                    ):
                        tries -= 1
                        at += 1
                        if at == end:
                            at = first
                    if tries == 0:
                        fits = False
                        break
                    old, new = column[witness[item]], column[at]
                    set_witness(item, old, False, cells, cell_count + shape[old], clashing)
                    set_witness(item, new, True, cells, cell_count + shape[new], clashing)
                    lost[word] &= ~(ONE << np.uint64(item % WORD_BITS))
                    witness[item] = at
            if fits:
                continue
            kept[placement] = False
            dropped = to_fixed_point
            for word in range(words):  # items that have lost their witness
                rest = suspects[word]
                while rest != NONE:
                    item = word * WORD_BITS + np.int64(trailing_zeros(rest))
                    bit = rest & (~rest + ONE)
                    rest &= rest - ONE
                    if start[item] < start[item + 1] and column[witness[item]] == placement:
                        lost[word] |= bit
