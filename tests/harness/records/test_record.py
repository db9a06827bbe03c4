"""Records, their fields, and rows of a suite that repeat a published table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dovetail.api import bench
from dovetail.errors import ConfigError
from dovetail.harness.records.environment import environment
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.published import (
    FigurePair,
    PublishedRow,
    published_rows,
)
from dovetail.harness.records.record import PER_REPEAT, Load, Published
from dovetail.harness.records.record_files import record_of
from dovetail.harness.records.run_record import result_fields, run_record
from dovetail.harness.run.job import (
    Chosen,
    Job,
    Limits,
    PieceEstimate,
    PieceSelection,
    Trials,
)
from dovetail.harness.run.result import RateInterval, Result, Searched
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.outcome import Counters, Status
from dovetail.puzzles.loading import load
from harness.records.made import made, results
from harness.suite.bench_here import assert_mistake, bench_here, written

JOB = """
job puzzle digest backend config symmetry labelled reductions triggers random trials limits seed
cold_start improves objective start disassembles node_meaning probable
"""
RUN = """
repeat suite tags expected best_known published outline example size begun load
"""
RESULT = """
status count nodes attempts attempts_by_remaining fits_by_remaining native backtracks_by_trigger
reason score bound trace searched placements other_counts symmetry_expansion piece_selection chosen
parallel disassembled program warm_up_s prepare_s solve_s solve_cpu_s check_s total_s peak_bytes
baseline_bytes verified
"""
FIELDS = f"schema {JOB} {RUN} {RESULT} machine versions commit"


def test_a_line_has_these_fields_in_this_order() -> None:
    """Whoever renames one raises the schema; the first tells a torn line."""
    assert list(made().json_fields()) == FIELDS.split()
    assert json.dumps(made().json_fields()).startswith('{"schema": 4, "job": ')


def test_back_and_forth() -> None:
    """What is written is read."""
    record = made(
        labelled=True,
        config={"stages": ["s", "f@2"], "nof": None},
        random={"seed": 3, "restarts": True, "hardest_first": False},
        trials={"count": 5, "remaining": 4, "seed": 1},
        backtracks_by_trigger={"parity": {"3": 7}},
        searched={"begun": 5, "with_solutions": 1, "found": 2, "cpu_s": 2.0},
        published={"P1": {"fits": 5, "seconds": 0.5}},
        outline={"width": 3, "height": 1},
        example={"text": "3 1\n0 1 0 0\n0 1 0 1\n0 0 0 1", "pieces": []},
    )
    assert record_of(json.loads(json.dumps(record.json_fields()))) == record


def test_a_result_has_figures_of_all_runs() -> None:
    """Behind those of the run that represents them."""
    (result,) = results(made(solve_s=2.0), made(repeat=1, load={"parallel": 3}))
    fields = result.json_fields()
    assert list(fields) == [*FIELDS.split(), "repeats"]
    assert [list(run) for run in fields["repeats"]] == [list(PER_REPEAT)] * 2
    assert [run["solve_s"] for run in fields["repeats"]] == [2.0, 1.0]
    assert result.repeats[1].load == Load(parallel=3)
    assert json_fields(result, "job", "status") == {"job": "box dlx", "status": "exhausted"}


FINISHED = Result(
    Status.TIME_LIMIT,
    3,
    Counters(9, 20, {2: 15, 1: 5}, {2: 7, 1: 2}, {"updates": 3}, {"parity": {3: 0, 1: 4}}),
    "why",
    searched=Searched(begun=5, with_solutions=1, found=6),
    prepare_s=1.0,
    solve_s=2.0,
)


def test_what_came_of_it() -> None:
    """Counters stand among the other fields; solutions per second are derived."""
    fields = result_fields(Job(load("queens-6"), trials=Trials(5, 2)), FINISHED)
    assert (fields["status"], fields["count"], fields["reason"]) == ("time-limit", 3, "why")
    assert (fields["nodes"], fields["attempts"], fields["native"]) == (9, 20, {"updates": 3})
    assert fields["attempts_by_remaining"] == {"2": 15, "1": 5}
    assert fields["fits_by_remaining"] == {"2": 7, "1": 2}
    assert fields["backtracks_by_trigger"] == {"parity": {"3": 0, "1": 4}}
    assert (fields["searched"]["begun"], fields["searched"]["per_solve_s"]) == (5, 3.0)
    assert fields["searched"]["per_prepare_and_solve_s"] == 2.0
    assert (fields["prepare_s"], fields["solve_s"], fields["total_s"]) == (1.0, 2.0, 3.0)
    assert FINISHED.searched is not None
    rates = FINISHED.searched.with_rates(1e-320, 3.0)  # 6e320 solutions per second
    assert (rates.per_solve_s, rates.per_prepare_and_solve_s) == (None, 2.0)


def test_what_a_node_is() -> None:
    """To the backend that was chosen; nothing where none was, and where nobody knows it."""
    chosen = Result(*FINISHED.answer, chosen=Chosen("fila", {}, (), "small"))
    job = Job(load("queens-6"), backend="auto")
    assert result_fields(job, chosen)["node_meaning"] == "a placement made"
    assert result_fields(job, FINISHED)["node_meaning"] is None
    assert result_fields(Job(load("queens-6"), backend="theirs"), FINISHED)["node_meaning"] is None


def test_the_record_of_a_run() -> None:
    """With where it took place; it is read as it was written."""
    job = Job(load("soma-cube"), backend="auto", limits=Limits(time_s=20.0), seed=7)
    selection = PieceSelection((PieceEstimate("V", 5, 10**20, None),), "V")
    chosen = Chosen("dlx", {"order": ["a"]}, ("volume",), "small")
    finished = Result(*FINISHED.answer, piece_selection=selection, chosen=chosen)
    load_then = Load(1.5, 0.0, 1)
    record = run_record(job, finished, repeat=2, suite="s", load=load_then)
    assert (record.job.digest, record.repeat, record.suite) == (job.digest, 2, "s")
    assert (record.job.limits, record.job.seed) == (Limits(time_s=20.0), 7)
    assert (record.load, record.environment) == (load_then, environment())
    again = record_of(json.loads(json.dumps(record.json_fields())))
    assert (again.result.piece_selection, again.result.chosen) == (selection, chosen)
    assert again == record


SUITE = """\
name = "rows"
limits = { time_s = 60 }

