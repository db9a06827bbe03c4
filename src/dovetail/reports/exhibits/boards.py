"""Exhibits with a row for each board: sorted exhibits with a chart, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from dovetail.errors import how_many
from dovetail.harness.exhibits import Exhibit, PublishedBoard, Value
from dovetail.harness.records.record import Record
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.kinds import LINES
from dovetail.reports.exhibits.measured import Measured, MeasuredBoard, show_nodes, show_time
from dovetail.reports.exhibits.sums import summed
from dovetail.reports.numbers import ABSENT, show_rounded, show_seconds, show_whole
from dovetail.reports.page import Section
from dovetail.reports.table import Table, text_table

LABELS = {
    Value.NODES: "nodes",
    Value.SECONDS: "time, prepare + solve",
    Value.SOLVE: "time, solve",
}
COLUMNS = {Value.NODES: "nodes", Value.SECONDS: "prepare_and_solve_s", Value.SOLVE: "solve_s"}
FASTEST_FIRST = "boards, ordered by the shortest time of any series (prepare + solve)"
FINISHED_BY_SOME = "finished by at least one series within the limits"
PUBLISHED, MEASURED = "published", "measured"


def board_table_part(measured: Measured) -> Section:
    """Return a table of the boards by kind; published boards come first in each kind."""
    exhibit, kept = measured.exhibit, measured.finished_by_some()
    text = measured.introduction(kept, FINISHED_BY_SOME)
    figures = [f"{series.name}: {what}" for series in exhibit.series for what in ("nodes", "time")]
    rows = tuple(_rows(exhibit, kept))
    table = text_table(("board", "", *figures), rows, "measured times: prepare + solve", words=2)
    return Section(exhibit.name, exhibit.title, tuple(text), tables=(table,) if rows else ())


def _rows(exhibit: Exhibit, kept: Sequence[MeasuredBoard]) -> Iterator[tuple[str, ...]]:
    """Yield the published and measured rows of each kind, then the measured rows of other kinds."""
    patterns = list(dict.fromkeys(row.boards for row in exhibit.rows))
    for pattern in patterns:
        yield from (_published(exhibit, row) for row in exhibit.rows if row.boards == pattern)
        yield from (_measured(board) for board in kept if fnmatchcase(board.puzzle, pattern))
    for board in kept:
        if not any(fnmatchcase(board.puzzle, pattern) for pattern in patterns):
            yield _measured(board)


def _published(exhibit: Exhibit, row: PublishedBoard) -> tuple[str, ...]:
    cells = []
    for series in exhibit.series:
        seconds = row.seconds.get(series.name)
        cells += [
            show_whole(row.nodes.get(series.name)),
            ABSENT if seconds is None else show_seconds(seconds),
        ]
    return row.name, PUBLISHED, *cells


def _measured(board: MeasuredBoard) -> tuple[str, ...]:
    cells = [
        cell for run in board.runs for cell in (show_nodes(run), show_time(run, run.result.total_s))
    ]
    return board.puzzle, MEASURED, *cells


def sorted_part(measured: Measured, styles: Mapping[str, int]) -> Section:
    """Return a chart, a table of the series and a table of the boards.

    `styles` has the style number of each series by name.
    """
    exhibit, kept = measured.exhibit, measured.finished_by_some()
    text = measured.introduction(kept, FINISHED_BY_SOME)
    if kept:
        text.append(_unfinished(measured, kept))
    chart = _chart(measured, kept, styles)
    tables = (_series_table(measured, kept), _boards_table(measured, kept)) if kept else ()
    charts = () if chart is None else (chart,)
    return Section(exhibit.name, exhibit.title, tuple(text), charts, tables)


def _unfinished(measured: Measured, kept: Sequence[MeasuredBoard]) -> str:
    """Return a sentence on the boards that each series did not finish."""
    unfinished = []
    for index, series in enumerate(measured.exhibit.series):
        number = sum(not board.runs[index].result.is_finished for board in kept)
        if number:
            unfinished.append(f"{series.name}: {number}")
    if not unfinished:
        return "Every series finished every board."
    return (
        f"Not finished, of {how_many(len(kept), 'board')}: {'; '.join(unfinished)}. Hollow marks "
        "are lower bounds from such runs; a run without figures has no mark."
    )


def _chart(
    measured: Measured, kept: Sequence[MeasuredBoard], styles: Mapping[str, int]
) -> Chart | None:
    """Return the chart, or None if no run has a figure."""
    exhibit, value = measured.exhibit, measured.exhibit.value
    lines = tuple(
        Series(series.name, styles[series.name], tuple(_points(kept, index, value)))
        for index, series in enumerate(exhibit.series)
    )
    heights = [point.y for line in lines for point in line.points]
    if not heights:
        return None
    show = show_rounded if value is Value.NODES else show_seconds
    y = logarithmic_axis(LABELS[value], heights, show, COLUMNS[value])
    x = Axis(FASTEST_FIRST, 0.5, len(kept) + 0.5, False, show_rounded, whole=True, column="board")
    text = (
        f"{LABELS[value]} on a logarithmic scale for {how_many(len(kept), 'board')}, "
        f"one line per series: {', '.join(series.name for series in exhibit.series)}. "
        "The tables below list the figures."
    )
    return Chart(exhibit.title, text, x, y, lines, LINES)


def _points(kept: Sequence[MeasuredBoard], index: int, value: Value) -> Iterator[Point]:
    """Yield the points of a series, without failed runs and without values of 0."""
    for number, board in enumerate(kept, start=1):
        run = board.runs[index]
        height = run.result.nodes or None if value is Value.NODES else _seconds(run, value)
        if height is not None and (run.result.is_finished or run.result.status.is_limit):
            shown = f"{board.puzzle}: {_cell(run, value)}"
            yield Point(number, height, shown, hollow=not run.result.is_finished)


def _seconds(run: Record, value: Value) -> float:
    return run.result.solve_s if value is Value.SOLVE else run.result.total_s


def _cell(run: Record, value: Value) -> str:
    return show_nodes(run) if value is Value.NODES else show_time(run, _seconds(run, value))


def _series_table(measured: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    """Return a table with a row for each series, about the boards that the series finished."""
    rows = []
    published = [series.published.nodes_per_s for series in measured.exhibit.series]
    fastest = [_fastest(board) for board in kept]
    for index, series in enumerate(measured.exhibit.series):
        finished = [board.runs[index] for board in kept if board.runs[index].result.is_finished]
        total, rate = summed(finished), published[index]
        row = [
            series.name,
            f"{len(finished)} of {len(kept)}",
            f"{fastest.count(index)}",
            show_whole(total.nodes) if finished else ABSENT,
            show_seconds(total.solve_s) if finished else ABSENT,
            ABSENT if total.nodes_per_s is None else show_rounded(total.nodes_per_s),
            (finished[0].job.node_meaning if finished else None) or ABSENT,
            ABSENT if rate is None else show_rounded(rate),
        ]
        rows.append(tuple(row if any(published) else row[:-1]))
    columns = (
        *("series", "finished", "fastest on", "nodes", "solve", "nodes per s", "a node is"),
        "published nodes per s",
    )
    caption = "each series on the boards that it finished; nodes per second of solve time"
    return text_table(columns if any(published) else columns[:-1], tuple(rows), caption)


def _fastest(board: MeasuredBoard) -> int:
    """Return the index of the fastest series."""
    times = {p: run.result.total_s for p, run in enumerate(board.runs) if run.result.is_finished}
    return min(times, key=lambda index: times[index] or 0.0)


def _boards_table(measured: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    exhibit = measured.exhibit
    rows = tuple(
        (f"{number}", board.puzzle, *(_cell(run, exhibit.value) for run in board.runs))
        for number, board in enumerate(kept, start=1)
    )
    columns = ("", "board", *(series.name for series in exhibit.series))
    caption = f"{LABELS[exhibit.value]} by board"
    return text_table(columns, rows, caption, words=2, folded=True)
