"""Parity: the number of black cells less that of white cells in a chessboard colouring.

A piece has one of few parities wherever it lies, and in a solution the parities of the pieces and
of the cells that stay empty add up to that of the region. Source: Busche 2011, "Parity Constraint
Violations" (Jotun's proof, by way of Thorleif's Soma pages).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.models.placements import Placements
from dovetail.models.ragged import row_blocks
from dovetail.models.sums import Supply, Values, supply
from dovetail.models.volumes import shape_sizes


def cell_colours(placements: Placements) -> NDArray[np.int64]:
    """Return 1 for each black cell, −1 for each white cell, shape (c,); neighbours differ.

    Raises `ConfigError` if the cells have no such colouring.
    """
    if placements.colours is None:
        raise ConfigError(
            "parity needs a two-colouring of the cells; the cells "
            f"{placements.lattice.phrase} have none"
        )
    return placements.colours


def placement_parities(placements: Placements) -> NDArray[np.int64]:
    """Return the parity of the cells of each placement, shape (n,)."""
    colours, start = cell_colours(placements), placements.start
    parities = np.empty(len(placements), dtype=np.int64)
    for rows, members in row_blocks(start):
        first = start[rows] - members.start
        parities[rows] = np.add.reduceat(colours[placements.member[members]], first)
    return parities


def shape_parities(placements: Placements) -> list[Values]:
    """Return the parities of the placements of each shape; empty without placements."""
    parities = placement_parities(placements)
    return [
        frozenset(parities[placements.shape == number].tolist())
        for number in range(len(placements.shapes))
    ]


def parity_supply(placements: Placements) -> Supply:
    """Return the parities that the open cells may have if the remaining pieces fill them.

    Pieces that need not be used contribute 0 too. Cells that stay empty are the base.
    """
    values: list[Values] = []
    copies: list[int] = []
    for shape, parities in zip(placements.shapes, shape_parities(placements), strict=True):
        values += [parities, parities | {0}]
        copies += [shape.min_count, shape.max_count - shape.min_count]
    colour = cell_colours(placements)
    whites, blacks = int(np.count_nonzero(colour < 0)), int(np.count_nonzero(colour > 0))
    both = supply(values, copies, _parities_of_empties(placements), -whites, blacks)
    return Supply(
        both.class_of[::2], both.values, both.copies, both.base, both.min_sum, both.max_sum
    )


def _parities_of_empties(placements: Placements) -> Values:
    """Return the possible total parities of the cells that stay empty."""
    colours = cell_colours(placements)[placements.optional]
    blacks, whites = int(np.count_nonzero(colours > 0)), int(np.count_nonzero(colours < 0))
    if any(shape.min_count != shape.max_count for shape in placements.shapes):
        return frozenset(range(-whites, blacks + 1))
    sizes = zip(shape_sizes(placements), placements.shapes, strict=True)
    empty = placements.cell_count - sum(size * shape.max_count for size, shape in sizes)
    fewest, most = max(0, empty - whites), min(blacks, empty)
    return frozenset(2 * black - empty for black in range(fewest, most + 1))