[[run]]
name = "Q1"
puzzles = ["queens-6"]
backends = ["dlx"]
symmetry = "all"
expected = { queens-6 = 4 }
published = { fits = 110, no_fits = 0, seconds = 0.5 }

[[run]]
name = "Q2"
puzzles = ["queens-6"]
backends = ["constraint"]
published = { fits = 36 }

[[run]]
puzzles = ["queens-6"]
backends = ["dlx"]
symmetry = "unique"
"""


def test_rows_are_found_by_name(tmp_path: Path) -> None:
    """In the plan, and by `--only`."""
    plan = read_suite(written(tmp_path, SUITE))
    assert [run.name for run in plan.runs] == ["Q1", "Q2", None]
    published = [Published(110, 0, 0.5), Published(36), Published()]
    assert [run.published for run in plan.runs] == published
    assert [run.name for run in plan.only(["Q2"]).runs] == ["Q2"]
    with pytest.raises(ConfigError, match=r"unknown row, puzzle or tag .* 'Q3'; valid: Q1, Q2, q"):
        plan.only(["Q3"])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"Q2"', '"Q1"', 13, "two runs are called 'Q1'"),
        ('name = "Q2"\n', "", 15, "expected the key `name`"),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one line."""
    path = written(tmp_path, SUITE.replace(old, new, 1))
    assert_mistake(path, line, message)


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run jobs here: these tests are about figures."""
    bench_here(monkeypatch)


def test_figures_come_from_the_plan(tmp_path: Path) -> None:
    """Also when all runs are in the file already, and what is published has changed since."""
    runs = tmp_path / "runs.jsonl"
    bench(written(tmp_path, SUITE), output=runs)
    lines = runs.read_text()
    results = bench(written(tmp_path, SUITE.replace("fits = 110", "fits = 220")), output=runs)
    assert runs.read_text() == lines
    one, other = published_rows(results)
    assert (one.name, one.status, one.count, one.expected) == ("Q1", Status.EXHAUSTED, 4, 4)
    assert one.fits == FigurePair(220, results[0].result.nodes)
    assert one.no_fits == FigurePair(0, 0)
    assert one.seconds.measured == results[0].result.prepare_s + results[0].result.solve_s
    assert other.fits == FigurePair(36, None)


SEARCHED = {
    "begun": 1000,
    "with_solutions": 20,
    "found": 50,
    "with_trigger": {"volume@11": 711},
    "cpu_s": 10.0,
    "rate_interval": {"low": 2.0, "high": 9.0},
}


def trials_row(searched: Mapping[str, object], trials: int = 2000) -> PublishedRow:
    """The row of trials with these totals."""
    published = {"F8": {"rate": 5.5, "trials": trials, "trials_with_trigger": 842}}
    (row,) = published_rows(
        [made(status="remaining-limit", published=published, searched=searched)]
    )
    return row


def test_more_trials_with_a_trigger_than_trials() -> None:
    """A mistake of a record or of a suite is no error of the statistics."""
    assert trials_row({**SEARCHED, "begun": 700}).with_trigger.measured is None
    assert not trials_row(SEARCHED, 0).with_trigger.differs
    assert trials_row({**SEARCHED, "begun": 711}, 10).with_trigger.differs


def test_rates_of_trials_are_per_second_of_processor_time() -> None:
    """With their interval."""
    row = trials_row(SEARCHED)
    assert row.rate == FigurePair(5.5, 5.0)
    assert row.rate_interval == RateInterval(2.0, 9.0)
