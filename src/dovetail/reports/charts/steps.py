"""Charts of steps: how much of something there is up to each value along x.

A curve is one path, however many steps it has, and a few of its steps have marks: they tell
curves apart, and say where they stand when pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Curve, StepChart
from dovetail.reports.charts.legend import legend_within
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import ABOVE, BELOW, Plot, picture
from dovetail.reports.elements import element

MOST_MARKS = 100
MARKS_OF_A_CURVE = 8


def step_chart(chart: StepChart, identity: str, legend: bool) -> Element:
    """The SVG of the chart, marks above all curves."""
    drawn, taken = legend_within(chart.curves) if legend else ([], 0.0)
    plot = Plot(chart.x, chart.y, taken + ABOVE)
    drawn += [*plot.axes(), *plot.labels()]
    curves = [curve for curve in chart.curves if curve.steps]
    drawn += [_path(chart, plot, curve) for curve in curves]
    for curve in curves:
        drawn += _marks(chart, plot, curve)
    return picture(chart.title, chart.said, identity, plot.bottom + BELOW, drawn, "plot")


def _path(chart: StepChart, plot: Plot, curve: Curve) -> Element:
    """Across to each step and up."""
    strokes = [f"M{plot.across(curve.steps[0].x):.1f},{plot.down(0):.1f}"]
    for number, step in enumerate(curve.steps, start=1):
        strokes.append(f"H{plot.across(step.x):.1f}V{plot.down(number * chart.rise):.1f}")
    if chart.onward:
        strokes.append(f"H{plot.across(chart.x.high):.1f}")
    return element("path", class_=f"{line_class(curve.style)} curve", d="".join(strokes))


def _marks(chart: StepChart, plot: Plot, curve: Curve) -> Iterator[Element]:
    """Marks on steps that are evenly apart, the last one among them."""
    most = max(1, min(MARKS_OF_A_CURVE, MOST_MARKS // len(chart.curves)))
    chosen = min(most, len(curve.steps))
    for place in range(1, chosen + 1):
        number = place * len(curve.steps) // chosen
        x, y = curve.steps[number - 1].x, number * chart.rise
        said = f"{curve.name}: {chart.y.show(y)} within {chart.x.show(x)}"
        yield mark(curve.style, plot.across(x), plot.down(y), hollow=False, said=said)
