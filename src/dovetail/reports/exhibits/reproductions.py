"""The page that compares published rows and figures with measured figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dovetail.harness.confidence import Interval
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import EstimateRecord, search_of
from dovetail.harness.records.run_record import job_fields
from dovetail.harness.records.summary import show_settings
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.reproduction import ReproducedRow, Verdict, reproduced_rows
from dovetail.reports.describe.search import show_interval, show_mean
from dovetail.reports.exhibits.measured import measured
from dovetail.reports.exhibits.published import COLUMNS, agreement, published_table
from dovetail.reports.exhibits.sections import exhibit_sections
from dovetail.reports.page import Page, Section
from dovetail.reports.results.provenance import provenance_section
from dovetail.reports.table import Column, Table, text_table

TITLE = "Published rows, published and measured"
ABOUT = (
    "Every row and figure of the publications that this project repeats, beside the figures of "
    "our runs. Made from run records by the command dovetail reproductions."
)
VERDICTS = {
    Verdict.EXACT: "all published counts were measured",
    Verdict.PROXY: "another backend with the same nodes measured the published fits",
    Verdict.FITTED: "the counts agree with a setting that was chosen for this row",
    Verdict.SAMPLED: "random trials; their figures are estimates, with nominal 95 % intervals",
    Verdict.DIFFERS: "a count differs, or a share of trials differs by more than chance explains",
    Verdict.UNFINISHED: "the run did not finish",
    Verdict.NOT_RUN: "the records have no run of the row",
}
# Columns of published tables that repeat the verdict or depend on the machine.
LEFT_OUT = ("row", "status", "agreement", "ratio")
# Columns that are comparable only between searches of the whole tree.
OF_WHOLE_SEARCHES = ("solutions", "published fits", "fits", "published no-fits", "no-fits")
ESTIMATED_FITS = "estimated fits"
OF_ESTIMATES = (
    f"{ESTIMATED_FITS}: from samples of the tree, with the 95 % interval (dovetail estimate)."
)


@dataclass(frozen=True)
class EstimatedRow:
    """A reproduced row with its estimated fits, which are None without an estimate."""

    reproduced: ReproducedRow
    fits: Interval | None

    @property
    def is_sampled(self) -> bool:
        """True if the row is about random trials."""
        return self.reproduced.planned.job.trials is not None


def _figure(title: str) -> Column[EstimatedRow]:
    """Return a column of published tables; rows of trials lack the figures of whole searches."""

    def text(row: EstimatedRow) -> str | None:
        if row.is_sampled and title in OF_WHOLE_SEARCHES:
            return None
        return COLUMNS[title].text(row.reproduced.figures)

    return Column(title, text)


ROW: Sequence[Column[EstimatedRow]] = (
    Column("row", lambda row: row.reproduced.name, words=True),
    Column("verdict", lambda row: str(row.reproduced.verdict), words=True),
)
RUN: Sequence[Column[EstimatedRow]] = (
    Column("run", lambda row: _solver(row.reproduced.run)),
    Column("--only", lambda row: str(row.reproduced.repeated_by.name)),
    Column("date", lambda row: _date(row.reproduced.run)),
)
ESTIMATED = Column[EstimatedRow](
    ESTIMATED_FITS, lambda row: None if row.fits is None else show_interval(row.fits, show_mean)
)


def _solver(run: Record | None) -> str | None:
    return None if run is None else f"{run.job.backend}{show_settings(run)}"


def _date(run: Record | None) -> str | None:
    return None if run is None or run.begun is None else run.begun[:10]


def reproductions_page(
    plans: Sequence[SuitePlan],
    records: Sequence[Record],
    warnings: Sequence[str] = (),
    estimates: Sequence[EstimateRecord] = (),
) -> Page:
    """Return the page of the rows and exhibits of `plans`, measured by `records`.

    If there are several estimates of the search of a row, the last estimate counts.
    """
    summary, sections = list[tuple[str, ...]](), list[Section]()
    for plan in plans:
        results = plan_results(plan, records)
        rows = [
            EstimatedRow(row, _estimated_fits(row, estimates))
            for row in reproduced_rows(plan, results)
        ]
        exhibits = exhibit_sections(measured(exhibit, results) for exhibit in plan.exhibits)
        sections.append(_plan_section(plan, rows, exhibits))
        if rows:
            verdicts = [row.reproduced.verdict for row in rows]
            counts = (str(verdicts.count(verdict)) for verdict in Verdict)
            summary.append((plan.about, str(len(rows)), *counts))
    meanings = [(str(verdict), meaning) for verdict, meaning in VERDICTS.items()]
    tables = [
        text_table(("publication", "rows", *map(str, Verdict)), summary, "rows by verdict"),
        text_table(("verdict", "meaning"), meanings, words=2),
    ]
    first = Section("summary", "Summary", tables)
    every_section = (first, *sections, provenance_section(records))
    return Page(TITLE, every_section, ABOUT, tuple(warnings))


def _estimated_fits(row: ReproducedRow, estimates: Sequence[EstimateRecord]) -> Interval | None:
    search = search_of(job_fields(row.planned.job))
    fits = [estimate.nodes for estimate in estimates if search_of(estimate.job) == search]
    return fits[-1] if fits else None


def _plan_section(
    plan: SuitePlan, rows: Sequence[EstimatedRow], exhibits: Sequence[Section]
) -> Section:
    """Return the rows and the exhibits of a publication."""
    title, command = plan.about or plan.name, f"dovetail bench {plan.name} -o RUNS.jsonl"
    if not rows:
        return Section(plan.name, title, [f"Command: {command}", *exhibits])
    texts = [f"Command for one row: {command} --only NAME, with the name from the column --only."]
    titles = published_table([row.reproduced.figures for row in rows]).without(*LEFT_OUT).titles
    columns = [_figure(title) for title in titles]
    if any(row.fits for row in rows):
        columns.insert(titles.index("fits") + 1, ESTIMATED)
        texts.append(OF_ESTIMATES)
    tables = [Table((*ROW, *columns, *RUN), rows)]
    reasons = list(_reasons(rows))
    if reasons:
        tables.append(text_table(("row", "verdict", "reason"), reasons, "about some rows", words=3))
    return Section(plan.name, title, [*texts, *tables, *exhibits])


def _reasons(rows: Sequence[EstimatedRow]) -> Iterator[tuple[str, str, str]]:
    """Yield the name, verdict and explanation of the rows that need an explanation."""
    for row in rows:
        reproduced, run = row.reproduced, row.reproduced.run
        texts = [reproduced.reason or ""]
        if run is not None and reproduced.verdict is Verdict.DIFFERS:
            texts.append(run.result.reason or "")
            if not run.result.reason and not row.is_sampled:
                texts.append(f"({agreement(reproduced.figures)})")
        elif run is not None and reproduced.verdict is Verdict.PROXY:
            texts.append(f"Measured by {run.job.backend}.")
        elif run is not None and reproduced.verdict is Verdict.UNFINISHED:
            texts.append(run.result.reason or str(run.result.status))
        text = " ".join(filter(None, texts))
        if text:
            yield reproduced.name, str(reproduced.verdict), text
