"""An exhibit of sums: nodes and time of each series beside a base, and what is published."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.exhibits.measured import Measured, MeasuredBoard
from dovetail.harness.exhibits.sums import (
    RelativeChange,
    SeriesSum,
    compared_sums,
    has_cpu_time,
)
from dovetail.reports.charts.bars import Bar, BarChart
from dovetail.reports.exhibits.words import boards_sentence, paragraphs
from dovetail.reports.numbers import ABSENT, show_change, show_rounded, show_seconds, show_whole
from dovetail.reports.page import Part, Table


def sums_part(measured: Measured) -> Part:
    """A bar for the nodes and one for the time of each series, and the table of both."""
    exhibit, kept = measured.exhibit, measured.finished_by_all()
    sums = compared_sums(measured)
    text = [
        *paragraphs(exhibit.about),
        boards_sentence(measured, kept, "finished by every series within the limits"),
    ]
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
        return Part(exhibit.name, exhibit.title, tuple(text))
    text.append(_hardest(measured, kept))
    return Part(
        exhibit.name, exhibit.title, tuple(text), _charts(measured, sums), (_table(measured, sums),)
    )


def _hardest(measured: Measured, kept: Sequence[MeasuredBoard]) -> str:
    """The board that weighs most in the sums, and how much."""
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


def _charts(measured: Measured, sums: Sequence[SeriesSum]) -> tuple[BarChart, ...]:
    names = [series.name for series in measured.exhibit.series]
    sums = [one for one in sums if not measured.exhibit.series[one.place].apart]
    times = tuple(Bar(names[s.place], s.sum.seconds, show_seconds(s.sum.seconds)) for s in sums)
    counted = [(names[s.place], s.sum.nodes) for s in sums]
    nodes = tuple(Bar(name, n, show_rounded(n)) for name, n in counted if n is not None)
    charts = [_chart("time, prepare + solve", times, "prepare_and_solve_s")]
    return (*charts, _chart("nodes", nodes, "nodes")) if nodes else tuple(charts)


def _chart(title: str, bars: tuple[Bar, ...], column: str) -> BarChart:
    text = "; ".join(f"{bar.name}: {bar.shown}" for bar in bars)
    return BarChart(f"{title}, sum over the boards", text, bars, column=column)


def _table(measured: Measured, sums: Sequence[SeriesSum]) -> Table:
    """Published changes have a column each where there are any."""
    exhibit = measured.exhibit
    published = [exhibit.series[one.place].published for one in sums]
    with_nodes = any(figures.nodes_change is not None for figures in published)
    with_time = any(figures.seconds_change is not None for figures in published)
    solve = "solve, CPU" if has_cpu_time(measured) else "solve"
    columns = ["", "boards", "nodes", "change", solve, "change", "prepare + solve", "change"]
    rows = []
    for one, figures in zip(sums, published, strict=True):
        series = exhibit.series[one.place]
        base = series.name == exhibit.base
        row = [
            series.name,
            f"{one.boards}",
            show_whole(one.sum.nodes),
            _changed(one.nodes_change, base),
            show_seconds(one.solve_s),
            _changed(one.solve_change, base),
            show_seconds(one.sum.seconds),
            _changed(one.seconds_change, base),
        ]
        row += [show_change(figures.nodes_change)] if with_nodes else []
        row += [show_change(figures.seconds_change)] if with_time else []
        rows.append(tuple(row))
    columns += ["published: nodes"] if with_nodes else []
    columns += ["published: time"] if with_time else []
    caption = f"change: relative to {exhibit.base}; negative means less work"
    if any(change is not None and change.interval for one in sums for change in _changes(one)):
        caption += "; in parentheses: the 95 % interval by the spread of the boards"
    return Table(tuple(columns), tuple(rows), caption)


def _changes(one: SeriesSum) -> tuple[RelativeChange | None, ...]:
    return one.nodes_change, one.solve_change, one.seconds_change


def _changed(change: RelativeChange | None, base: bool) -> str:
    """A change with its interval, such as `−24 % (−31 to −15)`."""
    if base or change is None:
        return ABSENT
    shown, interval = show_change(change.value), change.interval
    if interval is None:
        return shown
    ends = (show_change(end).removesuffix(" %") for end in (interval.low, interval.high))
    return f"{shown} ({' to '.join(ends)})"
