"""Runs of jobs: in this process, in a watched child process, or on workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.planning.named import named_backend
from dovetail.harness.planning.planner import plan_job, start_run
from dovetail.harness.run.clock import Interruption, RunClock
from dovetail.harness.run.events import Event, Found, RunSoFar
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.workers.options import ParallelOptions
from dovetail.models.outcome import Status
from dovetail.models.solution import Solution
from dovetail.platform.resources import peak_bytes, resident_bytes

if TYPE_CHECKING:
    from dovetail.harness.workers.parallel_run import RunsOnWorkers

OnEvent = Callable[[Event], None]


class Runs(ExitStack):
    """The runs of a command, by the numbers of their jobs.

    With `reuse`, a process may run several jobs in turn. `side_by_side` is the number of concurrent
    runs; if it is given, each run without workers has a separate process. `close` ends the workers
    if there are any, and finishes writing the checkpoint. Raises the errors of `RunsOnWorkers`.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        options: ParallelOptions | None = None,
        *,
        reuse: bool = False,
        side_by_side: int | None = None,
    ) -> None:
        super().__init__()
        self.jobs, self._reuse, self._side_by_side = jobs, reuse, side_by_side
        self._threads = 1 if options is None or options.cluster else options.workers
        self._on_workers: RunsOnWorkers | None = None
        if options is not None and not options.is_serial:
            from dovetail.harness.workers.parallel_run import RunsOnWorkers

            self._on_workers = RunsOnWorkers(jobs, options)
            self.callback(self._on_workers.close)

    def keep_for(self, jobs: Iterable[Job]) -> None:
        """End the workers that none of the remaining `jobs` can use."""
        if self._on_workers is not None:
            self._on_workers.keep_for(jobs)

    def run(self, number: int, interruption: Interruption | None = None) -> Iterator[Event]:
        """Yield the events of the run of a job by its number; the last event is `Result`."""
        job, events = self.jobs[number], self._events(number, interruption)
        if not job.disassembles:
            return events
        from dovetail.harness.disassembling import TakenApart, take_run_apart

        every = take_run_apart(job, events, interruption, jobs=self._threads)
        return (event for event in every if not isinstance(event, TakenApart))

    def _events(self, number: int, interruption: Interruption | None) -> Iterator[Event]:
        if self._on_workers is not None:
            return self._on_workers.run(number, interruption)
        if self._side_by_side is not None:
            from dovetail.harness.workers.watched_run import run_watched

            return run_watched(self.jobs[number], interruption, side_by_side=self._side_by_side)
        return run(self.jobs[number], interruption, reuse=self._reuse)


def run(
    job: Job, interruption: Interruption | None = None, *, reuse: bool = False
) -> Iterator[Event]:
    """Run `job` in this process, or in a child process if it must be killable.

    A job runs in this process if its backend is `auto` or can be sliced, if it has no limit on time
    or memory, and if it has no cold start. A child process is watched and killed at the limits. A
    cold start needs a child process, because this process may have compiled kernels. With `reuse`,
    a child process may run several jobs in turn. The last event is `Result`.
    """
    limited = job.limits.memory_bytes is not None or job.limits.time_s is not None
    backend = named_backend(job.backend)
    sliced = backend is None or backend.control == "slices"
    if sliced and not limited and not job.cold_start:
        return execute(job, interruption)
    from dovetail.harness.workers.watched_run import run_watched

    return run_watched(job, interruption, reuse=reuse)


def improve_board(
    job: Job, options: ParallelOptions, interruption: Interruption | None = None
) -> Generator[Event, None, None]:
    """Run a job of an improver; the last event is `Result`.

    The run takes place in this process, or on islands if the options ask for several workers or a
    checkpoint, or if there is a memory limit.
    """
    if options.is_serial and job.limits.memory_bytes is None:
        yield from execute(job, interruption)
        return
    from dovetail.harness.workers.parallel_run import RunsOnWorkers

    with closing(RunsOnWorkers([job], options)) as runs:
        yield from runs.run(0, interruption)


def finish(events: Iterator[Event], on_event: OnEvent | None = None) -> Result:
    """Consume the events of a run and return its result; `on_event` is called with each event."""
    result = None
    for event in events:
        if on_event is not None:
            on_event(event)
        if isinstance(event, Result):
            result = event
    assert result is not None, "a run ends with Result"
    return result


