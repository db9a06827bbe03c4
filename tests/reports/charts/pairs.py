"""A scatter chart of three series, with all that there is to place."""

from __future__ import annotations

from dataclasses import replace

from dovetail.reports.charts.axes import logarithmic_axis
from dovetail.reports.charts.scatter import Reading, ScatterChart
from dovetail.reports.numbers import show_rounded

ONE, TEN, THOUSAND = (Reading(value, show_rounded(value)) for value in (1, 10, 1000))
CUT = Reading(50, "> 50", hollow=True)


def scatter_chart(across: int = 0, up: int = 1) -> ScatterChart:
    """Six things: less, more, the same, cut with one, cut with both, not read."""
    return ScatterChart(
        "title",
        "Nodes.",
        logarithmic_axis("nodes", [1, 1000], show_rounded, column="nodes"),
        ("dlx", "rows", "x" * 40),
        ("a", "b", "c", "d", "e", "f"),
        (
            (ONE, THOUSAND, TEN, TEN, CUT, ONE),
            (TEN, ONE, TEN, CUT, CUT, None),
            (ONE, TEN, CUT, None, TEN, ONE),
        ),
        across,
        up,
        meanings=(("a fit",), ("a fit", "a try"), ("a fit",)),
        unlike="One of {across} is {across_meanings}, one of {up} is {up_meanings}.",
    )


def close_chart(across: int = 0, up: int = 1) -> ScatterChart:
    """Four things: the same, a little more, a little less, more again; all drawn in one place."""
    close = tuple(Reading(value, "10") for value in (10, 10.0000001, 9.9999999, 10.0000001))
    readings = ((TEN,) * 4, close, (TEN,) * 4)
    return replace(scatter_chart(across, up), things=("a", "b", "c", "d"), readings=readings)
