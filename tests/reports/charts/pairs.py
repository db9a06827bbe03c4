"""A scatter chart of three series, with all that there is to place."""

from __future__ import annotations

from dovetail.reports.charts.axes import logarithmic_axis
from dovetail.reports.charts.chart import Reading, ScatterChart
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
    )
