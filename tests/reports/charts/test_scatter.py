"""Scatter charts: where marks lie, what is hollow or hidden, and what a script would need."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from dovetail.reports.charts.chart import Chart
from dovetail.reports.charts.scatter import BAND, SIDE, ScatterPair
from reports.charts.pairs import close_scatter, scatter_of


def text_of(chart: Chart) -> str:
    pair: ScatterPair = chart.data
    return pair.text(chart.series)


def data_of(chart: Chart) -> dict[str, Any]:
    pair: ScatterPair = chart.data
    return pair.data(chart.series)


EDGE = SIDE + BAND / 2
THIRD = round(SIDE / 3, 2)


def test_marks_lie_at_both_values() -> None:
    """From the corner of the axes; hollow in the margin where one is cut, hidden where both are."""
    svg = scatter_of().draw("chart")
    marks = list(svg.iter("circle"))
    summary = [(mark.get("cx"), mark.get("cy"), mark.get("class")) for mark in marks]
    assert summary == [
        ("0", f"-{THIRD}", None),
        (f"{SIDE:g}", "-0", None),
        (f"{THIRD}", f"-{THIRD}", None),
        (f"{THIRD}", f"-{EDGE:g}", "hollow"),
        (None, None, None),
        (None, None, None),
    ]
    assert [mark.get("display") for mark in marks] == [None] * 4 + ["none"] * 2
    assert [mark.findtext("title") for mark in marks] == [
        "a: dlx 1, rows 10",
        "b: dlx 1 k, rows 1",
        "c: dlx 10, rows 10",
        "d: dlx 10, rows > 50",
        "",
        "",
    ]


def test_lines_for_the_same_and_for_ten_times_as_much() -> None:
    """The diagonal, and those a decade beside it."""
    svg = scatter_of().draw("chart")
    lines = [line for line in svg.iter("line") if line.get("class") == "guide"]
    across = [float(line.get("x2", "")) - float(line.get("x1", "")) for line in lines]
    assert across == pytest.approx([SIDE, SIDE * 2 / 3, SIDE * 2 / 3], abs=0.01)
    assert [text.text for text in svg.iter("text") if text.get("class") == "faint"] == [
        "cut",
        "×10",
        "×10",
    ]


def test_the_summary_of_a_pair() -> None:
    """How many there are of each kind, below the picture and in its description."""
    summary = (
        "Result by both: 3. Lower for dlx: 1; lower for rows: 1; equal: 1. "
        "Result by one, stopped by a limit for the other: 1. "
        "One of dlx is a fit, one of rows is a fit or a try."
    )
    assert text_of(scatter_of()) == summary
    assert scatter_of().draw("chart").findtext("desc") == f"Nodes. {summary}"


def test_less_goes_by_values() -> None:
    """Not by where they are drawn, which is the same to a hundredth of a unit."""
    data = data_of(close_scatter())
    assert data["places"] == [[THIRD] * 4] * 3
    assert data["ranks"] == [[0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert "Lower for dlx: 2; lower for rows: 1; equal: 1." in text_of(close_scatter())


def test_values_of_one_meaning() -> None:
    """Nothing is said of meanings then, nor where all values mean the same."""
    assert text_of(scatter_of(0, 2)).endswith("stopped by a limit for the other: 2.")
    alike = scatter_of(meanings=((), (), ()), unlike="")
    assert text_of(alike).endswith("stopped by a limit for the other: 1.")
    assert data_of(alike)["kinds"] == [[]] * 3


def test_a_series_against_itself() -> None:
    """It takes neither less nor more than itself, whatever its values mean."""
    summary = "rows is selected twice: every mark lies on the diagonal. Result: 3."
    assert text_of(scatter_of(1, 1)) == summary


def test_long_names_are_cut_on_axes_alone() -> None:
    """They would not fit there."""
    svg = scatter_of(2, 0).draw("chart")
    labels = {text.get("class"): text.text for text in svg.iter("text")}
    assert (labels["across"], labels["up"]) == (f"{'x' * 35}…: nodes", "dlx: nodes")
    assert f"Lower for {'x' * 40}: 1" in text_of(scatter_of(2, 0))


def test_the_data_of_all_pairs() -> None:
    """A place for each reading, those cut in the margin, and how it is written."""
    data = data_of(scatter_of())
    assert data["series"] == ["dlx", "rows", "x" * 40]
    assert data["things"] == ["a", "b", "c", "d", "e", "f"]
    assert data["places"] == [
        [0, SIDE, THIRD, THIRD, EDGE, 0],
        [THIRD, 0, THIRD, EDGE, EDGE, None],
        [0, THIRD, EDGE, None, THIRD, 0],
    ]
    assert data["ranks"] == [
        [0, 2, 0, 0, 1, 0],
        [1, 0, 0, 1, 1, None],
        [0, 1, 1, None, 0, 0],
    ]
    assert data["kinds"] == [["a fit"], ["a fit", "a try"], ["a fit"]]
    assert data["shown"] == [
        ["1", "1 k", "10", "10", "> 50", "1"],
        ["10", "1", "10", "> 50", "> 50", None],
        ["1", "10", "> 50", None, "10", "1"],
    ]


def test_figures_of_all_series() -> None:
    """A line for each thing; empty where a series has none."""
    long = "x" * 40
    made = list(csv.reader(io.StringIO(scatter_of().csv())))
    assert made[0] == [
        "name",
        *("dlx: nodes", "dlx: bound", "rows: nodes", "rows: bound"),
        *(f"{long}: nodes", f"{long}: bound"),
    ]
    assert made[4] == ["d", "10", "0", "50", "1", "", ""]
    assert len(made) == 7
