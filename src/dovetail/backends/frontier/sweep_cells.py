"""What the sweep fills: the open cells, and the places where pieces cross as further cells.

A crossing place is a cell that may stay empty and has no neighbours: at most one piece takes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements


class SweepCells(NamedTuple):
    """Arrays over c cells, crossing places last; as in `Placements` otherwise.

    `cells` has a row for each placement, int64, padded with −1.
    """

    cells: NDArray[np.int64]
    coordinates: NDArray[np.int64]
    positions: NDArray[np.float64]
    neighbours: NDArray[np.int64]
    optional: NDArray[np.bool_]


def sweep_cells(placements: Placements) -> SweepCells:
    """The cells of some placements and the places that these cross."""
    p, neighbours = placements, placements.neighbours.astype(np.int64)
    cells = p.cells.astype(np.int64)
    if not p.may_cross:
        return SweepCells(cells, p.coordinates, p.positions, neighbours, p.optional)
    count = len(p.crossing_places)
    crossed = np.where(p.crossings == NO_CELL, NO_CELL, p.cell_count + p.crossings.astype(np.int64))
    return SweepCells(
        np.concatenate([cells, crossed], axis=1),
        np.concatenate([p.coordinates, np.array(p.crossing_places, dtype=np.int64)]),
        np.concatenate([p.positions, _amid_those_that_cross(p)]),
        np.pad(neighbours, ((0, count), (0, 0)), constant_values=NO_CELL),
        np.append(p.optional, np.ones(count, dtype=bool)),
    )


def _amid_those_that_cross(placements: Placements) -> NDArray[np.float64]:
    """About where the crossing places lie: amid the cells of the placements that take them."""
    p = placements
    present = p.cells != NO_CELL
    at = np.where(present[:, :, None], p.positions[p.cells], 0.0).sum(axis=1)
    middles = at / present.sum(axis=1)[:, None]
    rows, columns = np.nonzero(p.crossings != NO_CELL)
    place = p.crossings[rows, columns]
    total = np.zeros((len(p.crossing_places), p.positions.shape[1]))
    np.add.at(total, place, middles[rows])
    uses = np.bincount(place, minlength=len(total))
    return total / np.maximum(uses, 1)[:, None]
