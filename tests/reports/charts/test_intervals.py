"""Charts of estimates: bars from end to end, lines over gaps, and all of it as figures."""

from __future__ import annotations

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.intervals import EstimatedLine, EstimatedPoint, IntervalChart

POINTS = (
    EstimatedPoint(0, 4, "first", 2, 8),
    EstimatedPoint(5, 5, "second"),
    EstimatedPoint(10, 6, "third", 0.5, 20),
)
X, Y = Axis("pieces", 0, 10, False, str), Axis("rate", 1, 10, True, str, column="per_s")
CHART = IntervalChart(
    "title",
    "what it shows",
    X,
    Y,
    (EstimatedLine("one", 0, POINTS), EstimatedLine("two", 1, POINTS[1:2])),
)


def test_bars_and_lines() -> None:
    """A point without an interval has no bar, and an end beyond the axis no cap."""
    paths = [path for path in CHART.draw("chart").iter("path") if path.find("title") is None]
    bars = [path.get("d", "") for path in paths if "interval" in path.get("class", "")]
    assert [bar.count("h") for bar in bars] == [2, 0]
    (line,) = (path.get("d", "") for path in paths if path.get("class") == "line series-0")
    assert (line.count("M"), line.count("L")) == (1, 2)


def test_marks() -> None:
    """One at each point; it is above the bars."""
    drawn = list(CHART.draw("chart").iter("path"))
    tooltips = [path.findtext("title") for path in drawn]
    assert tooltips == [None, None, None, "first", "second", "third", None, "second"]


def test_figures() -> None:
    """Ends are empty without an interval."""
    assert CHART.csv() == (
        "series,pieces,per_s,low,high,text\n"
        "one,0,4,2,8,first\n"
        "one,5,5,,,second\n"
        "one,10,6,0.5,20,third\n"
        "two,5,5,,,second\n"
    )
