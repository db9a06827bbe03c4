"""The exhibits of a suite as parts of a page, or as the figures they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.harness.exhibits.declared import ExhibitType
from dovetail.harness.exhibits.measured import Measured, MeasuredBoard, measured
from dovetail.harness.exhibits.sums import RelativeChange, compared_sums
from dovetail.harness.records.record import Record
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.reports.csv_text import csv_lines
from dovetail.reports.exhibits.board_by_board import board_table_part
from dovetail.reports.exhibits.rates import rates_part
from dovetail.reports.exhibits.sorted_boards import sorted_part
from dovetail.reports.exhibits.sums import sums_part
from dovetail.reports.page import Part

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
    """The figures behind the exhibits of `plan`, see `figures_csv`."""
    results = plan_results(plan, records)
    return figures_csv(measured(exhibit, results) for exhibit in plan.exhibits)


def exhibit_parts(exhibits: Iterable[Measured]) -> list[Part]:
    """A part for each exhibit; a series of one name looks alike in all of them."""
    exhibits = tuple(exhibits)
    drawn = (one for one in exhibits if one.exhibit.kind is ExhibitType.SORTED)
    names = dict.fromkeys(series.name for one in drawn for series in one.exhibit.series)
    styles = {name: number for number, name in enumerate(names)}
    parts = []
    for one in exhibits:
        if one.exhibit.kind is ExhibitType.SORTED:
            parts.append(sorted_part(one, styles))
        elif one.exhibit.kind is ExhibitType.SUMS:
            parts.append(sums_part(one))
        elif one.exhibit.kind is ExhibitType.RATES:
            parts.append(rates_part(one))
        else:
            parts.append(board_table_part(one))
    return parts


def figures_csv(exhibits: Iterable[Measured]) -> str:
    """All figures; `seconds` are of prepare and solve, changes are fractions of the base's sums.

    A cell is empty where nothing is known. `kept` is 1 for the boards that the exhibit shows
    or sums; figures of a run whose `status` is a limit are lower bounds. A line without a board
    has the changes of a series with their 95 % intervals; `solve_change` is of processor time where
    all runs have it. Rates are solutions per second; their rows are `series`.
    """
    parts = (_measured, _changes, _measured_rates, _published)
    lines = (line for one in exhibits for part in parts for line in part(one))
    return csv_lines([COLUMNS, *([line.get(column) for column in COLUMNS] for line in lines)])


def _measured(one: Measured) -> Iterator[Line]:
    kept = _kept(one)
    for board in one.boards:
        for series, run in zip(one.exhibit.series, board.runs, strict=True):
            searched = run.result.status.has_searched
            yield {
                "exhibit": one.exhibit.name,
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


def _kept(one: Measured) -> list[MeasuredBoard]:
    return one.finished_by_all() if one.exhibit.kind is ExhibitType.SUMS else one.finished_by_some()


def _changes(one: Measured) -> Iterator[Line]:
    """The changes of the series of sums, without the base."""
    if one.exhibit.kind is not ExhibitType.SUMS:
        return
    for compared in compared_sums(one):
        series = one.exhibit.series[compared.place].name
        if series == one.exhibit.base or not compared.boards:
            continue
        line: Line = {"exhibit": one.exhibit.name, "source": "measured", "series": series}
        for name in ("nodes_change", "solve_change", "seconds_change"):
            change: RelativeChange | None = getattr(compared, name)
            interval = None if change is None else change.interval
            line[name] = None if change is None else change.value
            line[f"{name}_low"] = None if interval is None else interval.low
            line[f"{name}_high"] = None if interval is None else interval.high
        yield line


def _measured_rates(one: Measured) -> Iterator[Line]:
    for rate in one.rates:
        searched, interval = rate.searched, rate.interval
        yield {
            "exhibit": one.exhibit.name,
            "source": "measured",
            "series": rate.point.row,
            "x": rate.point.x,
            "rate": rate.rate,
            "rate_low": None if interval is None else interval.low,
            "rate_high": None if interval is None else interval.high,
            "solutions": None if searched is None else searched.found,
            "trials": None if searched is None else searched.begun,
        }


def _published(one: Measured) -> Iterator[Line]:
    exhibit = one.exhibit
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
