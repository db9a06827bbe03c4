"""The heuristic `piece`: with all pieces at hand, the piece or cell with the fewest images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.hooks import NO_TRACE
from dovetail.backends.shared.tree_estimator import End, SegmentEstimate, remaining_width
from dovetail.errors import ConfigError
from dovetail.models.outcome import Counters, Status
from dovetail.models.placements import Placements
from dovetail.models.remainder import remainder
from dovetail.models.sub_problem import SubProblem


class FirstTarget:
    """Places each image of the first target, one at a time; see `hybrid.SegmentSearch`.

    An image that has had its turn is left out below the others: a piece of several copies has
    one first copy.
    """

    def __init__(
        self,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
    ) -> None:
        problem = remainder(whole, placed, left)
        self._options = problem.options
        self._places = fewest_images(problem.placements)
        self._images = problem.options[self._places]
        self._pieces = problem.pieces
        self._numbers = np.arange(len(self._images))  # of the images to be placed
        self._done = 0
        self._taken = 0
        self._counted_before = 0

    @property
    def counters(self) -> Counters:
        made = self._done - self._counted_before
        by = {self._pieces: made}
        return Counters(made, made, by, by)

    def advance(self, budget: Budget) -> Status | None:
        if self._done == len(self._numbers):
            return Status.EXHAUSTED
        if budget.nodes is not None and budget.nodes <= 0:
            return Status.NODE_LIMIT
        self._done += 1
        return None

    def take(self) -> NDArray[np.int32]:
        taken = self._images[self._numbers[self._taken : self._done]]
        self._taken = self._done
        return taken[:, None]

    def take_trace(self) -> NDArray[np.int32]:
        return NO_TRACE

    @property
    def left(self) -> NDArray[np.int32]:
        # Not by `setdiff1d`, for which numpy imports a module of 7 ms.
        return np.delete(self._options, self._places[: self._numbers[self._taken - 1]])

    def begin_within(self, part: SubProblem) -> SubProblem | None:
        options = part.taken[:1] or part.untried
        if options is None:
            return None
        self._numbers = np.flatnonzero(np.isin(self._images, options))
        if len(self._numbers) != len(options):
            raise ConfigError("sub-problem: fila does not branch on its options there")
        below = SubProblem(part.taken[1:], part.untried)
        if part.taken:
            self._done = self._counted_before = 1
            self._taken = 0 if below == SubProblem() else 1
        return None if self._taken == 0 else below

    def remaining(self) -> tuple[SubProblem, ...]:
        untried = tuple(self._images[self._numbers[self._done :]].tolist())
        return (SubProblem((), untried),) if untried else ()

    def progress(self) -> tuple[float, float]:
        images = max(1, len(self._numbers))
        return max(0, self._done - 1) / images, 1 / images


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

    def probe(self, estimates: int, prefix_width: int, population: int = 0) -> SegmentEstimate:
        search = FirstTarget(*self._arguments)
        every, ends = np.arange(estimates), list[End]()
        while search.advance(Budget(1)) is None:
            placed = search.take()[0].astype(np.int64)
            ends.append(End(every, np.ones(estimates), placed, search.left))
        nodes = np.full((estimates, 1), float(len(ends)))
        return SegmentEstimate(
            nodes, np.zeros(estimates), ends, 0, remaining_width(prefix_width, len(ends))
        )


def fewest_images(placements: Placements) -> NDArray[np.int64]:
    """The images of the cell or piece that has the fewest: cells before pieces, the first such."""
    by_cell = np.bincount(placements.member, minlength=placements.cell_count)
    by_shape = np.bincount(placements.shape, minlength=len(placements.shapes))
    counts = np.concatenate([by_cell, by_shape])
    target = int(counts.argmin())
    if target < placements.cell_count:
        return np.flatnonzero((placements.cells == target).any(axis=1))
    return np.flatnonzero(placements.shape == target - placements.cell_count)
