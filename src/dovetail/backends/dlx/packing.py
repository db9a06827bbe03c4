"""Packing problems in `dlx`: the segments of a hybrid search, and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.hooks import TriggerSpec, build_trigger_spec
from dovetail.backends.shared.schedule import Stage
from dovetail.backends.shared.segments import EngineSegment, KernelSegment, SegmentFactory
from dovetail.models.lattices.cell_orders import cell_ranks
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import Placements
from dovetail.models.request import Reduction, ReductionName, Request, Trigger, TriggerName
from dovetail.models.sums import NOTHING, remainder
from dovetail.models.task import Task, build_task

if TYPE_CHECKING:
    from dovetail.backends.dlx.kernels.filters import DlxHooks, FitTables


class DlxSegment(KernelSegment):
    """The search of a segment by dancing links below some placements.

    If the segment hands over, `take` returns at most one row at a time.
    """

    _search: DlxSearch

    @property
    def left(self) -> NDArray[np.int32]:  # type: ignore[override]  # never None
        return self._options[self._search.left]

    def progress(self) -> tuple[float, float] | None:
        return self._search.shares() if self._hands_over else super().progress()


def dlx_segment_factory(
    segment: EngineSegment,
    puzzle: PackingPuzzle,
    trigger_spec: TriggerSpec | None = None,
    stop_at_remaining: int | None = None,
) -> SegmentFactory:
    """Return the factory of a `HybridSearch` segment; `stop_at_remaining` is as in a `Request`."""
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
        return DlxSegment(problem.options, search, hands_over=hands_over)

    return make


def _stages(segment: EngineSegment) -> tuple[Stage, ...]:
    """Return a stage for each run of equal heuristics of a segment."""
    stages: list[Stage] = []
    for number, heuristic in enumerate(segment.heuristics):
        if not stages or stages[-1].heuristic != heuristic:
            begins = None if number == 0 else segment.begins - number
            stages.append(Stage(segment.engine, heuristic, begins))
    return tuple(stages)


def dlx_hooks(
    trigger_spec: TriggerSpec,
    left: PackingOptions,
    options: NDArray[np.integer],
    placed: NDArray[np.int64] = NOTHING,
) -> DlxHooks:
    """Return the hooks for the problem `left` after the placements `placed` of the whole puzzle.

    `options` are the numbers of the placements of `left` in the whole puzzle.
    """
    from dovetail.backends.dlx.kernels.filters import DlxHooks
    from dovetail.backends.shared.kernels.hooks import FIT_FILTER

    placements, cells = left.placements, left.cells
    search = trigger_spec.hooks(placements, options, placed)
    item_of_cell = cells.item.astype(np.uint64)
    shape_items = np.arange(len(placements.shapes) + 1, dtype=np.uint64) + np.uint64(cells.required)
    filters_fit = bool(np.any(trigger_spec.post_placement_actions & FIT_FILTER))
    items = np.append(item_of_cell, shape_items[:-1])
    return DlxHooks(
        search=search,
        item_of_cell=item_of_cell,
        shape_items=shape_items[[0, -1]],
        parity_steps=_distinct_steps(search.parity_step, placements.shape, len(placements.shapes)),
        cells=placements.cells,
        fit=_fit_tables(placements, items) if filters_fit else None,
    )


def _fit_tables(placements: Placements, item: NDArray[np.uint64]) -> FitTables:
    """Return the arrays for the fit filter; `item` has the items of all cells, then shapes."""
    from dovetail.backends.dlx.kernels.filters import FitTables
    from dovetail.models.reductions.kernels.layout import Columns, PlacementTable, witnesses

    members = placements.cells.size + len(placements)
    return FitTables(
        placements=PlacementTable(placements.masks, placements.cells, placements.shape),
        item=item,
        columns=Columns(
            start=np.empty(len(item) + 1, dtype=np.int64),
            member=np.empty(members, dtype=np.int64),
        ),
        needed=np.empty(len(item), dtype=np.int64),
        max_count=np.empty(len(placements.shapes), dtype=np.int64),
        kept=np.empty(len(placements), dtype=np.bool_),
        witnesses=witnesses(len(item)),
    )


def warm_up_hooks(task: Task) -> None:
    """Compile the kernel for the kind of hooks that a task needs, and run it once."""
    names = {rule.name for rule in task.post_placement_rules if isinstance(rule, Reduction)}
    pieces = (Piece("A", ((0,),), min_count=2, max_count=2),)
    tiny = PackingPuzzle("warm-up", SquareLattice(1), ((0,), (1,)), pieces)
    reductions = (Reduction(ReductionName.FIT, down_to=1),) if ReductionName.FIT in names else ()
    triggers = (Trigger(TriggerName.PARITY), Trigger(TriggerName.VOLUME))
    like = build_task(tiny, Request(reductions=reductions, triggers=triggers))
    DlxSearch(like.cover, 2, hooks=task_hooks(like)).advance(Budget(work=1000))


def task_hooks(task: Task) -> DlxHooks | None:
    """Return the hooks of a task; None without triggers, repeated filters or a trace."""
    trigger_spec = build_trigger_spec(task)
    if trigger_spec is None:
        return None
    assert isinstance(task.options, PackingOptions)
    return dlx_hooks(trigger_spec, task.options, np.arange(task.options.option_count))


def _distinct_steps(
    steps: NDArray[np.uint64], shape: NDArray[np.int32], shapes: int
) -> NDArray[np.uint64]:
    """Return for each shape the number of different steps of its placements, then the steps."""
    found = [np.unique(steps[shape == number]) for number in range(shapes)]
    table = np.zeros((shapes, 1 + max(map(len, found), default=0)), dtype=np.uint64)
    for row, distinct in zip(table, found, strict=True):
        row[0] = len(distinct)
        row[1 : 1 + len(distinct)] = distinct
    return table
