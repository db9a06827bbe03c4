"""The figures behind a chart as CSV: all of them, as they are and not as they are shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import BarChart, Chart, LineChart, ScatterChart, StepChart
from dovetail.reports.csv_text import csv_text

Cell = str | float | None
Row = tuple[Cell, ...]


def chart_csv(chart: Chart) -> str:
    """A line of columns and one for each point, bar or step; of a scatter chart, for each thing.

    Whole numbers are exact, others have six digits. A text that a spreadsheet would take for a
    formula has an apostrophe before it; numbers never have.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerows([_written(cell) for cell in row] for row in _rows(chart))
    return lines.getvalue()


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return csv_text(cell)
    return str(cell) if isinstance(cell, int) else f"{cell:.6g}"


def _rows(chart: Chart) -> Iterable[Row]:
    """The columns, then the figures."""
    if isinstance(chart, LineChart):
        return _of_lines(chart)
    if isinstance(chart, BarChart):
        column = chart.column or chart.title
        return [("name", column), *((bar.name, bar.value) for bar in chart.bars)]
    return _of_steps(chart) if isinstance(chart, StepChart) else _of_scatter(chart)


def _of_lines(chart: LineChart) -> Iterator[Row]:
    yield "series", _column(chart.x), _column(chart.y), "bound", "said"
    for line in chart.lines:
        for point in line.points:
            yield line.name, point.x, point.y, int(point.hollow), point.said


def _of_steps(chart: StepChart) -> Iterator[Row]:
    yield "series", "name", _column(chart.x), _column(chart.y)
    for curve in chart.curves:
        for number, step in enumerate(curve.steps, start=1):
            yield curve.name, step.name, step.x, number * chart.rise


def _of_scatter(chart: ScatterChart) -> Iterator[Row]:
    """Beside the values of a series stands whether each is a bound."""
    column = _column(chart.axis)
    figures = [(f"{name}: {column}", f"{name}: bound") for name in chart.series]
    yield "name", *(title for pair in figures for title in pair)
    for thing, readings in zip(chart.things, zip(*chart.readings, strict=True), strict=True):
        cells: list[Cell] = [thing]
        for one in readings:
            cells += [None, None] if one is None else [one.value, int(one.hollow)]
        yield tuple(cells)


def _column(axis: Axis) -> str:
    return axis.column or axis.label
