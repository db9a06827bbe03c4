"""Benches without child processes, for tests that are about something else than processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute


def bench_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the jobs of a bench in this process, until `monkeypatch` is undone."""

    def here(job: Job, interruption: Interruption | None, *, side_by_side: int) -> Iterator[Event]:
        return execute(job, interruption)

    monkeypatch.setattr("dovetail.harness.workers.watched_run.run_watched", here)
