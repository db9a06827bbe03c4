"""The default limit on the memory of a run that goes on in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace

from dovetail.harness.execution.run_so_far import RunSoFar
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
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
