"""The exhibits of a suite as a page, or as the figures they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dovetail.harness.bench import comparison
from dovetail.harness.exhibits.declared import Kind
from dovetail.harness.exhibits.measured import Measured, measured
from dovetail.harness.record import Record
from dovetail.harness.suite import Plan
from dovetail.models.outcome import Status
from dovetail.reports.exhibits.board_by_board import board_table_part
from dovetail.reports.exhibits.figures import figures_csv
from dovetail.reports.exhibits.sorted_boards import sorted_part
from dovetail.reports.exhibits.sums import sums_part
from dovetail.reports.page import Page, Part
from dovetail.reports.provenance import provenance_part
from dovetail.reports.table import show_settings


def exhibits_page(plan: Plan, records: Sequence[Record]) -> Page:
    """The report of the exhibits of `plan` from the records of its runs, others left out."""
    own = [record for record in records if record["job"] in plan.jobs]
    results = comparison(plan, own)
    parts = exhibit_parts(measured(exhibit, results) for exhibit in plan.exhibits)
    warnings = tuple(_warnings(results))
    return Page(plan.name, plan.about, warnings, (*parts, provenance_part(plan, own)))


def exhibits_csv(plan: Plan, records: Iterable[Record]) -> str:
    """The figures behind the exhibits of `plan`, see `figures_csv`."""
    results = comparison(plan, records)
    return figures_csv(measured(exhibit, results) for exhibit in plan.exhibits)


def exhibit_parts(exhibits: Iterable[Measured]) -> list[Part]:
    """A part for each exhibit; a series of one name looks alike in all of them."""
    exhibits = tuple(exhibits)
    drawn = (one for one in exhibits if one.exhibit.kind is Kind.SORTED)
    names = dict.fromkeys(series.name for one in drawn for series in one.exhibit.series)
    styles = {name: number for number, name in enumerate(names)}
    parts = []
    for one in exhibits:
        if one.exhibit.kind is Kind.SORTED:
            parts.append(sorted_part(one, styles))
        elif one.exhibit.kind is Kind.SUMS:
            parts.append(sums_part(one))
        else:
            parts.append(board_table_part(one))
    return parts


def _warnings(results: Iterable[Record]) -> Iterator[str]:
    """Results that are wrong or failed: no exhibit counts them among those that finished."""
    for result in results:
        if result["status"] in (Status.WRONG, Status.FAILED):
            named = f"{result['puzzle']}, {result['backend']}{show_settings(result)}"
            yield f"{result['status']}: {named}: {result['reason']}"
