"""Looks of series: as many as there are solvers in a long comparison."""

from __future__ import annotations

from dovetail.reports.charts.marks import line_class, mark


def test_thirty_two_series_differ() -> None:
    """In the shape and colour of their marks, and in the colour and dashes of their lines."""
    marks = [mark(style, 0, 0, hollow=False) for style in range(32)]
    assert len({(one.get("d"), one.get("class")) for one in marks}) == 32
    assert len({line_class(style) for style in range(32)}) == 32


def test_the_first_eight_differ_in_all() -> None:
    """Shape and colour; none of them needs dashes."""
    marks = [mark(style, 0, 0, hollow=True) for style in range(8)]
    assert len({one.get("d") for one in marks}) == len({one.get("class") for one in marks}) == 8
    assert [line_class(style) for style in (0, 7, 8, 31)] == [
        "line series-0",
        "line series-7",
        "line series-0 dashes-1",
        "line series-7 dashes-3",
    ]
