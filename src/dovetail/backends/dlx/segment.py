"""The segments of a hybrid search that `dlx` searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.dlx.hooks import dlx_hooks
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.hooks import TriggerSpec, renumbered
from dovetail.backends.shared.hybrid import EngineSegment, SegmentFactory
from dovetail.backends.shared.kernel_search import numbered_within
from dovetail.backends.shared.schedule import Stage
from dovetail.backends.shared.tree_estimator import EstimatorFactory, GuidedEstimator, Placed
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements
from dovetail.models.remainder import Remainder, remainder
from dovetail.models.sub_problem import SubProblem

Made = TypeVar("Made")


class DlxSegment:
    """The search of a segment below some placements; see `hybrid.SegmentSearch`."""

    def __init__(
        self,
        segment: EngineSegment,
        puzzle: PackingPuzzle,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        trigger_spec: TriggerSpec | None,
        stop_at_remaining: int | None,
    ) -> None:
        self._problem = remainder(whole, placed, left)
        self._hands_over = segment.ends > 0
        hooks = None
        if trigger_spec is not None:
            options = PackingOptions(puzzle, self._problem.placements)
            hooks = dlx_hooks(trigger_spec, options, self._problem.options, placed)
        make = partial(DlxSearch, hooks=hooks, stop_at_remaining=stop_at_remaining)
        self._search = segment_search(make, segment, puzzle, whole, self._problem)

    @property
    def counters(self) -> Counters:
        return self._search.counters

    def advance(self, budget: Budget) -> Status | None:
        return self._search.advance(budget)

    def take(self) -> NDArray[np.int32]:
        rows = self._search.take()
        if self._hands_over and len(rows):  # a single one, of any length
            rows = rows[rows >= 0][None, :]
        return self._problem.options[rows]

    def take_trace(self) -> NDArray[np.int32]:
        return renumbered(self._search.take_trace(), self._problem.options)

    @property
    def left(self) -> NDArray[np.int32]:
        return self._problem.options[self._search.left]

    def begin_within(self, part: SubProblem) -> SubProblem | None:
        options = self._problem.options
        below = self._search.begin_until_found(numbered_within(part, options))
        if below is None:
            return None
        self._search.take()
        return below.renumbered(options)

    def remaining(self) -> tuple[SubProblem, ...] | None:
        parts = self._search.remaining()
        if parts is None:
            return None
        return tuple(part.renumbered(self._problem.options) for part in parts)

    def progress(self) -> tuple[float, float] | None:
        return self._search.shares() if self._hands_over else (self._search.progress() or 0.0, 0.0)


def dlx_segment_factory(
    segment: EngineSegment,
    puzzle: PackingPuzzle,
    trigger_spec: TriggerSpec | None = None,
    stop_at_remaining: int | None = None,
) -> SegmentFactory:
    """Return the factory of a segment of a `HybridSearch`; `stop_at_remaining` is a `Request`'s."""

    def make(
        whole: Placements, placed: NDArray[np.int64], left: NDArray[np.int32] | None
    ) -> DlxSegment:
        return DlxSegment(segment, puzzle, whole, placed, left, trigger_spec, stop_at_remaining)

    return make


def segment_search(
    make: Callable[..., Made],
    segment: EngineSegment,
    puzzle: PackingPuzzle,
    whole: Placements,
    problem: Remainder,
) -> Made:
    """What `make`, a `DlxSearch` or what takes the same, makes of a segment's sub-problem."""
    segment = segment.begun_at(problem.pieces)
    options = PackingOptions(puzzle, problem.placements)

    def ranks(order: str) -> NDArray[np.int64]:
        return cell_ranks(order, whole.positions)[problem.cells]

    return make(
        options.cover,
        options.placements_per_solution,
        _stages(segment),
        options.cells,
        hand_over=segment.begins - segment.ends if segment.ends > 0 else None,
        ranks=ranks,
    )


def _stages(segment: EngineSegment) -> tuple[Stage, ...]:
    """The segment's heuristics as stages of their own."""
    stages: list[Stage] = []
    for number, heuristic in enumerate(segment.heuristics):
        if not stages or stages[-1].heuristic != heuristic:
            begins = None if number == 0 else segment.begins - number
            stages.append(Stage(segment.engine, heuristic, begins))
    return tuple(stages)


def dlx_estimator_factory(segment: EngineSegment, puzzle: PackingPuzzle) -> EstimatorFactory:
    """Return the factory of a segment's estimators for a `HybridEstimator`."""

    def make(
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        random: NDArray[np.uint64],
    ) -> GuidedEstimator:
        problem = remainder(whole, placed, left)
        search = segment_search(DlxSearch, segment, puzzle, whole, problem)

        def end(row: NDArray[np.int32]) -> Placed:
            return problem.options[row].astype(np.int64), problem.options[search.left]

        return GuidedEstimator(search, problem.pieces, random, end if segment.ends else None)

    return make
