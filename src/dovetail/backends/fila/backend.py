"""The backend `fila`: Busche's fixed image list algorithm, in numba.

Source: M. Busche, "A fixed image list algorithm" (FILA), 2018. De Bruijn's algorithm, MCH and
EMCH are its heuristics f, s and e. It may begin with `dlx` and hand over to FILA.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE, Backend, Config
from dovetail.backends.dives import BeginDives, RelayDives
from dovetail.backends.dlx.dives import begin_dlx_dives
from dovetail.backends.dlx.heuristics import misfit as dlx_misfit
from dovetail.backends.dlx.hooks import warm_up_hooks
from dovetail.backends.dlx.search import too_large
from dovetail.backends.dlx.search import warm_up as warm_up_dlx
from dovetail.backends.dlx.stretch import begin_dlx
from dovetail.backends.fila.dives import FirstTargetDives, begin_fila_dives
from dovetail.backends.fila.first_target import FirstTarget
from dovetail.backends.fila.stretch import FilaStretches, KernelName, kind
from dovetail.backends.hooks import Watch, build_watch, goes_on_below, is_watched, unwatchable
from dovetail.backends.relay import Begin, RelaySearch, Stretch, stretches
from dovetail.backends.stages import ESTIMATE, FIRST, PIECE, SIZE, Stages
from dovetail.errors import ConfigError
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction
from dovetail.models.task import Task

ENGINES = ("dlx", "fila")
# A kernel is compiled for as many words as the board has, which takes 13 s for so many cells. For
# 40,000 numba refuses: the tuples are too long.
MOST_CELLS = 2**14


@dataclass(frozen=True)
class FilaConfig(Config):
    """`stages`: which heuristic picks the next target, by pieces remaining; see `backends.stages`.

    `nof`: whether image lists are told apart by the occupancy of cells near a target.
    `kernel`: `reference` counts attempts and goes by a target's neighbours, as the article
    does; `fast` has the same fits in less time, goes by the cells that a target's images cover
    most often, and counts no attempts.
    """

    stages: tuple[str, ...] = (FIRST,)
    nof: bool = True
    kernel: KernelName = "reference"

    def __post_init__(self) -> None:
        self.schedule()

    def schedule(self) -> Stages:
        """The stages, parsed; raises `ConfigError` for what is none."""
        return Stages.parse(self.stages, ENGINES)


class Fila(Backend[FilaConfig]):
    """Takes packing puzzles whose pieces are used a fixed number of times and fill everything."""

    name = "fila"
    summary = "fixed image lists (Busche): f (de Bruijn), e (EMCH), s (MCH), …, NOF, POF (numba)"
    node_meaning = PLACEMENT_MADE
    by_option_order = True
    config_type = FilaConfig

    def refuses(self, task: Task, config: FilaConfig) -> str | None:
        options = task.options
        if not isinstance(options, PackingOptions):
            return "it takes packing puzzles only"
        if options.placements.may_cross:
            return f"it does not see where pieces {options.puzzle.lattice.phrase} cross"
        cells = options.placements.cell_count
        if cells > MOST_CELLS:
            return f"the region has {cells:,} open cells; it takes at most {MOST_CELLS:,}"
        if options.placements.optional.any():
            return "it takes regions whose every cell is filled, and here some may stay empty"
        pieces = options.placements_per_solution
        if pieces is None:
            return "it takes pieces that are used a fixed number of times"
        schedule = config.schedule()
        by_dlx = [stage for stage in schedule.stages if stage.engine == "dlx"]
        reason = schedule.misfit(pieces) or _unknown_order(schedule, options)
        if reason is None and by_dlx:
            reason = dlx_misfit(by_dlx, options) or too_large(options.cover)
        return reason or _unwatched(task, config)

    def warm_up_for(self, task: Task, config: FilaConfig) -> None:
        for begin in _begins(task, config):
            if isinstance(begin, FilaStretches):
                begin.warm_up()
        if any(stage.engine == "dlx" for stage in config.schedule().stages):
            warm_up_dlx()
            if is_watched(task):
                warm_up_hooks()

    def prepare(self, task: Task, config: FilaConfig) -> RelaySearch:
        options, pieces, _ = _relay(task, config)
        begins = _begins(task, config)
        return RelaySearch(options.placements, pieces, begins)

    def tree_estimator(
        self, task: Task, config: FilaConfig, seed: int, most_prefix_nodes: int
    ) -> RelayDives:
        options, pieces, parts = _relay(task, config)
        begins = [_begin_dives(part, options, config) for part in parts]
        return RelayDives(options.placements, pieces, begins, seed, most_prefix_nodes)


def _relay(task: Task, config: FilaConfig) -> tuple[PackingOptions, int, list[Stretch]]:
    """The placements, how many pieces there are, and the stretches of the schedule."""
    options, pieces = task.options, task.options.placements_per_solution
    assert isinstance(options, PackingOptions)
    assert pieces is not None
    return options, pieces, stretches(config.schedule(), pieces, kind)


def _begins(task: Task, config: FilaConfig) -> list[Begin]:
    """What begins each stretch of the schedule."""
    options, _, parts = _relay(task, config)
    watch = build_watch(task)
    return [_begin(part, task, options, config, watch) for part in parts]


def _begin(
    part: Stretch,
    task: Task,
    options: PackingOptions,
    config: FilaConfig,
    watch: Watch | None,
) -> Begin:
    """What begins a stretch."""
    if part.engine == "dlx":
        return begin_dlx(part, options.puzzle, watch, task.request.removal)
    if part.heuristics == (PIECE,):
        return FirstTarget
    if not goes_on_below(task, part.begins):
        watch = None
    return FilaStretches(
        part, options.placements, nof=config.nof, kernel=config.kernel, watch=watch
    )


def _unwatched(task: Task, config: FilaConfig) -> str | None:
    """Why what is to be watched cannot be, None if it can."""
    stages, request = config.schedule().stages, task.request
    if not task.watches and request.trace is None and request.removal is None:
        return None
    pieces = task.options.placements_per_solution or 0
    by_fila = next((stage for stage in stages if stage.engine != "dlx"), None)
    if by_fila is None:
        return unwatchable(task)
    begins = by_fila.remaining(pieces)[0]
    from_there = f"{by_fila} places pieces from {begins} remaining on"
    for watch in task.watches:
        if isinstance(watch, Reduction) and (watch.down_to or 0) < begins:
            return (
                f"only dlx filters placements while it searches ({watch}), and {from_there}; "
                f"expected {watch.name}, {watch.name}@PIECES with {begins} or more, "
                "or a later hand-over"
            )
    if request.removal is not None and request.removal <= begins:
        return f"a trial ends while dlx places pieces ({request.removal}), and {from_there}"
    cannot = "stage piece" if by_fila.heuristic == PIECE else f"kernel {config.kernel}"
    if cannot != "kernel reference" and goes_on_below(task, begins):
        return f"{cannot} has neither triggers nor a trace; expected another"
    return unwatchable(task)


def _begin_dives(part: Stretch, options: PackingOptions, config: FilaConfig) -> BeginDives:
    """What begins the descents of a stretch; kernels have the same fits."""
    if part.engine == "dlx":
        return begin_dlx_dives(part, options.puzzle)
    if part.heuristics == (PIECE,):
        return FirstTargetDives
    whole = options.placements
    return begin_fila_dives(FilaStretches(part, whole, nof=config.nof, kernel="reference"))


def _unknown_order(schedule: Stages, options: PackingOptions) -> str | None:
    """Why some stage's order of cells is none of the puzzle's, None if all are."""
    for stage in schedule.stages:
        if stage.engine == "fila" and stage.heuristic not in (FIRST, ESTIMATE, SIZE, PIECE):
            try:
                cell_ranks(stage.heuristic, options.placements.positions)
            except ConfigError as error:
                return f"stage {stage}: {error}"
    return None
