"""Benches with cold starts, and files that hold runs with and without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dovetail.api import bench
from dovetail.harness.records.record_files import read_records
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Job
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.runs import execute

SUITE = """\
name = "both"
[[run]]
puzzles = ["queens-5"]
backends = ["dlx"]
[[run]]
puzzles = ["queens-5"]
backends = ["dlx"]
cold = true
"""


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Run jobs here; returns of each, whether it has a cold start."""
    made = []

    def here(job: Job, interruption: Interruption | None, *, side_by_side: int) -> Iterator[Event]:
        made.append(job.cold_start)
        return execute(job, interruption)

    monkeypatch.setattr("dovetail.harness.workers.watched_run.run_watched", here)
    return made


def recorded(runs: Path) -> list[tuple[bool, int]]:
    """Whether each run had a cold start, and its number among the repeats."""
    return [(one.job.cold_start, one.repeat) for one in read_records(runs).records]


def test_runs_differ_by_their_start(tmp_path: Path, in_this_process: list[bool]) -> None:
    """A file with runs of one sort is no reason to leave out those of the other."""
    runs = tmp_path / "runs.jsonl"
    asked: dict[str, Any] = {"puzzles": ["queens-5"], "backends": ["dlx"], "output": runs}
    (warm,) = bench(**asked)
    (cold,) = bench(**asked, cold=True)
    assert recorded(runs) == [(False, 0), (True, 0)]
    assert in_this_process == [False, True]
    assert (warm.job.cold_start, cold.job.cold_start) == (False, True)
    assert warm.job.digest != cold.job.digest
    assert bench(**asked, cold=True) == [cold]
    assert bench(**asked) == [warm]
    bench(**asked, cold=True, repeats=2, parallel=2)
    assert recorded(runs) == [(False, 0), (True, 0), (True, 1)]


def test_a_section_of_a_suite(tmp_path: Path, in_this_process: list[bool]) -> None:
    """Two jobs, of which `bench --cold` makes one."""
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    plan = read_suite(suite)
    assert [run.job.cold_start for run in plan.runs] == [False, True]
    assert len(plan.jobs) == 2
    assert len(plan.with_cold_starts().jobs) == 1
    assert [result.job.cold_start for result in bench(suite, cold=True)] == [True]
    assert in_this_process == [True]
