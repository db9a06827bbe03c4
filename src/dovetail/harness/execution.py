"""Runs one job in this process, from the puzzle to the checked result."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from dovetail.backends.base import (
    Backend,
    ByOptionOrder,
    Config,
    CountingSearch,
    Search,
    StagedSearch,
    ThreadedSearch,
    node_meaning,
)
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import ConfigError
from dovetail.harness.answer import Answer
from dovetail.harness.auto.decide import Decided, decide
from dovetail.harness.auto.named import named_backend
from dovetail.harness.compiling import compiled
from dovetail.harness.confining import confined
from dovetail.harness.default_memory import within_default_memory
from dovetail.harness.drive import Stopwatch, drive_slices, drive_thread
from dovetail.harness.events import (
    Compiling,
    Event,
    Finished,
    Found,
    Progress,
    Searched,
    Started,
    ended,
)
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.memory import peak_bytes, resident_bytes
from dovetail.harness.probe import Probe, confining, probes, resolved
from dovetail.harness.searches import Turn, turns
from dovetail.harness.totals import added
from dovetail.models.completion import COUNTED
from dovetail.models.edges import EdgePuzzle
from dovetail.models.impossibility.dispatch import why_unsolvable
from dovetail.models.outcome import Counters, Outcome, Status
from dovetail.models.reductions.pipeline import warm_up
from dovetail.models.task import Task, lower


def execute(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """Run `job`, telling what happens; the last event is `Finished`.

    A job that leaves its backend to `auto` is run as the job that names what was chosen. Raises
    `ConfigError` for an unknown backend or config key, `PuzzleError` for a puzzle that cannot be
    lowered as requested.
    """
    if job.request.trace is not None:
        raise ConfigError("a trace is recorded by harness.trace; expected a request without one")
    if job.request.removal is not None:
        raise ConfigError("a removal ends trials; expected a job with Trials that name it")
    if probes(job.request) and isinstance(job.puzzle, EdgePuzzle):
        raise ConfigError(
            f"probe is for packing puzzles; {job.puzzle.name} is none: expected redundancy"
        )
    interruption = interruption or Interruption()
    if job.limits.memory_bytes is None:
        yield from within_default_memory(job, partial(_execute, interruption=interruption))
    else:
        yield from _execute(job, interruption)


def _execute(job: Job, interruption: Interruption) -> Generator[Event, None, None]:
    """Run a job, choosing its backend where that is left to `auto`."""
    if named_backend(job.backend) is not None:
        yield from _execute_by_backend(job, interruption)
        return
    given_up: dict[str, str] = {}
    while True:
        decided = yield from decide(job, interruption, given_up)
        if isinstance(decided, Finished):
            yield decided
            return
        yield decided.chosen
        yield Compiling(under_way=True)  # what was not needed for choosing
        for event in _execute_by_backend(decided.job, interruption, decided):
            told = decided.told(event)
            if isinstance(told, Finished) and told.status == Status.SKIPPED:
                given_up[decided.job.backend] = told.reason or "it has given up"
                job = _with_less_time(job, told)
                break  # another may not
            yield told
        else:
            return


def _with_less_time(job: Job, ended: Finished) -> Job:
    """The job with what a search that has given up left of its time."""
    if job.limits.time_s is None:
        return job
    left = max(0.0, job.limits.time_s - ended.prepare_s - ended.solve_s)
    return replace(job, limits=replace(job.limits, time_s=left))


def _execute_by_backend(
    job: Job, interruption: Interruption, decided: Decided | None = None
) -> Iterator[Event]:
    """Run a job that names its backend; where it was chosen, going on from what is there."""
    backend = backend_named(job.backend)
    config = build_config(backend.config_type, job.config, f"backend {backend.name}")
    reason = not_installed(backend)
    if reason is not None:
        yield ended(Status.SKIPPED, reason)
        return
    warming, preparing, solving, verifying = (Stopwatch() for _ in range(4))
    with warming, interruption.defer():
        backend.warm_up()
        warm_up(job.request)
    stopwatches = (warming, preparing)
    ready = yield from _prepared(job, backend, config, stopwatches, interruption, decided)
    if isinstance(ready, Finished):
        yield ready
        return

    answer = Answer(ready.task, job, solving, verifying)
    stopwatches_of_course = (solving, preparing, verifying)
    course = _Course(job, backend, answer, ready.deadline, interruption, stopwatches_of_course)
    with interruption.defer():
        yield from course.run(ready.first)
        while course.goes_on:
            yield course.between
            with preparing:
                turn = next(ready.others, None)
            if turn is None:
                break
            yield from course.run(turn)

    status = Status.SOLUTION_LIMIT if answer.complete else course.status
    outcome = Outcome(status or Status.WRONG, course.count, course.counters, course.reason)
    error = answer.error
    lists = status == Status.EXHAUSTED and not course.counts
    if error is None and lists and answer.found != course.counted:
        error = f"it counted {course.counted} solutions but listed {answer.found}"
    if error is not None:
        outcome = replace(outcome, status=Status.WRONG, reason=error)
    yield Finished(
        outcome,
        verified=answer.verified,
        placements=_placements(ready.task),
        completion=COUNTED if course.counts else answer.completion_name,
        probe=ready.probe,
        searched=course.searched,
        warm_up_s=warming.wall_s,
        prepare_s=preparing.wall_s,
        solve_s=solving.wall_s,
        solve_cpu_s=solving.cpu_s,
        check_s=verifying.wall_s,
        peak_bytes=peak_bytes(),
        baseline_bytes=ready.baseline_bytes,
    )


class _Course:
    """The searches of a job, driven to their ends one after another."""

    def __init__(
        self,
        job: Job,
        backend: Backend,
        answer: Answer,
        deadline: float | None,
        interruption: Interruption,
        stopwatches: tuple[Stopwatch, Stopwatch, Stopwatch],
    ) -> None:
        self._job, self._backend, self._answer = job, backend, answer
        self._watch = (deadline, interruption)
        self._solving, self._preparing, self._verifying = stopwatches
        self._begun = self._fruitful = self._found = 0
        self.counters = Counters()
        self.counted: int | None = None
        self.count: int | None = 0
        self.counts = False
        self.status: Status | None = None
        self.reason: str | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the end of a search is not the end of all."""
        if self._answer.complete or self._answer.error is not None:
            return False
        if self.status == Status.NODE_LIMIT:  # the job's, or that of a restart
            most = self._answer.search_limits.nodes
            return most is None or (self.counters.nodes or 0) < most
        return self.status == Status.REMOVAL_LIMIT

    @property
    def searched(self) -> Searched | None:
        """What became of several searches; None where there was to be one."""
        if self._job.searches_once:
            return None
        return Searched(self._begun, self._fruitful, self._found)

    def run(self, turn: Turn) -> Iterator[Event]:
        """Drive a search until it ends or has to; `status` is what ended it."""
        search, answer, before = turn.search, self._answer, self.counters
        self._begun += 1
        answer.begin_search()
        for status in self._driven(turn):
            yield from self._taken(turn)
            counters = search.counters
            self.counters = counters if self._begun == 1 else added(before, counters)
            self.status = status
            if answer.error is not None:
                break
            if answer.cut_short:
                self.status = self._cut()
            if answer.complete or self.status is not None:
                break
            yield self._within(search)
        if isinstance(search, StagedSearch):
            self.reason = search.reason
        self._found += answer.found
        self._fruitful += answer.found > 0

    @property
    def between(self) -> Progress:
        """Where the run stands when a search has ended and another is to begin."""
        share = self._share_of_trials(self._begun)
        return self._progress(share, prepared=True)

    def _within(self, search: Search) -> Progress:
        """Where the run stands while a search is under way."""
        once = self._job.searches_once
        share = search.progress() if once else self._share_of_trials(self._begun - 1)
        prepared = not isinstance(search, StagedSearch) or search.prepared
        return self._progress(share, prepared=prepared)

    def _progress(self, share: float | None, *, prepared: bool) -> Progress:
        return Progress(
            self.count,
            self.counters.nodes,
            share,
            self.searched,
            prepared,
            prepare_s=self._preparing.wall_s,
            check_s=self._verifying.wall_s,
        )

    def _share_of_trials(self, ended: int) -> float | None:
        """The share of trials that have ended; None of restarts, which go on until they find."""
        trials = self._job.trials
        return None if trials is None else ended / trials.count

    def _taken(self, turn: Turn) -> Iterator[Found]:
        """Take what a search has found since it was asked last."""
        search, answer = turn.search, self._answer
        if isinstance(search, CountingSearch) and not self._job.request.listing:
            answer.verify(lambda: turn.restored(search.take()))
            if search.total is not None:
                answer.settle(search.total)
            self.count = None if search.total is None else answer.count
            self.counts = True
            return
        for fresh in answer.add(turn.restored(search.take()), self._has_to_stop):
            yield Found(fresh)
        self.count, self.counted = answer.count, search.count

    def _cut(self) -> Status | None:
        """What ends the run from outside, if anything does."""
        deadline, interruption = self._watch
        if interruption.requested:
            return Status.INTERRUPTED
        late = deadline is not None and time.monotonic() >= deadline
        return Status.TIME_LIMIT if late else None

    def _has_to_stop(self) -> bool:
        return self._cut() is not None

    def _driven(self, turn: Turn) -> Iterator[Status | None]:
        limits = self._answer.search_limits
        left = None if limits.nodes is None else limits.nodes - (self.counters.nodes or 0)
        nodes = min((most for most in (left, turn.nodes) if most is not None), default=None)
        limits = replace(limits, nodes=nodes)
        if self._backend.control == "slices":
            return drive_slices(turn.search, limits, *self._watch, self._solving, self._preparing)
        return drive_thread(cast(ThreadedSearch, turn.search), limits, *self._watch, self._solving)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """Searches that can begin, the first of them prepared; `deadline` is of `time.monotonic`."""

    task: Task
    first: Turn
    others: Iterator[Turn]
    probe: Probe | None
    deadline: float | None
    baseline_bytes: int | None


