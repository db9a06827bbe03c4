"""The exhibits of a suite as parts of a page, and their figures as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from dovetail.harness.exhibits import ExhibitType
from dovetail.harness.records.record import Record
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.reports.exhibits.boards import board_table_part, sorted_part
from dovetail.reports.exhibits.measured import Measured, measured
from dovetail.reports.exhibits.rates import rates_part
from dovetail.reports.exhibits.sums import RelativeChange, compared_sums, sums_part
from dovetail.reports.page import Section
from dovetail.reports.table import csv_lines

COLUMNS = (
    "exhibit",
    "source",
    "board",
    "kept",
    "series",
    "status",
    "nodes",
    "prepare_s",
    "solve_s",
    "seconds",
    "nodes_per_s",
    "nodes_change",
    "seconds_change",
    "x",
    "rate",
    "rate_low",
    "rate_high",
    "solutions",
    "trials",
    "solve_cpu_s",
    "solve_change",
    *(f"{what}_change_{end}" for what in ("nodes", "solve", "seconds") for end in ("low", "high")),
)
Line = dict[str, object]


def exhibits_csv(plan: SuitePlan, records: Iterable[Record]) -> str:
    """Return the figures of the exhibits of `plan` as CSV; see `figures_csv`."""
    results = plan_results(plan, records)
    return figures_csv(measured(exhibit, results) for exhibit in plan.exhibits)


def exhibit_parts(exhibits: Iterable[Measured]) -> list[Section]:
    """Return a part of the page for each exhibit; series with the same name have the same style."""
    exhibits = tuple(exhibits)
    drawn = (shown for shown in exhibits if shown.exhibit.kind is ExhibitType.SORTED)
    names = dict.fromkeys(series.name for shown in drawn for series in shown.exhibit.series)
    styles = {name: number for number, name in enumerate(names)}
    renderers: dict[ExhibitType, Callable[[Measured], Section]] = {
        ExhibitType.SORTED: partial(sorted_part, styles=styles),
        ExhibitType.SUMS: sums_part,
        ExhibitType.RATES: rates_part,
        ExhibitType.TABLE: board_table_part,
    }
    return [renderers[shown.exhibit.kind](shown) for shown in exhibits]


def figures_csv(exhibits: Iterable[Measured]) -> str:
    """Return all figures as CSV, with empty cells for unknown values.

    `seconds` is the sum of `prepare_s` and `solve_s`. Changes are fractions of the sums of the
    base. `kept` is 1 for boards that the exhibit shows or sums. Figures of a run whose `status` is
    a limit are lower bounds. A line without a board has the changes of a series with their 95 %
    intervals; `solve_change` is the change of processor time if all runs have it. Rates are
    solutions per second; the names of their rows are in the column `series`.
    """
    parts = (_measured, _changes, _measured_rates, _published)
    lines = (line for shown in exhibits for part in parts for line in part(shown))
    return csv_lines([COLUMNS, *([line.get(column) for column in COLUMNS] for line in lines)])


def _measured(shown: Measured) -> Iterator[Line]:
    sums = shown.exhibit.kind is ExhibitType.SUMS
    kept = shown.finished_by_all() if sums else shown.finished_by_some()
    for board in shown.boards:
        for series, run in zip(shown.exhibit.series, board.runs, strict=True):
            searched = run.result.status.has_searched
            yield {
                "exhibit": shown.exhibit.name,
                "source": "measured",
                "board": board.puzzle,
                "kept": int(board in kept),
                "series": series.name,
                "status": run.result.status,
                "nodes": run.result.nodes,
                "prepare_s": run.result.prepare_s if searched else None,
                "solve_s": run.result.solve_s if searched else None,
                "seconds": run.result.total_s if searched else None,
                "solve_cpu_s": run.result.solve_cpu_s if searched else None,
            }


def _changes(shown: Measured) -> Iterator[Line]:
    """Yield the changes of the series of an exhibit of sums, except the base."""
    if shown.exhibit.kind is not ExhibitType.SUMS:
        return
    for compared in compared_sums(shown):
        series = shown.exhibit.series[compared.place].name
        if series == shown.exhibit.base or not compared.boards:
            continue
        line: Line = {"exhibit": shown.exhibit.name, "source": "measured", "series": series}
        for name in ("nodes_change", "solve_change", "seconds_change"):
            change: RelativeChange | None = getattr(compared, name)
            interval = None if change is None else change.interval
            line[name] = None if change is None else change.value
            line[f"{name}_low"] = None if interval is None else interval.low
            line[f"{name}_high"] = None if interval is None else interval.high
        yield line


def _measured_rates(shown: Measured) -> Iterator[Line]:
    for rate in shown.rates:
        searched, interval = rate.searched, rate.interval
        yield {
            "exhibit": shown.exhibit.name,
            "source": "measured",
            "series": rate.point.row,
            "x": rate.point.x,
            "rate": rate.rate,
            "rate_low": None if interval is None else interval.low,
            "rate_high": None if interval is None else interval.high,
            "solutions": None if searched is None else searched.found,
            "trials": None if searched is None else searched.begun,
        }


def _published(shown: Measured) -> Iterator[Line]:
    exhibit = shown.exhibit
    common: Line = {"exhibit": exhibit.name, "source": "published"}
    for point in exhibit.points:
        if point.published is not None:
            yield {**common, "series": point.row, "x": point.x, "rate": point.published}
    for series in exhibit.series:
        figures = {key: value for key, value in vars(series.published).items() if value is not None}
        if figures:
            yield {**common, "series": series.name, **figures}
    for row in exhibit.rows:
        for name in dict.fromkeys([*row.nodes, *row.seconds]):
            nodes, seconds = row.nodes.get(name), row.seconds.get(name)
            yield {**common, "board": row.name, "series": name, "nodes": nodes, "seconds": seconds}
