"""Random descents through the tree of a FILA search; see `kernels.random_probe`.

The reference kernel's lists serve for the fast one too: it makes the same fits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.fila.descent import Variant
from dovetail.backends.fila.first_target import FirstTarget
from dovetail.backends.fila.kernels.reference_layout import Begins, Descents
from dovetail.backends.fila.reference import ReferenceDescent
from dovetail.backends.fila.segment import FilaSegments
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.backends.shared.tree_estimator import (
    End,
    EstimatorFactory,
    SegmentEstimate,
    SegmentEstimator,
    remaining_width,
)
from dovetail.models.outcome import Status
from dovetail.models.placements import Placements, cell_masks
from dovetail.models.remainder import Remainder

WORK = 100_000  # of a slice


class FilaTree(ReferenceDescent):
    """The tree of a `ReferenceDescent`; what is searched of it is the prefix."""

    def _build(self, problem: Remainder, nof: bool, variant: Variant) -> None:
        from dovetail.backends.fila.kernels.random_probe import random_probe

        super()._build(problem, nof, variant)
        self._probe: Any
        self._probe, self._placements, self._end = random_probe, problem.placements, self._stop
        self._root = self._position
        self._all_copies = np.array(
            [shape.max_count for shape in problem.placements.shapes], dtype=np.uint64
        )

    @property
    def pieces(self) -> int:
        """How many are placed from the root to the end."""
        return self._pieces - self._end

    @property
    def hands_over(self) -> bool:
        """Whether the segment is followed by another."""
        return self._end > 0

    def sets(self, depth: int, max_sets: int) -> NDArray[np.int32] | None:
        """Every set of so many placements that the search makes; None for more than `max_sets`."""
        if depth == 0:
            return np.empty((1, 0), dtype=np.int32)
        self._state[:] = 0
        self._state[LEVEL] = self._pieces
        self._end_at(self._pieces - depth)
        self._stack.rows[:] = 0
        self._position = self._root
        if self._copies is not None:
            self._copies[:] = self._all_copies
        found = [np.empty((0, depth), dtype=np.int32)]
        status = None
        while status is None and self.count <= max_sets:
            status = self.advance(Budget(WORK))
            found.append(self.take())
        return (
            np.concatenate(found) if status == Status.EXHAUSTED and self.count <= max_sets else None
        )

    def prefix_nodes(self) -> NDArray[np.float64]:
        """Nodes above the sets found last, by pieces remaining from all down."""
        return self._fits.astype(np.float64)

    def probe(
        self, sets: NDArray[np.int32], descents: int, random: NDArray[np.uint64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
        """So many descents below each of the sets.

        Returns the nodes met by the k-th descents of all sets, by placements made before; how
        often the end of each counts, shape (sets, descents); and, where the segment is to be
        followed by another, the placements made, shape (sets, descents, placements).
        """
        remaining = self._pieces - sets.shape[1]
        estimates = np.zeros((descents, self._pieces + 1))
        reached = np.empty((len(sets), descents))
        placed_count = remaining - self._end if self._end else 0
        made = np.empty((len(sets), descents, placed_count), dtype=np.int32)
        boards, copies = self._begins(sets)
        self._probe(
            self._lists,
            self._any_order,
            self._copies,
            self._root,
            Begins(boards, copies, np.uint64(remaining), np.uint64(self._end)),
            self._stack.rows,
            Descents(estimates, reached, made),
            random,
        )
        return estimates[:, self._pieces : self._end : -1], reached, made

    def _begins(self, sets: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The boards with sets placed, what is available with them, and the copies left."""
        board, available = (np.array(words, dtype=np.uint64) for words in self._root)
        boards = np.tile(np.concatenate([board, available]), (len(sets), 1))
        copies = np.tile(self._all_copies, (len(sets), 1))
        masks = cell_masks(self._placements.cells, 64 * len(board))
        every = np.arange(len(sets))
        for column in sets.T:
            boards[:, : len(board)] |= masks[column]
            copies[every, self._placements.shape[column]] -= np.uint64(1)
        used_up, shape = np.nonzero(copies == 0)
        bit = np.uint64(1) << (shape % 64).astype(np.uint64)
        np.bitwise_and.at(boards, (used_up, len(board) + shape // 64), ~bit)
        return boards, copies


class FilaSegmentEstimator:
    """The estimator of a segment below some placements; see `tree_estimator.SegmentEstimator`."""

    def __init__(self, problem: Remainder, tree: FilaTree, random: NDArray[np.uint64]) -> None:
        self._problem, self._tree, self._random = problem, tree, random
        self._prefixes: dict[int, tuple[NDArray[np.int32], NDArray[np.float64]]] = {}

    def probe(self, estimates: int, prefix_width: int) -> SegmentEstimate:
        if prefix_width not in self._prefixes:
            self._prefixes[prefix_width] = self._exhaustive_prefix(prefix_width)
        sets, nodes_above = self._prefixes[prefix_width]
        depth = sets.shape[1]
        nodes, reached, made = self._tree.probe(sets, estimates, self._random)
        nodes[:, :depth] += nodes_above
        whole = depth == self._tree.pieces
        descents, left = (0, remaining_width(prefix_width, len(sets))) if whole else (len(sets), 0)
        return SegmentEstimate(
            nodes, reached.sum(axis=0), self._ends(sets, reached, made), descents, left
        )

    def _exhaustive_prefix(self, max_sets: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The sets of the deepest prefix that has at most so many, and the nodes above them."""
        sets, above = np.empty((1, 0), dtype=np.int32), np.empty(0)
        while sets.shape[1] < self._tree.pieces and max_sets > 1:
            deeper = self._tree.sets(sets.shape[1] + 1, max_sets)
            if deeper is None:
                break
            sets, above = deeper, self._tree.prefix_nodes()
        return sets, above

    def _ends(
        self, sets: NDArray[np.int32], reached: NDArray[np.float64], made: NDArray[np.int32]
    ) -> list[End]:
        """The ends that are to be followed by another segment."""
        options = self._problem.options.astype(np.int64)
        if not self._tree.hands_over:
            return []
        if made.shape[2] == 0:
            every = np.arange(reached.shape[1])
            return [End(every, np.ones(len(every)), options[one], None) for one in sets]
        ends = []
        for begin, descent in zip(*np.nonzero(reached), strict=True):
            placed = options[np.concatenate([sets[begin], made[begin, descent]])]
            ends.append(End(np.array([descent]), reached[begin, [descent]], placed, None))
        return ends


def fila_estimator_factory(engine_segments: FilaSegments) -> EstimatorFactory:
    """Return the factory of a segment's estimators for a `HybridEstimator`."""

    def make(
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        random: NDArray[np.uint64],
    ) -> SegmentEstimator:
        problem = engine_segments.problem(whole, placed, left)
        return FilaSegmentEstimator(problem, engine_segments.descent(FilaTree, problem), random)

    return make


class FirstTargetEstimator:
    """Each image of the first target in turn: there is nothing to draw."""

    def __init__(
        self,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        _random: NDArray[np.uint64],
    ) -> None:
        self._arguments = whole, placed, left

    def probe(self, estimates: int, prefix_width: int) -> SegmentEstimate:
        search = FirstTarget(*self._arguments)
        every, ends = np.arange(estimates), list[End]()
        while search.advance(Budget(1)) is None:
            placed = search.take()[0].astype(np.int64)
            ends.append(End(every, np.ones(estimates), placed, search.left))
        nodes = np.full((estimates, 1), float(len(ends)))
        return SegmentEstimate(
            nodes, np.zeros(estimates), ends, 0, remaining_width(prefix_width, len(ends))
        )
