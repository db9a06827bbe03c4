"""Exhibits as sections of a page: sorted boards, sums, tables of boards, rates, and levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from operator import attrgetter
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.exhibits import ExhibitType, Value
from dovetail.harness.records.record import Record
from dovetail.harness.suite.reproduction import Verdict
from dovetail.models.outcome import Status
from dovetail.reports.charts.chart import Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import INTERVALS, LINES, bar_chart
from dovetail.reports.exhibits.measured import (
    Measured,
    MeasuredBoard,
    MeasuredLevel,
    MeasuredRate,
    RateOrder,
    RelativeChange,
    SeriesRuns,
    compared_measures,
    has_cpu_time,
    rate_order,
    series_to_sum,
)
from dovetail.reports.exhibits.published import show_rate_interval
from dovetail.reports.measures import NODES, SOLVE, TIME, Measure
from dovetail.reports.numbers import ABSENT, show_change, show_rounded, show_seconds, show_whole
from dovetail.reports.page import Content, Section, definitions
from dovetail.reports.results.profiles import (
    COUNTS,
    LEVEL_FIGURES,
    figure_column,
    figure_title,
)
from dovetail.reports.table import Column, Table

MEASURES = {Value.NODES: NODES, Value.SECONDS: TIME, Value.SOLVE: SOLVE}
FASTEST_FIRST = "boards, ordered by the shortest time of any series (prepare + solve)"
FINISHED_BY_SOME = "finished by at least one series within the limits"
FINISHED_BY_ALL = "finished by every series within the limits"
PUBLISHED, MEASURED = "published", "measured"
RATES_LABEL = "solutions per second"
OF_LEVELS = (
    "exact: all published figures of the row were measured to their last digit; "
    "–: no figure of the row was published"
)
# Margin on either side of the points of rates, as a share of the axis.
MARGIN = 0.03
# Maximum factor by which an interval extends the axis below the lowest rate.
MAX_SHARE = 10.0


def exhibit_sections(exhibits: Iterable[Measured]) -> list[Section]:
    """Return a section for each exhibit; series with the same name have the same style."""
    exhibits = tuple(exhibits)
    drawn = [shown for shown in exhibits if shown.exhibit.kind is ExhibitType.SORTED]
    names = dict.fromkeys(series.name for shown in drawn for series in shown.exhibit.series)
    styles = {name: number for number, name in enumerate(names)}
    kinds: dict[ExhibitType, Callable[[Measured], Section]] = {
        ExhibitType.SORTED: lambda shown: _sorted_section(shown, styles),
        ExhibitType.SUMS: _sums_section,
        ExhibitType.RATES: _rates_section,
        ExhibitType.TABLE: _boards_section,
        ExhibitType.LEVELS: lambda shown: _section(shown, _levels_table(shown.levels)),
    }
    return [kinds[shown.exhibit.kind](shown) for shown in exhibits]


def _section(shown: Measured, *contents: Content) -> Section:
    """Return the section of an exhibit; its text in the suite comes before `contents`."""
    exhibit = shown.exhibit
    blocks = (" ".join(block.split()) for block in exhibit.about.split("\n\n"))
    return Section(exhibit.name, exhibit.title, [*filter(None, blocks), *contents])


def _included(shown: Measured, kept: Sequence[MeasuredBoard], rule: str) -> str:
    """Return sentences on the numbers of boards that the suite has and that `rule` includes."""
    asked, run = len(shown.exhibit.boards), len(shown.boards)
    text = f"The suite has {how_many(asked, 'board')}"
    if run < asked:
        text += f"; every series has run on {run}"
    return f"{text}. Included: {len(kept)} ({rule})."


def _show_nodes(run: Record) -> str:
    """Format the nodes of a run, with `≥` if the run did not finish."""
    if run.result.nodes is None:
        return ABSENT
    return f"{'' if run.result.is_finished else '≥ '}{show_whole(run.result.nodes)}"


def _show_time(run: Record, seconds: float) -> str:
    """Format the seconds of a run, with `>` if a limit stopped it.

    For any other run that did not finish, returns "refused" or the status.
    """
    if run.result.is_finished:
        return show_seconds(seconds)
    if run.result.status.is_limit:
        return f"> {show_seconds(seconds)}"
    return "refused" if run.result.status is Status.SKIPPED else str(run.result.status)


def _show_value(run: Record, measure: Measure) -> str:
    return _show_nodes(run) if measure is NODES else _show_time(run, measure.of(run) or 0.0)


def _boards_section(shown: Measured) -> Section:
    """Return a section with a table of the boards by kind, the published boards of a kind first."""
    exhibit, kept = shown.exhibit, shown.finished_by_some()
    patterns = list(dict.fromkeys(row.boards for row in exhibit.rows))
    rows = list[BoardRow]()
    for pattern in patterns:
        of_kind = (row for row in exhibit.rows if row.boards == pattern)
        rows += [BoardRow(row.name, PUBLISHED, row.nodes, row.seconds) for row in of_kind]
        rows += [_measured_row(b) for b in kept if fnmatchcase(b.puzzle, pattern)]
    others = (b for b in kept if not any(fnmatchcase(b.puzzle, pattern) for pattern in patterns))
    rows += map(_measured_row, others)
    columns = [
        Column[BoardRow]("board", lambda row: row.board, words=True),
        Column[BoardRow]("", lambda row: row.source, words=True),
        *(column for series in exhibit.series for column in _board_columns(series.name)),
    ]
    table = Table(columns, rows, "measured times: prepare + solve") if rows else None
    return _section(shown, _included(shown, kept, FINISHED_BY_SOME), table)


class BoardRow(NamedTuple):
    """Published or measured figures of a board by series name."""

    board: str
    source: str
    nodes: Mapping[str, object]
    seconds: Mapping[str, object]


def _measured_row(board: MeasuredBoard) -> BoardRow:
    nodes = {name: _show_nodes(run) for name, run in board.runs.items()}
    times = {name: _show_time(run, run.result.total_s) for name, run in board.runs.items()}
    return BoardRow(board.puzzle, MEASURED, nodes, times)


def _board_columns(name: str) -> Iterator[Column[BoardRow]]:
    """Yield the columns of the nodes and the time of a series."""
    yield Column(f"{name}: nodes", lambda row: row.nodes.get(name))
    yield Column(f"{name}: time", lambda row: row.seconds.get(name), unit="s")


def _sorted_section(shown: Measured, styles: Mapping[str, int]) -> Section:
    """Return a section with a chart, a table of the series and a table of the boards.

    `styles` has the style number of each series by name.
    """
    kept = shown.finished_by_some()
    included = _included(shown, kept, FINISHED_BY_SOME)
    if not kept:
        return _section(shown, included)
    return _section(
        shown,
        included,
        _unfinished(shown, kept),
        _values_chart(shown, kept, styles),
        _series_table(shown, kept),
        _values_table(shown, kept),
    )


def _unfinished(shown: Measured, kept: Sequence[MeasuredBoard]) -> str:
    """Return sentences on the numbers of boards that the series did not finish."""
    unfinished = []
    for series in shown.exhibit.series:
        number = sum(not board.is_finished_by(series.name) for board in kept)
        if number:
            unfinished.append(f"{series.name}: {number}")
    if not unfinished:
        return "Every series finished every board."
    return (
        f"Not finished, of {how_many(len(kept), 'board')}: {'; '.join(unfinished)}. Hollow marks "
        "are lower bounds from such runs; a run without figures has no mark."
    )


def _values_chart(
    shown: Measured, kept: Sequence[MeasuredBoard], styles: Mapping[str, int]
) -> Chart | None:
    """Return the chart of a value of each series on each board; None without figures."""
    exhibit, measure = shown.exhibit, MEASURES[shown.exhibit.value]
    lines = tuple(
        Series(series.name, styles[series.name], tuple(_value_points(kept, series.name, measure)))
        for series in exhibit.series
    )
    heights = [point.y for line in lines for point in line.points]
    if not heights:
        return None
    text = (
        f"{measure.label} on a logarithmic scale for {how_many(len(kept), 'board')}, "
        f"one line per series: {', '.join(series.name for series in exhibit.series)}. "
        "The tables below list the figures."
    )
    x = Axis(FASTEST_FIRST, 0.5, len(kept) + 0.5, False, show_rounded, whole=True, column="board")
    return Chart(exhibit.title, text, x, measure.axis(heights), lines, LINES)


def _value_points(kept: Sequence[MeasuredBoard], name: str, measure: Measure) -> Iterator[Point]:
    """Yield the points of runs that finished or reached a limit, without counts of 0 nodes."""
    for number, board in enumerate(kept, start=1):
        run = board.runs[name]
        height = measure.of(run)
        if height is None or (measure is NODES and not height):
            continue
        if run.result.is_finished or run.result.status.is_limit:
            tooltip = f"{board.puzzle}: {_show_value(run, measure)}"
            yield Point(number, height, tooltip, hollow=not run.result.is_finished)


def _series_table(shown: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    """Return a table with a row for each series, about the boards that the series finished."""
    all_series = shown.exhibit.series
    fastest = [board.fastest for board in kept]

    def meaning(summed: SeriesRuns) -> str | None:
        return summed.runs[0].job.node_meaning if summed.runs else None

    def rate(summed: SeriesRuns) -> str | None:
        nodes, solve_s = summed.sum(NODES), summed.sum(SOLVE)
        return show_rounded(nodes / solve_s) if nodes is not None and solve_s else None

    columns = [
        Column[SeriesRuns]("series", lambda summed: summed.series.name, words=True),
        Column[SeriesRuns]("finished", lambda summed: f"{len(summed.runs)} of {len(kept)}"),
        Column[SeriesRuns]("fastest on", lambda summed: fastest.count(summed.series.name)),
        Column[SeriesRuns]("nodes", lambda summed: summed.sum(NODES)),
        Column[SeriesRuns]("solve", lambda summed: summed.sum(SOLVE), unit="s"),
        Column[SeriesRuns]("nodes per s", rate),
        Column[SeriesRuns]("a node is", meaning),
        Column[SeriesRuns](
            "published nodes per s",
            lambda summed: show_rounded(summed.series.published.nodes_per_s),
        ),
    ]
    if not any(series.published.nodes_per_s for series in all_series):
        columns.pop()
    finished = [
        SeriesRuns(series, [b.runs[series.name] for b in kept if b.is_finished_by(series.name)])
        for series in all_series
    ]
    caption = "each series on the boards that it finished; nodes per second of solve time"
    return Table(columns, finished, caption)


def _values_table(shown: Measured, kept: Sequence[MeasuredBoard]) -> Table:
    measure = MEASURES[shown.exhibit.value]

    def column(name: str) -> Column[tuple[int, MeasuredBoard]]:
        return Column(name, lambda board: _show_value(board[1].runs[name], measure))

    columns = [
        Column[tuple[int, MeasuredBoard]]("", lambda board: board[0], words=True),
        Column[tuple[int, MeasuredBoard]]("board", lambda board: board[1].puzzle, words=True),
        *(column(series.name) for series in shown.exhibit.series),
    ]
    boards = list(enumerate(kept, start=1))
    return Table(columns, boards, f"{measure.label} by board", folded=True)


def _sums_section(shown: Measured) -> Section:
    """Return a section with bar charts of time and nodes by series, and a table of the sums."""
    exhibit, kept, sums = shown.exhibit, shown.finished_by_all(), series_to_sum(shown)
    texts = [_included(shown, kept, FINISHED_BY_ALL)]
    apart = [series.name for series in exhibit.series if series.apart]
    if apart:
        texts.append(
            f"Not in the charts: {', '.join(map(repr, apart))}. Each is summed over the boards "
            f"that it and {exhibit.base!r} finished."
        )
    finishing = shown.finishing()
    absent = [series.name for series in exhibit.series if series not in finishing]
    if absent and shown.boards:
        texts.append(f"Left out because they finished no board: {', '.join(absent)}.")
    if not kept:
        return _section(shown, *texts)

    def weight(board: MeasuredBoard) -> float:
        runs = [board.runs[series.name] for series in finishing]
        return sum(run.result.total_s for run in runs if run.result.status.has_searched)

    heaviest, total = max(kept, key=weight), sum(map(weight, kept))
    share = weight(heaviest) / total if total > 0 else 1.0
    texts.append(
        f"The board with the longest time, {heaviest.puzzle}, takes {100 * share:.0f} % of the "
        "total."
    )
    return _section(shown, *texts, *_sum_charts(sums), _sums_table(shown, sums))


def _sum_charts(sums: Sequence[SeriesRuns]) -> Iterator[Chart]:
    for measure in (TIME, NODES):
        totals = [(bar.series.name, bar.sum(measure)) for bar in sums if not bar.series.apart]
        bars = [Point(x, 0.0, measure.show(x), name) for name, x in totals if x is not None]
        if bars:
            text = "; ".join(f"{bar.name}: {bar.tooltip}" for bar in bars)
            title = f"{measure.label}, sum over the boards"
            yield bar_chart(title, text, bars, measure.column)


def _sums_table(shown: Measured, sums: Sequence[SeriesRuns]) -> Table:
    base, measures = shown.exhibit.base, compared_measures(shown)
    titles = ("nodes", "solve, CPU" if has_cpu_time(shown) else "solve", "prepare + solve")
    columns = [
        Column[SeriesRuns]("", lambda summed: summed.series.name, words=True),
        Column[SeriesRuns]("boards", lambda summed: str(len(summed.runs))),
    ]
    for title, measure, unit in zip(titles, measures.values(), ("", "s", "s"), strict=True):
        columns += _sum_columns(title, measure, unit, base)
    for title, field in (("nodes", "nodes_change"), ("time", "seconds_change")):
        published = attrgetter(f"series.published.{field}")
        if any(published(summed) is not None for summed in sums):
            columns.append(Column(f"published: {title}", published, show_change))
    caption = f"change: relative to {base}; negative means less work"
    changes = [summed.change(measure) for summed in sums for measure in measures.values()]
    if any(change and change.interval for change in changes):
        caption += "; in parentheses: the 95 % interval, estimated from the spread of the boards"
    return Table(columns, sums, caption)


def _sum_columns(
    title: str, measure: Measure, unit: str, base: str | None
) -> Iterator[Column[SeriesRuns]]:
    """Yield the columns of a sum and of its change relative to the base."""
    yield Column(title, lambda summed: summed.sum(measure), unit=unit)
    yield Column(
        "change",
        lambda summed: None if summed.series.name == base else _changed(summed.change(measure)),
    )


def _changed(change: RelativeChange | None) -> str:
    """Format a change with its interval, such as `−24 % (−31 to −15)`."""
    if change is None:
        return ABSENT
    if change.interval is None:
        return show_change(change.value)
    low, high = (
        show_change(end).removesuffix(" %") for end in (change.interval.low, change.interval.high)
    )
    return f"{show_change(change.value)} ({low} to {high})"


def _rates_section(shown: Measured) -> Section:
    """Return a section with a chart and a table of the measured and published rates."""
    rates, order = shown.rates, rate_order(shown.rates)
    known = sum(row.rate is not None for row in rates)
    included = f"The exhibit has {how_many(len(rates), 'row')}. Measured: {known}."
    texts = [*definitions("rates"), included]
    if order.correlation is not None:
        texts.append(_order(order, order.correlation))
    columns = (
        *RATES[:1],
        Column[MeasuredRate](shown.exhibit.axis, lambda row: f"{row.point.x:g}"),
        *RATES[1:],
    )
    return _section(shown, *texts, _rates_chart(shown), Table(columns, rates))


def _order(order: RateOrder, correlation: float) -> str:
    """Return sentences on the rank correlation and on the order of pairs of rows."""
    text = (
        f"Spearman's rank correlation of the published and the measured rates of {order.rows} rows "
        f"is {correlation:.2f}."
    ).replace("-", "−")
    if not order.pairs:
        return text
    opposed = "; ".join(f"{higher} above {lower}" for higher, lower in order.opposed)
    return (
        f"{text} {how_many(order.pairs, 'pair')} of rows have different published rates: "
        f"{order.agreeing} with the published order and intervals that do not overlap, "
        f"{len(order.opposed)} with the opposite order and intervals that do not overlap"
        f"{f' (published: {opposed})' if opposed else ''}, "
        f"{order.undecided} undecided because the intervals overlap or are unknown."
    )


def _show_ends(row: MeasuredRate) -> str | None:
    if row.interval is None:
        return None
    return f"{show_rounded(row.interval.low)} to {show_rounded(row.interval.high)}"


RATES: Sequence[Column[MeasuredRate]] = (
    Column("row", lambda row: row.point.row, words=True),
    Column(f"{PUBLISHED} per s", lambda row: show_rounded(row.point.published)),
    Column(f"{MEASURED} per s", lambda row: show_rounded(row.rate)),
    Column("95 % interval", _show_ends),
    Column(f"{PUBLISHED} per million fits", lambda row: show_rounded(row.point.published_per_fits)),
    Column(f"{MEASURED} per million fits", lambda row: show_rounded(row.per_fits)),
    Column("solutions found", lambda row: row.searched and row.searched.found),
    Column("trials", lambda row: row.searched and row.searched.begun),
    Column("with solutions", lambda row: row.searched and row.searched.with_solutions),
)


def _rates_chart(shown: Measured) -> Chart | None:
    """Return the chart of the rates; None if no measured rate is above 0."""
    exhibit, rates = shown.exhibit, sorted(shown.rates, key=lambda row: row.point.x)
    lines = [
        Series(MEASURED, 0, tuple(_measured_points(rates))),
        Series(PUBLISHED, 1, tuple(_published_points(rates))),
    ]
    if not lines[0].points:
        return None
    heights = [point.y for line in lines for point in line.points]
    ends = [end for point in lines[0].points for end in (point.low, point.high) if end is not None]
    lowest = min(heights) / MAX_SHARE
    heights += [end for end in ends if end >= lowest]
    first, last = rates[0].point.x, rates[-1].point.x
    margin = MARGIN * (last - first) or 1.0
    whole = all(float(row.point.x).is_integer() for row in rates)
    text = (
        f"Solutions per second on a logarithmic scale by {exhibit.axis}: a line for the measured "
        "rates with the 95 % interval of each as a bar, and a line for the published rates. The "
        "table below lists the figures."
    )
    x = Axis(exhibit.axis, first - margin, last + margin, False, show_rounded, whole=whole)
    y = logarithmic_axis(RATES_LABEL, heights, show_rounded, is_fitted=True)
    return Chart(exhibit.title, text, x, y, tuple(line for line in lines if line.points), INTERVALS)


def _measured_points(rates: Sequence[MeasuredRate]) -> Iterator[Point]:
    """Yield the points of the rates above 0, because the axis is logarithmic."""
    for row in rates:
        if row.rate:
            low, high = (row.interval.low, row.interval.high) if row.interval else (None, None)
            tooltip = f"{row.point.row}: {show_rate_interval(row.rate, row.interval)}"
            yield Point(row.point.x, row.rate, tooltip, low=low, high=high)


def _published_points(rates: Sequence[MeasuredRate]) -> Iterator[Point]:
    for point in (row.point for row in rates):
        if point.published is not None:
            tooltip = f"{point.row}: {show_rounded(point.published)} ({PUBLISHED})"
            yield Point(point.x, point.published, tooltip)


def _levels_table(rows: Sequence[MeasuredLevel]) -> Table:
    """Return a table with a row for each level: its verdict, its published and measured figures.

    A published figure has a column only if it was published for some level.
    """
    columns = [
        Column[MeasuredLevel](
            "pieces left", lambda level: "all" if level.left is None else str(level.left)
        ),
        Column[MeasuredLevel](
            "verdict", lambda level: level.verdict and str(level.verdict), words=True
        ),
    ]
    for name in LEVEL_FIGURES:
        if any(name in level.published for level in rows):
            columns.append(_published_column(name))
        columns.append(figure_column(name, lambda level: level.measured))
    return Table(columns, rows, OF_LEVELS, marked=lambda level: level.verdict is Verdict.DIFFERS)


def _published_column(name: str) -> Column[MeasuredLevel]:
    title = f"published {figure_title(name)}"
    show = None if name in COUNTS else "{:,}".format
    return Column(title, lambda level: level.published.get(name), show)
