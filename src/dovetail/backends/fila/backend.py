"""The backend `fila`: Busche's fixed image list algorithm, in numba.

Source: M. Busche, "A fixed image list algorithm" (FILA), 2018. De Bruijn's algorithm, MCH and
EMCH are its heuristics f, s and e. It may begin with `dlx` and hand over to FILA.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE, Backend, Config, setting
from dovetail.backends.dlx.heuristics import misfit as dlx_misfit
from dovetail.backends.dlx.hooks import warm_up_hooks
from dovetail.backends.dlx.search import too_large
from dovetail.backends.dlx.search import warm_up as warm_up_dlx
from dovetail.backends.dlx.segment import dlx_estimator_factory, dlx_segment_factory
from dovetail.backends.fila.default_stages import AUTO, default_stages
from dovetail.backends.fila.first_target import FirstTarget, FirstTargetEstimator
from dovetail.backends.fila.segment import (
    FilaSegments,
    KernelName,
    fila_estimator_factory,
    search_key,
)
from dovetail.backends.shared.hooks import (
    TriggerSpec,
    build_trigger_spec,
    goes_on_below,
    needs_trigger_spec,
    unsupported_triggers,
)
from dovetail.backends.shared.hybrid import (
    EngineSegment,
    HybridSearch,
    SegmentFactory,
    engine_segments,
)
from dovetail.backends.shared.schedule import ESTIMATE, FIRST, PIECE, SIZE, SearchSchedule
from dovetail.backends.shared.tree_estimator import EstimatorFactory, HybridEstimator
from dovetail.errors import ConfigError
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction
from dovetail.models.task import Task

ENGINES = ("dlx", "fila")
# A kernel is compiled for as many words as the board has, which takes 13 s for so many cells. For
# 40,000 numba refuses: the tuples are too long.
MAX_CELLS = 2**14


@dataclass(frozen=True)
class FilaConfig(Config):
    """Settings of `fila`; see `shared.schedule` for the stages.

    Raises `ConfigError` for what is none.
    """

    stages: tuple[str, ...] = setting(
        (AUTO,),
        "Heuristics that pick the next target: [ENGINE:]HEURISTIC, or [ENGINE:]HEURISTIC@PIECES "
        "to start when that many pieces remain. auto is f, or, with a piece that breaks symmetry "
        "in a region that is not narrow, piece and then f or e. f picks the first open cell; s "
        "the cell with the fewest placements left; e, of the cells with the fewest open "
        "neighbours, the one with the fewest placements left. piece, valid only before the first "
        "placement, picks the piece or cell with the fewest placements. The cell orders of dlx "
        "are also valid. ENGINE is dlx or fila; dlx hands over once every cell and piece has at "
        "least two options left.",
    )
    nof: bool = setting(
        True, "Filter by neighbour occupancy: select image lists by the cells near a target."
    )
    kernel: KernelName = setting(
        "reference",
        "reference counts attempts and selects lists by the neighbours of a cell, as in Busche's "
        "article. fast makes the same placements in less time: it selects lists by the cells that "
        "placements cover most often, and counts no attempts.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stages != (AUTO,):
            SearchSchedule.parse(self.stages, ENGINES)

    def schedule(self, task: Task) -> SearchSchedule:
        """The stages for a task."""
        stages = default_stages(task) if self.stages == (AUTO,) else self.stages
        return SearchSchedule.parse(stages, ENGINES)


class Fila(Backend[FilaConfig]):
    """Takes packing puzzles whose pieces are used a fixed number of times and fill everything."""

    name = "fila"
    summary = "fixed image lists, filtered by priority and neighbour occupancy (Busche; numba)"
    node_meaning = PLACEMENT_MADE
    by_option_order = True
    cuts = True
    config_type = FilaConfig

    def refuses(self, task: Task, config: FilaConfig) -> str | None:
        options = task.options
        if not isinstance(options, PackingOptions):
            return "it supports packing puzzles only"
        if options.placements.may_cross:
            return f"it cannot detect where pieces {options.puzzle.lattice.phrase} cross"
        cells = options.placements.cell_count
        if cells > MAX_CELLS:
            return f"the region has {cells:,} open cells; the limit is {MAX_CELLS:,}"
        if options.placements.optional.any():
            return "it does not support cells that may stay empty"
        pieces = options.placements_per_solution
        if pieces is None:
            return "it supports only pieces that are used a fixed number of times"
        schedule = config.schedule(task)
        by_dlx = [stage for stage in schedule.stages if stage.engine == "dlx"]
        reason = schedule.misfit(pieces) or _unknown_order(schedule, options)
        if reason is None and by_dlx:
            reason = dlx_misfit(by_dlx, options) or too_large(options.cover)
        return reason or _unsupported_triggers(task, config)

    def cuts_task(self, task: Task, config: FilaConfig) -> bool:
        by_dlx = any(stage.engine == "dlx" for stage in config.schedule(task).stages)
        return not by_dlx or task.cover.unit_bounds

    def warm_up_for(self, task: Task, config: FilaConfig) -> None:
        for factory in _factories(task, config).values():
            if isinstance(factory, FilaSegments):
                factory.warm_up()
        if any(stage.engine == "dlx" for stage in config.schedule(task).stages):
            warm_up_dlx()
            if needs_trigger_spec(task):
                warm_up_hooks(task)

    def prepare(self, task: Task, config: FilaConfig) -> HybridSearch:
        options, pieces, _ = _schedule_parts(task, config)
        factories = _factories(task, config)
        return HybridSearch(options.placements, pieces, factories)

    def tree_estimator(
        self, task: Task, config: FilaConfig, seed: int, max_prefix_nodes: int
    ) -> HybridEstimator:
        options, pieces, parts = _schedule_parts(task, config)
        factories = {part: _estimator_factory(part, options, config) for part in parts}
        return HybridEstimator(options.placements, pieces, factories, seed, max_prefix_nodes)


def _schedule_parts(
    task: Task, config: FilaConfig
) -> tuple[PackingOptions, int, list[EngineSegment]]:
    """The placements, how many pieces there are, and the segments of the schedule."""
    options, pieces = task.options, task.options.placements_per_solution
    assert isinstance(options, PackingOptions)
    assert pieces is not None
    return options, pieces, engine_segments(config.schedule(task), pieces, search_key)


def _factories(task: Task, config: FilaConfig) -> dict[EngineSegment, SegmentFactory]:
    """Return the factory of each segment of the schedule."""
    options, _, parts = _schedule_parts(task, config)
    trigger_spec = build_trigger_spec(task)
    return {part: _factory(part, task, options, config, trigger_spec) for part in parts}


def _factory(
    part: EngineSegment,
    task: Task,
    options: PackingOptions,
    config: FilaConfig,
    trigger_spec: TriggerSpec | None,
) -> SegmentFactory:
    """Return the factory of a segment."""
    if part.engine == "dlx":
        return dlx_segment_factory(
            part, options.puzzle, trigger_spec, task.request.stop_at_remaining
        )
    if part.heuristics == (PIECE,):
        return FirstTarget
    if not goes_on_below(task, part.begins):
        trigger_spec = None
    return FilaSegments(
        part, options.placements, nof=config.nof, kernel=config.kernel, trigger_spec=trigger_spec
    )


def _unsupported_triggers(task: Task, config: FilaConfig) -> str | None:
    """Reason the triggers and filters of a task cannot be run, or None."""
    stages, request = config.schedule(task).stages, task.request
    if (
        not task.post_placement_rules
        and request.trace is None
        and request.stop_at_remaining is None
    ):
        return None
    pieces = task.options.placements_per_solution or 0
    by_fila = next((stage for stage in stages if stage.engine != "dlx"), None)
    if by_fila is None:
        return unsupported_triggers(task)
    begins = by_fila.remaining(pieces)[0]
    from_there = f"stage {by_fila} takes over when {begins} pieces remain"
    for rule in task.post_placement_rules:
        if isinstance(rule, Reduction) and (rule.down_to or 0) < begins:
            return (
                f"only dlx filters placements during the search ({rule}), but {from_there}; "
                f"expected {rule.name}, {rule.name}@PIECES with {begins} or more, or a later "
                "stage of fila"
            )
    if request.stop_at_remaining is not None and request.stop_at_remaining <= begins:
        return (
            f"a trial can end only while dlx places pieces, but {from_there}; "
            f"expected a trial to end with more than {begins} pieces remaining"
        )
    cannot = "stage piece" if by_fila.heuristic == PIECE else f"kernel {config.kernel}"
    if cannot != "kernel reference" and goes_on_below(task, begins):
        return f"{cannot} supports neither triggers nor traces; expected another kernel or stage"
    return unsupported_triggers(task)


def _estimator_factory(
    part: EngineSegment, options: PackingOptions, config: FilaConfig
) -> EstimatorFactory:
    """Return the factory of a segment's estimators; all kernels have the same fits."""
    if part.engine == "dlx":
        return dlx_estimator_factory(part, options.puzzle)
    if part.heuristics == (PIECE,):
        return FirstTargetEstimator
    whole = options.placements
    return fila_estimator_factory(FilaSegments(part, whole, nof=config.nof, kernel="reference"))


def _unknown_order(schedule: SearchSchedule, options: PackingOptions) -> str | None:
    """Why some stage's order of cells is none of the puzzle's, None if all are."""
    for stage in schedule.stages:
        if stage.engine == "fila" and stage.heuristic not in (FIRST, ESTIMATE, SIZE, PIECE):
            try:
                cell_ranks(stage.heuristic, options.placements.positions)
            except ConfigError as error:
                return f"stage {stage}: {error}"
    return None
