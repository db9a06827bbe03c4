"""Backends that break the contract, each in one way: `dlx`, changed a little."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.search import DlxSearch
from dovetail.harness.contract.cases import QUEENS, SIX_PIECES
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.packing import PackingPuzzle
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


class Changed(Dlx):
    """Searches as `change` has it."""

    name = "changed"
    change: type[DlxSearch]

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        search = super().prepare(task, config)
        if self.concerns(task):
            search.__class__ = self.change
        return search

    def concerns(self, task: Task) -> bool:
        """Whether it searches this task so."""
        return True


class RepeatsItself(Changed):
    """Gives each solution of one puzzle twice."""

    class change(DlxSearch):  # noqa: N801
        def take(self) -> NDArray[np.int32]:
            return np.repeat(super().take(), 2, axis=0)

    def concerns(self, task: Task) -> bool:
        return task.puzzle == SIX_PIECES and task.request.symmetry == "unique"


class Misplaces(Changed):
    """Takes another option for one of each solution of packings without symmetry."""

    class change(DlxSearch):  # noqa: N801
        def take(self) -> NDArray[np.int32]:
            taken = super().take()
            taken[:, 0] = taken[:, 1]
            return taken

    def concerns(self, task: Task) -> bool:
        return isinstance(task.puzzle, PackingPuzzle) and task.puzzle.lattice.dimension == 4


class LosesOne(Changed):
    """Does not count the last of many solutions of packings."""

    class change(DlxSearch):  # noqa: N801
        def take(self) -> NDArray[np.int32]:
            return super().take()[:-1]

        @property
        def count(self) -> int:
            return super().count - 1

    def concerns(self, task: Task) -> bool:
        return isinstance(task.puzzle, PackingPuzzle) and task.puzzle.lattice.dimension == 4


class OvershootsNodes(Changed):
    """Has no limit on nodes."""

    class change(DlxSearch):  # noqa: N801
        def advance(self, budget: Budget) -> Status | None:
            return super().advance(replace(budget, nodes=None))


class OvershootsSolutions(Changed):
    """Has no limit on solutions, and reports that it reached one."""

    class change(DlxSearch):  # noqa: N801
        def advance(self, budget: Budget) -> Status | None:
            status = super().advance(replace(budget, solutions=None))
            limited = status is Status.EXHAUSTED and budget.solutions is not None
            return Status.NODE_LIMIT if limited else status


class CountsDifferently(Changed):
    """Counts other nodes in every run."""

    runs = count()

    class change(DlxSearch):  # noqa: N801
        _run = 0

        @property
        def counters(self) -> Counters:
            return replace(super().counters, native={"run": id(self)})

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        search = super().prepare(task, config)
        self.kept = [*getattr(self, "kept", []), search]  # no two have the same id
        return search


class GoesBack(Changed):
    """Counts nodes from 0 in each slice."""

    class change(DlxSearch):  # noqa: N801
        _before = 0

        @property
        def counters(self) -> Counters:
            counters = super().counters
            return replace(counters, nodes=(counters.nodes or 0) - self._before)

        def advance(self, budget: Budget) -> Status | None:
            self._before = super().counters.nodes or 0
            return super().advance(budget)

    def concerns(self, task: Task) -> bool:
        return task.puzzle == QUEENS and task.request.listing


class Crashes(Dlx):
    """Raises an exception for bounds."""

    name = "crashes"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if isinstance(task.puzzle, CoverProblem) and not task.puzzle.unit_bounds:
            raise ZeroDivisionError("division\nby zero")
        return super().prepare(task, config)


class RefusesWithoutReason(Dlx):
    """Gives no reason."""

    name = "silent"

    def refuses(self, task: Task, config: DlxConfig) -> str | None:
        four = isinstance(task.puzzle, PackingPuzzle) and task.puzzle.lattice.dimension == 4
        return "" if four else super().refuses(task, config)


class MeansNothing(Dlx):
    """Counts nodes, and does not state what one is."""

    name = "meaningless"
    node_meaning = None


class HasNoConfig(Dlx):
    """Its config is no dataclass with defaults."""

    name = "unconfigured"

    class config_type(DlxConfig):  # type: ignore[assignment]  # noqa: N801
        def __eq__(self, other: object) -> bool:
            return False

        __hash__ = Config.__hash__


class Dies(Dlx):
    """Its process ends where a puzzle has bounds."""

    name = "dies"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        if isinstance(task.puzzle, CoverProblem) and not task.puzzle.unit_bounds:
            import os

            os._exit(7)
        return super().prepare(task, config)


class Hangs(Dlx):
    """Does not come back where a puzzle has bounds."""

    name = "hangs"

    def prepare(self, task: Task, config: DlxConfig) -> DlxSearch:
        while isinstance(task.puzzle, CoverProblem) and not task.puzzle.unit_bounds:
            time.sleep(0.1)
        return super().prepare(task, config)
