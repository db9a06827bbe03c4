"""Benches: resumed, repeated in turn, side by side, interrupted, of improvements, cold."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dovetail.api import bench
from dovetail.errors import ConfigError, FormatError
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.record_files import RecordStore, read_records
from dovetail.harness.records.summary import seed_runs
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.suite.bench import BenchSchedule, plan_results, run_once, run_plan
from dovetail.harness.suite.plan import plan_of
from dovetail.harness.suite.suite_file import read_suite
from dovetail.harness.workers.options import ParallelOptions
from dovetail.models.outcome import Status
from dovetail.reports.columns import summary_table
from harness.known import known
from harness.records.made import changed
from harness.suite.bench_here import assert_mistake, bench_here, written

SUITE = """\
name = "small"
repeats = 2
limits = { time_s = 20 }

[[run]]
puzzles = ["queens-6", "langford-4"]
backends = ["constraint", "dlx"]
expected = { queens-6 = 1 }
"""


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Run jobs here, where a test is about the order of runs and their records alone."""
    return bench_here(monkeypatch)


def names(records: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """What was run, in the order of the records."""
    return [(record["puzzle"], record["backend"], record["repeat"]) for record in records]


def test_turns_are_taken_wherever_a_question_is_asked(tmp_path: Path) -> None:
    """In two sections, and with other reductions: it is the same question."""
    text = """\
name = "apart"
repeats = 2
[[run]]
puzzles = ["soma-cube", "queens-6"]
backends = ["dlx"]
[[run]]
puzzles = ["soma-cube"]
backends = ["dlx", "constraint"]
reduce = ["redundancy"]
"""
    schedule = BenchSchedule(read_suite(written(tmp_path, text)), [])
    taken = []
    while (item := schedule.take()) is not None:
        schedule.ended(item[0], Status.EXHAUSTED)
        taken.append((item[0].job.puzzle.name, item[1]))
    assert taken == [
        *[("soma-cube", repeat) for repeat in (0, 0, 0, 1, 1, 1)],
        *[("queens-6", repeat) for repeat in (0, 1)],
    ]


@pytest.mark.usefixtures("in_this_process")
def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    """Neither after an end nor in the middle; the file ends up the same."""
    suite, runs = written(tmp_path, SUITE), tmp_path / "runs.jsonl"
    first = bench(suite, output=runs)
    lines = runs.read_bytes().splitlines(keepends=True)
    assert bench(suite, output=runs) == first
    assert runs.read_bytes() == b"".join(lines)
    runs.write_bytes(b"".join(lines[:3]) + lines[3][:50])
    bench(suite, output=runs)
    again = runs.read_bytes().splitlines(keepends=True)
    assert again[:3] == lines[:3]
    assert names([json.loads(line) for line in again]) == names(
        [json.loads(line) for line in lines]
    )


@pytest.mark.usefixtures("in_this_process")
def test_a_failed_run_is_done_again(tmp_path: Path) -> None:
    """Its record stays, the new one counts."""
    suite, runs = written(tmp_path, SUITE), tmp_path / "runs.jsonl"
    plan = read_suite(suite)
    record = next(run_plan(plan))
    with RecordStore(runs) as store:
        store.add(changed(record, status=Status.FAILED, count=None, reason="killed"))
    results = bench(suite, output=runs)
    assert [result.result.status for result in results] == ["exhausted"] * 4
    assert len(runs.read_text().splitlines()) == 9


def test_a_run_without_its_cluster_is_done_again(tmp_path: Path) -> None:
    """No solver has refused anything, and there are no results that could be lost."""
    path, runs = written(tmp_path, SUITE), tmp_path / "runs.jsonl"
    plan = read_suite(path).only(["queens-6"])
    pytest.importorskip("distributed")
    with RecordStore(runs) as store:
        records = list(run_plan(plan, store=store, workers=ParallelOptions(cluster="nowhere:x")))
        assert {str(record.result.status) for record in records} == {"failed"}
        assert "there is no dask scheduler at nowhere:x" in str(records[0].result.reason)
        assert "lost" not in str(records[0].result.reason)
    assert len(BenchSchedule(plan, read_records(runs).records).waiting) == 4


@pytest.mark.usefixtures("in_this_process")
def test_side_by_side(tmp_path: Path) -> None:
    """The same results in the same order, and the records say how many ran at once."""
    alone = bench(written(tmp_path, SUITE))
    together = bench(written(tmp_path, SUITE), parallel=3)
    for one, other in zip(alone, together, strict=True):
        keys = ("puzzle", "backend", "status", "count", "nodes", "verified")
        assert json_fields(one, *keys) == json_fields(other, *keys)
        assert (known(one.load).parallel, known(other.load).parallel) == (1, 3)


@pytest.mark.parametrize("parallel", [0, "x"])
def test_a_wrong_number_of_parallel_runs(parallel: Any) -> None:
    with pytest.raises(ConfigError, match=r"parallel is .*; expected 1 to 1024"):
        bench("queens-5", "dlx", parallel=parallel)


def test_an_interrupted_run_is_no_record(tmp_path: Path) -> None:
    """It is reported, not kept, and the suite goes on from there another time."""
    text = SUITE.replace('"queens-6", "langford-4"', '"langford-4", "queens-30"')
    plan = read_suite(written(tmp_path, text.replace("expected = { queens-6 = 1 }", "")))
    interruption = Interruption()
    with RecordStore(tmp_path / "runs.jsonl") as store:
        for record in run_plan(plan, store=store, interruption=interruption):
            last = record
            if (record.job.puzzle, record.repeat) == ("langford-4", 1):
                interruption.request()
    assert last.result.status == Status.INTERRUPTED or last.job.puzzle == "langford-4"
    with RecordStore(tmp_path / "runs.jsonl") as store:
        assert {record.result.status for record in store.records} == {Status.EXHAUSTED}
        assert BenchSchedule(plan, store.records).take() is not None


def test_what_did_not_end_is_not_repeated(tmp_path: Path) -> None:
    """A run that met its time limit is one record, of however many repeats."""
    text = SUITE.replace('"queens-6", "langford-4"', '"queens-30"').replace("= 20", "= 0.2")
    plan = read_suite(written(tmp_path, text.replace("expected = { queens-6 = 1 }", "")))
    records = list(run_plan(plan, parallel=2))
    assert Counter(record.result.status for record in records) == {Status.TIME_LIMIT: 2}
    assert BenchSchedule(plan, records).take() is None


def recorded(runs: Path) -> list[tuple[bool, int]]:
    """Whether each run had a cold start, and its number among the repeats."""
    return [(one.job.cold_start, one.repeat) for one in read_records(runs).records]


def test_runs_differ_by_their_start(tmp_path: Path, in_this_process: list[Job]) -> None:
    """A file with runs of one sort is no reason to leave out those of the other."""
    runs = tmp_path / "runs.jsonl"
    asked: dict[str, Any] = {"puzzles": ["queens-5"], "backends": ["dlx"], "output": runs}
    (warm,) = bench(**asked)
    (cold,) = bench(**asked, cold=True)
    assert recorded(runs) == [(False, 0), (True, 0)]
    assert [job.cold_start for job in in_this_process] == [False, True]
    assert (warm.job.cold_start, cold.job.cold_start) == (False, True)
    assert warm.job.digest != cold.job.digest
    assert bench(**asked, cold=True) == [cold]
    assert bench(**asked) == [warm]
    bench(**asked, cold=True, repeats=2, parallel=2)
    assert recorded(runs) == [(False, 0), (True, 0), (True, 1)]


BOARDS = """name = "boards"
[[run]]
puzzles = ["edges-4-b3i3-1", "edges-8-b6i6-1"]
improvers = ["portfolio", "breaks"]
seeds = [3, 4]
limits = { time_s = 20, nodes = 30_000 }
best_known = { edges-8-b6i6-1 = 112 }
config.breaks = { restart_nodes = [1000, 2000] }
tags = ["small"]
"""


def test_what_is_planned_of_improvements(tmp_path: Path) -> None:
    """Board by board, improver by improver, config by config, each with every seed."""
    plan = read_suite(written(tmp_path, BOARDS))
    jobs = [run.job for run in plan.runs]
    assert len(jobs) == len({job.digest for job in jobs}) == 2 * (1 + 2) * 2
    assert [job.seed for job in jobs[:4]] == [3, 4, 3, 4]
    assert all(job.improves for job in jobs)
    assert [run.best_known for run in plan.runs] == [None] * 6 + [112] * 6
    untimed = BOARDS[: BOARDS.index("improvers")] + 'improvers = ["beam"]'
    assert read_suite(written(tmp_path, untimed)).runs[0].job.limits.time_s == 60.0


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"portfolio"', '"portfolo"', 4, "unknown improver 'portfolo'; did you mean"),
        ("restart_nodes", "restarts", 8, "improver breaks has no config key 'restarts'"),
        ("edges-8-b6i6-1 = 112", "edges-9 = 112", 7, "unknown puzzle in this run 'edges-9'"),
        ("= 112", "= 113", 7, "113 is too large: the score of a solution of edges-8-b6i6-1 is 112"),
        ("seeds", "labelled = true\nseeds", 5, "labelled is for runs that count"),
        ("nodes =", "solutions =", 6, "no limit on solutions"),
        ('"edges-4-b3i3-1"', '"queens-6"', 3, "only boards are improved"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """Are placed, with what was expected."""
    assert old in BOARDS
    path = written(tmp_path, BOARDS.replace(old, new))
    assert_mistake(path, line, message)


@pytest.mark.parametrize(
    ("key", "run", "figures"),
    [
        ("expected", 'puzzles = ["queens-6"]\nbackends = ["dlx"]', ("{ queens-6 = 1 }", 1, 4)),
        (
            "best_known",
            'puzzles = ["edges-8-b6i6-1"]\nimprovers = ["beam"]',
            ("{ edges-8-b6i6-1 = 100 }", 100, 99),
        ),
    ],
)
def test_runs_of_a_job_state_equal_figures_and_share_their_tags(
    tmp_path: Path, key: str, run: str, figures: tuple[str, int, int]
) -> None:
    stated, figure, other = figures
    sections = [f'[[run]]\n{run}\ntags = ["{tag}"]\n{key} = {stated}\n' for tag in ("a", "b")]
    plan = read_suite(written(tmp_path, 'name = "s"\n' + "".join(sections)))
    (planned,) = plan.jobs.values()
    assert (planned.tags, getattr(planned, key)) == (("a", "b"), figure)
    sections[1] = sections[1].replace(f"= {figure} ", f"= {other} ")
    message = f"{other} for .*, but {figure} in another run of the same job"
    with pytest.raises(FormatError, match=message):
        read_suite(written(tmp_path, 'name = "s"\n' + "".join(sections)))


def test_files_that_are_not_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are left out by a suite that says where they come from; others are an error."""
    text = BOARDS.replace('"edges-8-b6i6-1"]', '"absent-{1..2}.txt"]')
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
    named = 'name = "s"\nfiles = "afar"\n[[run]]\nname = "row"\nbackends = ["dlx"]\n'
    assert not read_suite(written(tmp_path, named + 'puzzles = ["absent-1.txt"]\n')).runs
    with pytest.raises(FormatError, match="'row' names 2 runs"):
        read_suite(written(tmp_path, named + 'puzzles = ["absent-1.txt", "queens-6"]\n'))


def test_records_of_improvements(tmp_path: Path) -> None:
    """Scores, traces and boards are in the records, which a bench resumes from."""
    text = BOARDS.replace('"portfolio", "breaks"', '"breaks"').replace("[1000, 2000]", "1000")
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
        solved = record.result.score == record.result.bound
        assert solved == (record.result.count == 1) == bool(record.result.verified)
    with RecordStore(path) as store:
        assert list(run_plan(plan, store=store)) == []
    small, large = seed_runs(plan_results(plan, records))
    assert (small.solver, small.solved, small.bound) == ("breaks restart_nodes=1000", 2, 24)
    assert (large.best_known, large.bound, len(large.runs)) == (112, 112, 2)
    assert large.scores(0.0) is not None
    scores = known(large.scores())
    assert scores.low <= scores.middle <= scores.high < 112


def test_assemblies_are_taken_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records have the totals, and tables their columns; puzzles without pieces are refused."""
    bench_here(monkeypatch)
    text = """\
name = "apart"
[[run]]
puzzles = ["diabolical-cube"]
backends = ["dlx"]
disassemble = true
"""
    (record,) = bench(written(tmp_path, text))
    found = record.result.disassembled
    assert found is not None
    assert (found.assemblies, found.solutions, found.undecided) == (record.result.count, 26, 0)
    table = summary_table([record])
    assert table.rows[0][-6:-1] == ("26 of 26", "1", "1", "5", f"{found.states:,}")
    assert "come apart" not in summary_table([changed(record, disassembled=None)]).titles
    wrong = written(tmp_path, text.replace("diabolical-cube", "queens-6"))
    assert_mistake(wrong, 5, "queens-6 has no pieces to take apart; expected a packing puzzle")
    trials = "trials = { count = 9, remaining = 2 }\ndisassemble"
    wrong = written(tmp_path, text.replace("disassemble", trials))
    assert_mistake(wrong, 6, "the solutions of trials are not taken apart; expected no trials")


def test_a_count_too_long_for_json_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "dovetail.harness.suite.bench.finish", lambda *_: Result(Status.EXHAUSTED, 10**5000)
    )
    plan = plan_of("queens-6", "dlx")
    result = run_once(plan, plan.runs[0], events=iter(())).result
    assert result.status is Status.FAILED
    assert result.reason == "JSON cannot show a count of more than 4,300 digits"
