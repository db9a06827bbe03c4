"""Backends that break the contract, each in one way: `dlx`, changed a little."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, SamplingSearch, TreeEstimator
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task, build_task


class Careless(Dlx):
    """Takes every bare cover problem, and leaves out a part of what it states."""

    name = "careless"

    def __init__(self, changed: Callable[[CoverProblem], CoverProblem]) -> None:
        self._changed = changed

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if isinstance(task.puzzle, CoverProblem):
            task = build_task(self._changed(task.puzzle), task.request)
        return super().prepare(task, config)


class Twice(DlxSearch):
    """Gives each solution twice."""

    def take(self) -> NDArray[np.int32]:
        return np.repeat(super().take(), 2, axis=0)


class Fewer(DlxSearch):
    """Loses a solution."""

    def take(self) -> NDArray[np.int32]:
        return super().take()[1:]

    @property
    def count(self) -> int:
        return max(0, super().count - 1)


class Endless(DlxSearch):
    """Has no limit on nodes."""

    def advance(self, budget: Budget) -> Status | None:
        return super().advance(replace(budget, nodes=None))


class Unrepeatable(DlxSearch):
    """Has other figures in every run."""

    runs = count(1)
    run = 0

    def advance(self, budget: Budget) -> Status | None:
        self.run = next(self.runs)
        return super().advance(budget)

    @property
    def counters(self) -> Counters:
        return replace(super().counters, native={"run": self.run})


class Forgetful(DlxSearch):
    """Counts the nodes of each slice from 0."""

    before = 0

    def advance(self, budget: Budget) -> Status | None:
        self.before = super().counters.nodes or 0
        return super().advance(budget)

    @property
    def counters(self) -> Counters:
        counters = super().counters
        return replace(counters, nodes=(counters.nodes or 0) - self.before)


class Talkative(DlxSearch):
    """Prints what it does."""

    def advance(self, budget: Budget) -> Status | None:
        os.write(1, b"searching\n")
        return super().advance(budget)


class LosesAPart(DlxSearch):
    """Does not report the last part that is left."""

    def remaining(self) -> tuple[SubProblem, ...] | None:
        parts = super().remaining()
        return parts[:-1] if parts else parts


class Numbered(DlxSearch, SamplingSearch):
    """Gives every number the same solution."""

    @property
    def numbers(self) -> int:
        return self.count

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        return np.zeros(6, dtype=np.int32), 0


class Halved(TreeEstimator):
    """Estimates half of what another does, unless it visits the whole tree."""

    def __init__(self, right: TreeEstimator) -> None:
        self._right = right

    def levels(self, estimates: int) -> NDArray[np.float64]:
        levels = self._right.levels(estimates)
        self.probes = self._right.probes
        return levels / 2 if self.probes else levels


SLOW_S = 0.6


class Slow(DlxSearch):
    """Comes back after so many seconds."""

    def advance(self, budget: Budget) -> Status | None:
        time.sleep(SLOW_S)
        return super().advance(budget)


class Changed(Dlx):
    """Searches certain tasks in its own way."""

    name = "changed"

    def __init__(self, search: type[DlxSearch], concerns: Callable[[Task], bool]) -> None:
        self._search, self._concerns = search, concerns

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        search = super().prepare(task, config)
        if self._concerns(task):
            search.__class__ = self._search
        return search


def has_bounds(task: Task) -> bool:
    """Whether a task is a bare cover problem with items that are not covered exactly once."""
    return isinstance(task.puzzle, CoverProblem) and not task.puzzle.unit_bounds


def has_four_dimensions(task: Task) -> bool:
    """Whether a task is a packing in four dimensions: one of the contract is."""
    return isinstance(task.puzzle, PackingPuzzle) and len(task.puzzle.region[0]) == 4


class Crashes(Dlx):
    """Raises an exception for bounds."""

    name = "crashes"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if has_bounds(task):
            raise ZeroDivisionError("division\nby zero")
        return super().prepare(task, config)


class RefusesWithoutReason(Dlx):
    """Gives a reason that is blank."""

    name = "silent"

    def refuses(self, task: Task, config: DlxConfig) -> str | None:
        return " " if has_four_dimensions(task) else super().refuses(task, config)


class MeansNothing(Dlx):
    """Counts nodes, and does not state what one is."""

    name = "meaningless"
    node_meaning: str | None = None  # type: ignore[assignment]


class EndsASentence(Dlx):
    """States what a node is in more than a few words."""

    name = "wordy"
    node_meaning = "A node is a placement made."


class Misjudging(Dlx):
    """Underestimates its tree."""

    name = "misjudging"

    def tree_estimator(
        self, task: Task, config: DlxConfig, seed: int, max_prefix_nodes: int, population: int = 0
    ) -> TreeEstimator:
        return Halved(super().tree_estimator(task, config, seed, max_prefix_nodes, population))


class Misnumbering(Dlx):
    """Offers samples of one solution only."""

    name = "misnumbering"

    def sampling_search(self, task: Task, config: DlxConfig) -> SamplingSearch:
        search = self.prepare(task, config)
        search.__class__ = Numbered
        return cast(SamplingSearch, search)


class Dies(Dlx):
    """Its process ends where a puzzle has bounds."""

    name = "dies"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if has_bounds(task):
            os._exit(7)
        return super().prepare(task, config)


class Hangs(Dlx):
    """Does not come back where a puzzle has bounds."""

    name = "hangs"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        while has_bounds(task):
            time.sleep(0.1)
        return super().prepare(task, config)
