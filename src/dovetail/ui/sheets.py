"""Sheets to draw on: their lattices and sizes, and the placement of given cells on a sheet.

A sheet has a number of cells in a row, a number of rows, and a number of layers on lattices that
are drawn by layers. Its cells are the cells of a text picture of that size.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod
from operator import sub
from typing import NamedTuple

from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.text_drawing import corner_of
from dovetail.ui.lattices import cells_fields, motion_words
from dovetail.ui.requests import Fields, RequestError, whole_number

MAX_SIDE, MAX_LAYERS, MAX_CELLS = 60, 12, 2_000
DEFAULT_SIDE, DEFAULT_LAYERS = 8, 3
# Lattices with sheets, and the number of columns of a text picture for each cell.
EDITABLE = {"square-2": 1, "triangular": 1, "hexagonal": 2, "square-3": 1}


class Sheet(NamedTuple):
    """The sides of a sheet."""

    width: int
    height: int
    layers: int = 1

    def fields(self) -> dict[str, int]:
        """Return the sides by name."""
        return self._asdict()


@cache
def lattice_rows() -> tuple[Fields, ...]:
    """Return a row for each lattice."""
    return tuple(
        {
            "name": name,
            "title": lattice.title,
            "dimensions": lattice.dimension,
            "editable": name in EDITABLE,
            "largest": _largest(lattice).fields(),
            "motions": motion_words(lattice),
        }
        for name in lattice_names()
        for lattice in [lattice_named(name)]
    )


def drawing_board(name: str, width: object, height: object, depth: object) -> Fields:
    """Return the `cells_fields` of a sheet of `width` x `height` cells in `depth` layers.

    Sizes may be texts of digits. Raises `RequestError` for a size above the limits and for a
    lattice without sheets.
    """
    if name not in EDITABLE:
        raise RequestError(f"lattice is {name!r}; valid: {', '.join(EDITABLE)}", "lattice")
    lattice = lattice_named(name)
    largest = _largest(lattice)
    sheet = Sheet(
        whole_number("width", width, 1, largest.width),
        whole_number("height", height, 1, largest.height),
        whole_number("layers", depth, 1, largest.layers) if lattice.dimension == 3 else 1,
    )
    if not _is_possible(lattice, sheet):
        raise RequestError(f"{prod(sheet):,} cells; expected at most {MAX_CELLS:,}", "width")
    sides = [range(sheet.width * EDITABLE[name]), range(sheet.height), range(sheet.layers)]
    places = product(*sides[: lattice.dimension])
    return cells_fields(lattice, tuple(sorted(filter(None, map(lattice.text_cell, places)))))


def on_sheet(lattice: Lattice, region: Cells, *parts: Cells) -> tuple[Sheet, list[Cells]] | None:
    """Return the smallest sheet that holds a region, and the region and its parts on that sheet.

    All are moved by the same translation. Returns None if no sheet is large enough.
    """
    places = tuple(map(lattice.text_place, region))
    corner, vector = corner_of(lattice, places)
    far = map(max, zip(*places, strict=True))
    width, *others = (last - first + 1 for first, last in zip(corner, far, strict=True))
    sheet = Sheet(-(-width // EDITABLE[lattice.name]), *others)
    if not _is_possible(lattice, sheet):
        return None
    groups = (region, *parts)
    return sheet, [tuple(tuple(map(sub, cell, vector)) for cell in one) for one in groups]


def _is_possible(lattice: Lattice, sheet: Sheet) -> bool:
    sides = zip(sheet, _largest(lattice), strict=True)
    return all(side <= largest for side, largest in sides) and prod(sheet) <= MAX_CELLS


def _largest(lattice: Lattice) -> Sheet:
    """Return the largest value of each side; the combination may be too large."""
    return Sheet(MAX_SIDE, MAX_SIDE, MAX_LAYERS if lattice.dimension == 3 else 1)
