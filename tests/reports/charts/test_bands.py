"""Charts of bands: stairs for the middle, the range about them, a mark at the end."""

from __future__ import annotations

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.bands import Band, BandChart, Range
from dovetail.reports.charts.plot import ABOVE, HEIGHT, LEFT, RIGHT, WIDTH

X, Y = Axis("time", 0, 10, False, "{:g} s".format), Axis("score", 0, 100, False, "{:g}".format)
RANGES = (Range(0, 10, 20, 20), Range(5, 50, 50, 100))
CHART = BandChart("title", "about", X, Y, (Band("one", 0, RANGES, 10), Band("none", 1, (), 0)))


def test_stairs() -> None:
    """Each value holds until the next range; the area goes back along the lowest values."""
    svg = CHART.draw("chart")
    area, line, mark = (path for path in svg.iter("path") if path.get("data-series") == "0")
    left, right, bottom = LEFT, WIDTH - RIGHT, ABOVE + HEIGHT
    middle = (left + right) / 2

    def corner(x: float, value: float) -> str:
        return f"{x:.1f},{bottom - value / 100 * HEIGHT:.1f}"

    stairs = [(left, 20), (middle, 20), (middle, 50), (right, 50)]
    assert line.get("d") == "M" + "L".join(corner(*place) for place in stairs)
    highs = [(left, 20), (middle, 20), (middle, 100), (right, 100)]
    lows = [(right, 50), (middle, 50), (middle, 10), (left, 10)]
    assert area.get("d") == "M" + "L".join(corner(*place) for place in highs + lows) + "Z"
    assert mark.findtext("title") == "one: 50 (50 to 100) after 10 s"


def test_figures() -> None:
    """All ranges, in the order of time."""
    assert CHART.csv() == "series,time,low,median,high\none,0,10,20,20\none,5,50,50,100\n"
