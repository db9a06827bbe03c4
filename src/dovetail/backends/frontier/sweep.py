"""In which order cells are filled: one axis after another, the narrow side first."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL

WINDOW_BITS = 64
# How many times more shapes a frontier has for each cell that it is longer: of pentominoes 35, 208,
# 1,193 and 6,755 for widths of three to six.
GROWTH = 5.7


def orders(coordinates: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The ranks of cells, shape (c,), in each order of the axes."""
    found = []
    for axes in permutations(range(coordinates.shape[1])):
        order = np.lexsort([coordinates[:, axis] for axis in reversed(axes)])
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        found.append(rank)
    return found


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
    coordinates: NDArray[np.int64], neighbours: NDArray[np.int64], cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """The ranks of cells with fewest shapes expected among the orders that fit, and their span.

    Where none fits a window it is the one with the least span.
    """
    found = [(rank, span(rank, cells)) for rank in orders(coordinates)]
    fitting = [one for one in found if one[1] <= WINDOW_BITS]
    if not fitting:
        return min(found, key=lambda one: one[1])
    return min(fitting, key=lambda one: shapes_expected(one[0], neighbours))
