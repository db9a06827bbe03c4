"""The exhibits of a suite as parts of a page, or as the figures they are made of."""

from __future__ import annotations

from collections.abc import Iterable

from dovetail.harness.exhibits.declared import ExhibitType
from dovetail.harness.exhibits.measured import Measured, measured
from dovetail.harness.records.record import RunRecord
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.suite_file import SuitePlan
from dovetail.reports.exhibits.board_by_board import board_table_part
from dovetail.reports.exhibits.figures import figures_csv
from dovetail.reports.exhibits.sorted_boards import sorted_part
from dovetail.reports.exhibits.sums import sums_part
from dovetail.reports.page import Part


def exhibits_csv(plan: SuitePlan, records: Iterable[RunRecord]) -> str:
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
        else:
            parts.append(board_table_part(one))
    return parts
