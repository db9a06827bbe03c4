"""Run one job in this process, within the default limit on memory."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial

from dovetail.errors import ConfigError
from dovetail.harness.planning.planner import plan_job, start_run
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.events import Event
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.workers.run_so_far import RunSoFar
from dovetail.models.outcome import Status
from dovetail.platform.resources import peak_bytes, resident_bytes


def within_default_memory(
    job: Job, execute: Callable[[Job], Generator[Event, None, None]]
) -> Iterator[Event]:
    """Run `job`, which has no limit on memory, by `execute` within the default one.

    The limit is a budget of the search, and is compared with the size of this process after each
    event. It is no limit of the operating system, which would hold for the host's threads too.
    """
    memory, run = MemoryLimit(None), RunSoFar()
    max_bytes = memory.in_this_process
    limited = replace(job, limits=replace(job.limits, memory_bytes=max_bytes))
    with closing(execute(limited)) as events:
        while True:
            event: Event | None
            try:
                event = next(events, None)
            except MemoryError:
                event = run.finished(Status.MEMORY_LIMIT, peak_bytes=peak_bytes())
            if event is None:
                return
            run.add(event)
            if not isinstance(event, Result) and (resident_bytes() or 0) > max_bytes:
                yield event
                event = run.finished(Status.MEMORY_LIMIT, peak_bytes=peak_bytes())
            if isinstance(event, Result):
                yield _explained(event, memory)
                return
            yield event


def _explained(finished: Result, memory: MemoryLimit) -> Result:
    """Return the result, with the memory limit in the reason if it ended the run."""
    if finished.status != Status.MEMORY_LIMIT:
        return finished
    reason = memory.explained(finished.reason)
    return replace(finished, reason=reason)


def execute(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """Run `job` and yield what happens; the last event is `Result`.

    A job that leaves its backend to `auto` is run as the plan that names what was chosen. Raises
    `ConfigError` for an unknown backend, improver or config key, `PuzzleError` for a puzzle that
    cannot be lowered as requested.
    """
    if job.request.trace is not None:
        raise ConfigError("a trace is recorded by harness.tracing; expected a request without one")
    if job.request.stop_at_remaining is not None:
        raise ConfigError("stop_at_remaining is for trials; expected a job with Trials")
    interruption = interruption or Interruption()
    if job.improves:
        from dovetail.harness.improving import improve  # and the improvers, for these jobs alone

        yield from improve(job, interruption)
    elif job.limits.memory_bytes is None:
        yield from within_default_memory(job, partial(_execute, interruption=interruption))
    else:
        yield from _execute(job, interruption)


def _execute(job: Job, interruption: Interruption) -> Generator[Event, None, None]:
    """Plan a job and run its session; with `auto`, plan again if the backend gives up."""
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
            for event in session.run():
                reason = session.given_up(event) if isinstance(event, Result) else None
                if reason is None:
                    yield event
                else:
                    given_up[session.plan.backend] = reason
        if session.plan.backend not in given_up:
            return
        clock.count_as_planning()
