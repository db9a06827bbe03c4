"""Rows of a suite that repeat a published table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dovetail.api import bench
from dovetail.errors import ConfigError
from dovetail.harness.records.published import (
    FigurePair,
    PublishedRow,
    TrialShare,
    TrialsWithTrigger,
    published_rows,
)
from dovetail.harness.records.record import Published
from dovetail.harness.run.result import RateInterval
from dovetail.harness.suite.bench import plan_results, run_plan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.outcome import Status
from harness.records.made import made
from harness.suite.bench_here import assert_mistake, bench_here, written

SUITE = """\
name = "rows"
limits = { time_s = 60 }

[[run]]
name = "Q1"
puzzles = ["queens-6"]
backends = ["dlx"]
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
        ('"Q2"', '"Q1"', 12, "two runs are called 'Q1'"),
        ('name = "Q2"\n', "", 14, "needs the name of its row"),
        ("fits = 36", "fists = 36", 15, "expected one of attempts, fits, no_fits, rate"),
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


def test_two_rows_may_ask_for_one_run(tmp_path: Path) -> None:
    """It is run once and stands in both."""
    text = SUITE + SUITE[SUITE.index("[[run]]") : SUITE.index("[[run]]", 60)].replace("Q1", "Q9")
    plan = read_suite(written(tmp_path, text)).only(["Q1", "Q9"])
    records = list(run_plan(plan))
    assert len(records) == 1
    assert [row.name for row in published_rows(plan_results(plan, records))] == ["Q1", "Q9"]


def test_what_follows_from_figures() -> None:
    """Attempts that were no fits, and solutions per second."""
    assert Published(fits=5, attempts=12).all_no_fits == 7
    assert Published(attempts=12).all_no_fits is None
    assert Published(solutions=12, seconds=4.0).solutions_per_s == 3.0
    assert Published(solutions=12, seconds=4.0, rate=3.1).solutions_per_s == 3.1


SEARCHED = {
    "begun": 1000,
    "with_solutions": 20,
    "found": 50,
    "with_trigger": {"volume@11": 711},
    "cpu_s": 10.0,
    "rate_interval": {"low": 2.0, "high": 9.0},
}


def trials_row(searched: Mapping[str, object]) -> PublishedRow:
    """The row of trials with these totals."""
    published = {"F8": {"rate": 5.5, "trials": 2000, "trials_with_trigger": 842}}
    (row,) = published_rows(
        [made(status="remaining-limit", published=published, searched=searched)]
    )
    return row


def test_rates_of_trials_are_per_second_of_processor_time() -> None:
    """With their interval."""
    row = trials_row(SEARCHED)
    assert row.rate == FigurePair(5.5, 5.0)
    assert row.rate_interval == RateInterval(2.0, 9.0)


def test_trials_with_a_trigger() -> None:
    """Of several triggers it is not known in how many trials any of them removed a placement."""
    assert trials_row(SEARCHED).with_trigger == TrialsWithTrigger(842, 2000, TrialShare(711, 1000))
    several = SEARCHED | {"with_trigger": {"volume": 711, "parity": 500}}
    assert trials_row(several).with_trigger.measured is None
    assert trials_row(SEARCHED | {"begun": 0}).with_trigger.measured is None
