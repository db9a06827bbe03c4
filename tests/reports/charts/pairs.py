"""Scatter charts of three series, with all cases of positions."""

from __future__ import annotations

from dovetail.reports.charts.chart import Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.scatter import ScatterPair, scatter_chart
from dovetail.reports.numbers import show_rounded

SERIES = ("dlx", "rows", "x" * 40)
THINGS = ("a", "b", "c", "d", "e", "f")
AXIS = logarithmic_axis("nodes", [1, 1000], show_rounded, column="nodes")
# Values of each series for each thing; a string is a bound, 0 is missing.
VALUES: tuple[tuple[float | str, ...], ...] = (
    (1, 1000, 10, 10, "50", 1),
    (10, 1, 10, "50", "50", 0),
    (1, 10, "50", 0, 10, 1),
)
MEANINGS = (("a fit",), ("a fit", "a try"), ("a fit",))
UNLIKE = "One of {across} is {across_meanings}, one of {up} is {up_meanings}."


def scatter_of(
    across: int = 0,
    up: int = 1,
    meanings: tuple[tuple[str, ...], ...] = MEANINGS,
    unlike: str = UNLIKE,
) -> Chart:
    """Six things: less, more, the same, cut with one, cut with both, not read."""
    series = tuple(
        Series(name, 0, tuple(_points(values))) for name, values in zip(SERIES, VALUES, strict=True)
    )
    pair = ScatterPair(series, AXIS, THINGS, across, up, meanings, unlike)
    return scatter_chart("title", "Nodes.", pair)


def _points(values: tuple[float | str, ...]) -> list[Point]:
    return [
        Point(place, float(value), f"> {value}", hollow=True)
        if isinstance(value, str)
        else Point(place, value, show_rounded(value))
        for place, value in enumerate(values)
        if value
    ]


def close_scatter(across: int = 0, up: int = 1) -> Chart:
    """Four things: the same, a little more, a little less, more again; all drawn in one place."""
    close = (10, 10.0000001, 9.9999999, 10.0000001)
    rows = ((10.0,) * 4, close, (10.0,) * 4)
    series = tuple(
        Series(name, 0, tuple(Point(place, value, "10") for place, value in enumerate(values)))
        for name, values in zip(SERIES, rows, strict=True)
    )
    pair = ScatterPair(series, AXIS, THINGS[:4], across, up, MEANINGS, UNLIKE)
    return scatter_chart("title", "Nodes.", pair)
