"""Charts as one says what is in them, before anything is drawn.

The `name` of a chart is a word of its own among the charts of a part; the file with its figures
is called after it, by its number where it is empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.reports.charts.axes import Axis


@dataclass(frozen=True)
class Point:
    """A point of a line; a `hollow` one is a bound. `said` is shown when it is pointed at."""

    x: float
    y: float
    said: str
    hollow: bool = False


@dataclass(frozen=True)
class Line:
    """A series of points with the looks numbered `style`, joined where none is missing between.

    Points that follow one another by more than 1 along x are not joined, nor are hollow ones.
    """

    name: str
    style: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class LineChart:
    """Lines over two axes. `said` describes it to those who do not see it."""

    title: str
    said: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    name: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar with its value as it is written beside it."""

    name: str
    value: float
    shown: str


@dataclass(frozen=True)
class BarChart:
    """Bars one below the other, from 0. `said` describes it to those who do not see it.

    `column` is what the values are called in a file; where it is empty, `title` is.
    """

    title: str
    said: str
    bars: tuple[Bar, ...]
    name: str = ""
    column: str = ""


@dataclass(frozen=True)
class Step:
    """Where along x a curve rises, and the `name` of what makes it rise there."""

    x: float
    name: str


@dataclass(frozen=True)
class Curve:
    """A series with the looks numbered `style` that rises at each of its steps, ascending by x."""

    name: str
    style: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class StepChart:
    """Curves that begin at 0 and go up by `rise` at every step.

    They end with their last step, or at the end of the axis if they go `onward`. `said`
    describes the chart to those who do not see it.
    """

    title: str
    said: str
    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    rise: float = 1.0
    onward: bool = False
    name: str = ""


@dataclass(frozen=True)
class Reading:
    """The value that a series has for a thing, and how it is written; a `hollow` one is a bound."""

    value: float
    shown: str
    hollow: bool = False


@dataclass(frozen=True)
class ScatterChart:
    """The values of one series against those of another, for the same things.

    Readers choose the two; those `across` and `up` are shown first, and where no script is run.
    `readings` has a row for each of `series` with a place for each of `things`. `said` describes
    the chart to those who do not see it. Where values do not mean the same to all series, `kinds`
    has a row for each with what they mean, which may be several things. Of a pair whose values
    are of more than one kind `unlike` is said, with the names for `{across}` and `{up}` and the
    kinds for `{across_kinds}` and `{up_kinds}`.
    """

    title: str
    said: str
    axis: Axis
    series: tuple[str, ...]
    things: tuple[str, ...]
    readings: tuple[tuple[Reading | None, ...], ...]
    across: int
    up: int
    name: str = ""
    kinds: tuple[tuple[str, ...], ...] = ()
    unlike: str = ""


Chart = LineChart | BarChart | StepChart | ScatterChart
