"""Charts of steps: how much of something there is up to each value along x.

A curve is one path, however many steps it has, and a few of its steps have marks: these
distinguish the curves, and show where they stand when pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Row
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import Plot
from dovetail.reports.charts.series import Series, SeriesChart
from dovetail.reports.elements import element

MAX_MARKS = 100
MAX_MARKS_OF_A_CURVE = 8


@dataclass(frozen=True)
class Step:
    """Where along x a curve rises, and the `name` of what makes it rise there."""

    x: float
    name: str


@dataclass(frozen=True)
class Curve(Series):
    """A series that rises at each of its steps, ascending by x."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class StepChart(SeriesChart[Curve]):
    """Curves that begin at 0 and go up by `rise` at every step.

    They end with their last step, or at the end of the axis if they go `onward`.
    """

    rise: float = 1.0
    onward: bool = False

    def strokes(self, plot: Plot) -> Iterator[Element]:
        """Yield the marks above all curves."""
        curves = [curve for curve in self.series if curve.steps]
        yield from (self._path(plot, curve) for curve in curves)
        for curve in curves:
            yield from self._marks(plot, curve)

    def rows(self) -> Iterator[Row]:
        yield "series", "name", self.x.csv_column, self.y.csv_column
        for curve in self.series:
            for number, step in enumerate(curve.steps, start=1):
                yield curve.name, step.name, step.x, number * self.rise

    def _path(self, plot: Plot, curve: Curve) -> Element:
        """Across to each step and up."""
        strokes = [f"M{plot.across(curve.steps[0].x):.1f},{plot.down(0):.1f}"]
        for number, step in enumerate(curve.steps, start=1):
            strokes.append(f"H{plot.across(step.x):.1f}V{plot.down(number * self.rise):.1f}")
        if self.onward:
            strokes.append(f"H{plot.across(self.x.high):.1f}")
        return element(
            "path",
            class_=f"{line_class(curve.style)} curve",
            d="".join(strokes),
            data_series=curve.style,
        )

    def _marks(self, plot: Plot, curve: Curve) -> Iterator[Element]:
        """Marks on steps that are evenly apart, the last one among them."""
        max_marks = max(1, min(MAX_MARKS_OF_A_CURVE, MAX_MARKS // len(self.series)))
        chosen = min(max_marks, len(curve.steps))
        for place in range(1, chosen + 1):
            number = place * len(curve.steps) // chosen
            x, y = curve.steps[number - 1].x, number * self.rise
            tooltip = f"{curve.name}: {self.y.show(y)} within {self.x.show(x)}"
            yield mark(curve.style, plot.across(x), plot.down(y), hollow=False, tooltip=tooltip)
