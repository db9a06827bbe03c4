"""A sorted exhibit: one value of every series on every board, the boards by least time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dovetail.errors import how_many
from dovetail.harness.exhibits.declared import Value
from dovetail.harness.exhibits.measured import Measured, MeasuredBoard
from dovetail.harness.exhibits.sums import summed
from dovetail.harness.records.record import Record
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.lines import Line, LineChart, Point
from dovetail.reports.exhibits.words import boards_sentence, paragraphs, show_nodes, show_time
from dovetail.reports.numbers import ABSENT, show_rounded, show_seconds, show_whole
from dovetail.reports.page import Part, Table

LABELS = {
    Value.NODES: "nodes",
    Value.SECONDS: "time, prepare + solve",
    Value.SOLVE: "time, solve",
}
COLUMNS = {Value.NODES: "nodes", Value.SECONDS: "prepare_and_solve_s", Value.SOLVE: "solve_s"}
FASTEST_FIRST = "boards, ordered by the shortest time of any series (prepare + solve)"


def sorted_part(measured: Measured, styles: Mapping[str, int]) -> Part:
    """The picture, a row for each series, and a row for each board; `styles` by series' names."""
    exhibit, kept = measured.exhibit, measured.finished_by_some()
    text = [
        *paragraphs(exhibit.about),
        boards_sentence(measured, kept, "finished by at least one series within the limits"),
    ]
    if kept:
        text.append(_unfinished(measured, kept))
    chart = _chart(measured, kept, styles)
    tables = (_series_table(measured, kept), _boards_table(measured, kept)) if kept else ()
    return Part(
        exhibit.name, exhibit.title, tuple(text), (chart,) if chart is not None else (), tables
    )


def _unfinished(measured: Measured, kept: Sequence[MeasuredBoard]) -> str:
    """How many boards each series left unfinished, and how the picture shows it."""
    left = []
    for place, series in enumerate(measured.exhibit.series):
        number = sum(not board.runs[place].result.is_finished for board in kept)
        if number:
            left.append(f"{series.name}: {number}")
    if not left:
        return "Every series finished every board."
    return (
        f"Not finished, of {how_many(len(kept), 'board')}: {'; '.join(left)}. Hollow marks are "
        "lower bounds from such runs; a run without figures has no mark."
    )


def _value(run: Record, value: Value) -> float | None:
    """Return what is drawn of a run; None where it has no figure, is wrong, or has no logarithm."""
    if not run.result.is_finished and not run.result.status.is_limit:
        return None
    if value is Value.NODES:
        return run.result.nodes or None
    return run.result.solve_s if value is Value.SOLVE else run.result.total_s


def _shower(value: Value) -> Callable[[float], str]:
    return show_rounded if value is Value.NODES else show_seconds


def _chart(
    measured: Measured, kept: Sequence[MeasuredBoard], styles: Mapping[str, int]
) -> LineChart | None:
    """The picture, None where there is nothing to see."""
    exhibit = measured.exhibit
    lines = []
    for place, series in enumerate(exhibit.series):
        points = _points(kept, place, exhibit.value)
        lines.append(Line(series.name, styles[series.name], points))
    values = [point.y for line in lines for point in line.points]
    if not values:
        return None
    label, column = LABELS[exhibit.value], COLUMNS[exhibit.value]
    y = logarithmic_axis(label, values, _shower(exhibit.value), column)
    x = Axis(FASTEST_FIRST, 0.5, len(kept) + 0.5, False, show_rounded, whole=True, column="board")
    text = (
        f"{LABELS[exhibit.value]} on a logarithmic scale for {how_many(len(kept), 'board')}, "
        f"one line per series: {', '.join(series.name for series in exhibit.series)}. "
        "The tables below list the figures."
    )
    return LineChart(exhibit.title, text, x, y, tuple(lines))


def _points(kept: Sequence[MeasuredBoard], place: int, value: Value) -> tuple[Point, ...]:
    points = []
    for number, board in enumerate(kept, start=1):
        run = board.runs[place]
        height = _value(run, value)
        if height is not None:
            points.append(
                Point(number, height, _description(board, run, value), not run.result.is_finished)
            )
    return tuple(points)


def _description(board: MeasuredBoard, run: Record, value: Value) -> str:
    return f"{board.puzzle}: {_cell(run, value)}"


def _cell(run: Record, value: Value) -> str:
    if value is Value.NODES:
        return show_nodes(run)
    return show_time(run, run.result.solve_s if value is Value.SOLVE else run.result.total_s)


def _series_table(measured: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    """What each series did with the boards that it finished."""
    rows = []
    published = [series.published.nodes_per_s for series in measured.exhibit.series]
    fastest = [_fastest(board) for board in kept]
    for place, series in enumerate(measured.exhibit.series):
        finished = [board.runs[place] for board in kept if board.runs[place].result.is_finished]
        total, rate = summed(finished), published[place]
        row = [
            series.name,
            f"{len(finished)} of {len(kept)}",
            f"{fastest.count(place)}",
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
    return Table(columns if any(published) else columns[:-1], tuple(rows), caption)


def _fastest(board: MeasuredBoard) -> int:
    """The place of the series that took the least time."""
    times = {p: run.result.total_s for p, run in enumerate(board.runs) if run.result.is_finished}
    return min(times, key=lambda place: times[place] or 0.0)


def _boards_table(measured: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    exhibit = measured.exhibit
    rows = tuple(
        (f"{number}", board.puzzle, *(_cell(run, exhibit.value) for run in board.runs))
        for number, board in enumerate(kept, start=1)
    )
    columns = ("", "board", *(series.name for series in exhibit.series))
    caption = f"{LABELS[exhibit.value]} by board"
    return Table(columns, rows, caption, left=2, folded=True)
