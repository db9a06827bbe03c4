"""Random descents through the tree of a search by dancing links; see `kernels.dive`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, TreeEstimator
from dovetail.backends.dives import (
    BeginDives,
    Dived,
    End,
    StretchDives,
    left_of_fan,
    random_state,
)
from dovetail.backends.dlx.heuristics import MIN_FIT, Ranks, build_rules
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.dlx.stretch import stretch_search
from dovetail.backends.relay import Stretch
from dovetail.backends.stages import Stage
from dovetail.models.cover import CoverProblem
from dovetail.models.options.cells import CellItems
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements
from dovetail.models.sub_problem import SubProblem, sub_problem

WORK = 1_000_000  # of a slice


class DlxTree(DlxSearch):
    """A search that yields every set of `fan` options taken, and from where it is then, dives.

    The rest as of a `DlxSearch`; with `fan` 0 there is no search and dives begin at the root.
    """

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage],
        cells: CellItems | None,
        stop: int | None,
        ranks: Ranks | None,
        fan: int,
    ) -> None:
        from dovetail.backends.dlx.kernels.dive import dive  # imports numba

        super().__init__(cover, placements_per_solution, stages, cells, fan or None, ranks)
        self.fan, self._stops = fan, stop is not None
        self._dive: Any = dive
        self.most_taken = len(self._rules.heuristic) - 1
        self._below = build_rules(
            stages, cover.item_count, cells, placements_per_solution, self.most_taken, stop, ranks
        )
        self._first_row = np.empty(cover.item_count, dtype=np.int32)
        self._made = np.empty((1, stop or 0), dtype=np.int32)
        self._left_count = np.zeros(1, dtype=np.int64)

    def sets(self) -> Iterator[NDArray[np.int32]]:
        """Every set in its turn, when the search is there; none taken, for a fan of 0."""
        if self.fan == 0:
            yield np.empty(0, dtype=np.int32)
            return
        self._state[:] = 0
        self._fits[:] = 0
        self._choices[: int(self._items)] = self._tables.choices  # those taken out at the root
        status = None
        while status is None:
            status = self.advance(Budget(WORK))
            yield from self.take()
        assert status == Status.EXHAUSTED

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Nodes of the levels within the fan, once `sets` has gone through."""
        return self._fits[: self.fan]

    def dive(
        self, nodes: NDArray[np.float64], random: NDArray[np.uint64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """A descent for each row of `nodes`, to which is added what it meets.

        Returns how often the end of each counts, and with a `stop` the options taken: then there
        is but one row, and `left` is about its end.
        """
        kernel = self._kernel
        reached = np.zeros(len(nodes))
        self._dive(
            *self._matrix(self._below),
            *self._stack[:3],
            self._removed,
            self._state[kernel.LEVEL],
            self._state[kernel.PLACED],
            self._state[kernel.REMOVED],
            random,
            self._first_row,
            nodes,
            reached,
            self._made if self._stops else self._made[:0],
            self._left,
            self._left_count,
        )
        return reached, self._made[0]

    @property
    def left_below(self) -> NDArray[np.int32]:
        """The options that may complete the set that the last dive has reached."""
        return np.sort(self._left[: int(self._left_count[0])])


class DlxDives:
    """Descents through the tree of the `DlxSearch` of the same arguments."""

    def __init__(
        self,
        random: NDArray[np.uint64],
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage] = (MIN_FIT,),
        cells: CellItems | None = None,
        stop: int | None = None,
        ranks: Ranks | None = None,
    ) -> None:
        self._random, self._stop = random, stop
        self._arguments = (cover, placements_per_solution, stages, cells, stop, ranks)
        self._trees: dict[int, DlxTree] = {}

    def dive(self, estimates: int, fan: int) -> Dived:
        """As of `StretchDives`; placements are options."""
        if fan not in self._trees:
            self._trees[fan] = self._tree(fan)
        tree = self._trees[fan]
        columns = tree.most_taken if self._stop is None else self._stop
        nodes = np.zeros((estimates, tree.most_taken))
        reached, ends, begun = np.zeros(estimates), list[End](), 0
        for taken in tree.sets():
            begun += 1
            if self._stop is None:
                reached += tree.dive(nodes, self._random)[0]
            elif tree.fan == self._stop:
                every = np.arange(estimates)
                ends.append(End(every, np.ones(estimates), taken.astype(np.int64), tree.left))
            else:
                ends += self._ends(tree, nodes)
        nodes[:, : tree.fan] += tree.nodes
        whole = tree.fan == columns
        descents, left = (0, left_of_fan(fan, begun)) if whole else (begun, 0)
        return Dived(nodes[:, :columns], reached, ends, descents, left)

    def _ends(self, tree: DlxTree, nodes: NDArray[np.float64]) -> Iterator[End]:
        """Where a descent for each row of `nodes` ends the stretch, if it does."""
        for row in range(len(nodes)):
            reached, made = tree.dive(nodes[row : row + 1], self._random)
            if reached[0] > 0:
                yield End(np.array([row]), reached, made.astype(np.int64), tree.left_below)

    def _tree(self, most: int) -> DlxTree:
        """The tree with the deepest fan that has at most so many sets."""
        tree = DlxTree(*self._arguments, fan=0)
        deepest = tree.most_taken if self._stop is None else self._stop
        while tree.fan < deepest and most > 1:
            deeper = DlxTree(*self._arguments, fan=tree.fan + 1)
            for number, _ in enumerate(deeper.sets()):
                if number == most:
                    return tree
            tree = deeper
        return tree


class DlxStretchDives:
    """The descents of a stretch below some placements; see `dives.StretchDives`."""

    def __init__(self, problem: SubProblem, dives: DlxDives) -> None:
        self._problem, self._dives = problem, dives

    def dive(self, estimates: int, fan: int) -> Dived:
        dived = self._dives.dive(estimates, fan)
        options = self._problem.options
        ends = [
            End(end.rows, end.weights, options[end.placed].astype(np.int64), options[end.left])
            for end in dived.ends
            if end.left is not None
        ]
        return Dived(dived.nodes, dived.reached, ends, dived.descents, dived.fan)


class WholeDives(TreeEstimator):
    """Descents through the tree of a search that hands over to no other."""

    def __init__(
        self,
        cover: CoverProblem,
        placements_per_solution: int | None,
        stages: Sequence[Stage],
        cells: CellItems | None,
        seed: int,
        fan: int,
    ) -> None:
        random = random_state(seed)
        self._dives = DlxDives(random, cover, placements_per_solution, stages, cells)
        self._columns, self._fan = placements_per_solution, fan
        self.probes = 0

    def levels(self, estimates: int) -> NDArray[np.float64]:
        dived = self._dives.dive(estimates, self._fan)
        self.probes += dived.descents * estimates
        return np.hstack([dived.nodes[:, : self._columns], dived.reached[:, None]])


def begin_dlx_dives(stretch: Stretch, puzzle: PackingPuzzle) -> BeginDives:
    """What begins the descents of a stretch for a `RelayDives`."""

    def begin(
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        random: NDArray[np.uint64],
    ) -> StretchDives:
        problem = sub_problem(whole, placed, left)

        def dives(
            cover: CoverProblem,
            pieces: int | None,
            stages: Sequence[Stage],
            cells: CellItems | None,
            stop: int | None,
            ranks: Ranks | None,
        ) -> DlxDives:
            return DlxDives(random, cover, pieces, stages, cells, stop, ranks)

        return DlxStretchDives(problem, stretch_search(dives, stretch, puzzle, whole, problem))

    return begin
