"""The backend `dlx`: Knuth's dancing links on the cover problem of any puzzle."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE, Config, setting
from dovetail.backends.dlx.heuristics import MIN_FIT, OWN_HEURISTICS, misfit
from dovetail.backends.dlx.kernels.layout import ITEM_HEURISTICS
from dovetail.backends.dlx.packing import task_hooks, warm_up_hooks
from dovetail.backends.dlx.search import DlxSearch, too_large, warm_up
from dovetail.backends.shared.hooks import needs_trigger_spec, unsupported_triggers
from dovetail.backends.shared.kernel_backend import KernelBackend
from dovetail.backends.shared.schedule import SIZE, SearchSchedule
from dovetail.models.task import Task


@dataclass(frozen=True)
class DlxConfig(Config):
    """Settings of `dlx`; see `shared.schedule` for the stages."""

    stages: tuple[str, ...] = setting(
        (SIZE,),
        "Heuristics that pick the next item: HEURISTIC, or HEURISTIC@PIECES to start when "
        "that many pieces remain. "
        + "; ".join(f"{letter} picks {rule.meaning}" for letter, rule in ITEM_HEURISTICS.items())
        + "; e picks the cell with the fewest open neighbours. The others pick the first open "
        "cell: f in the order of the cells; x, y, z or X, Y, Z with the smallest or largest "
        "coordinate; R or r farthest from or nearest to the centre; a@DEGREES by the angle around "
        "it. Items with at most one option left come first (with f or e, only cells).",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.schedule()

    def schedule(self) -> SearchSchedule:
        """Return the stages, parsed; raise `ConfigError` for an invalid stage."""
        return SearchSchedule.parse(self.stages, {Dlx.name: OWN_HEURISTICS})


class Dlx(KernelBackend[DlxConfig]):
    """Backend for every cover problem.

    Of items with equally few options left, cells come before pieces and tiles.
    """

    name = "dlx"
    summary = "dancing links with colours and multiplicities (Knuth; numba)"
    node_meaning = PLACEMENT_MADE
    by_option_order = True
    by_item_order = True
    config_type = DlxConfig

    def refuses(self, task: Task, config: DlxConfig) -> str | None:
        schedule, pieces = config.schedule(), task.options.placements_per_solution
        reason = misfit(schedule.stages, task.options)
        if reason is None and pieces is not None:
            reason = schedule.misfit(pieces)
        return reason or unsupported_triggers(task) or too_large(task.cover)

    def cuts_task(self, task: Task, config: DlxConfig) -> bool:
        return task.cover.unit_bounds  # with other bounds, a level removes the options tried

    def warm_up(self) -> None:
        warm_up()

    def warm_up_for(self, task: Task, config: DlxConfig) -> None:
        if needs_trigger_spec(task):
            warm_up_hooks(task)

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        stages, options = config.schedule().stages, task.options
        cells = None if stages == (MIN_FIT,) else options.cells  # finding neighbours takes time
        return DlxSearch(
            options.cover,
            options.placements_per_solution,
            stages,
            cells,
            hooks=task_hooks(task),
            stop_at_remaining=task.request.stop_at_remaining,
            member_order=task.member_order,
        )

    def guided_search(self, task: Task, config: DlxConfig) -> DlxSearch:
        stages, options = config.schedule().stages, task.options
        return DlxSearch(options.cover, options.placements_per_solution, stages, options.cells)
