"""What a run comes to, and that two runs come to the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dovetail.backends.registry import backend_named
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import finish
from dovetail.models.outcome import Status


@dataclass
class Listed:
    """The result of a run, and the solutions it listed, as sorted options."""

    finished: Result
    solutions: list[tuple[int, ...]]


def collected(events: Iterator[Event]) -> Listed:
    """Run to the end."""
    solutions: list[tuple[int, ...]] = []

    def note(event: Event) -> None:
        if isinstance(event, Found):
            solutions.extend(tuple(sorted(row[row >= 0].tolist())) for row in event.options)

    return Listed(finish(events, note), solutions)


def assert_same(job: Job, serial: Listed, parallel: Listed) -> None:
    """The results of one search and of many are the same, nodes by level if all was searched."""
    one, many = serial.finished, parallel.finished
    assert (many.status, many.count) == (one.status, one.count), many.reason
    assert parallel.solutions == serial.solutions
    assert many.symmetry_expansion is not None
    if one.status != Status.EXHAUSTED or backend_named(job.backend).learns:
        return
    mine, others = one.counters, many.counters
    assert others.nodes == mine.nodes
    assert others.attempts == mine.attempts
    for name in ("fits_by_remaining", "attempts_by_remaining"):
        assert +Counter(getattr(others, name) or {}) == +Counter(getattr(mine, name) or {})
