"""In which order cells are filled: by their axes or line by line, the narrow side first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL

WINDOW_BITS = 64
DIRECTIONS = 24  # lines of triangles, hexagons and half squares lie at multiples of 15°
# How many times more shapes a frontier has for each cell that it is longer: of pentominoes 35, 208,
# 1,193 and 6,755 for widths of three to six.
GROWTH = 5.7


def orders(
    coordinates: NDArray[np.int64], positions: NDArray[np.float64]
) -> list[NDArray[np.int64]]:
    """The ranks of cells, shape (c,), in each order of the axes, and line by line across the plane.

    `positions` are where the cells lie, shape (c, dimension). Squares need no lines but their axes.
    """
    axes = permutations(range(coordinates.shape[1]))
    found = [_ranks([coordinates[:, axis] for axis in order]) for order in axes]
    if positions.shape[1] == 2 and not np.array_equal(coordinates, positions):
        found += [_ranks(_turned(positions, number)) for number in range(DIRECTIONS)]
    return found


def _ranks(keys: Sequence[NDArray[np.int64] | NDArray[np.float64]]) -> NDArray[np.int64]:
    """The ranks of cells, the first key slowest."""
    order = np.lexsort(keys[::-1])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _turned(positions: NDArray[np.float64], number: int) -> list[NDArray[np.float64]]:
    """How far cells lie along one of the directions, and across it; rounded: lines are straight."""
    angle = 2 * np.pi * number / DIRECTIONS
    x, y = positions.T
    along = np.cos(angle) * x + np.sin(angle) * y
    across = np.cos(angle) * y - np.sin(angle) * x
    return [along.round(6), across.round(6)]


def span(rank: NDArray[np.int64], cells: NDArray[np.int64]) -> int:
    """How many cells lie between the first and the last of any placement, both included.

    `cells` has a row for each placement, padded with −1.
    """
    if not len(cells):
        return 0
    ranks = np.where(cells == NO_CELL, -1, rank[cells])
    highest = ranks.max(axis=1)
    lowest = np.where(cells == NO_CELL, highest[:, None], ranks).min(axis=1)
    return int((highest - lowest).max()) + 1


def shapes_expected(rank: NDArray[np.int64], neighbours: NDArray[np.int64]) -> float:
    """About how many shapes the frontier goes through, up to a factor.

    A frontier is as long as there are unfilled cells beside filled ones.
    """
    count = len(rank)
    near = np.where(neighbours == NO_CELL, count, np.append(rank, count)[neighbours])
    first = np.minimum(near.min(axis=1, initial=count), rank)
    change = np.zeros(count + 2, dtype=np.int64)
    np.add.at(change, first + 1, 1)  # a cell is in the frontier once its first neighbour is filled
    np.add.at(change, rank + 1, -1)  # and until it is filled itself
    return float(np.sum(GROWTH ** np.minimum(np.cumsum(change), 200.0)))


def best_order(
    coordinates: NDArray[np.int64],
    positions: NDArray[np.float64],
    neighbours: NDArray[np.int64],
    cells: NDArray[np.int64],
) -> tuple[NDArray[np.int64], int]:
    """The ranks of cells with fewest shapes expected among the orders that fit, and their span.

    Where none fits a window it is the one with the least span.
    """
    found = [(rank, span(rank, cells)) for rank in orders(coordinates, positions)]
    fitting = [one for one in found if one[1] <= WINDOW_BITS]
    if not fitting:
        return min(found, key=lambda one: one[1])
    return min(fitting, key=lambda one: shapes_expected(one[0], neighbours))
