"""Searches timed by pytest-benchmark: nothing but the search, and yet each round is checked.

Compiling, lowering and preparing come before a round's clock starts; what the search finds is
kept, and checked and sorted into classes when the clock has stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Backend, Config, CountingSearch, StagedSearch, ThreadedSearch
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.harness.answer import Answer
from dovetail.harness.auto import AUTO
from dovetail.harness.confining import confined
from dovetail.harness.drive import Stopwatch, drive_slices, drive_thread
from dovetail.harness.events import Finished
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job, Limits
from dovetail.harness.readiness import ready_task
from dovetail.harness.searches import turns
from dovetail.models.completion import COUNTED
from dovetail.models.outcome import Outcome, Status
from dovetail.models.task import Task, lower

ROUNDS = 5


class Benchmark(Protocol):
    """What is used of the fixture `benchmark` of pytest-benchmark."""

    @property
    def extra_info(self) -> dict[str, Any]: ...

    @property
    def pedantic(self) -> Callable[..., Any]: ...


def timed(job: Job, benchmark: Benchmark, rounds: int) -> list[Finished]:
    """The results of a job's search, timed so many times by `benchmark`, or once if it is disabled.

    `prepare_s` of a result has the lowering in it. Raises `ConfigError` for a job that is not of
    one search that can be timed in this process, `BackendError` where the backend refuses it.
    """
    if not hasattr(benchmark, "pedantic"):
        expected = "the fixture of pytest-benchmark, which is a package of its own"
        raise ConfigError(f"benchmark is to be {expected}")
    if rounds < 1:
        raise ConfigError(f"rounds is {rounds}; expected 1 or more")
    if job.backend == AUTO:
        raise ConfigError(f"{AUTO} chooses by trials; name a backend to time its search")
    if job.limits != Limits():
        raise ConfigError("a search that is timed goes to its end; expected no limits")
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    job, _ = confined(job, backend, config)
    request = ready_task(job, backend, config).request  # what is to be compiled is so now
    lowering = Stopwatch()
    with lowering:
        task = lower(job.puzzle, request)
    under_way: list[_Round] = []
    results: list[Finished] = []

    def prepare() -> tuple[tuple[_Round], dict[str, object]]:
        if under_way:
            results.append(under_way.pop().finished(lowering.wall_s))
        under_way.append(_Round(job, task, backend, config))
        return (under_way[0],), {}

    benchmark.pedantic(_Round.search, setup=prepare, rounds=rounds)
    results.append(under_way.pop().finished(lowering.wall_s))
    return results


class _Round:
    """One search, prepared and about to begin."""

    def __init__(self, job: Job, task: Task, backend: Backend, config: Config) -> None:
        self._task, self._job = task, job
        self._preparing, self._solving = Stopwatch(), Stopwatch()
        self._found: list[NDArray[np.int32]] = []
        self._status: Status | None = None
        with self._preparing:
            self._turn = next(turns(job, task, backend, config))
        self._search = self._turn.search
        self._counts = isinstance(self._search, CountingSearch)
        self._slices = self._driven(backend)
        while isinstance(self._search, StagedSearch) and not self._search.prepared:
            self._status = next(self._slices)
            if self._status is not None:
                break

    def search(self) -> None:
        """Search to the end: what is timed."""
        for status in self._slices:
            self._status = status
            if not self._counts:
                self._found.append(self._search.take())

    def finished(self, lowering_s: float) -> Finished:
        """The result, checked and brought into the form that was asked for."""
        verifying = Stopwatch()
        answer = Answer(self._task, self._job, Stopwatch(), verifying)
        answer.begin_search()
        self._settle(answer)
        error = answer.error
        if error is None and not self._counts and answer.found != self._search.count:
            error = f"it counted {self._search.count} solutions but gave {answer.found}"
        reason = self._search.reason if isinstance(self._search, StagedSearch) else None
        assert self._status is not None, "a search that is driven ends with a status"
        status = self._status if error is None else Status.WRONG
        return Finished(
            Outcome(status, answer.count, self._search.counters, error or reason),
            verified=answer.verified,
            completion=COUNTED if self._counts else answer.completion_name,
            prepare_s=lowering_s + self._preparing.wall_s,
            solve_s=self._solving.wall_s,
            solve_cpu_s=self._solving.cpu_s,
            check_s=verifying.wall_s,
        )

    def _settle(self, answer: Answer) -> None:
        """Give the answer what was found."""
        if not isinstance(self._search, CountingSearch):
            for found in self._found:
                for _ in answer.add(self._turn.restored(found), lambda: False):
                    pass  # nothing is listed
            return
        answer.verify(lambda: self._turn.restored(self._search.take()))
        if self._search.total is not None:
            answer.settle(self._search.total)

    def _driven(self, backend: Backend) -> Iterator[Status | None]:
        watch = (Limits(), None, Interruption())
        if backend.control == "slices":
            return drive_slices(self._search, *watch, self._solving, self._preparing)
        return drive_thread(cast(ThreadedSearch, self._search), *watch, self._solving)
