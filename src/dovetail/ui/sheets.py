"""Cells of lattices as the page draws them: polygons, solids, sheets to draw on, and piece sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod
from operator import sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packings.packing import Motions, Piece
from dovetail.models.text_drawing import corner_of
from dovetail.puzzles.piece_sets import piece_set, set_lattice, set_motions, set_names
from dovetail.reports.pictures.drawing import MARGIN, fragment, svg_element
from dovetail.reports.pictures.geometry import SIDE, layers
from dovetail.reports.pictures.packing import piece_drawing
from dovetail.reports.viewer.data import solid_rows
from dovetail.ui.requests import Fields, RequestError, whole_number

MOTION_WORDS = {Motions.FREE: "mirror", Motions.ONE_SIDED: "rotations", Motions.FIXED: "none"}
DIRECTIONS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
ASIDE = 2.0  # weight of a sideways distance relative to a forward distance
NEAREST = 1e-6


def cells_fields(lattice: Lattice, region: Cells) -> Fields:
    """Return polygons and layers of the cells of a region, in its order, and their neighbours.

    Lengths are in units of the drawing. `neighbours` has, for each arrow key and cell, the number
    of the cell that the key leads to within the layer, or None. `view_box` and `titles` belong to
    the drawing of all layers. In space there are also the `solid_fields`. Raises `PuzzleError` if
    the lattice has no pictures.
    """
    laid = layers(lattice, region)
    planes = sorted(set(laid.layer.values()), key=lambda plane: plane[::-1])
    numbers = {plane: index for index, plane in enumerate(planes)}
    polygons = [laid.polygons[cell] for cell in region]
    in_layer = [numbers[laid.layer[cell]] for cell in region]
    return solid_fields(lattice, region) | {
        "cells": [
            {
                "cell": cell,
                "polygon": [[round(SIDE * x, 2), round(SIDE * y, 2)] for x, y in polygon],
                "layer": layer,
            }
            for cell, polygon, layer in zip(region, polygons, in_layer, strict=True)
        ],
        "neighbours": _neighbours(polygons, np.array(in_layer)),
        "view_box": [
            -MARGIN,
            -MARGIN,
            *(SIDE * size + 2 * MARGIN for size in (laid.width, laid.height)),
        ],
        "titles": [[title, SIDE * x, SIDE * (y + 0.7)] for title, (x, y) in laid.titles],
    }


def solid_fields(lattice: Lattice, region: Cells) -> Fields:
    """Return the `solids` and `places` of `solid_rows` for cells in space; {} for other cells."""
    if lattice.dimension != 3:
        return {}
    return dict(zip(("solids", "places"), solid_rows(lattice, region), strict=True))


@cache
def piece_sets(lattice: Lattice) -> list[Fields]:
    """Return the catalogue's sets of pieces on a lattice, with a picture of each piece."""
    return [
        {
            "set": name,
            "motions": motion_word(lattice, set_motions(name)),
            "pieces": [
                {
                    "name": piece,
                    "cells": lattice.normalise(cells),
                    "picture": picture_of_piece(lattice, piece, cells, number),
                }
                for number, (piece, cells) in enumerate(piece_set(name).items())
            ],
        }
        for name in set_names()
        if set_lattice(name).name == lattice.name
    ]


def motion_word(lattice: Lattice, motions: Motions) -> str:
    """Return the page's word for the motions of a piece.

    On a lattice without flips, free pieces have the word of one-sided pieces.
    """
    if motions is Motions.FREE and not lattice.flips:
        return MOTION_WORDS[Motions.ONE_SIDED]
    return MOTION_WORDS[motions]


def motion_words(lattice: Lattice) -> list[str]:
    """Return all results of `motion_word` for a lattice, the usual motion first."""
    return list(dict.fromkeys(motion_word(lattice, motions) for motions in MOTION_WORDS))


def picture_of_piece(lattice: Lattice, name: str, cells: Cells, number: int) -> str | None:
    """Return the picture of a single piece; None if the lattice has no pictures."""
    try:
        return fragment(svg_element(piece_drawing(lattice, Piece(name, cells), number)))
    except PuzzleError:
        return None