def _prepared(
    job: Job,
    backend: Backend,
    config: Config,
    stopwatches: tuple[Stopwatch, Stopwatch],
    interruption: Interruption,
    decided: Decided | None,
) -> Generator[Event, None, _Prepared | Finished]:
    """Lower the puzzle and build the backend's tables, save what choosing the backend has left.

    Returns the result at once where the puzzle is refused, or known to have no solution.
    """
    warming, preparing = stopwatches
    baseline = resident_bytes() if decided is None else decided.baseline_bytes
    yield Started(warming.wall_s, baseline)
    shown = None
    if decided is None:
        with preparing:
            job, shown = confined(job, backend, config)
    if probes(job.request):  # its searches are not to pay for compiling
        with warming:
            filtered = lower(job.puzzle, confining(job.request, None), shown)
        result = _without_search(filtered, backend, warming, preparing)
        if result is not None:
            return result
        with warming, interruption.defer():
            if backend.refuses(filtered, config) is None:
                yield Compiling(under_way=True)
                backend.warm_up_for(filtered, config)
        baseline = resident_bytes()
        yield Started(warming.wall_s, baseline)
    deadline = None if job.limits.time_s is None else time.monotonic() + job.limits.time_s
    with preparing:
        request, probe = resolved(job, backend, config, deadline, interruption)
        if job.trials is not None:
            request = replace(request, removal=job.trials.remaining)
        known = None if decided is None else decided.task
        task = known or lower(job.puzzle, request, shown)
    result = _without_search(task, backend, warming, preparing)
    if result is not None:
        return result
    with preparing:
        reason = backend.refuses(task, config) or _no_random_order(job, task, backend)
    if reason is not None:
        return ended(Status.SKIPPED, reason, prepare_s=preparing.wall_s)
    known_s = warming.wall_s
    baseline = (yield from compiled(backend, task, config, warming, interruption)) or baseline
    deadline = None if deadline is None else deadline + warming.wall_s - known_s
    with preparing:
        searches = turns(job, task, backend, config)
        if decided is not None and decided.search is not None:
            searches = iter([Turn(decided.search, task.restored)])
        first = next(searches)
    if job.limits.nodes is not None and first.search.counters.nodes is None:
        reason = f"{backend.name} counts no nodes and cannot stop at a node limit"
        return ended(Status.SKIPPED, reason, prepare_s=preparing.wall_s)
    return _Prepared(task, first, searches, probe, deadline, baseline)


