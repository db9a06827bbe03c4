"""The page of published rows and figures, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.exhibits.measured import measured
from dovetail.harness.records.record import RunRecord
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.reproduction import ReproducedRow, Verdict, reproduced_rows
from dovetail.harness.suite.suite_file import SuitePlan
from dovetail.reports.exhibits.page import exhibit_parts
from dovetail.reports.numbers import ABSENT, show_whole
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.provenance import provenance_part
from dovetail.reports.published import columns_of, published_cells
from dovetail.reports.result_cells import show_settings

TITLE = "Published rows, published and measured"
ABOUT = (
    "Every row and figure of the publications that this project repeats, beside what our runs "
    "measured. Made from run records by the command dovetail reproductions."
)
VERDICTS = {
    Verdict.EXACT: "all published counts were measured",
    Verdict.PROXY: "another backend that makes the same nodes measured the published fits",
    Verdict.FITTED: "the counts agree with a setting that was chosen for this row",
    Verdict.SAMPLED: "random trials; their figures are estimates and cannot be equal",
    Verdict.DIFFERS: "some count is another one",
    Verdict.UNFINISHED: "the run ended at a limit",
    Verdict.NOT_RUN: "the records have no run of the row",
}
# Columns of the published table that say the same as the verdict, or belong to one machine.
LEFT_OUT = ("status", "agreement", "ratio")


def reproductions_page(
    plans: Sequence[SuitePlan], records: Sequence[RunRecord], warnings: Sequence[str] = ()
) -> Page:
    """The page of the rows and exhibits of `plans`, measured by `records`."""
    rows = {plan.name: tuple(reproduced_rows(plan, records)) for plan in plans}
    parts = [_summary(plans, rows)]
    for plan in plans:
        results = plan_results(plan, records)
        exhibits = exhibit_parts(measured(exhibit, results) for exhibit in plan.exhibits)
        parts.append(_plan_part(plan, rows[plan.name], exhibits))
    parts.append(provenance_part(records))
    return Page(TITLE, ABOUT, tuple(warnings), tuple(parts))


def _summary(plans: Sequence[SuitePlan], rows: dict[str, tuple[ReproducedRow, ...]]) -> Part:
    """How many rows of each publication there are of each verdict."""
    lines = []
    for plan in plans:
        if rows[plan.name]:
            verdicts = [row.verdict for row in rows[plan.name]]
            counts = [str(verdicts.count(one)) for one in Verdict]
            lines.append((plan.about, str(len(verdicts)), *counts))
    meanings = tuple((str(verdict), meaning) for verdict, meaning in VERDICTS.items())
    tables = (
        Table(("publication", "rows", *map(str, Verdict)), tuple(lines), "rows by verdict"),
        Table(("verdict", "meaning"), meanings, left=2),
    )
    return Part("summary", "Summary", tables=tables)


def _plan_part(plan: SuitePlan, rows: Sequence[ReproducedRow], exhibits: Sequence[Part]) -> Part:
    """The rows and the exhibits of one publication."""
    title, command = plan.about or plan.name, f"dovetail bench {plan.name}"
    if not rows:
        text = f"Command: {command} -o RUNS.jsonl"
        return Part(plan.name, title, (text,), parts=tuple(exhibits))
    tables = [_table(rows)]
    reasons = tuple(_reasons(rows))
    if reasons:
        caption = "rows that are not exact, and why"
        tables.append(Table(("row", "verdict", "reason"), reasons, caption, left=3))
    text = f"Command for one row: {command} --only ROW -o RUNS.jsonl"
    return Part(plan.name, title, (text,), tables=tuple(tables), parts=tuple(exhibits))


def _table(rows: Sequence[ReproducedRow]) -> Table:
    figures = [row.figures for row in rows]
    known = [figure for figure in figures if figure is not None]
    columns = [name for name in columns_of(known) if name not in LEFT_OUT]
    lines = []
    for row, figure in zip(rows, figures, strict=True):
        if figure is None:
            published = row.planned.published
            cells = {
                "published fits": show_whole(published.fits),
                "published no-fits": show_whole(published.all_no_fits),
            }
        else:
            cells = published_cells(figure)
        values = (cells.get(name, ABSENT) for name in columns)
        lines.append((row.name, str(row.verdict), *values, _run_words(row), _date(row)))
    return Table(("row", "verdict", *columns, "run", "date"), tuple(lines), left=2)


def _run_words(row: ReproducedRow) -> str:
    """The backend and settings of a row's run."""
    if row.run is None:
        return ABSENT
    return f"{row.run.backend}{show_settings(row.run)}"


def _date(row: ReproducedRow) -> str:
    return ABSENT if row.run is None or row.run.begun is None else row.run.begun[:10]


def _reasons(rows: Sequence[ReproducedRow]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        if row.verdict is Verdict.PROXY and row.run is not None:
            reason = f"measured by {row.run.backend}"
        elif row.verdict is Verdict.SAMPLED and row.planned.job.trials is not None:
            reason = how_many(row.planned.job.trials.count, "trial")
        elif row.verdict is Verdict.UNFINISHED and row.run is not None:
            reason = str(row.run.reason or row.run.status)
        else:
            reason = ""
        words = " ".join(part for part in (reason, row.reason) if part)
        if words:
            yield row.name, str(row.verdict), words
