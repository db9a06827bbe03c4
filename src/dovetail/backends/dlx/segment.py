"""The segments of a hybrid search that `dlx` searches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.dlx.hooks import dlx_hooks
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.hooks import TriggerSpec
from dovetail.backends.shared.hybrid import EngineSegment, KernelSegment, SegmentFactory
from dovetail.backends.shared.schedule import Stage
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements
from dovetail.models.remainder import remainder


class DlxSegment(KernelSegment):
    """The search of a segment by dancing links below some placements.

    Where it hands over, `take` returns one row at a time, of any length.
    """

    _search: DlxSearch

    @property
    def left(self) -> NDArray[np.int32]:
        return self._options[self._search.left]

    def progress(self) -> tuple[float, float] | None:
        return self._search.shares() if self._hands_over else super().progress()


def dlx_segment_factory(
    segment: EngineSegment,
    puzzle: PackingPuzzle,
    trigger_spec: TriggerSpec | None = None,
    stop_at_remaining: int | None = None,
) -> SegmentFactory:
    """Return the factory of a segment of a `HybridSearch`; `stop_at_remaining` is a `Request`'s."""
    hands_over = segment.ends > 0

    def make(
        whole: Placements, placed: NDArray[np.int64], left: NDArray[np.int32] | None
    ) -> DlxSegment:
        problem = remainder(whole, placed, left)
        options = PackingOptions(puzzle, problem.placements)
        begun = segment.begun_at(problem.pieces)
        hooks = None
        if trigger_spec is not None:
            hooks = dlx_hooks(trigger_spec, options, problem.options, placed)
        search = DlxSearch(
            options.cover,
            options.placements_per_solution,
            _stages(begun),
            options.cells,
            hand_over=begun.begins - begun.ends if hands_over else None,
            ranks=lambda order: cell_ranks(order, whole.positions)[problem.cells],
            hooks=hooks,
            stop_at_remaining=stop_at_remaining,
        )
        return DlxSegment(problem.options, problem.pieces, search, hands_over=hands_over)

    return make


def _stages(segment: EngineSegment) -> tuple[Stage, ...]:
    """Return the segment's heuristics as stages of their own."""
    stages: list[Stage] = []
    for number, heuristic in enumerate(segment.heuristics):
        if not stages or stages[-1].heuristic != heuristic:
            begins = None if number == 0 else segment.begins - number
            stages.append(Stage(segment.engine, heuristic, begins))
    return tuple(stages)
