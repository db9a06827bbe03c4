"""The backend `skyline`: corner filling for boxes in a box, in the plane and in space."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE, Config, setting, trigger_refusal
from dovetail.backends.shared.kernel_backend import KernelBackend
from dovetail.backends.skyline.search import SkylineSearch
from dovetail.backends.skyline.tables import too_large
from dovetail.models.formulations.boxes import not_boxes
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction, ReductionName, Symmetry
from dovetail.models.task import Task


@dataclass(frozen=True)
class SkylineConfig(Config):
    """Settings of `skyline`."""

    break_symmetry: bool = setting(True, "Break the symmetry of the box by its corners.")


class Skyline(KernelBackend[SkylineConfig]):
    """Backend for packings of boxes into a box. Some cells of the box may stay empty.

    Estimates are of the tree of a search without the table of dead states.
    """

    name = "skyline"
    summary = "corner filling for rectangles and boxes, narrowest valley first (numba)"
    node_meaning = PLACEMENT_MADE
    learns = True
    config_type = SkylineConfig

    def refuses(self, task: Task, config: SkylineConfig) -> str | None:
        options = task.options
        if not isinstance(options, PackingOptions):
            return "it supports packing puzzles only"
        return not_boxes(options) or trigger_refusal(task) or too_large(options.placements)

    def cuts_task(self, task: Task, config: SkylineConfig) -> bool:
        options = task.options
        return isinstance(options, PackingOptions) and not options.placements.optional.any()

    def symmetry_breaking(self, task: Task, config: SkylineConfig) -> Reduction | None:
        """Return the redundancy filter, or None.

        The result is None for other puzzles than packing, if `break_symmetry` is off, and if there
        is no symmetry or no piece that is used once.
        """
        every = task.all_options
        if not (config.break_symmetry and isinstance(every, PackingOptions)):
            return None
        group = every.symmetries(task.request.symmetry.broken)
        is_broken = len(group) > 1 and any(every.option_groups.once)
        return Reduction(ReductionName.REDUNDANCY) if is_broken else None

    def prepare(self, task: Task, config: SkylineConfig) -> SkylineSearch:
        options = task.options
        assert isinstance(options, PackingOptions)
        breaks = config.break_symmetry and task.reduced is None
        group = options.symmetries(task.request.symmetry.broken if breaks else Symmetry.ALL)
        return SkylineSearch(options.placements, options.placements_per_solution, group)
