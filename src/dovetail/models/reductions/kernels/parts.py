"""Connected parts of the open cells, and tests whether sets of pieces have the parts' volumes.

A region has c cells. A part of v cells, e of them optional, can be filled if some set of pieces has
a volume from v − e to v. `fillable` has consecutive rows of c + 1 entries, for the volumes 0 to c,
with 1 for each volume that a set of pieces has. `row` is the offset of the row to use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.models.reductions.kernels.layout import Flood, Parts, PlacementTable, Region


@kernel(inline=True)
def can_fill(volume: int, empty: int, fillable: NDArray[np.uint8], row: int) -> bool:
    """Return whether a part of `volume` cells, `empty` of them optional, can be filled."""
    for filled in range(volume - empty, volume + 1):
        if fillable[row + filled]:
            return True
    return False


@kernel
def label_parts(
    open_cell: NDArray[np.uint8],
    neighbours: NDArray[np.int32],
    optional: NDArray[np.bool_],
    part: NDArray[np.int32],
    volume: NDArray[np.int32],
    empty: NDArray[np.int32],
    waiting: NDArray[np.int32],
) -> int:
    """Find the connected parts of the open cells of a region of c cells; return their number.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `open_cell` | (c,) | uint8 | 1 for an open cell |
    | `neighbours` | (c, degree) | int32 | neighbours of each cell, −1 for none |
    | `optional` | (c,) | bool | cells that may stay empty |
    | `part` | (c,) | int32 | out: part of each cell, −1 for a cell that is not open |
    | `volume`, `empty` | (c,) | int32 | out: number of cells and of optional cells of each part |
    | `waiting` | (c,) | int32 | scratch |
    """
    part[:] = -1
    count = 0
    for seed in range(len(part)):
        if not open_cell[seed] or part[seed] >= 0:
            continue
        part[seed] = count
        waiting[0] = seed
        length, cells, may_stay = 1, 0, 0
        while length > 0:
            length -= 1
            cell = waiting[length]
            cells += 1
            if optional[cell]:
                may_stay += 1
            for d in range(neighbours.shape[1]):
                near = neighbours[cell, d]
                if near >= 0 and open_cell[near] and part[near] < 0:
                    part[near] = count
                    waiting[length] = near
                    length += 1
        volume[count] = cells
        empty[count] = may_stay
        count += 1
    return count


@kernel
def all_fillable(
    parts: int,
    volume: NDArray[np.int32],
    empty: NDArray[np.int32],
    fillable: NDArray[np.uint8],
    row: int,
    min_cells: int,
) -> bool:
    """Return whether all parts, `parts` in number, can be filled.

    If `min_cells` is not 0, only parts of at least `min_cells` cells are tested, and one of them
    may be unfillable.
    """
    spared = min_cells > 0
    for number in range(parts):
        cells = volume[number]
        if cells >= min_cells and not can_fill(cells, empty[number], fillable, row):
            if not spared:
                return False
            spared = False
    return True


@kernel
def leaves_unfillable(
    cells: NDArray[np.int32],
    region: Region,
    parts: Parts,
    count: int,
    fillable: NDArray[np.uint8],
    row: int,
    flood: Flood,
    stamp: int,
) -> bool:
    """Return whether a placement on `cells`, padded with −1, leaves an unfillable part.

    `label_parts` filled `parts` and returned `count`. All marks in `flood.mark` have to be below
    `stamp`; the kernel writes `stamp` and `stamp` + 1. A part that the placement does not split is
    not traversed completely: a flood from a cell beside the placement ends as soon as it has met
    all other cells beside the placement, which are usually near.
    """
    neighbours, optional = region.neighbours, region.optional
    part, volume, empty = parts.part, parts.volume, parts.empty
    mark, waiting = flood.mark, flood.waiting
    filled, beside = stamp, stamp + 1
    for k in range(len(cells)):
        if cells[k] >= 0:
            mark[cells[k]] = filled
    for number in range(count):
        rest, rest_empty, unmet = volume[number], empty[number], 0
        for k in range(len(cells)):
            if cells[k] < 0 or part[cells[k]] != number:
                continue
            rest -= 1
            if optional[cells[k]]:
                rest_empty -= 1
            for d in range(neighbours.shape[1]):
                near = neighbours[cells[k], d]
                if near >= 0 and part[near] == number and mark[near] < filled:
                    mark[near] = beside
                    unmet += 1
        for k in range(len(cells)):
            if unmet == 0 or cells[k] < 0 or part[cells[k]] != number:
                continue
            for d in range(neighbours.shape[1]):
                seed = neighbours[cells[k], d]
                if seed < 0 or part[seed] != number or mark[seed] != beside:
                    continue
                mark[seed] = filled
                unmet -= 1
                waiting[0] = seed
                first, end, may_stay = 0, 1, 0
                while first < end and unmet > 0:
                    cell = waiting[first]
                    first += 1
                    if optional[cell]:
                        may_stay += 1
                    for e in range(neighbours.shape[1]):
                        near = neighbours[cell, e]
                        if near >= 0 and part[near] == number and mark[near] != filled:
                            if mark[near] == beside:
                                unmet -= 1
                            mark[near] = filled
                            waiting[end] = near
                            end += 1
                if unmet > 0:  # not all cells beside were met: the flooded part is cut off
                    if not can_fill(end, may_stay, fillable, row):
                        return True
                    rest -= end
                    rest_empty -= may_stay
        if not can_fill(rest, rest_empty, fillable, row):
            return True
    return False


@kernel
def cut_off(
    placements: PlacementTable,
    region: Region,
    parts: Parts,
    found: int,
    fillable: NDArray[np.uint8],
    row: NDArray[np.int64],
    flood: Flood,
    dropped: NDArray[np.bool_],
) -> None:
    """Drop each placement that leaves a connected part which no set of other pieces can fill.

    There are n placements. All c cells are open and form `found` parts, given in `parts`. All marks
    of `flood` have to be −1.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `fillable` | (rows · (c + 1),) | uint8 | rows: 1 for each volume that other pieces can have |
    | `row` | (shapes,) | int64 | offset of the row to use for a placement of each shape |
    | `dropped` | (n,) | bool | out: True for each placement to drop |
    """
    cells, shape = placements.cells, placements.shape
    for placement in range(len(shape)):
        dropped[placement] = leaves_unfillable(
            cells[placement],
            region,
            parts,
            found,
            fillable,
            row[shape[placement]],
            flood,
            2 * placement,
        )
