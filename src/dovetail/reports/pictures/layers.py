"""From the cells of a lattice to polygons on one sheet of paper.

Layers z = 0, 1, … stand side by side, under their titles; in four dimensions each row of them
is one w. Lengths are in sides of a square, (0, 0) is at the top left, and y points upward in the
lattice as in every drawing of a puzzle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.models.lattices.protocol import Cell, Cells, Lattice, Point

Polygon = tuple[Point, ...]
Stick = tuple[Point, Point]

COLUMNS = 32  # as many as stand side by side before layers go on in the next row
GAP = 1  # between layers
TITLE = 1  # the height of a title
CHARACTER = 0.32  # the width of a letter of it, on average and amply


@dataclass(frozen=True)
class Layers:
    """Where the cells of a region lie on paper.

    `polygons` has the corners of each cell, clockwise, and `layer` the layer that it is in, both
    in the order of the region; `titles` name each layer where it begins, and there are none where
    there is one layer. Cells that are edges have their ends in `sticks`, and bends are `wide` where
    two pieces can turn about one vertex.
    """

    polygons: dict[Cell, Polygon]
    layer: dict[Cell, Cell]
    titles: tuple[tuple[str, Point], ...]
    width: float
    height: float
    sticks: dict[Cell, Stick]
    wide: bool


def layers(lattice: Lattice, region: Cells) -> Layers:
    """Lay out `region`, which has a cell.

    Raises `PuzzleError` where the lattice has no pictures, naming what shows solutions.
    """
    footprints = {cell: lattice.footprint(cell) for cell in region}
    planes = list(dict.fromkeys(one.layer for one in footprints.values()))
    titled = len(planes) > 1
    title_width = (
        max(math.ceil(CHARACTER * len(_title(plane))) for plane in planes) if titled else 0
    )
    left, right = _span(x for one in footprints.values() for x, _ in one.polygon)
    low, high = _span(y for one in footprints.values() for _, y in one.polygon)
    width = max(right - left, title_width)
    height = high - low + (TITLE if titled else 0)
    corners = _corners(planes, width + GAP, height + GAP)
    polygons: dict[Cell, Polygon] = {}
    sticks: dict[Cell, Stick] = {}
    for cell, one in footprints.items():
        across, down = corners[one.layer]
        *polygon, begin, end = (
            (across + x - left, down + height - (y - low))
            for x, y in (*one.polygon, *(one.ends or one.polygon[:2]))
        )
        polygons[cell] = tuple(polygon)
        if one.ends:
            sticks[cell] = begin, end
    layer = {cell: one.layer for cell, one in footprints.items()}
    titles = tuple((_title(plane), corner) for plane, corner in corners.items()) if titled else ()
    columns, rows = (max(axis) for axis in zip(*corners.values(), strict=True))
    wide = any(lattice.crossings((cell, *lattice.neighbours(cell))) for cell in region[:1])
    return Layers(polygons, layer, titles, columns + width, rows + height, sticks, wide)


def _corners(planes: list[Cell], width: float, height: float) -> dict[Cell, Point]:
    """The upper left corner of each plane; a new row begins with a new w, or for want of room."""
    side_by_side = max(1, int((COLUMNS + GAP) // width))
    corners: dict[Cell, Point] = {}
    column, row = 0, 0
    before: Cell | None = None
    for plane in sorted(planes, key=lambda plane: plane[::-1]):
        new_w = before is not None and plane[1:] != before[1:]
        if new_w or column == side_by_side:
            column, row = 0, row + 1
        corners[plane] = column * width, row * height
        column, before = column + 1, plane
    return corners


def _title(plane: Cell) -> str:
    return ", ".join(f"{axis} = {value}" for axis, value in zip("zw", plane, strict=False))


def _span(values: Iterable[float]) -> tuple[float, float]:
    listed = list(values)
    return min(listed), max(listed)