def accepted(job: Job, result: Result) -> Result:
    """Return the result of a job; raise `BackendError` with the reason if the backend refused it.

    Also raises `BackendError` if an improver reported a wrong board or score.
    """
    if result.status is Status.SKIPPED:
        raise BackendError(f"{job.puzzle.name}: {job.backend} refuses: {result.reason}")
    if job.improves and result.status is Status.WRONG:
        raise BackendError(f"{job.puzzle.name}: {result.reason}")
    return result


def solutions(job: Job, events: Iterator[Event]) -> Iterator[Solution]:
    """Yield the verified solutions in the events of `job`.

    Closing the iterator stops the search. After the last solution, raises `LimitError` if a limit
    on time, nodes or memory ended the search early, and `BackendError` if the backend refused the
    puzzle or failed, if a solution was wrong, or if the run was interrupted.
    """
    for event in events:
        if isinstance(event, Found):
            yield from event.solutions()
        if isinstance(event, Result):
            completed(job, event)


def completed(job: Job, result: Result) -> Result:
    """Return a result that is complete, or reached the limit on solutions.

    Raises the errors of `solutions` for other results.
    """
    accepted(job, result)
    reason = f": {result.reason}" if result.reason else ""
    message = f"{job.puzzle.name}: {job.backend} ended with status {result.status}{reason}"
    if result.status.is_limit:
        raise LimitError(message)
    if result.status not in (Status.EXHAUSTED, Status.SOLUTION_LIMIT):
        raise BackendError(message)
    return result


def execute(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """Run `job` in this process; the last event is `Result`.

    For the backend `auto`, a backend is chosen first. Raises `ConfigError` for an unknown backend
    or improver, for an invalid config, and for a request that only traces or trials support, and
    `PuzzleError` for a puzzle that cannot be lowered as requested.
    """
    if job.request.trace is not None:
        raise ConfigError("a trace is recorded by harness.tracing; expected no trace in a request")
    if job.request.stop_at_remaining is not None:
        raise ConfigError("stop_at_remaining is for trials; expected a job with Trials")
    interruption = interruption or Interruption()
    if job.improves:
        from dovetail.harness.improving import improve  # imports the improvers

        yield from improve(job, interruption)
    elif job.limits.memory_bytes is None:
        yield from within_default_memory(job, partial(_execute, interruption=interruption))
    else:
        yield from _execute(job, interruption)


def _execute(job: Job, interruption: Interruption) -> Generator[Event, None, None]:
    """Plan a job and run its session; plan again if a backend chosen by `auto` gives up."""
    clock = RunClock(job.limits.time_s, interruption)
    lowered = yield from start_run(job, clock)
    if isinstance(lowered, Result):
        yield lowered
        return
    given_up: dict[str, str] = {}
    while True:
        session = yield from plan_job(lowered, job, clock, given_up)
        if isinstance(session, Result):
            yield session
            return
        with session:
            result = yield from session.run()
        reason = session.given_up(result)
        if reason is None:
            yield result
            return
        given_up[session.plan.backend] = reason
        clock.count_as_planning()


def within_default_memory(
    job: Job, run_limited: Callable[[Job], Generator[Event, None, None]]
) -> Iterator[Event]:
    """Run a job that has no memory limit within the default limit, by calling `run_limited`.

    The search gets the default limit as a budget, and the size of this process is checked after
    each event. The limit is not set in the operating system, where it would apply to all threads of
    a program that uses dovetail as a library.
    """
    memory, so_far = MemoryLimit(None), RunSoFar()
    max_bytes = memory.in_this_process
    limited = replace(job, limits=replace(job.limits, memory_bytes=max_bytes))
    with closing(run_limited(limited)) as events:
        try:
            for event in events:
                so_far.add(event)
                if isinstance(event, Result) and event.status == Status.MEMORY_LIMIT:
                    yield replace(event, reason=memory.explained(event.reason))
                else:
                    yield event
                    if not isinstance(event, Result) and (resident_bytes() or 0) > max_bytes:
                        raise MemoryError
        except MemoryError:
            yield so_far.finished(Status.MEMORY_LIMIT, memory.explained(), peak_bytes())
