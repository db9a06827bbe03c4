"""Estimates of the tree of `rows`, level by level, from random samples of its nodes."""

from __future__ import annotations

from math import exp, lgamma
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.rows.kernels.layout import Population
from dovetail.backends.rows.tables import (
    IdenticalTiles,
    OrderedBoard,
    first_row,
    tables_of,
)
from dovetail.backends.shared.tree_estimator import random_state

MAX_CAPACITY = 1_000  # nodes of a level: 0.7 MB of an 81-cell board, which stay in a core's cache


class RowsTreeEstimator(TreeEstimator):
    """Each estimate is that of a population; see `kernels.population`.

    Levels with at most `capacity` nodes are visited whole, and so is a tree without any larger.
    """

    def __init__(
        self, board: OrderedBoard, identical_tiles: IdenticalTiles, seed: int, capacity: int
    ) -> None:
        from dovetail.backends.rows.kernels.population import grow

        self._kernel: Any = grow
        self._tables = tables_of(board, identical_tiles)
        self._first_row = first_row(board, self._tables)
        self._cells, self._capacity = len(board.cells), min(capacity, MAX_CAPACITY)
        self.population = self._capacity
        self._random = random_state(seed)
        self._population = _population(self._capacity, self._cells, len(self._tables.free))
        # Identical tiles that are each tried are reported in one order of many.
        orders = sum(lgamma(len(tiles) + 1) for tiles in board.slots.copies.values())
        self._reported = exp(-orders) if identical_tiles == "each" else 1.0

    def levels(self, estimates: int) -> NDArray[np.float64]:
        sizes = np.zeros((estimates, self._cells))
        tables = self._tables
        made = self._kernel(
            tables.tables,
            tables.others,
            self._population,
            tables.free,
            self._first_row,
            self._random,
            sizes,
        )
        self.nodes += int(made)
        if sizes.max(initial=0) > self._capacity:
            self.probes += self._capacity * estimates
        return np.column_stack([sizes, sizes[:, -1] * self._reported])


def _population(capacity: int, cells: int, words: int) -> Population:
    return Population(
        free=np.zeros(2 * capacity * words, dtype=np.uint64),
        demands=np.zeros(2 * capacity * cells, dtype=np.uint64),
        chosen=np.zeros((3, capacity), dtype=np.uint64),
    )
