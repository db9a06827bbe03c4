"""Runs a job where it belongs: here if its search can be sliced, else in a child process."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.execution.execute import execute
from dovetail.harness.execution.isolation import execute_isolated
from dovetail.harness.planning.named import named_backend
from dovetail.harness.run.events import Event, Finished
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job


def run(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """The events of `job`; limits on time and memory are enforced from outside, on a child."""
    limited = job.limits.memory_bytes is not None or job.limits.time_s is not None
    backend = named_backend(job.backend)
    sliced = backend is None or backend.control == "slices"
    here = sliced and not limited
    return execute(job, interruption) if here else execute_isolated(job, interruption)


def finish(events: Iterator[Event]) -> Finished:
    """The last event of a run, the others passed over."""
    finished = None
    for event in events:
        if isinstance(event, Finished):
            finished = event
    assert finished is not None, "a run ends with Finished"
    return finished
