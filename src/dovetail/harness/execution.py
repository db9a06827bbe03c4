"""Runs one job in this process, from the puzzle to the checked result."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Backend, Config, Search, ThreadedSearch
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, not_installed
from dovetail.harness.checking import SolutionChecker
from dovetail.harness.drive import Stopwatch, drive_slices, drive_thread
from dovetail.harness.events import Event, Finished, Found, Progress, Started, ended
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.memory import peak_bytes, resident_bytes
from dovetail.harness.probe import Probe, confining, probes, resolved
from dovetail.models.completion import AsFound
from dovetail.models.impossibility import why_impossible
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Counters, Outcome, Status
from dovetail.models.reductions.pipeline import warm_up
from dovetail.models.task import Task, lower

WORTH_TELLING_S = 0.1  # of compiling


def execute(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """Run `job`, telling what happens; the last event is `Finished`.

    Raises `ConfigError` for an unknown backend or config key, `PuzzleError` for a puzzle that
    cannot be lowered as requested.
    """
    interruption = interruption or Interruption()
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    reason = not_installed(backend)
    if reason is not None:
        yield ended(Status.SKIPPED, reason)
        return
    warming, preparing, solving, verifying = (Stopwatch() for _ in range(4))
    with warming:
        backend.warm_up()
        warm_up(job.request)
    ready = yield from _prepared(job, backend, config, warming, preparing, interruption)
    if isinstance(ready, Finished):
        yield ready
        return

    task, search = ready.task, ready.search
    answer = _Answer(task, job, solving, verifying)
    watch = (answer.search_limits, ready.deadline, interruption, solving)
    if backend.control == "slices":
        driven = drive_slices(search, *watch)
    else:
        driven = drive_thread(cast(ThreadedSearch, search), *watch)
    with interruption.defer():
        for status in driven:
            fresh = answer.add(task.restored(search.take()))
            if answer.error is not None:
                break
            if job.request.listing and len(fresh):
                yield Found(fresh)
            if answer.complete or status is not None:
                break
            yield Progress(answer.count, search.counters.nodes, search.progress())

    if answer.complete:
        status = Status.SOLUTION_LIMIT
    outcome = Outcome(status or Status.WRONG, answer.count, search.counters)
    error = answer.error
    if error is None and status == Status.EXHAUSTED and answer.found != search.count:
        error = f"it counted {search.count} solutions but listed {answer.found}"
    if error is not None:
        outcome = replace(outcome, status=Status.WRONG, reason=error)
    yield Finished(
        outcome,
        verified=answer.verified,
        placements=_placements(task),
        completion=answer.completion_name,
        probe=ready.probe,
        warm_up_s=warming.wall_s,
        prepare_s=preparing.wall_s,
        solve_s=solving.wall_s,
        solve_cpu_s=solving.cpu_s,
        check_s=verifying.wall_s,
        peak_bytes=peak_bytes(),
        baseline_bytes=ready.baseline_bytes,
    )


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A search that can begin; its deadline is a `time.monotonic` time."""

    task: Task
    search: Search
    probe: Probe | None
    deadline: float | None
    baseline_bytes: int | None


def _prepared(
    job: Job,
    backend: Backend,
    config: Config,
    warming: Stopwatch,
    preparing: Stopwatch,
    interruption: Interruption,
) -> Generator[Event, None, _Prepared | Finished]:
    """Lower the puzzle and build the backend's tables.

    Returns the result at once where the puzzle is refused, or known to have no solution.
    """
    baseline = resident_bytes()
    yield Started(warming.wall_s, baseline)
    if probes(job.request):  # its searches are not to pay for compiling
        with warming:
            filtered = lower(job.puzzle, confining(job.request, None))
        result = _without_search(filtered, backend, warming, preparing)
        if result is not None:
            return result
        with warming:
            if backend.refuses(filtered, config) is None:
                backend.warm_up_for(filtered, config)
        baseline = resident_bytes()
        yield Started(warming.wall_s, baseline)
    deadline = None if job.limits.time_s is None else time.monotonic() + job.limits.time_s
    with preparing:
        request, probe = resolved(job, backend, config, deadline, interruption)
        task = lower(job.puzzle, request)
    result = _without_search(task, backend, warming, preparing)
    if result is not None:
        return result
    with preparing:
        reason = backend.refuses(task, config)
    if reason is not None:
        return ended(Status.SKIPPED, reason, prepare_s=preparing.wall_s)
    known_s = warming.wall_s
    with warming:
        backend.warm_up_for(task, config)
    compiling_s = warming.wall_s - known_s
    if compiling_s > WORTH_TELLING_S:
        deadline = None if deadline is None else deadline + compiling_s
        baseline = resident_bytes()
        yield Started(warming.wall_s, baseline)
    with preparing:
        search = backend.prepare(task, config)
    if job.limits.nodes is not None and search.counters.nodes is None:
        reason = f"{backend.name} counts no nodes and cannot stop at a node limit"
        return ended(Status.SKIPPED, reason, prepare_s=preparing.wall_s)
    return _Prepared(task, search, probe, deadline, baseline)


def _without_search(
    task: Task, backend: Backend, warming: Stopwatch, preparing: Stopwatch
) -> Finished | None:
    """The result of a packing puzzle that is known to have no solution; None for all others."""
    every = task.all_options
    with preparing:
        reason = why_impossible(every.placements) if isinstance(every, PackingOptions) else None
    if reason is None:
        return None
    nodes = 0 if backend.control == "slices" else None  # solvers that cannot be sliced count none
    return Finished(
        Outcome(Status.EXHAUSTED, 0, Counters(nodes), reason),
        placements=_placements(task),
        warm_up_s=warming.wall_s,
        prepare_s=preparing.wall_s,
    )


def _placements(task: Task) -> dict[str, int]:
    """How many options there were, and how many each reduction left."""
    left = {} if task.reduced is None else task.reduced.left
    return {"before": task.all_options.option_count, **left}


class _Answer:
    """What a search finds, as it was asked for: checked, completed, up to the limit.

    A limit on solutions counts those that were asked for, so where these are not simply the
    ones found the search itself goes without it.
    """

    def __init__(self, task: Task, job: Job, solving: Stopwatch, verifying: Stopwatch) -> None:
        self._solving, self._verifying = solving, verifying
        self._most = job.limits.solutions
        with verifying:
            self._checker = SolutionChecker(task, job.seed)
        with solving:
            self._completion = task.completion()
        self._listing = job.request.listing
        plain = isinstance(self._completion, AsFound)
        self.search_limits = job.limits if plain else replace(job.limits, solutions=None)
        self.count = 0
        self.found = 0

    @property
    def complete(self) -> bool:
        """Whether there are as many as were asked for."""
        return self._most is not None and self.count >= self._most

    @property
    def error(self) -> str | None:
        return self._checker.error

    @property
    def verified(self) -> int:
        return self._checker.verified

    @property
    def completion_name(self) -> str:
        """What was done with solutions after they were found."""
        return self._completion.name

    def add(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Take the solutions that the search has just found; returns those to be listed.

        What was found is checked, and where it stands for more, that as well if it is listed.
        """
        self.found += len(found)
        if not self._listing:
            with self._verifying:
                self._checker.check(found)
            with self._solving:
                self.count += self._completion.count(found)
            if self._most is not None:
                self.count = min(self.count, self._most)
            return found[:0]
        with self._solving:
            listed = self._completion.listed(found)
        with self._verifying:
            self._checker.check(listed if len(listed) > len(found) else found)
        if self._most is not None:
            listed = listed[: self._most - self.count]
        self.count += len(listed)
        return listed
