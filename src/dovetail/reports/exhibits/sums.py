"""Exhibits of sums: nodes and times of each series summed over boards, compared with a base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from dovetail.harness.confidence import Interval, ratio_interval
from dovetail.harness.records.record import Record
from dovetail.reports.charts.chart import Chart, Point
from dovetail.reports.charts.kinds import bar_chart
from dovetail.reports.exhibits.measured import Measured, MeasuredBoard
from dovetail.reports.numbers import ABSENT, show_change, show_rounded, show_seconds, show_whole
from dovetail.reports.page import Section
from dovetail.reports.table import Table, text_table


@dataclass(frozen=True)
class Sum:
    """Sums of the nodes and times of a series; `nodes` is None if a run does not count nodes."""

    nodes: int | None
    prepare_s: float
    solve_s: float

    @property
    def seconds(self) -> float:
        """Time of prepare and solve together."""
        return self.prepare_s + self.solve_s

    @property
    def nodes_per_s(self) -> float | None:
        """Nodes per second of solve time; None if unknown."""
        return self.nodes / self.solve_s if self.nodes is not None and self.solve_s > 0 else None


@dataclass(frozen=True)
class RelativeChange:
    """The change relative to the sum of the base; 0 for the base itself."""

    value: float
    # 95 % interval, estimated from the spread of the boards. None for fewer than ten boards.
    interval: Interval | None = None


@dataclass(frozen=True)
class SeriesSum:
    """The sum of a series over boards, and its changes, which are None without a base."""

    # Index of the series.
    place: int
    # Number of boards.
    boards: int
    sum: Sum
    # `solve_s` and `solve_change` are processor time if `has_cpu_time`, otherwise wall-clock time.
    solve_s: float
    nodes_change: RelativeChange | None
    solve_change: RelativeChange | None
    seconds_change: RelativeChange | None


def summed(runs: Iterable[Record]) -> Sum:
    """Return the sums of nodes and times over runs."""
    runs = tuple(runs)
    nodes = [run.result.nodes for run in runs]
    return Sum(
        None if None in nodes else sum(count for count in nodes if count is not None),
        sum(run.result.prepare_s for run in runs),
        sum(run.result.solve_s for run in runs),
    )


def has_cpu_time(measured: Measured) -> bool:
    """Return True if every finished run has the processor time of its search.

    This time includes all threads and native libraries of the process. Rounds of pytest-benchmark
    do not have it.
    """
    runs = (run for board in measured.boards for run in board.runs if run.result.is_finished)
    return all(run.result.solve_cpu_s is not None for run in runs)


def compared_sums(measured: Measured) -> list[SeriesSum]:
    """Return the sums of the series that finished a board, compared with the base.

    The sums are over the boards that all series finished. The sums of a series with `apart` are
    over the boards that the series and the base finished. There are no changes if the base finished
    no board.
    """
    exhibit, finishing = measured.exhibit, measured.finishing()
    names = [series.name for series in exhibit.series]
    base = next((place for place in finishing if names[place] == exhibit.base), None)
    together = measured.finished_by_all()
    solve_s = attrgetter("result.solve_cpu_s" if has_cpu_time(measured) else "result.solve_s")
    figures = (attrgetter("result.nodes"), solve_s, attrgetter("result.total_s"))
    sums = list[SeriesSum]()
    for place in finishing:
        boards = together
        if exhibit.series[place].apart and base is not None:
            boards = measured.finished_by((place, base))
        runs = [board.runs[place] for board in boards]
        sums.append(
            SeriesSum(
                place,
                len(boards),
                summed(runs),
                sum(map(solve_s, runs)),
                *(_change(boards, place, base, of) for of in figures),
            )
        )
    return sums


def _change(
    boards: Sequence[MeasuredBoard],
    place: int,
    base: int | None,
    figure: Callable[[Record], float | None],
) -> RelativeChange | None:
    """Return the change of the sum of a figure relative to the base.

    Returns None if there is no base, if a run has no figure, or if the sum of the base is 0.
    """
    if base is None:
        return None
    pairs = [(figure(board.runs[place]), figure(board.runs[base])) for board in boards]
    known = [
        (value, base_value)
        for value, base_value in pairs
        if value is not None and base_value is not None
    ]
    total = sum(base_value for _, base_value in known)
    if len(known) < len(pairs) or not total > 0:
        return None
    more = sum(value for value, _ in known) - total
    figures, base_figures = np.array(known, dtype=float).T
    ratio = ratio_interval(figures, base_figures) if (base_figures > 0).all() else None
    interval = ratio and Interval(ratio.mean - 1, ratio.low - 1, ratio.high - 1)
    return RelativeChange(more / total, interval)


def sums_part(measured: Measured) -> Section:
    """Return bar charts of the nodes and the time of each series, and a table of the sums."""
    exhibit, kept = measured.exhibit, measured.finished_by_all()
    sums = compared_sums(measured)
    text = measured.introduction(kept, "finished by every series within the limits")
    apart = [series.name for series in exhibit.series if series.apart]
    if apart:
        names = ", ".join(map(repr, apart))
        text.append(
            f"Not in the charts: {names}. Each is summed over the boards that it and "
            f"{exhibit.base!r} finished."
        )
    absent = [s.name for p, s in enumerate(exhibit.series) if p not in measured.finishing()]
    if absent and measured.boards:
        text.append(f"Left out because they finished no board: {', '.join(absent)}.")
    if not kept:
        return Section(exhibit.name, exhibit.title, tuple(text))
    text.append(_hardest(measured, kept))
    return Section(
        exhibit.name, exhibit.title, tuple(text), _charts(measured, sums), (_table(measured, sums),)
    )


def _hardest(measured: Measured, kept: Sequence[MeasuredBoard]) -> str:
    """Return a sentence on the board with the largest share of the total time."""
    places = measured.finishing()

    def weight(board: MeasuredBoard) -> float:
        runs = [board.runs[place] for place in places]
        return sum(run.result.total_s for run in runs if run.result.status.has_searched)

    heaviest, total = max(kept, key=weight), sum(map(weight, kept))
    share = weight(heaviest) / total if total > 0 else 1.0
    return (
        f"The board with the longest time, {heaviest.puzzle}, takes {100 * share:.0f} % of the "
        "total."
    )


def _charts(measured: Measured, sums: Sequence[SeriesSum]) -> tuple[Chart, ...]:
    names = [series.name for series in measured.exhibit.series]
    sums = [total for total in sums if not measured.exhibit.series[total.place].apart]
    times = tuple(_bar(names[s.place], s.sum.seconds, show_seconds) for s in sums)
    counted = [(names[s.place], s.sum.nodes) for s in sums]
    nodes = tuple(_bar(name, n, show_rounded) for name, n in counted if n is not None)
    charts = [_chart("time, prepare + solve", times, "prepare_and_solve_s")]
    return (*charts, _chart("nodes", nodes, "nodes")) if nodes else tuple(charts)


def _bar(name: str, value: float, show: Callable[[float], str]) -> Point:
    return Point(value, 0.0, show(value), name)


def _chart(title: str, bars: tuple[Point, ...], column: str) -> Chart:
    text = "; ".join(f"{bar.name}: {bar.tooltip}" for bar in bars)
    return bar_chart(f"{title}, sum over the boards", text, bars, column)


def _table(measured: Measured, sums: Sequence[SeriesSum]) -> Table:
    exhibit = measured.exhibit
    published = [exhibit.series[total.place].published for total in sums]
    compared = {
        name: key
        for name, key in (("nodes", "nodes_change"), ("time", "seconds_change"))
        if any(getattr(figures, key) is not None for figures in published)
    }
    solve = "solve, CPU" if has_cpu_time(measured) else "solve"
    columns = ["", "boards", "nodes", "change", solve, "change", "prepare + solve", "change"]
    columns += [f"published: {name}" for name in compared]
    rows = []
    for total, figures in zip(sums, published, strict=True):
        series = exhibit.series[total.place]
        base = series.name == exhibit.base
        row = [
            series.name,
            f"{total.boards}",
            show_whole(total.sum.nodes),
            _changed(total.nodes_change, base),
            show_seconds(total.solve_s),
            _changed(total.solve_change, base),
            show_seconds(total.sum.seconds),
            _changed(total.seconds_change, base),
        ]
        rows.append((*row, *(show_change(getattr(figures, key)) for key in compared.values())))
    caption = f"change: relative to {exhibit.base}; negative means less work"
    changes = (
        c for total in sums for c in (total.nodes_change, total.solve_change, total.seconds_change)
    )
    if any(change is not None and change.interval for change in changes):
        caption += "; in parentheses: the 95 % interval, estimated from the spread of the boards"
    return text_table(tuple(columns), tuple(rows), caption)


def _changed(change: RelativeChange | None, base: bool) -> str:
    """Format a change with its interval, such as `−24 % (−31 to −15)`."""
    if base or change is None:
        return ABSENT
    shown, interval = show_change(change.value), change.interval
    if interval is None:
        return shown
    ends = (show_change(end).removesuffix(" %") for end in (interval.low, interval.high))
    return f"{shown} ({' to '.join(ends)})"
