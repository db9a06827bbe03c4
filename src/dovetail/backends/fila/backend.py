"""The backend `fila`: Busche's fixed image list algorithm, in numba.

Source: M. Busche, "A fixed image list algorithm" (FILA), 2018. De Bruijn's algorithm, MCH and
EMCH are its heuristics f, s and e. A search may begin with `dlx` and hand over to FILA.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dovetail.backends.base import PLACEMENT_MADE, Config, setting
from dovetail.backends.dlx.heuristics import OWN_HEURISTICS
from dovetail.backends.dlx.heuristics import misfit as dlx_misfit
from dovetail.backends.dlx.packing import dlx_segment_factory, warm_up_hooks
from dovetail.backends.dlx.search import too_large
from dovetail.backends.dlx.search import warm_up as warm_up_dlx
from dovetail.backends.fila.segment import FilaSegments, FirstTarget, KernelName, search_key
from dovetail.backends.shared.hooks import (
    build_trigger_spec,
    goes_on_below,
    needs_trigger_spec,
    unsupported_triggers,
)
from dovetail.backends.shared.kernel_backend import HybridBackend
from dovetail.backends.shared.schedule import (
    ESTIMATE,
    FIRST,
    PIECE,
    SIZE,
    SearchSchedule,
    unknown_order,
)
from dovetail.backends.shared.segments import EngineSegment, SegmentFactory, engine_segments
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction
from dovetail.models.task import Task

ENGINES = {"dlx": OWN_HEURISTICS, "fila": (PIECE,)}
AUTO = "auto"
# A region is solid if it extends over at least this many cells in each of three directions.
SOLID_EXTENT = 3
# The kernel is compiled for the number of words of the board. For this number of cells, compilation
# takes 13 s. For 40,000 cells numba fails, because the tuples are too long.
MAX_CELLS = 2**14


@dataclass(frozen=True)
class FilaConfig(Config):
    """Settings of `fila`; see `shared.schedule` for the stages.

    Raises `ConfigError` for an invalid stage.
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
        "reference counts attempts, as Busche's article does. fast takes less time and "
        "counts none.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stages != (AUTO,):
            SearchSchedule.parse(self.stages, ENGINES)

    def schedule(self, task: Task) -> SearchSchedule:
        """Return the stages for a task."""
        stages = default_stages(task) if self.stages == (AUTO,) else self.stages
        return SearchSchedule.parse(stages, ENGINES)


class Fila(HybridBackend[FilaConfig]):
    """Backend for packing puzzles whose pieces have fixed numbers of copies and fill all cells."""

    name = "fila"
    summary = "fixed image lists, filtered by priority and neighbour occupancy (Busche; numba)"
    node_meaning = PLACEMENT_MADE
    by_option_order = True
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
        ordered = (
            stage
            for stage in schedule.stages
            if stage.engine == "fila" and stage.heuristic not in (FIRST, ESTIMATE, SIZE, PIECE)
        )
        reason = schedule.misfit(pieces) or unknown_order(ordered, options.placements.positions)
        if reason is None and by_dlx:
            reason = dlx_misfit(by_dlx, options) or too_large(options.cover)
        return reason or _unsupported_triggers(task, config)

    def cuts_task(self, task: Task, config: FilaConfig) -> bool:
        by_dlx = any(stage.engine == "dlx" for stage in config.schedule(task).stages)
        return not by_dlx or task.cover.unit_bounds

    def warm_up_for(self, task: Task, config: FilaConfig) -> None:
        for factory in self.segments(task, config).values():
            if isinstance(factory, FilaSegments):
                factory.warm_up()
        if any(stage.engine == "dlx" for stage in config.schedule(task).stages):
            warm_up_dlx()
            if needs_trigger_spec(task):
                warm_up_hooks(task)

    def segments(
        self, task: Task, config: FilaConfig, *, estimates: bool = False
    ) -> dict[EngineSegment, SegmentFactory]:
        """Return the factory of each segment.

        For `estimates`, searches have no triggers, filters or traces, and count no attempts.
        """
        options, pieces = task.options, task.options.placements_per_solution
        assert isinstance(options, PackingOptions)
        assert pieces is not None
        trigger_spec = None if estimates else build_trigger_spec(task)
        stop = None if estimates else task.request.stop_at_remaining
        factories: dict[EngineSegment, SegmentFactory] = {}
        for part in engine_segments(config.schedule(task), pieces, search_key):
            if part.engine == "dlx":
                factories[part] = dlx_segment_factory(part, options.puzzle, trigger_spec, stop)
            elif part.heuristics == (PIECE,):
                factories[part] = FirstTarget
            else:
                factories[part] = FilaSegments(
                    part,
                    options.placements,
                    nof=config.nof,
                    kernel="fast" if estimates else config.kernel,
                    trigger_spec=trigger_spec if goes_on_below(task, part.begins) else None,
                )
        return factories


def _unsupported_triggers(task: Task, config: FilaConfig) -> str | None:
    """Return why the triggers, filters, trace or trial of a task cannot be run, or None."""
    stages, request = config.schedule(task).stages, task.request
    if not _is_observed(task):
        return None
    pieces = task.options.placements_per_solution or 0
    by_fila = next((stage for stage in stages if stage.engine != "dlx"), None)
    if by_fila is None:
        return unsupported_triggers(task)
    begins = by_fila.remaining(pieces)[0]
    from_there = f"stage {by_fila} takes over for the last {begins} of {pieces} pieces"
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
            f"expected a trial to end with at least {begins + 1} pieces remaining"
        )
    if by_fila.heuristic == PIECE and goes_on_below(task, begins):
        return "stage piece supports neither triggers nor traces; expected another stage"
    return unsupported_triggers(task)


def default_stages(task: Task) -> tuple[str, ...]:
    """Return the stages for `auto`: f, or piece and then f or e.

    The piece that breaks symmetry has few places, so that beginning with it makes the tree small.
    In a narrow region f is better, because a piece can cut the region into parts that no pieces
    fill. After the piece, e is used in a solid region, else f. The stage `piece` supports no
    triggers, filters, traces or trials.
    """
    placements, pieces = task.placements, task.options.placements_per_solution
    broken = task.reduced is not None and task.reduced.symmetry_breaking is not None
    if placements is None or pieces is None or pieces < 2 or not broken or _is_observed(task):
        return (FIRST,)
    extents = np.sort(np.ptp(placements.positions, axis=0) + 1)
    largest_piece = placements.sizes.max(initial=0)
    if np.prod(extents[:-1]) <= largest_piece:
        return (FIRST,)
    is_solid = len(extents) > 2 and extents[0] >= SOLID_EXTENT
    return PIECE, f"{ESTIMATE if is_solid else FIRST}@{pieces - 1}"


def _is_observed(task: Task) -> bool:
    """Return whether triggers, filters, a trace or a trial observe placements in the search."""
    request = task.request
    return bool(
        task.post_placement_rules
        or request.trace is not None
        or request.stop_at_remaining is not None
    )