def _no_random_order(job: Job, task: Task, backend: Backend) -> str | None:
    """Why the options cannot be taken in a random order, None if they can or need not."""
    if job.order_seed is None:
        return None
    if task.placements is None:
        return f"random orders are for packing puzzles; {job.puzzle.name} has no placements"
    if not isinstance(backend, ByOptionOrder):
        valid = ", ".join(
            name for name, one in backends().items() if isinstance(one, ByOptionOrder)
        )
        return f"it goes by an order of its own, not by that of the options; valid: {valid}"
    return None


def _without_search(
    task: Task, backend: Backend, warming: Stopwatch, preparing: Stopwatch
) -> Finished | None:
    """The result of a puzzle that is known to have no solution; None for all others."""
    with preparing:
        reason = why_unsolvable(task)
    if reason is None:
        return None
    nodes = None if node_meaning(backend) is None else 0
    return Finished(
        Outcome(Status.EXHAUSTED, 0, Counters(nodes), reason),
        placements=_placements(task),
        warm_up_s=warming.wall_s,
        prepare_s=preparing.wall_s,
    )


def _placements(task: Task) -> dict[str, int]:
    """How many options there were, and how many each reduction left."""
    left = {} if task.reduced is None else task.reduced.left
    return {"before": task.options_before, **left}
