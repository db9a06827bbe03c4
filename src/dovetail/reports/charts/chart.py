"""Charts as one says what is in them, before anything is drawn."""

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


@dataclass(frozen=True)
class Bar:
    """A bar with its value as it is written beside it."""

    name: str
    value: float
    shown: str


@dataclass(frozen=True)
class BarChart:
    """Bars one below the other, from 0. `said` describes it to those who do not see it."""

    title: str
    said: str
    bars: tuple[Bar, ...]


Chart = LineChart | BarChart
