"""Suites in files, their mistakes, and benches without child processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.runs import execute


def bench_here(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Run the jobs of a bench in this process; return a list that they will be added to."""
    jobs: list[Job] = []

    def here(job: Job, interruption: Interruption | None, *, side_by_side: int) -> Iterator[Event]:
        jobs.append(job)
        return execute(job, interruption)

    monkeypatch.setattr("dovetail.harness.workers.watched_run.run_watched", here)
    return jobs


def written(folder: Path, text: str) -> Path:
    """A suite file."""
    path = folder / "suite.toml"
    path.write_text(text)
    return path


def assert_mistake(path: Path, line: int, message: str) -> None:
    """One line names the file, its line, what is wrong and what was expected."""
    with pytest.raises(FormatError) as caught:
        read_suite(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert "\n" not in str(caught.value)
