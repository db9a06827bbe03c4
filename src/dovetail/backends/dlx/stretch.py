"""A stretch of a relay that `dlx` searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.dlx.heuristics import Ranks
from dovetail.backends.dlx.hooks import dlx_hooks
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.hooks import Watch, renumbered
from dovetail.backends.relay import Begin, Stretch
from dovetail.backends.stages import Stage
from dovetail.models.cell_orders import cell_ranks
from dovetail.models.cover import CoverProblem
from dovetail.models.options.cells import CellItems
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements
from dovetail.models.sub_problem import SubProblem, sub_problem

Made = TypeVar("Made")


class DlxStretch:
    """The search of a stretch below some placements; see `relay.StretchSearch`."""

    def __init__(
        self,
        stretch: Stretch,
        puzzle: PackingPuzzle,
        whole: Placements,
        placed: NDArray[np.int64],
        left: NDArray[np.int32] | None,
        watch: Watch | None,
        removal: int | None,
    ) -> None:
        self._problem = sub_problem(whole, placed, left)
        self._stops = stretch.ends > 0
        hooks = None
        if watch is not None:
            options = PackingOptions(puzzle, self._problem.placements)
            hooks = dlx_hooks(watch, options, self._problem.options, placed)
        make = partial(DlxSearch, hooks=hooks, removal=removal)
        self._search = stretch_search(make, stretch, puzzle, whole, self._problem)

    @property
    def counters(self) -> Counters:
        return self._search.counters

    def advance(self, budget: Budget) -> Status | None:
        return self._search.advance(budget)

    def take(self) -> NDArray[np.int32]:
        return self._problem.options[self._search.take()]

    def take_trace(self) -> NDArray[np.int32]:
        return renumbered(self._search.take_trace(), self._problem.options)

    @property
    def left(self) -> NDArray[np.int32]:
        return self._problem.options[self._search.left]

    def progress(self) -> tuple[float, float]:
        return self._search.shares() if self._stops else (self._search.progress(), 0.0)


def begin_dlx(
    stretch: Stretch,
    puzzle: PackingPuzzle,
    watch: Watch | None = None,
    removal: int | None = None,
) -> Begin:
    """What begins a stretch for a `RelaySearch`; `removal` is that of a `Request`."""

    def begin(
        whole: Placements, placed: NDArray[np.int64], left: NDArray[np.int32] | None
    ) -> DlxStretch:
        return DlxStretch(stretch, puzzle, whole, placed, left, watch, removal)

    return begin


def stretch_search(
    make: Callable[
        [CoverProblem, int | None, Sequence[Stage], CellItems | None, int | None, Ranks | None],
        Made,
    ],
    stretch: Stretch,
    puzzle: PackingPuzzle,
    whole: Placements,
    problem: SubProblem,
) -> Made:
    """What `make`, a `DlxSearch` or what takes the same, makes of a stretch's sub-problem."""
    options = PackingOptions(puzzle, problem.placements)

    def ranks(order: str) -> NDArray[np.int64]:
        return cell_ranks(order, whole.positions)[problem.cells]

    return make(
        options.cover,
        options.placements_per_solution,
        _stages(stretch),
        options.cells,
        stretch.begins - stretch.ends if stretch.ends > 0 else None,
        ranks,
    )


def _stages(stretch: Stretch) -> tuple[Stage, ...]:
    """The stretch's heuristics as stages of their own."""
    stages: list[Stage] = []
    for number, heuristic in enumerate(stretch.heuristics):
        if not stages or stages[-1].heuristic != heuristic:
            begins = None if number == 0 else stretch.begins - number
            stages.append(Stage(stretch.engine, heuristic, begins))
    return tuple(stages)
