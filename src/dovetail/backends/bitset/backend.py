"""The backend `bitset`: sets of options as bits, for the cover problem of any puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dovetail.backends.base import (
    PLACEMENT_MADE,
    Backend,
    Config,
    TreeEstimator,
    setting,
    trigger_refusal,
)
from dovetail.backends.bitset.search import BitsetSearch, warm_up
from dovetail.backends.bitset.tables import stack_too_large, too_large
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction, ReductionName, Symmetry
from dovetail.models.task import Task

# Largest number of options of a puzzle that is probed. A probe builds the tables of a search for
# each piece. For this number of options, the tables of a search take 17 MB.
MAX_PROBED = 10_000
# Seconds of preparation for each pair of options, and for each pair of an option and an item.
PAIR_S = 1e-9


@dataclass(frozen=True)
class BitsetConfig(Config):
    """Settings of `bitset`; see `Bitset.symmetry_breaking`."""

    break_symmetry: bool = setting(True, "Break the symmetry of the puzzle automatically.")


class Bitset(Backend[BitsetConfig]):
    """Backend for every cover problem whose arrays are not too large; see `tables`."""

    name = "bitset"
    summary = "bit sets of placements, item with fewest choices first (numba)"
    node_meaning = PLACEMENT_MADE
    by_option_order = True
    cuts = True
    estimates_quickly = True
    kernel_list = Path(__file__).parent / "kernels" / "warm_up.txt"
    config_type = BitsetConfig

    def refuses(self, task: Task, config: BitsetConfig) -> str | None:
        options = task.options
        return (
            trigger_refusal(task)
            or too_large(options.option_count)
            or stack_too_large(options.cover, options.placements_per_solution)
        )

    def cuts_task(self, task: Task, config: BitsetConfig) -> bool:
        return task.cover.unit_bounds

    def symmetry_breaking(self, task: Task, config: BitsetConfig) -> Reduction | None:
        """Return the reduction by which to break symmetry, or None.

        The result is None for a task without symmetries, for a puzzle that is neither packing nor
        edge matching, and if `config.break_symmetry` is false.

        Breaking symmetry saves time for every `Symmetry` of a request. The number of all solutions
        follows from the number of images of the restricted piece in each solution found.
        """
        every = task.all_options
        if not config.break_symmetry or not isinstance(every, PackingOptions | EdgeOptions):
            return None
        if isinstance(every, EdgeOptions):
            group, name = every.symmetries(Symmetry.UNIQUE), ReductionName.REDUNDANCY
        else:
            group = every.symmetries(task.request.symmetry.broken)
            probed = any(every.option_groups.once) and every.option_count <= MAX_PROBED
            name = ReductionName.PROBE if probed else ReductionName.REDUNDANCY
        return Reduction(name) if len(group) > 1 else None

    def tree_estimator(
        self,
        task: Task,
        config: BitsetConfig,
        seed: int,
        max_prefix_nodes: int,
        population: int = 0,
    ) -> TreeEstimator | None:
        """Return an estimator of the nodes of the search, or None.

        The result is None if some item has other bounds than exactly once, or if the puzzle has too
        many options to be probed.
        """
        from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator

        if not task.cover.unit_bounds or task.options.option_count > MAX_PROBED:
            return None
        search = self.prepare(task, config)
        return GuidedTreeEstimator(search, seed, max_prefix_nodes, population)

    def warm_up(self) -> None:
        warm_up()

    def warm_up_for(self, task: Task, config: BitsetConfig) -> None:
        if not task.cover.unit_bounds:
            warm_up(min_count=0)

    def preparation_s(self, task: Task, config: BitsetConfig) -> float:
        options = task.options.option_count
        return PAIR_S * options * (options + task.options.cover.item_count)

    def prepare(self, task: Task, config: BitsetConfig) -> BitsetSearch:
        options = task.options
        return BitsetSearch(options.cover, options.placements_per_solution)
