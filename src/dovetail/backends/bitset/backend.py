"""The backend `bitset`: one bit per option, fewest choices, for the cover problem of any puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from dovetail.backends.base import PLACEMENT_MADE, Config, TreeSizes, cannot_watch
from dovetail.backends.bitset.search import BitsetSearch, warm_up
from dovetail.backends.bitset.tables import stack_too_large, too_large
from dovetail.backends.dives import random_state
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.models.request import Reduction, ReductionName, Symmetry
from dovetail.models.task import Task

# Options of puzzles that are probed: a search has tables of 17 MB, and there is one for each piece.
MOST_PROBED = 10_000


@dataclass(frozen=True)
class BitsetConfig(Config):
    """`confine`: where no reduction confines a piece, one is; see `Bitset.confinement`."""

    confine: bool = True


class Bitset:
    """Takes every cover problem whose table of compatible options fits."""

    name = "bitset"
    summary = "sets of placements as bits, item with fewest choices, no undo, numba"
    node_meaning = PLACEMENT_MADE
    control: Literal["slices"] = "slices"
    by_option_order: Literal[True] = True
    extra = None
    config_type = BitsetConfig

    def missing(self) -> str | None:
        return None

    def refuses(self, task: Task, config: Config) -> str | None:
        options = task.options
        return (
            cannot_watch(task)
            or too_large(options.option_count)
            or stack_too_large(options.cover, options.placements_per_solution)
        )

    def confinement(self, task: Task, config: Config) -> Reduction | None:
        """The reduction that a task without one that confines a piece is to have, None for none.

        A piece is worth confining where the puzzle has symmetries, under any `Symmetry`: also
        all solutions are those found times the places that the piece can have.
        """
        assert isinstance(config, BitsetConfig)
        every = task.all_options
        if not config.confine or not isinstance(every, PackingOptions | EdgeOptions):
            return None
        if not any(every.kinds.once):
            return None
        if isinstance(every, EdgeOptions):
            group, name = every.symmetries(Symmetry.UNIQUE), ReductionName.REDUNDANCY
        else:
            group = every.symmetries(task.request.symmetry.confining)
            probed = every.option_count <= MOST_PROBED
            name = ReductionName.PROBE if probed else ReductionName.REDUNDANCY
        return Reduction(name) if len(group) > 1 else None

    def tree_sizes(self, task: Task, config: Config, seed: int) -> TreeSizes | None:
        """Estimates of the nodes of the search, by random descents.

        None where not every item is covered exactly once, or where the tables of one search for
        each piece would take long to build.
        """
        if not task.cover.unit_bounds or task.options.option_count > MOST_PROBED:
            return None
        return partial(self.prepare(task, config).dive, random=random_state(seed))

    def warm_up(self) -> None:
        warm_up()

    def warm_up_for(self, task: Task, config: Config) -> None:
        if not task.cover.unit_bounds:
            warm_up(least=0)

    def prepare(self, task: Task, config: Config) -> BitsetSearch:
        options = task.options
        return BitsetSearch(options.cover, options.placements_per_solution)
