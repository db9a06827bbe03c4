"""Cells of lattices as polygons, the targets of the arrow keys, and named sets of pieces."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import Motions, Piece
from dovetail.puzzles.piece_sets import PIECE_SETS, piece_set, set_lattice, set_motions
from dovetail.reports.pictures.drawing import MARGIN, fragment, svg_element
from dovetail.reports.pictures.geometry import SIDE, layers
from dovetail.reports.pictures.packing import piece_drawing
from dovetail.ui.requests import Fields

MOTION_WORDS = {Motions.FREE: "mirror", Motions.ONE_SIDED: "rotations", Motions.FIXED: "none"}
DIRECTIONS = {"up": (0.0, 1.0), "down": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
ASIDE = 2.0  # weight of a sideways distance relative to a forward distance
NEAREST = 1e-6


def cells_fields(lattice: Lattice, region: Cells) -> Fields:
    """Return polygons and layers of the cells of a region, in its order, and their neighbours.

    Lengths are in units of the drawing. `neighbours` has, for each arrow key and cell, the number
    of the cell that the key leads to within the layer, or None. Raises `PuzzleError` if the lattice
    has no pictures.
    """
    laid = layers(lattice, region)
    planes = sorted(set(laid.layer.values()), key=lambda plane: plane[::-1])
    number = {plane: index for index, plane in enumerate(planes)}
    return {
        "cells": [
            {
                "cell": cell,
                "polygon": [
                    [round(SIDE * x, 2), round(SIDE * y, 2)] for x, y in laid.polygons[cell]
                ],
                "layer": number[laid.layer[cell]],
            }
            for cell in region
        ],
        "neighbours": _neighbours(region, laid.polygons, laid.layer),
        "view_box": [
            -MARGIN,
            -MARGIN,
            *(SIDE * size + 2 * MARGIN for size in (laid.width, laid.height)),
        ],
        "titles": [[title, SIDE * x, SIDE * (y + 0.7)] for title, (x, y) in laid.titles],
    }


def piece_sets(lattice: Lattice) -> list[Fields]:
    """Return the catalogue's sets of pieces on a lattice, with a picture of each piece."""
    return [
        {
            "set": name,
            "motions": motion_word(lattice, set_motions(name)),
            "pieces": [_piece(lattice, *piece, n) for n, piece in enumerate(pieces.items())],
        }
        for name, pieces in _sets_by_lattice().get(lattice.name, {}).items()
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


def _piece(lattice: Lattice, name: str, cells: Cells, number: int) -> Fields:
    return {
        "name": name,
        "cells": cells,
        "picture": picture_of_piece(lattice, name, cells, number),
    }


@cache
def _sets_by_lattice() -> dict[str, dict[str, dict[str, Cells]]]:
    """Return all sets of pieces, by the name of the lattice and the name of the set."""
    found = dict[str, dict[str, dict[str, Cells]]]()
    for name in PIECE_SETS:
        found.setdefault(set_lattice(name).name, {})[name] = piece_set(name)
    return found


def _neighbours(
    region: Cells, polygons: dict[Cell, Any], layer: dict[Cell, Cell]
) -> dict[str, list[int | None]]:
    """Return for each arrow key and cell the nearest cell of its layer in that direction.

    Sideways distances weigh more than forward distances. Cells more than 45° aside are not
    candidates.
    """
    middles = np.array([np.mean(polygons[cell], axis=0) for cell in region]) * (1, -1)
    numbers: dict[Cell, int] = {}
    planes = np.array([numbers.setdefault(layer[cell], len(numbers)) for cell in region])
    found: dict[str, list[int | None]] = {}
    for key, direction in DIRECTIONS.items():
        found[key] = [
            _nearest(middles - middles[place], planes == planes[place], direction)
            for place in range(len(region))
        ]
    return found


def _nearest(
    steps: NDArray[np.float64], same: NDArray[np.bool_], direction: tuple[float, float]
) -> int | None:
    """Return the number of the step with the least weight in a direction; None if there is none."""
    x, y = direction
    ahead, aside = steps @ (x, y), np.abs(steps @ (y, x))
    possible = same & (ahead > NEAREST) & (aside <= ahead + NEAREST)
    if not possible.any():
        return None
    cost = np.where(possible, ahead + ASIDE * aside, np.inf)
    return int(cost.argmin())
