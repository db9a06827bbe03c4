"""How far a bench has come, by a clock that is set by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.progress import BenchProgress
from dovetail.harness.records.record import Record
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from harness.records.made import changed, made

SUITE = """\
name = "small"
repeats = 2
limits = { time_s = 20 }
[[run]]
puzzles = ["queens-6"]
backends = ["dlx", "constraint"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """Two jobs, twice each."""
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    return read_suite(path)


def jobs(plan: SuitePlan) -> list[PlannedRun]:
    """The jobs of a plan."""
    return list(plan.jobs.values())


def record(planned: PlannedRun, repeat: int, **changes: Any) -> Record:
    """A record with what is looked at: a total of two seconds."""
    base = {"count": 4, "prepare_s": 1.0, "solve_s": 1.0, "warm_up_s": 1.0, "check_s": 0.0}
    job = {"job": planned.job.digest, "repeat": repeat}
    return made("queens-6", planned.job.backend, **{**job, **base, **changes})


def figures(progress: BenchProgress) -> list[Any]:
    """How many runs are done, planned, failed, under way, and what is left."""
    fields = progress.fields()
    counts = [fields[key] for key in ("done", "planned", "failed")]
    return [*counts, [run["backend"] for run in fields["running"]], fields["left_s"]]


def test_a_bench_from_beginning_to_end(plan: SuitePlan) -> None:
    """Runs that nobody knows take up to their limit, others as long as the last time."""
    now = 0.0
    progress = BenchProgress(plan, clock=lambda: now)
    dlx, constraint = jobs(plan)
    assert figures(progress) == [0, 4, 0, [], (0.0, 80.0)]
    progress.begin(dlx, 0)
    now = 1.0
    assert figures(progress) == [0, 4, 0, ["dlx"], (0.0, 79.0)]
    progress.ended(record(dlx, 0))
    assert figures(progress) == [1, 4, 0, [], (9.0, 43.0)]  # no run took less than 3 s
    progress.begin(constraint, 0)
    now = 6.0
    assert figures(progress) == [1, 4, 0, ["constraint"], (6.0, 38.0)]
    progress.ended(record(constraint, 0, solve_s=6.0, check_s=0.5))
    assert figures(progress) == [2, 4, 0, [], (11.5, 11.5)]
    last = progress.fields()["last"]
    assert (last["backend"], last["repeat"], last["total_s"]) == ("constraint", 0, 7.0)
    progress.ended(record(dlx, 1))
    assert (progress.fields()["phase"], progress.is_over) == ("running", False)
    progress.ended(record(constraint, 1))
    assert figures(progress) == [4, 4, 0, [], None]
    assert (progress.fields()["phase"], progress.is_over) == ("ended", True)


def test_a_bench_that_is_stopped(plan: SuitePlan) -> None:
    """Has ended too, with runs that were not made and no time that is left."""
    progress = BenchProgress(plan)
    dlx, constraint = jobs(plan)
    progress.ended(record(dlx, 0))
    progress.ended(record(constraint, 0, status="interrupted"))
    progress.end()
    assert figures(progress) == [1, 4, 0, [], None]
    assert progress.fields()["phase"] == "ended"


def test_a_job_that_failed_is_not_repeated(plan: SuitePlan) -> None:
    """It is counted, and there are fewer runs."""
    progress = BenchProgress(plan)
    progress.ended(record(jobs(plan)[0], 0, status="failed", count=None))
    assert figures(progress)[:3] == [1, 3, 1]


def test_records_that_were_there(plan: SuitePlan) -> None:
    """They are done; failures are to be done again, and what is of another plan is passed over."""
    dlx, constraint = jobs(plan)
    known = [
        record(dlx, 0),
        record(dlx, 0, solve_s=3.0),
        record(dlx, 7),
        record(constraint, 0, status="failed", count=None),
        changed(record(dlx, 0), job="another"),
    ]
    progress = BenchProgress(plan, known)
    assert figures(progress)[:4] == [1, 4, 0, []]


def test_without_a_limit_nobody_knows(tmp_path: Path) -> None:
    """What is left of a run that has never been."""
    path = tmp_path / "suite.toml"
    path.write_text(SUITE.replace("limits = { time_s = 20 }", ""))
    plan = read_suite(path)
    progress = BenchProgress(plan)
    assert progress.fields()["left_s"] is None
    for planned in jobs(plan):
        progress.ended(record(planned, 0))
    assert progress.fields()["left_s"] == (6.0, 6.0)


def test_side_by_side(plan: SuitePlan) -> None:
    """Takes half as long."""
    assert BenchProgress(plan, parallel=2).fields()["left_s"] == (0.0, 40.0)
