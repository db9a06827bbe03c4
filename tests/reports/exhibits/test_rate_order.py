"""Rates of rows: which runs are theirs, and whether they are in the published order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import FormatError
from dovetail.harness.exhibits import ExhibitType, RatePoint
from dovetail.harness.run.result import RateInterval
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.suite_file import read_suite
from dovetail.reports.exhibits.measured import MeasuredRate, RateOrder, measured, rate_order
from harness.exhibits.suites import RATES, rate_records, written


def test_points_find_their_runs(tmp_path: Path) -> None:
    """By the names of rows; published rates may follow from solutions and seconds."""
    plan = read_suite(written(tmp_path, RATES))
    (exhibit,) = plan.exhibits
    assert (exhibit.kind, exhibit.axis) == (ExhibitType.RATES, "pieces left")
    assert (exhibit.series, exhibit.boards) == ((), ())
    jobs = {planned.name: digest for digest, planned in plan.jobs.items()}
    assert exhibit.points == (
        RatePoint(4, "HP-3", jobs["HP-3"], 4.0),
        RatePoint(0, "HP-1", jobs["HP-1"], 1.0),
        RatePoint(2.5, "HP-2", jobs["HP-2"], 2.0),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('run = "HP-2" }', 'run = "HP-9" }', 39, "unknown named run in this suite 'HP-9'"),
        ('run = "HP-2" }', 'run = "HP-1" }', 39, "two points have the run 'HP-1'"),
        ('run = "HP-2" }', 'run = "P-1" }', 39, "run 'P-1' has no trials, so it has no rate"),
        ("x = 2.5", "x = inf", 40, "finite number"),
        ('axis = "pieces left"\n', "", 36, "an exhibit of kind rates needs axis"),
        ('kind = "rates"', 'kind = "table"', 37, "axis is for exhibits of kind rates"),
        ('axis = "pieces left"', 'base = "HP-1"', 37, "base is for exhibits of kind sums"),
        (
            "points = [",
            'series = [{ name = "d", backend = "dlx" }]\npoints = [',
            39,
            "an exhibit of kind rates has points instead of series",
        ),
        (
            RATES[RATES.index('kind = "rates"') :],
            'kind = "table"',
            36,
            "an exhibit of kind table needs series",
        ),
    ],
)
def test_mistakes_are_placed(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one line."""
    assert old in RATES
    path = written(tmp_path, RATES.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        read_suite(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_rates_are_those_of_the_rows(tmp_path: Path) -> None:
    """In the order of the points; a wrong run has none, nor has one that was not made."""
    plan = read_suite(written(tmp_path, RATES))
    rates: dict[str, dict[str, Any]] = {
        "HP-1": {"rate": 7.0, "record": {"status": "wrong", "reason": "it is"}},
        "HP-2": {"rate": 5.0, "interval": (4.0, 6.0)},
    }
    of_rows = measured(plan.exhibits[0], plan_results(plan, rate_records(plan, rates))).rates
    assert [one.point.row for one in of_rows] == ["HP-3", "HP-1", "HP-2"]
    assert [one.rate for one in of_rows] == [None, None, 5.0]
    assert of_rows[2].interval == RateInterval(4.0, 6.0)
    assert of_rows[2].searched is not None
    assert of_rows[2].searched.found == 30


def rate(
    row: str,
    published: float | None,
    own: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> MeasuredRate:
    """A row with its published rate, and the measured one with its interval."""
    interval = None if low is None or high is None else RateInterval(low, high)
    return MeasuredRate(RatePoint(0, row, row, published), own, interval)


def test_pairs_of_rows() -> None:
    """Intervals decide; the row with the higher published rate is first."""
    rates = [
        rate("A", 1, 5, 4, 6),
        rate("B", 2, 2, 1, 3),
        rate("C", 3, 9, 7, 11),
        rate("D", 3, 20, 15, 30),
        rate("E", 4, 6, 5.5, 6.5),
    ]
    order = rate_order(rates)
    assert (order.agreeing, order.undecided, order.pairs) == (5, 1, 9)
    assert order.opposed == (("B", "A"), ("E", "C"), ("E", "D"))


def test_rank_correlation() -> None:
    """Of the rows with both rates; ties have the mean of their ranks."""
    ascending = [rate("A", 1, 1.0), rate("B", 2, 2.0), rate("C", 3, 30.0), rate("D", None, 0.5)]
    order = rate_order(ascending)
    assert replace(order, correlation=None) == RateOrder(3, None, 0, (), 3)
    assert order.correlation == pytest.approx(1.0)
    assert rate_order([*ascending, rate("E", 9)]).rows == 3
    descending = [rate("A", 1, 9.0), rate("B", 2, 8.0), rate("C", 3, 1.0)]
    assert rate_order(descending).correlation == pytest.approx(-1.0)
    # ranks 0.5, 0.5, 2, 3 and 0, 1, 3, 2: covariance 4 of squares 4.5 and 5
    tied = [rate("A", 1, 1.0), rate("B", 1, 2.0), rate("C", 2, 4.0), rate("D", 3, 3.0)]
    assert rate_order(tied).correlation == pytest.approx(3.5 / (4.5 * 5) ** 0.5)


@pytest.mark.parametrize(
    "rates",
    [
        [],
        [rate("A", 1, 1.0), rate("B", 2, 2.0)],
        [rate("A", 1, 1.0), rate("B", 1, 2.0), rate("C", 1, 3.0)],
        [rate("A", 1, 5.0), rate("B", 2, 5.0), rate("C", 3, 5.0)],
    ],
)
def test_no_rank_correlation(rates: list[MeasuredRate]) -> None:
    """Of two rows, or where all rates are equal."""
    assert rate_order(rates).correlation is None
