"""Runs a job where it belongs: here if its search can be sliced, else in a child process."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.auto.named import named_backend
from dovetail.harness.events import Event, Finished, Found
from dovetail.harness.execution import execute
from dovetail.harness.interruption import Interruption
from dovetail.harness.isolation import execute_isolated
from dovetail.harness.job import Job
from dovetail.models.solution import Solution
from dovetail.models.task import Task


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


def found_solutions(event: Found, task: Task) -> Iterator[Solution]:
    """The solutions in an event, in the puzzle's own terms."""
    for options in event.options:
        yield task.solution(options[options >= 0].tolist())
