"""Scatter charts: where marks lie, what is hollow or hidden, and what a script would need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dovetail.reports.charts.drawing import draw
from dovetail.reports.charts.scatter import BAND, SIDE, choice_data, pair_told
from reports.charts.pairs import close_chart, scatter_chart

EDGE = SIDE + BAND / 2
THIRD = round(SIDE / 3, 2)


def test_marks_lie_at_both_values() -> None:
    """From the corner of the axes; hollow in the margin where one is cut, hidden where both are."""
    svg = draw(scatter_chart(), "chart")
    marks = list(svg.iter("circle"))
    told = [(mark.get("cx"), mark.get("cy"), mark.get("class")) for mark in marks]
    assert told == [
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
    svg = draw(scatter_chart(), "chart")
    lines = [line for line in svg.iter("line") if line.get("class") == "guide"]
    across = [float(line.get("x2", "")) - float(line.get("x1", "")) for line in lines]
    assert across == pytest.approx([SIDE, SIDE * 2 / 3, SIDE * 2 / 3], abs=0.01)
    assert [text.text for text in svg.iter("text") if text.get("class") == "faint"] == [
        "cut",
        "×10",
        "×10",
    ]


def test_what_is_said_of_a_pair() -> None:
    """How many there are of each kind, below the picture and in its description."""
    told = (
        "Finished by both: 3. Less with dlx: 1; less with rows: 1; the same with both: 1. "
        "Finished by one of them, the other cut by a limit: 1. "
        "One of dlx is a fit, one of rows is a fit or a try."
    )
    assert pair_told(scatter_chart()) == told
    assert draw(scatter_chart(), "chart").findtext("desc") == f"Nodes. {told}"


def test_less_is_told_by_values() -> None:
    """Not by where they are drawn, which is the same to a hundredth of a unit."""
    data = choice_data(close_chart())
    assert data["places"] == [[THIRD] * 4] * 3
    assert data["ranks"] == [[0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert "Less with dlx: 2; less with rows: 1; the same with both: 1." in pair_told(close_chart())


def test_values_of_one_kind() -> None:
    """Nothing is said of kinds then, nor where all values mean the same."""
    assert pair_told(scatter_chart(0, 2)).endswith("the other cut by a limit: 2.")
    alike = replace(scatter_chart(), kinds=(), unlike="")
    assert pair_told(alike).endswith("the other cut by a limit: 1.")
    assert choice_data(alike)["kinds"] == [[]] * 3


def test_a_series_against_itself() -> None:
    """It takes neither less nor more than itself, whatever kinds it has."""
    told = "rows is chosen twice: every mark lies on the diagonal. Finished: 3."
    assert pair_told(scatter_chart(1, 1)) == told


def test_long_names_are_cut_on_axes_alone() -> None:
    """They would not fit there."""
    svg = draw(scatter_chart(2, 0), "chart")
    labels = {text.get("class"): text.text for text in svg.iter("text")}
    assert (labels["across"], labels["up"]) == (f"{'x' * 35}…: nodes", "dlx: nodes")
    assert f"Less with {'x' * 40}: 1" in pair_told(scatter_chart(2, 0))


def test_the_data_of_all_pairs() -> None:
    """A place for each reading, those cut in the margin, and how it is written."""
    data = choice_data(scatter_chart())
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