def _neighbours(
    polygons: Sequence[Any], in_layer: NDArray[np.int64]
) -> dict[str, list[int | None]]:
    """Return for each arrow key and cell the number of the nearest cell in that direction, or None.

    Only cells of the same layer, at most 45° aside, are candidates. Sideways distances weigh more
    than forward distances.
    """
    middles = np.array([np.mean(polygon, axis=0) for polygon in polygons]) * (1, -1)
    return {
        key: [
            _nearest(middles - middle, in_layer == layer, direction)
            for middle, layer in zip(middles, in_layer, strict=True)
        ]
        for key, direction in DIRECTIONS.items()
    }


def _nearest(
    steps: NDArray[np.float64], same: NDArray[np.bool_], direction: tuple[float, float]
) -> int | None:
    """Return the number of the step to the nearest cell in a direction; None if there is none.

    `steps` has the vector to each cell, and `same` is true for the cells of the same layer.
    """
    x, y = direction
    ahead, aside = steps @ (x, y), np.abs(steps @ (y, x))
    possible = same & (ahead > NEAREST) & (aside <= ahead + NEAREST)
    if not possible.any():
        return None
    cost = np.where(possible, ahead + ASIDE * aside, np.inf)
    return int(cost.argmin())


MAX_SIDE, MAX_LAYERS, MAX_CELLS = 60, 12, 2_000
DEFAULT_SIDE, DEFAULT_LAYERS = 8, 3
# Lattices with sheets, and the number of columns that a cell takes in a text picture.
EDITABLE = {
    "square-2": 1,
    "triangular": 1,
    "hexagonal": 2,
    "square-3": 1,
    "triangular-prisms": 1,
    "hexagonal-prisms": 2,
    "spheres": 2,
}


class Sheet(NamedTuple):
    """The size of a sheet, in cells and layers."""

    width: int
    height: int
    layers: int = 1


@cache
def lattice_rows() -> tuple[Fields, ...]:
    """Return for each lattice the properties that the page needs."""
    return tuple(
        {
            "name": name,
            "title": lattice.title,
            "dimensions": lattice.dimension,
            "editable": name in EDITABLE,
            "largest": _largest(lattice)._asdict(),
            "motions": motion_words(lattice),
        }
        for name in lattice_names()
        for lattice in [lattice_named(name)]
    )


def drawing_board(name: str, width: object, height: object, depth: object) -> Fields:
    """Return the `cells_fields` of a sheet of `width` x `height` cells in `depth` layers.

    Sizes may be texts of digits. Raises `RequestError` for a size beyond the limits and for a
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
        raise RequestError(f"found {prod(sheet):,} cells; expected at most {MAX_CELLS:,}", "width")
    sides = [range(sheet.width * EDITABLE[name]), range(sheet.height), range(sheet.layers)]
    places = product(*sides[: lattice.dimension])
    return cells_fields(lattice, tuple(sorted(filter(None, map(lattice.text_cell, places)))))


def on_sheet(lattice: Lattice, region: Cells, *parts: Cells) -> tuple[Sheet, list[Cells]] | None:
    """Return the smallest sheet that holds a region, and the region and its parts on that sheet.

    The region and the parts are moved by the same translation. Returns None if no sheet is large
    enough.
    """
    places = tuple(map(lattice.text_place, region))
    corner, vector = corner_of(lattice, places)
    far = map(max, zip(*places, strict=True))
    width, *others = (last - first + 1 for first, last in zip(corner, far, strict=True))
    sheet = Sheet(-(-width // EDITABLE[lattice.name]), *others)
    if not _is_possible(lattice, sheet):
        return None
    groups = (region, *parts)
    return sheet, [tuple(tuple(map(sub, cell, vector)) for cell in part) for part in groups]


def _is_possible(lattice: Lattice, sheet: Sheet) -> bool:
    sides = zip(sheet, _largest(lattice), strict=True)
    return all(side <= largest for side, largest in sides) and prod(sheet) <= MAX_CELLS


def _largest(lattice: Lattice) -> Sheet:
    """Return the largest value of each side; the combination may be too large."""
    return Sheet(MAX_SIDE, MAX_SIDE, MAX_LAYERS if lattice.dimension == 3 else 1)
