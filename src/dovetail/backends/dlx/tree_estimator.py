"""Random descents through the tree of a search by dancing links; see `kernels.random_probe`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, TreeEstimator
from dovetail.backends.dlx.heuristics import MIN_FIT, Ranks, build_rules
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.dlx.segment import segment_search
from dovetail.backends.shared.hybrid import EngineSegment
from dovetail.backends.shared.kernels.guide import RANDOM, descents
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.backends.shared.schedule import Stage
from dovetail.backends.shared.slices import BUFFERED_SOLUTIONS, SolutionBuffer
from dovetail.backends.shared.tree_estimator import (
    End,
    EstimatorFactory,
    SegmentEstimate,
    SegmentEstimator,
    random_state,
    remaining_width,
)
from dovetail.models.cover import CoverProblem
from dovetail.models.options.cells import CellItems
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements
from dovetail.models.remainder import Remainder, remainder

WORK = 1_000_000  # of a slice


class DlxTree(DlxSearch):
    """A search that yields every set of `prefix_depth` options, and starts random probes there.

    The other arguments are a `DlxSearch`'s. With `prefix_depth` 0 the probes begin at the root.
    """

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage],
        cells: CellItems | None,
        hand_over: int | None,
        ranks: Ranks | None,
        prefix_depth: int,
    ) -> None:
        super().__init__(
            cover, placements_per_solution, stages, cells, prefix_depth or None, ranks=ranks
        )
        self.prefix_depth, self._hands_over = prefix_depth, hand_over is not None
        self.max_taken = len(self._rules.heuristic) - 1
        self._below = build_rules(
            stages,
            cover.item_count,
            cells,
            placements_per_solution,
            self.max_taken,
            hand_over=hand_over,
            ranks_of=ranks,
        )
        rows = 1 if self._hands_over else BUFFERED_SOLUTIONS
        self._ends = SolutionBuffer(self.max_taken, np.int32, self._state, rows)
        self.left_below = np.empty(0, dtype=np.int32)

    def sets(self) -> Iterator[NDArray[np.int32]]:
        """Yield every set when the search is there; one empty set for a prefix of no levels."""
        if self.prefix_depth == 0:
            yield np.empty(0, dtype=np.int32)
            return
        self._state[:] = 0
        self._fits[:] = 0
        # those taken out at the root
        self._stack.choices[: len(self._first_choices)] = self._first_choices
        status = None
        while status is None:
            status = self.advance(Budget(WORK))
            yield from self.take()
        assert status == Status.EXHAUSTED

    @property
    def prefix_nodes(self) -> NDArray[np.int64]:
        """Nodes of the levels of the prefix, once `sets` has gone through."""
        return self._fits[: self.prefix_depth]

    def probe(
        self, nodes: NDArray[np.float64], random: NDArray[np.uint64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """A descent for each row of `nodes`, to which is added what it meets.

        Returns how often the end of each counts, and with `hand_over` the options taken: then
        there is but one row, and `left_below` has the options that may complete them.
        """
        levels = len(self._stack.level_item) - int(self._state[LEVEL])
        guide = descents(np.full((len(nodes), levels), RANDOM), random)
        above, self._rules, made = self._rules, self._below, np.empty(0, dtype=np.int32)
        for rows in self.descend(guide, self._ends):
            if self._hands_over and len(rows):
                made, self.left_below = rows[rows >= 0], self.left
        self._rules = above
        widths = guide.widths
        row, level = np.nonzero(widths > guide.closing)
        weights = np.hstack([np.ones((len(nodes), 1)), widths.cumprod(axis=1)])
        placements = weights[row, level] * (widths[row, level] - guide.closing[row, level])
        np.add.at(nodes, (row, guide.placed[row, level]), placements)
        depth = np.count_nonzero(widths, axis=1)
        return np.where(guide.solved, weights[np.arange(len(nodes)), depth], 0.0), made


class DlxEstimator:
    """Descents through the tree of the `DlxSearch` of the same arguments."""

    def __init__(
        self,
        random: NDArray[np.uint64],
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage] = (MIN_FIT,),
        cells: CellItems | None = None,
        hand_over: int | None = None,
        ranks: Ranks | None = None,
    ) -> None:
        self._random, self._hand_over = random, hand_over
        self._arguments = (cover, placements_per_solution, stages, cells, hand_over, ranks)
        self._trees: dict[int, DlxTree] = {}

    def probe(self, estimates: int, prefix_width: int) -> SegmentEstimate:
        """As of `SegmentEstimator`; placements are options."""
        if prefix_width not in self._trees:
            self._trees[prefix_width] = self._tree(prefix_width)
        tree = self._trees[prefix_width]
        whole = tree.prefix_depth == self._deepest(tree)
        nodes = np.zeros((estimates, tree.max_taken))
        reached, ends, begun = np.zeros(estimates), list[End](), 0
        for _ in tree.sets():
            begun += 1
            if self._hand_over is None:
                reached += tree.probe(nodes, self._random)[0]
            elif whole:
                ends += self._only_end(tree, nodes)
            else:
                ends += self._ends(tree, nodes)
        nodes[:, : tree.prefix_depth] += tree.prefix_nodes
        descents, left = (0, remaining_width(prefix_width, begun)) if whole else (begun, 0)
        return SegmentEstimate(nodes, reached, ends, descents, left)

    def _only_end(self, tree: DlxTree, nodes: NDArray[np.float64]) -> Iterator[End]:
        """Where all descents end the segment, if they do: they have no choice left."""
        below = np.zeros((1, tree.max_taken))
        reached, made = tree.probe(below, self._random)
        nodes += below
        if reached[0] > 0:
            every = np.arange(len(nodes))
            yield End(every, np.ones(len(nodes)), made.astype(np.int64), tree.left_below)

    def _ends(self, tree: DlxTree, nodes: NDArray[np.float64]) -> Iterator[End]:
        """Where a descent for each row of `nodes` ends the segment, if it does."""
        for row in range(len(nodes)):
            reached, made = tree.probe(nodes[row : row + 1], self._random)
            if reached[0] > 0:
                yield End(np.array([row]), reached, made.astype(np.int64), tree.left_below)

    def _deepest(self, tree: DlxTree) -> int:
        """The depth to which there is a choice."""
        return tree.max_taken if self._hand_over is None else self._hand_over

    def _tree(self, max_sets: int) -> DlxTree:
        """The tree with the deepest prefix that has at most so many sets."""
        tree = DlxTree(*self._arguments, prefix_depth=0)
        while tree.prefix_depth < self._deepest(tree) and max_sets > 1:
            deeper = DlxTree(*self._arguments, prefix_depth=tree.prefix_depth + 1)
            for number, _ in enumerate(deeper.sets()):
                if number == max_sets:
                    return tree
            tree = deeper
        return tree


class DlxSegmentEstimator:
    """The estimator of a segment below some placements; see `tree_estimator.SegmentEstimator`."""

    def __init__(self, problem: Remainder, estimator: DlxEstimator) -> None:
        self._problem, self._estimator = problem, estimator

    def probe(self, estimates: int, prefix_width: int) -> SegmentEstimate:
        probed = self._estimator.probe(estimates, prefix_width)
        options, pieces = self._problem.options, self._problem.pieces
        ends = [
            End(end.rows, end.weights, options[end.placed].astype(np.int64), options[end.left])
            for end in probed.ends
            if end.left is not None
        ]
        return SegmentEstimate(
            probed.nodes[:, :pieces], probed.reached, ends, probed.descents, probed.prefix_width
        )


class DlxTreeEstimator(TreeEstimator):
    """Descents through the tree of a search that hands over to no other."""

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage],
        cells: CellItems | None,
        seed: int,
        prefix_width: int,
    ) -> None:
        random = random_state(seed)
        self._estimator = DlxEstimator(random, cover, placements_per_solution, stages, cells)
        self._columns, self._prefix_width = placements_per_solution, prefix_width
        self.probes = 0

    def levels(self, estimates: int) -> NDArray[np.float64]:
        probed = self._estimator.probe(estimates, self._prefix_width)
        self.probes += probed.descents * estimates
        return np.hstack([probed.nodes[:, : self._columns], probed.reached[:, None]])


def dlx_estimator_factory(segment: EngineSegment, puzzle: PackingPuzzle) -> EstimatorFactory:
    """Return the factory of a segment's estimators for a `HybridEstimator`."""

    def make(
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        random: NDArray[np.uint64],
    ) -> SegmentEstimator:
        problem = remainder(whole, placed, left)

        make = partial(DlxEstimator, random)
        return DlxSegmentEstimator(problem, segment_search(make, segment, puzzle, whole, problem))

    return make
