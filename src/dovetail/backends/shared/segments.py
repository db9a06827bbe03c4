"""Segments of a schedule, and their searches.

A segment consists of successive stages that a search of one engine covers without a hand-over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.hooks import NO_TRACE, HookedSearch, renumbered
from dovetail.backends.shared.kernel_search import numbered_within
from dovetail.backends.shared.schedule import SearchSchedule, Stage
from dovetail.errors import ConfigError
from dovetail.models.outcome import Counters, Status
from dovetail.models.packings.placements import Placements
from dovetail.models.sub_problem import SubProblem

if TYPE_CHECKING:
    from dovetail.backends.shared.tree_estimator import GuidedEstimator


@dataclass(frozen=True)
class EngineSegment:
    """A part of a schedule that a search of one engine covers without a hand-over."""

    engine: str
    # Numbers of pieces remaining before the first and after the last placement of the segment.
    begins: int
    ends: int
    # Heuristic for each number of pieces remaining, from `begins` down to `ends` + 1.
    heuristics: tuple[str, ...]

    def begun_at(self, remaining: int) -> EngineSegment:
        """Return the rest of the segment, which begins when `remaining` pieces remain."""
        later = self.heuristics[self.begins - remaining :]
        return replace(self, begins=remaining, heuristics=later)


def engine_segments(
    schedule: SearchSchedule, pieces: int, key: Callable[[Stage], object]
) -> list[EngineSegment]:
    """Return the segments of a schedule; a segment begins where the `key` of stages changes."""
    stage_at: dict[int, Stage] = {}
    for stage in schedule.stages:
        first, last = stage.remaining(pieces)
        stage_at.update(dict.fromkeys(range(last, first + 1), stage))
    found: list[EngineSegment] = []
    for _, run in groupby(range(pieces, 0, -1), lambda remaining: key(stage_at[remaining])):
        begins, *_ = numbers = list(run)
        heuristics = tuple(stage_at[remaining].heuristic for remaining in numbers)
        found.append(EngineSegment(stage_at[begins].engine, begins, numbers[-1] - 1, heuristics))
    return found


def segment_at(segments: Sequence[EngineSegment], remaining: int) -> EngineSegment:
    """Return the segment that places the next piece with `remaining` pieces left."""
    return next(segment for segment in segments if segment.ends < remaining)


@dataclass(frozen=True, eq=False)
class End:
    """A position at which descents have ended a segment."""

    # Index of the estimate that each descent belongs to.
    rows: NDArray[np.int64]
    # Weight of each descent.
    weights: NDArray[np.float64]
    # Placements made, numbered as in the whole puzzle.
    placed: NDArray[np.int64]
    # Placements that may follow; see `Position`.
    left: NDArray[np.int32] | None

    @property
    def key(self) -> bytes:
        """Key that is equal for ends where the next segment has the same tree."""
        left = b"" if self.left is None else self.left.tobytes()
        return np.sort(self.placed).tobytes() + b"|" + left


@dataclass(frozen=True, eq=False)
class SegmentEstimate:
    """Estimates of the tree of a segment."""

    # Number of nodes, with a row per estimate and a column per placement of the segment.
    nodes: NDArray[np.float64]
    # Number of ways to end the segment, for each estimate.
    reached: NDArray[np.float64]
    # Ends that were reached, if another segment follows.
    ends: Sequence[End]
    # Number of descents of an estimate, or of nodes sampled in each level; 0 if all levels were
    # visited whole.
    descents: int
    # Prefix width for the next segment below each end; 0 if descents or samples led there.
    prefix_width: int


def remaining_width(prefix_width: int, ends: int) -> int:
    """Return the prefix width of the next segment below each end.

    The result is 0 if `prefix_width` is 0, else an equal share of `prefix_width`, but at least 1.
    """
    return max(1, prefix_width // max(1, ends)) if prefix_width > 0 else 0


class Position(NamedTuple):
    """Placements made, `placed`, and the placements that may follow, `left`, in ascending order.

    If `left` is None, the search has excluded no placements: all placements that were allowed where
    it began may follow if they are compatible with `placed`.
    """

    placed: NDArray[np.int64]
    left: NDArray[np.int32] | None


class KernelSegment:
    """The search of a segment by a kernel, below some placements.

    `options` are the numbers of the segment's placements in the whole puzzle, in ascending order.
    The search may place more pieces than the segment has, even all. If the search `hands_over`,
    each solution of the kernel is an end of the segment.
    """

    # The placements that may follow the last row of `take`; see `Position`.
    left: NDArray[np.int32] | None = None

    def __init__(
        self, options: NDArray[np.int32], search: HookedSearch, *, hands_over: bool = False
    ) -> None:
        self._options, self._search, self._hands_over = options, search, hands_over

    @property
    def counters(self) -> Counters:
        """Counters of the search; counts by pieces remaining refer to the whole puzzle."""
        return self._search.counters

    def advance(self, budget: Budget) -> Status | None:
        """Continue the search, as a `Search` does; its solutions are the ends of the segment."""
        return self._search.advance(budget)

    def take(self) -> NDArray[np.int32]:
        """Return the sets of placements found since the last call, a row for each.

        Placements are numbered as in the whole puzzle. All rows of a call have the same length.
        """
        rows = self._search.take()
        if len(rows):  # padded with −1
            rows = rows[rows >= 0].reshape(len(rows), -1)
        return self._options[rows]

    def take_trace(self) -> NDArray[np.int32]:
        """Return the trace since the last call, with placements numbered as in the whole puzzle."""
        return renumbered(self._search.take_trace(), self._options)

    def begin_within(self, part: SubProblem) -> SubProblem | None:
        """Begin within a part of the tree, with options numbered as in the whole puzzle.

        `part` lies below the placements that the segment begins with. If it also lies below an end
        of the segment, the method returns the rest of the part, below that end, else None. `take`
        does not return this end, and `left` belongs to this end. Raises `ConfigError` for a part
        that no search leaves.
        """
        below = self._search.begin_until_found(numbered_within(part, self._options))
        if below is None:
            return None
        self._search.take()
        return below.renumbered(self._options)

    def remaining(self) -> tuple[SubProblem, ...] | None:
        """Return the unexplored parts below the placements that the segment begins with."""
        parts = self._search.remaining()
        if parts is None:
            return None
        return tuple(part.renumbered(self._options) for part in parts)

    def progress(self) -> tuple[float, float] | None:
        """Return the shares of the tree that are done and below the last end; None if unknown."""
        return None if self._hands_over else (self._search.progress() or 0.0, 0.0)

    def estimator(self, random: NDArray[np.uint64]) -> GuidedEstimator:
        """Return an estimator of the tree of this search; the search must not have begun.

        `random` is the state of a random stream; see `random_state`.
        """
        from dovetail.backends.shared.tree_estimator import GuidedEstimator

        def end(row: NDArray[np.int32]) -> Position:
            return Position(self._options[row].astype(np.int64), self.left)

        return GuidedEstimator(self._search, random, end if self._hands_over else None)


class FirstPlacements:
    """A segment that makes each of the placements `images` in turn, as the first of `pieces`.

    The class has the methods of `KernelSegment`. `solver` is the backend's name, for messages.
    """

    def __init__(self, images: NDArray[np.int32], pieces: int, solver: str) -> None:
        self._images, self._pieces, self._solver = images, pieces, solver
        self._numbers = np.arange(len(images))  # indices of the images to be placed
        self._done = self._taken = self._counted_before = 0

    @property
    def counters(self) -> Counters:
        placed = self._done - self._counted_before
        by = {self._pieces: placed}
        return Counters(placed, placed, by, by)

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
            raise ConfigError(f"sub-problem: {self._solver} does not branch on these options")
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

    def estimator(self, random: NDArray[np.uint64]) -> KnownEnds:
        ends = []
        while self.advance(Budget(1)) is None:
            ends.append(Position(self.take()[0].astype(np.int64), self.left))
        return KnownEnds(ends)


class KnownEnds:
    """An estimator of a segment of a single placement, whose `ends` are all known."""

    def __init__(self, ends: Sequence[Position]) -> None:
        self._ends, self.nodes = ends, 0  # nothing is visited

    def probe(self, estimates: int, prefix_width: int, population: int = 0) -> SegmentEstimate:
        """Return estimates, as a `GuidedEstimator` does."""
        every, once = np.arange(estimates), np.ones(estimates)
        ends = [End(every, once, *end) for end in self._ends]
        nodes = np.full((estimates, 1), float(len(ends)))
        width = remaining_width(prefix_width, len(ends))
        return SegmentEstimate(nodes, np.zeros(estimates), ends, 0, width)


SegmentSearch = KernelSegment | FirstPlacements
# Function that returns the search of a segment. The arguments are the placements of the whole
# puzzle, the placements made, and the placements that may follow (None: all); see `Position`.
SegmentFactory = Callable[[Placements, NDArray[np.int64], NDArray[np.int32] | None], SegmentSearch]
