"""Proofs by parity and volume that a packing puzzle has no solution, or that lines are full.

The tests take about as long as reading the placements once. Source: Busche 2011, "Parity Constraint
Violations" (35 hexominoes never fill a rectangle) and "Volume Constraint Violations", here applied
before anything is placed.

Full lines: let a box-shaped region have k·m + m − 1 cells along an axis, and let every piece be a
box of at least m cells along this axis. Then every piece takes at least one of the coordinates
m − 1, 2m − 1, …, k·m − 1 of the axis. A layer consists of all cells with the same coordinate along
one axis. Call a cell of a layer a point if it has such coordinates along all other axes. At most as
many pieces meet a layer as it has points. The total length of all sides of the pieces is the number
of pairs of a piece and a layer that the piece meets. If this total is as large as the number of
points in all layers, every point is covered, and so the lines through points are full.
Source: D. G. Hoffman, "Packing problems and inequalities", in D. A. Klarner (editor), "The
Mathematical Gardner", 1981: 27 blocks a x b x c in a cube of side a + b + c.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many, shorten
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.placements import Placements
from dovetail.models.sub_problem import Part, region_parts
from dovetail.models.sums import (
    Values,
    cell_colours,
    parity_supply,
    shape_parities,
    shape_sizes,
    supply,
    volume_supply,
)

MAX_CLASSES_SHOWN = 4


def why_impossible(placements: Placements) -> str | None:
    """Return a short proof, with the numbers, that there is no solution; None if unknown.

    `placements` are all placements of the puzzle.
    """
    tests = (_unplaceable_shape, _uncovered_cell, _wrong_volume, _unfillable_part, _wrong_parity)
    return next((reason for test in tests if (reason := test(placements)) is not None), None)


def values_text(values: Values) -> str:
    """Format the possible contributions of a piece: `2` or `−2` for one value, else `±2`."""
    largest = max(map(abs, values))
    if len(values) > 1:
        return f"±{largest}"
    return str(largest) if largest in values else f"−{largest}"


def _unplaceable_shape(placements: Placements) -> str | None:
    places = np.bincount(placements.shape, minlength=len(placements.shapes))
    for shape, count in zip(placements.shapes, places, strict=True):
        if shape.min_count > 0 and count == 0:
            return f"piece {shorten(shape.name)} has no place in the region"
    return None


def _uncovered_cell(placements: Placements) -> str | None:
    covered = placements.optional.copy()
    covered[placements.member] = True
    if covered.all():
        return None
    cell = placements.coordinates[int(covered.argmin())].tolist()
    return f"no piece can cover the cell ({', '.join(map(str, cell))})"


def _wrong_volume(placements: Placements) -> str | None:
    """Return a proof that the volumes of used pieces cannot add up to the region's, or None."""
    sizes, cells = shape_sizes(placements), placements.cell_count
    values: list[Values] = []
    copies: list[int] = []
    for size, shape in zip(sizes, placements.shapes, strict=True):
        values += [frozenset((size,)), frozenset((0, size))]
        copies += [shape.min_count, shape.max_count - shape.min_count]
    sums = supply(values, copies, frozenset((0,)), 0, cells).within_reach()
    empty = int(np.count_nonzero(placements.optional))
    if sums[cells - empty :].any():
        return None
    filled = [frozenset((size,)) for size in sizes]
    return (
        f"volume: {_adding_up(placements, filled, 'fill')}, which cannot add up to "
        f"{_volume(Part(cells, empty))}"
    )


def _unfillable_part(placements: Placements) -> str | None:
    sums = volume_supply(placements).within_reach()
    for part in region_parts(placements):
        if not sums[part.volume - part.empty : part.volume + 1].any():
            sizes = ", ".join(map(str, sorted(set(shape_sizes(placements)))))
            return (
                f"volume: a part of the region has {_volume(part)}, which pieces of {sizes} "
                "cells cannot add up to"
            )
    return None


def _wrong_parity(placements: Placements) -> str | None:
    if placements.colours is None:
        return None
    pieces = parity_supply(placements)
    parity = int(cell_colours(placements).sum())
    if pieces.within_reach()[parity - pieces.min_sum]:
        return None
    shown = shape_parities(placements)
    empty = " minus the parity of the empty cells" if placements.optional.any() else ""
    return (
        f"parity: {_adding_up(placements, shown, 'show')}, which cannot add up to {parity}{empty}"
    )


def _volume(part: Part) -> str:
    if part.empty == 0:
        return how_many(part.volume, "cell")
    return f"{part.volume - part.empty} to {part.volume} cells"


def _adding_up(placements: Placements, values: Sequence[Values], verb: str) -> str:
    """Return how many pieces contribute which value: `1 piece shows 4 and 3 show 0`.

    Values are listed by descending absolute value: up to `MAX_CLASSES_SHOWN`, then "the others".
    """
    min_count, max_count = Counter[Values](), Counter[Values]()
    for value, shape in zip(values, placements.shapes, strict=True):
        if value:  # empty for an optional shape without placements
            min_count[value] += shape.min_count
            max_count[value] += shape.max_count
    parts = list[str]()
    for value in sorted(max_count, key=lambda value: max(map(abs, value)), reverse=True):
        count = (
            str(max_count[value])
            if min_count[value] == max_count[value]
            else f"up to {max_count[value]}"
        )
        noun = "" if parts else " piece" if max_count[value] == 1 else " pieces"
        parts.append(
            f"{count}{noun} {verb}{'s' if max_count[value] == 1 else ''} {values_text(value)}"
        )
    if len(parts) > MAX_CLASSES_SHOWN:
        parts[MAX_CLASSES_SHOWN:] = [f"the others {verb} less"]
    return " and ".join([", ".join(parts[:-1]), *parts[-1:]][-min(2, len(parts)) :])


def on_full_lines(placements: Placements) -> NDArray[np.bool_]:
    """Return a mask of the cells on lines that every solution fills, shape (c,)."""
    unknown = np.zeros(placements.cell_count, dtype=bool)
    plain = isinstance(placements.lattice, SquareLattice) and not placements.lattice.wraps
    if not plain or not len(placements):
        return unknown
    cells = placements.coordinates - placements.coordinates.min(axis=0)
    extent, (_, sides) = cells.max(axis=0) + 1, placements.corners
    examples = np.unique(placements.orientation, return_index=True)[1].tolist()
    shapes = (np.array(placements.cell_tuples(example)) for example in examples)
    no_boxes = (len(shape) != (np.ptp(shape, axis=0) + 1).prod() for shape in shapes)
    if extent.prod() != len(cells) or any(no_boxes):
        return unknown
    shortest = sides.min(axis=0)
    if (extent % shortest != shortest - 1).any():
        return unknown
    lengths = np.zeros(len(placements.shapes), dtype=np.int64)
    lengths[placements.shape] = sides.sum(axis=1)
    needed = sum(s.min_count * total for s, total in zip(placements.shapes, lengths, strict=True))
    points = extent // shortest
    if needed < (extent * (points.prod() // points)).sum():
        return unknown
    is_point = cells % shortest == shortest - 1
    on_line: NDArray[np.bool_] = is_point.sum(axis=1) >= len(extent) - 1
    return on_line
