"""Suites of improvements: what is planned, run, recorded and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.harness.records.record_files import RecordStore, read_records
from dovetail.harness.records.summary import seed_runs
from dovetail.harness.suite.bench import plan_results, run_plan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.outcome import Status
from harness.known import known
from harness.suite.bench_here import assert_mistake, written

SUITE = """name = "boards"
[[run]]
puzzles = ["edges-4-b3i3-1", "edges-8-b6i6-1"]
improvers = ["portfolio", "breaks"]
seeds = [3, 4]
limits = { time_s = 20, nodes = 30_000 }
best_known = { edges-8-b6i6-1 = 112 }
config.breaks = { restart_nodes = [1000, 2000] }
tags = ["small"]
"""


def test_what_is_planned(tmp_path: Path) -> None:
    """Board by board, improver by improver, config by config, each with every seed."""
    plan = read_suite(written(tmp_path, SUITE))
    jobs = [run.job for run in plan.runs]
    assert len(jobs) == len({job.digest for job in jobs}) == 2 * (1 + 2) * 2
    assert [job.seed for job in jobs[:4]] == [3, 4, 3, 4]
    assert all(job.improves for job in jobs)
    assert [run.best_known for run in plan.runs] == [None] * 6 + [112] * 6
    untimed = SUITE[: SUITE.index("improvers")] + 'improvers = ["beam"]'
    assert read_suite(written(tmp_path, untimed)).runs[0].job.limits.time_s == 60.0


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"portfolio"', '"portfolo"', 4, "unknown improver 'portfolo'; did you mean"),
        ("restart_nodes", "restarts", 8, "improver breaks has no config key 'restarts'"),
        ("config.breaks", "config.beam", 8, "unknown improver in this run 'beam'"),
        ("[1000", "[-1", 8, "restart_nodes"),
        ("seeds = [3, 4]", "seeds = []", 5, "a list of 1 or more"),
        ("edges-8-b6i6-1 = 112", "edges-9 = 112", 7, "unknown puzzle in this run 'edges-9'"),
        ("= 112", "= 113", 7, "113 is too large: the score of a solution of edges-8-b6i6-1 is 112"),
        ("seeds", "labelled = true\nseeds", 5, "labelled is for runs that count"),
        ("seeds", 'backends = ["rows"]\nseeds', 5, "backends is for runs that count"),
        ("nodes =", "solutions =", 6, "no limit on solutions"),
        ('"edges-4-b3i3-1"', '"queens-6"', 3, "only boards are improved"),
        ("improvers", "backends", 5, "seeds is for runs with improvers"),
        ('improvers = ["portfolio", "breaks"]\n', "", 2, "no backends given"),
    ],
)
def test_mistakes(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """Are placed, with what was expected."""
    assert old in SUITE
    path = written(tmp_path, SUITE.replace(old, new))
    assert_mistake(path, line, message)


def test_files_that_are_not_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are left out by a suite that says where they come from; others are an error."""
    text = SUITE.replace('"edges-8-b6i6-1"]', '"absent-{1..2}.txt"]')
    with pytest.raises(FormatError, match=r"absent-1\.txt"):
        read_suite(written(tmp_path, text))
    path = written(tmp_path, 'files = "from afar"\n' + text)
    plan = read_suite(path)
    assert (plan.missing_files, plan.files) == (("absent-1.txt", "absent-2.txt"), "from afar")
    assert known(plan.left_out).startswith("left out: absent-1.txt and 1 more, neither beside")
    assert {run.job.puzzle.name for run in plan.runs} == {"edges-4-b3i3-1"}
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("absent-2.txt").write_text("1 2\n1 0 0 0\n1 0 0 0\n")
    plan = read_suite(path)
    assert plan.missing_files == ("absent-1.txt",)
    assert {run.job.puzzle.name for run in plan.runs} == {"edges-4-b3i3-1", "absent-2"}


def test_records(tmp_path: Path) -> None:
    """Scores, traces and boards are in the records, which a bench resumes from."""
    text = SUITE.replace('"portfolio", "breaks"', '"breaks"').replace("[1000, 2000]", "1000")
    plan = read_suite(written(tmp_path, text))
    path = tmp_path / "runs.jsonl"
    with RecordStore(path) as store:
        made = list(run_plan(plan, store=store))
    records = read_records(path).records
    assert records == tuple(made)
    for record in records:
        assert record.result.status in (Status.SOLVED, Status.NODE_LIMIT)
        assert record.job.improves
        assert record.result.trace
        assert record.result.score == record.result.trace[-1].score
        assert record.example is not None
        assert (
            (record.result.score == record.result.bound)
            == (record.result.count == 1)
            == bool(record.result.verified)
        )
        assert (
            json.loads(json.dumps(record.json_fields()))["trace"][0]["score"] <= record.result.score
        )
    with RecordStore(path) as store:
        assert list(run_plan(plan, store=store)) == []
    small, large = seed_runs(plan_results(plan, records))
    assert (small.solver, small.solved, small.bound) == ("breaks restart_nodes=1000", 2, 24)
    assert (large.best_known, large.bound, len(large.runs)) == (112, 112, 2)
    assert large.scores(0.0) is not None
    scores = known(large.scores())
    assert scores.low <= scores.middle <= scores.high < 112
