"""Estimates of the tree of `domains`, from random samples of its nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.domains.arrays import SearchArrays
from dovetail.backends.domains.kernels.layout import Population
from dovetail.backends.shared.tree_estimator import random_state

MAX_BYTES = 2**26  # of a population


class DomainsTreeEstimator(TreeEstimator):
    """Each estimate is that of a population; see `kernels.population`.

    Levels with at most `capacity` nodes are visited whole. A tree without any larger need not be
    that of a search, which prefers the cells where it has failed.
    """

    def __init__(self, arrays: SearchArrays, seed: int, capacity: int) -> None:
        from dovetail.backends.domains.kernels.population import grow

        self._kernel: Any = grow
        self._arrays, self._random = arrays, random_state(seed)
        record_words, self._cells = int(arrays.words.record), len(arrays.stack.weight)
        capacity = max(1, min(capacity, MAX_BYTES // (16 * record_words)))
        self.population = capacity
        self._population = Population(
            root=arrays.stack.records[:record_words].copy(),
            records=np.zeros(2 * capacity * record_words, dtype=np.uint64),
            branch=np.zeros(2 * capacity, dtype=np.uint64),
            chosen=np.zeros((3, capacity), dtype=np.uint64),
            solution=np.zeros((1, self._cells), dtype=np.int32),
        )

    def levels(self, estimates: int) -> NDArray[np.float64]:
        sizes = np.zeros((estimates, self._cells + 1))
        arrays = self._arrays
        made, drawn = self._kernel(
            arrays.tables,
            arrays.words,
            arrays.stack,
            arrays.scratch,
            arrays.rules,
            self._population,
            self._random,
            sizes,
        )
        self.nodes += int(made)
        self.probes += int(drawn)
        return sizes
