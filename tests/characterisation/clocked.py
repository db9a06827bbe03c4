"""Backends whose every step takes its time by the clock of these tests, and that can be scripted.

They search as `dlx` does, so that what they find is right.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Thread, current_thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from characterisation.clock import Clock
from dovetail.backends import threaded
from dovetail.backends.base import Budget, Forecast, Search
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.registry import backends
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Reduction
from dovetail.models.task import Task

WHOLE = 10**9  # work that is enough for any search of these tests
SLICE_NODES = 300  # of each slice but the last


class Clocked(Dlx):
    """Searches as `dlx` does, in so many `slices`, after so many slices in which it `builds`.

    `gives_up` ends the search in place of its last slice, with a reason. `budgets` are those of
    all slices of all searches, save those that build.
    """

    def __init__(
        self,
        clock: Clock,
        name: str = "clocked",
        *,
        slices: int = 1,
        builds: int = 0,
        gives_up: tuple[Status, str] | None = None,
        refusal: str | None = None,
    ) -> None:
        self.name = name
        self.slices, self.builds, self.gives_up = slices, builds, gives_up
        self.budgets: list[Budget] = []
        self.step, self._refusal = clock.step, refusal

    def warm_up(self) -> None:
        self.step("warm up")
        super().warm_up()

    def warm_up_for(self, task: Task, config: DlxConfig) -> None:
        self.step("warm up for task")
        super().warm_up_for(task, config)

    def refuses(self, task: Task, config: DlxConfig) -> str | None:
        self.step("refuse")
        return self._refusal or super().refuses(task, config)

    def prepare(self, task: Task, config: DlxConfig) -> Any:
        self.step("prepare")
        search = super().prepare(task, config)
        return BuildingSearch(self, search) if self.builds else ClockedSearch(self, search)


class SymmetryBreaking(Clocked):
    """Would have a piece held to one place of each orbit."""

    piece = "L"

    def symmetry_breaking(self, task: Task, config: DlxConfig) -> Reduction | None:
        self.step("symmetry breaking")
        return Reduction.parse(f"redundancy={self.piece}")


class Threaded(Clocked):
    """Cannot be sliced: its search goes on in a thread."""

    control = "process"

    def prepare(self, task: Task, config: DlxConfig) -> Any:
        self.step("prepare")
        self.search = ThreadedSearch(self, Dlx.prepare(self, task, config))
        return self.search


class Missing(Clocked):
    """Needs a package that is not there."""

    extra = "choco"

    def missing(self) -> str | None:
        return "package-x"


class ClockedSearch(Search):
    """A search by `dlx`, what is left of it in the last of some slices."""

    def __init__(self, backend: Clocked, search: Search) -> None:
        self._backend, self._search = backend, search
        self._short = backend.slices - 1

    @property
    def counters(self) -> Counters:
        return self._search.counters

    @property
    def count(self) -> int | None:
        return self._search.count

    def advance(self, budget: Budget) -> Status | None:
        self._backend.budgets.append(budget)
        self._backend.step("search")
        if self._short > 0:
            self._short -= 1
            return self._advance_a_little(budget)
        if self._backend.gives_up is not None:
            return self._backend.gives_up[0]
        return self._search.advance(replace(budget, work=WHOLE))

    def _advance_a_little(self, budget: Budget) -> Status | None:
        nodes = SLICE_NODES if budget.nodes is None else min(SLICE_NODES, budget.nodes)
        status = self._search.advance(replace(budget, work=WHOLE, nodes=nodes))
        return None if status == Status.NODE_LIMIT and nodes != budget.nodes else status

    def take(self) -> NDArray[np.int32]:
        self._backend.step("take")
        return self._search.take()

    def progress(self) -> float | None:
        self._backend.step("progress")
        return self._search.progress()


class BuildingSearch(ClockedSearch):
    """The same after some slices in which it builds its tables."""

    def __init__(self, backend: Clocked, search: Search) -> None:
        super().__init__(backend, search)
        self._builds = backend.builds

    @property
    def prepared(self) -> bool:
        return self._builds == 0

    @property
    def forecast(self) -> Forecast | None:
        return Forecast(states=7, memory_bytes=1000, solve_s=0.0) if self.prepared else None

    @property
    def reason(self) -> str | None:
        return None if self._backend.gives_up is None else self._backend.gives_up[1]

    def advance(self, budget: Budget) -> Status | None:
        if self.prepared:
            return super().advance(budget)
        self._backend.step("build")
        self._builds -= 1
        return None


class ThreadedSearch(threaded.ThreadedSearch):
    """The same, run to its end by one call."""

    def __init__(self, backend: Clocked, search: Search) -> None:
        super().__init__()
        self._sliced = ClockedSearch(backend, search)
        self._backend, self._search = backend, search
        self._thread: Thread | None = None

    @property
    def counters(self) -> Counters:
        return self._search.counters

    def advance(self, budget: Budget) -> Status | None:
        self._thread = current_thread()
        status = self._sliced.advance(budget)
        for row in self._search.take().tolist():
            self.found.add(row)
        return status

    def take(self) -> NDArray[np.int32]:
        self._backend.step("take")
        return super().take()

    def progress(self) -> float | None:
        return self._sliced.progress()

    def let_end(self) -> None:
        """Wait for a thread that was left behind, which may wait for us."""
        assert self._thread is not None
        while self._thread.is_alive():
            self.found.resume()
            self._thread.join(timeout=0.01)


def offer(monkeypatch: pytest.MonkeyPatch, *offered: Clocked) -> None:
    """Have these backends beside the others, or in the place of those of the same name."""
    for backend in offered:
        monkeypatch.setitem(backends(), backend.name, backend)


def offer_only(monkeypatch: pytest.MonkeyPatch, *offered: Clocked) -> None:
    """Have no other backends than these."""
    for name in reversed(list(backends())):  # they are restored in reverse
        monkeypatch.delitem(backends(), name)
    offer(monkeypatch, *offered)
