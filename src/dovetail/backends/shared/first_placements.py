"""The first segment of a hybrid search: given placements in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.hooks import NO_TRACE
from dovetail.backends.shared.segments import (
    End,
    SegmentEstimate,
    SegmentEstimator,
    SegmentSearch,
    remaining_width,
)
from dovetail.errors import ConfigError
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem


class FirstPlacements(SegmentSearch):
    """Makes each of some placements of a whole puzzle of `pieces` pieces in turn."""

    def __init__(self, images: NDArray[np.int32], pieces: int, solver: str) -> None:
        self._images, self._pieces, self._solver = images, pieces, solver
        self._numbers = np.arange(len(images))  # of the images to be placed
        self._done = self._taken = self._counted_before = 0

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
    def left(self) -> NDArray[np.int32] | None:
        return None

    def begin_within(self, part: SubProblem) -> SubProblem | None:
        options = part.taken[:1] or part.untried
        if options is None:
            return None
        self._numbers = np.flatnonzero(np.isin(self._images, options))
        if len(self._numbers) != len(options):
            raise ConfigError(f"sub-problem: {self._solver} does not branch on its options there")
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

    def estimator(self, random: NDArray[np.uint64]) -> SegmentEstimator:
        ends = []
        while self.advance(Budget(1)) is None:
            ends.append((self.take()[0].astype(np.int64), self.left))
        return _KnownEnds(ends)


class _KnownEnds(SegmentEstimator):
    """All ends of a segment: there is nothing to draw."""

    def __init__(self, ends: Sequence[tuple[NDArray[np.int64], NDArray[np.int32] | None]]) -> None:
        self._ends, self.nodes = ends, 0  # nothing is visited

    def probe(self, estimates: int, prefix_width: int, population: int = 0) -> SegmentEstimate:
        every, once = np.arange(estimates), np.ones(estimates)
        ends = [End(every, once, placed, left) for placed, left in self._ends]
        nodes = np.full((estimates, 1), float(len(ends)))
        width = remaining_width(prefix_width, len(ends))
        return SegmentEstimate(nodes, np.zeros(estimates), ends, 0, width)
