"""Runs a job where it belongs: here if its search can be sliced, else in a child process.

`run` gives its events, `finish` the last of them and `solutions` the solutions alone. `accepted`
raises where the backend refused the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dovetail.errors import BackendError, LimitError
from dovetail.harness.planning.named import named_backend
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.execute import execute
from dovetail.models.outcome import Status
from dovetail.models.solution import Solution

OnEvent = Callable[[Event], None]


def run(
    job: Job, interruption: Interruption | None = None, *, reuse: bool = False
) -> Iterator[Event]:
    """Yield the events of `job`; a child with limits on time and memory is watched from outside.

    A job with a cold start runs in a child too: this process may have compiled kernels already.
    With `reuse`, a child may run one job after another, as this process does.
    """
    limited = job.limits.memory_bytes is not None or job.limits.time_s is not None
    backend = named_backend(job.backend)
    sliced = backend is None or backend.control == "slices"
    here = sliced and not limited and not job.cold_start
    if here:
        return execute(job, interruption)
    from dovetail.harness.workers.isolation import execute_isolated
    from dovetail.harness.workers.waiting_child import WAITING_CHILD

    return execute_isolated(job, interruption, waiting=WAITING_CHILD if reuse else None)


def finish(events: Iterator[Event], on_event: OnEvent | None = None) -> Result:
    """Return the last event of a run; `on_event` is called with each."""
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

    Also where the improver of a board reported another one than it had.
    """
    if result.status is Status.SKIPPED:
        raise BackendError(f"{job.puzzle.name}: {job.backend} refuses: {result.reason}")
    if job.improves and result.status is Status.WRONG:
        raise BackendError(f"{job.puzzle.name}: {result.reason}")
    return replace(result, job=job)


def solutions(job: Job, events: Iterator[Event]) -> Iterator[Solution]:
    """Yield the solutions in the events of `job`, each verified.

    Closing the iterator stops the search. After the last solution raises `LimitError` when a limit
    on time, nodes or memory ended the search before all were found, and `BackendError` when the
    backend refused the puzzle or failed, a solution was wrong or the run was interrupted.
    """
    for event in events:
        if isinstance(event, Found):
            yield from event.solutions()
        if isinstance(event, Result):
            result = accepted(job, event)
    message = f"{job.backend}, {result.status}: {result.reason or ''}"
    if result.status.is_limit:
        raise LimitError(message)
    if result.status not in (Status.EXHAUSTED, Status.SOLUTION_LIMIT):
        raise BackendError(message)
