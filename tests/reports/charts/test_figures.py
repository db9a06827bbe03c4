"""The figures behind charts: all of them, exact, and harmless to spreadsheets."""

from __future__ import annotations

import csv
import io

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import (
    Bar,
    BarChart,
    Chart,
    Curve,
    Line,
    LineChart,
    Point,
    Step,
    StepChart,
)
from dovetail.reports.charts.figures import chart_csv
from reports.charts.pairs import scatter_chart

X = Axis("place", 0, 10, False, str)
Y = Axis("time", 0, 10, False, str, column="seconds")


def rows_of(chart: Chart) -> list[list[str]]:
    return list(csv.reader(io.StringIO(chart_csv(chart))))


def test_points_of_lines() -> None:
    """Bounds are 1; a column is called after its unit where it has one."""
    points = (Point(1, 12_345_678, "a"), Point(2.5, 1 / 3, "b\nc", hollow=True))
    assert rows_of(LineChart("", "", X, Y, (Line("one", 0, points),))) == [
        ["series", "place", "seconds", "bound", "said"],
        ["one", "1", "12345678", "0", "a"],
        ["one", "2.5", "0.333333", "1", "b\nc"],
    ]


def test_bars() -> None:
    """Called after the chart where nothing else is said."""
    bars = (Bar("one", 2.0, "two"),)
    assert rows_of(BarChart("sum", "", bars)) == [["name", "sum"], ["one", "2"]]
    assert rows_of(BarChart("sum", "", bars, column="s"))[0] == ["name", "s"]


def test_steps_of_curves() -> None:
    """With how far the curve has risen."""
    steps = (Step(0.5, "a"), Step(1.25, "b"))
    assert rows_of(StepChart("", "", X, Y, (Curve("one", 0, steps),), rise=0.25)) == [
        ["series", "name", "place", "seconds"],
        ["one", "a", "0.5", "0.25"],
        ["one", "b", "1.25", "0.5"],
    ]


def test_readings_of_all_series() -> None:
    """A line for each thing; empty where a series has none."""
    long = "x" * 40
    made = rows_of(scatter_chart())
    assert made[0] == [
        "name",
        *("dlx: nodes", "dlx: bound", "rows: nodes", "rows: bound"),
        *(f"{long}: nodes", f"{long}: bound"),
    ]
    assert made[4] == ["d", "10", "0", "50", "1", "", ""]
    assert len(made) == 7


def test_what_a_spreadsheet_would_take_for_a_formula() -> None:
    """Texts get an apostrophe, figures never: they stay what they are."""
    names = ("=1+1", "+a", "-a", "@a", " =a", "a=1", "'a")
    bars = (*(Bar(name, -1.5, "") for name in names), Bar("\0\ud800", -2.0, ""))
    assert rows_of(BarChart("=b", "", bars)) == [
        ["name", "'=b"],
        *([f"'{name}", "-1.5"] for name in names[:5]),
        ["a=1", "-1.5"],
        ["'a", "-1.5"],
        ["��", "-2"],
    ]
