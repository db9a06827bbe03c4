"""Charts of bars: as long as their values."""

from __future__ import annotations

import pytest

from dovetail.reports.charts.bars import Bar, BarChart


def bar_chart() -> BarChart:
    """Bars with names of all lengths, and an empty one."""
    bars = (Bar("none", 8, "8 s"), Bar("no remaining-tile rules", 2, "2.34 s"), Bar("x", 0, "0 s"))
    return BarChart("time", "8 s and less", bars)


def test_bars_are_as_long_as_their_values() -> None:
    """From one left edge; an empty one can still be seen."""
    svg = bar_chart().draw("chart")
    long, short, empty = (float(bar.get("width", "")) for bar in svg.iter("rect"))
    assert short == pytest.approx(long / 4, abs=0.01)
    assert 0 < empty <= 1
    assert len({bar.get("x") for bar in svg.iter("rect")}) == 1


def test_figures() -> None:
    """Called after the chart where nothing else is said."""
    bars = (Bar("one", 2.0, "two"),)
    assert BarChart("sum", "", bars).csv() == "name,sum\none,2\n"
    assert BarChart("sum", "", bars, column="s").csv() == "name,s\none,2\n"
