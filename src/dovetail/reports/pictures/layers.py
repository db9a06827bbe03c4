"""From cells of one to four dimensions to squares on one sheet of paper.

Layers z = 0, 1, … stand side by side, under their titles; in four dimensions each row of them
is one w. Squares are (column, row) with (0, 0) at the top left, y pointing upward as in every
drawing of a puzzle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.errors import PuzzleError
from dovetail.models.lattice import Cell, Cells

Square = tuple[int, int]

MOST_DIMENSIONS = 4
COLUMNS = 32  # as many as stand side by side before layers go on in the next row
GAP = 1  # between layers
TITLE = 1  # the height of a title
CHARACTER = 0.32  # the width of a letter of it, on average and amply


@dataclass(frozen=True)
class Layers:
    """Where the cells of a region lie on paper, in squares.

    `squares` has the cells in the order of the region; `titles` say which layer begins where,
    and there are none where there is one layer.
    """

    squares: dict[Cell, Square]
    titles: tuple[tuple[str, Square], ...]
    width: int
    height: int


def layers(region: Cells) -> Layers:
    """Lay out `region`, which has a cell.

    Raises `PuzzleError` beyond four dimensions, naming what shows solutions of them.
    """
    check_drawable(len(region[0]))
    planes = list(dict.fromkeys(cell[2:] for cell in region))
    titled = len(planes) > 1
    room = max(math.ceil(CHARACTER * len(_title(plane))) for plane in planes) if titled else 0
    left, right = _span(cell[0] for cell in region)
    low, high = _span(map(_y, region))
    width = max(right - left + 1, room)
    height = high - low + 1 + (TITLE if titled else 0)
    corners = _corners(planes, width + GAP, height + GAP)
    squares: dict[Cell, Square] = {}
    for cell in region:
        across, down = corners[cell[2:]]
        squares[cell] = across + cell[0] - left, down + height - 1 - (_y(cell) - low)
    titles = tuple((_title(plane), corner) for plane, corner in corners.items()) if titled else ()
    columns, rows = (max(axis) for axis in zip(*corners.values(), strict=True))
    return Layers(squares, titles, columns + width, rows + height)


def check_drawable(dimension: int) -> None:
    """Raises `PuzzleError` where there are more dimensions than pictures show."""
    if dimension > MOST_DIMENSIONS:
        raise PuzzleError(
            f"pictures show up to {MOST_DIMENSIONS} dimensions, not {dimension}; "
            "use JSON (.json, .jsonl) or CSV (.csv)"
        )


def _corners(planes: list[Cell], width: int, height: int) -> dict[Cell, Square]:
    """The upper left corner of each plane; a new row begins with a new w, or for want of room."""
    side_by_side = max(1, (COLUMNS + GAP) // width)
    corners: dict[Cell, Square] = {}
    column, row = 0, 0
    before: Cell | None = None
    for plane in sorted(planes, key=lambda plane: plane[::-1]):
        new_w = before is not None and plane[1:] != before[1:]
        if new_w or column == side_by_side:
            column, row = 0, row + 1
        corners[plane] = column * width, row * height
        column, before = column + 1, plane
    return corners


def _y(cell: Cell) -> int:
    """All cells of a line lie at the same height."""
    return cell[1] if len(cell) > 1 else 0


def _title(plane: Cell) -> str:
    return ", ".join(f"{axis} = {value}" for axis, value in zip("zw", plane, strict=False))


def _span(values: Iterable[int]) -> tuple[int, int]:
    listed = list(values)
    return min(listed), max(listed)
