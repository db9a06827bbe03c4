"""An exhibit of rates on a page: two lines, a table, and sentences from the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import FormatError
from dovetail.harness.exhibits import ExhibitType, RatePoint
from dovetail.harness.run.result import RateInterval
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.reports.exhibits.measured import (
    MeasuredRate,
    RateOrder,
    measured,
    rate_order,
)
from dovetail.reports.exhibits.sections import exhibit_sections
from dovetail.reports.page import Section
from harness.exhibits.suites import RATES, rate_records, written

OPPOSED: dict[str, dict[str, Any]] = {
    "HP-1": {"rate": 0.25, "interval": (0.001, 0.5)},
    "HP-2": {"rate": 20.0, "interval": (15.0, 32.0)},
    "HP-3": {"rate": 3.0, "interval": (2.5, 3.5)},
}


@pytest.fixture
def plan(tmp_path: Path) -> SuitePlan:
    """A suite with rates."""
    return read_suite(written(tmp_path, RATES))


def part(plan: SuitePlan, rates: Mapping[str, Mapping[str, Any]]) -> Section:
    """The part of its report, from records with `rates`."""
    results = plan_results(plan, rate_records(plan, rates))
    (made,) = exhibit_sections(measured(exhibit, results) for exhibit in plan.exhibits)
    return made


def test_the_table(plan: SuitePlan) -> None:
    """In the order of the suite, with what is known of each row."""
    made = part(plan, {"HP-2": OPPOSED["HP-2"], "HP-3": {"rate": 3.0}})
    assert made.tables[0].titles[1] == "pieces left"
    assert made.tables[0].rows == (
        ("HP-3", "4", "4", "3", "–", "5", "30 k", "30", "50", "12"),
        ("HP-1", "0", "1", "–", "–", "–", "–", "–", "–", "–"),
        ("HP-2", "2.5", "2", "20", "15 to 32", "–", "30 k", "30", "50", "12"),
    )
    assert made.paragraphs[0] == "What it shows."
    assert made.paragraphs[-1] == "The exhibit has 3 rows. Measured: 2."


def test_the_order_of_the_rows(plan: SuitePlan) -> None:
    """Rows that contradict the published order are named."""
    assert part(plan, OPPOSED).paragraphs[-1] == (
        "Spearman's rank correlation of the published and the measured rates of 3 rows is 0.50. 3 "
        "pairs of rows have different published rates: 2 with the published order and intervals "
        "that do not overlap, 1 with the opposite order and intervals that do not overlap "
        "(published: HP-3 above HP-2), 0 undecided because the intervals overlap or are unknown."
    )


def test_the_chart(plan: SuitePlan) -> None:
    """From left to right; an interval that reaches far down does not stretch the axis."""
    (chart,) = part(plan, OPPOSED).charts
    one, other = chart.series
    assert [(p.x, p.y, p.low, p.high) for p in one.points] == [
        (0, 0.25, 0.001, 0.5),
        (2.5, 20.0, 15.0, 32.0),
        (4, 3.0, 2.5, 3.5),
    ]
    assert [(p.x, p.y, p.low) for p in other.points] == [(0, 1, None), (2.5, 2, None), (4, 4, None)]
    assert one.points[1].tooltip == "HP-2: 20 (15 to 32)"
    assert (chart.y.low, chart.y.high) == pytest.approx((0.2, 50))
    assert (chart.x.low, chart.x.high) == pytest.approx((-0.12, 4.12))


def test_points_find_their_runs(tmp_path: Path) -> None:
    """By the names of rows; published rates may follow from solutions and seconds."""
    plan = read_suite(written(tmp_path, RATES))
    (exhibit,) = plan.exhibits
    assert (exhibit.kind, exhibit.axis) == (ExhibitType.RATES, "pieces left")
    assert (exhibit.series, exhibit.boards) == ((), ())
    jobs = {planned.name: digest for digest, planned in plan.jobs.items()}
    assert exhibit.points == (
        RatePoint(4, "HP-3", jobs["HP-3"], 4.0, 5.0),
        RatePoint(0, "HP-1", jobs["HP-1"], 1.0),
        RatePoint(2.5, "HP-2", jobs["HP-2"], 2.0),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('run = "HP-2" }', 'run = "HP-9" }', 39, "unknown named run in this suite 'HP-9'"),
        ("x = 2.5", "x = inf", 40, "finite number"),
        (
            "points = [",
            'series = [{ name = "d", backend = "dlx" }]\npoints = [',
            39,
            "an exhibit of kind rates has points instead of series",
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


@pytest.mark.parametrize("rates", [[], [rate("A", 1, 5.0), rate("B", 2, 5.0), rate("C", 3, 5.0)]])
def test_no_rank_correlation(rates: list[MeasuredRate]) -> None:
    """Of two rows, or where all rates are equal."""
    assert rate_order(rates).correlation is None
