"""The page of published rows and figures, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.harness.confidence import Interval
from dovetail.harness.records.questions import show_settings
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import EstimateRecord, search_of
from dovetail.harness.records.recording import job_fields
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.reproduction import ReproducedRow, Verdict, reproduced_rows
from dovetail.reports.describe_search import show_interval, show_mean
from dovetail.reports.exhibits.measured import measured
from dovetail.reports.exhibits.page import exhibit_parts
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.provenance import provenance_part
from dovetail.reports.published import columns_of, published_cells

TITLE = "Published rows, published and measured"
ABOUT = (
    "Every row and figure of the publications that this project repeats, beside what our runs "
    "measured. Made from run records by the command dovetail reproductions."
)
VERDICTS = {
    Verdict.EXACT: "all published counts were measured",
    Verdict.PROXY: "another backend that makes the same nodes measured the published fits",
    Verdict.FITTED: "the counts agree with a setting that was chosen for this row",
    Verdict.SAMPLED: "random trials; their figures are estimates, with nominal 95 % intervals",
    Verdict.DIFFERS: "some count is another one, or a share of trials by more than chance explains",
    Verdict.UNFINISHED: "the run did not finish",
    Verdict.NOT_RUN: "the records have no run of the row",
}
# Columns of the published table that say the same as the verdict, or belong to one machine.
LEFT_OUT = ("status", "agreement", "ratio")
# What compares only between searches that go through everything.
OF_WHOLE_SEARCHES = ("solutions", "published fits", "fits", "published no-fits", "no-fits")
ESTIMATED_FITS = "estimated fits"
OF_ESTIMATES = f"{ESTIMATED_FITS}: by random probes, with the 95 % interval (dovetail estimate)."


def reproductions_page(
    plans: Sequence[SuitePlan],
    records: Sequence[Record],
    warnings: Sequence[str] = (),
    estimates: Sequence[EstimateRecord] = (),
) -> Page:
    """The page of the rows and exhibits of `plans`, measured by `records`.

    Rows whose search is one of the `estimates` have its estimated fits, too; if there are
    estimates of the same search, the last.
    """
    summary, parts = list[tuple[str, ...]](), list[Part]()
    for plan in plans:
        results = plan_results(plan, records)
        rows = tuple(reproduced_rows(plan, results))
        exhibits = exhibit_parts(measured(exhibit, results) for exhibit in plan.exhibits)
        estimated = [_estimated_fits(row, estimates) for row in rows]
        parts.append(_plan_part(plan, rows, estimated, exhibits))
        if rows:
            verdicts = [row.verdict for row in rows]
            counts = [str(verdicts.count(one)) for one in Verdict]
            summary.append((plan.about, str(len(rows)), *counts))
    meanings = tuple((str(verdict), meaning) for verdict, meaning in VERDICTS.items())
    tables = (
        Table(("publication", "rows", *map(str, Verdict)), tuple(summary), "rows by verdict"),
        Table(("verdict", "meaning"), meanings, left=2),
    )
    first = Part("summary", "Summary", tables=tables)
    return Page(TITLE, ABOUT, tuple(warnings), (first, *parts, provenance_part(records)))


def _estimated_fits(row: ReproducedRow, estimates: Sequence[EstimateRecord]) -> Interval | None:
    """The estimated fits of a row's own search, None if it is not among the `estimates`."""
    search = search_of(job_fields(row.planned.job))
    found = [estimate.nodes for estimate in estimates if search_of(estimate.job) == search]
    return found[-1] if found else None


def _plan_part(
    plan: SuitePlan,
    rows: Sequence[ReproducedRow],
    estimated: Sequence[Interval | None],
    exhibits: Sequence[Part],
) -> Part:
    """The rows and the exhibits of one publication; `estimated` are the fits of its rows."""
    title, command = plan.about or plan.name, f"dovetail bench {plan.name} -o RUNS.jsonl"
    if not rows:
        return Part(plan.name, title, (f"Command: {command}",), parts=tuple(exhibits))
    tables = [_table(rows, estimated)]
    reasons = tuple(_reasons(rows))
    if reasons:
        tables.append(Table(("row", "verdict", "reason"), reasons, "about some rows", left=3))
    texts = [f"Command for one row: {command} --only NAME, with the name from the column --only."]
    if any(estimated):
        texts.append(OF_ESTIMATES)
    return Part(plan.name, title, tuple(texts), tables=tuple(tables), parts=tuple(exhibits))


def _table(rows: Sequence[ReproducedRow], estimated: Sequence[Interval | None]) -> Table:
    names = [name for name in columns_of([row.figures for row in rows]) if name not in LEFT_OUT]
    if any(estimated):
        names.insert(names.index("fits") + 1, ESTIMATED_FITS)
    lines = []
    for row, interval in zip(rows, estimated, strict=True):
        cells = published_cells(row.figures)
        cells[ESTIMATED_FITS] = ABSENT if interval is None else show_interval(interval, show_mean)
        if row.planned.job.trials is not None:  # fewer or more trials make fewer or more of them
            cells |= dict.fromkeys(OF_WHOLE_SEARCHES, ABSENT)
        values = (cells[name] for name in names)
        only = str(row.repeated_by.name)
        lines.append((row.name, str(row.verdict), *values, _run_words(row), only, _date(row)))
    columns = ("row", "verdict", *names, "run", "--only", "date")
    return Table(columns, tuple(lines), left=2)


def _run_words(row: ReproducedRow) -> str:
    """The backend and settings of a row's run."""
    return ABSENT if row.run is None else f"{row.run.job.backend}{show_settings(row.run)}"


def _date(row: ReproducedRow) -> str:
    return ABSENT if row.run is None or row.run.begun is None else row.run.begun[:10]


def _reasons(rows: Sequence[ReproducedRow]) -> Iterator[tuple[str, str, str]]:
    """What there is to know about rows that are not exact."""
    for row in rows:
        words = [row.reason]
        if row.verdict is Verdict.DIFFERS and row.run is not None:
            of_trials = row.planned.job.trials is not None
            compared = "" if of_trials else f"({published_cells(row.figures)['agreement']})"
            words.append(row.run.result.reason or compared)
        if row.verdict is Verdict.PROXY and row.run is not None:
            words.append(f"Measured by {row.run.job.backend}.")
        elif row.verdict is Verdict.UNFINISHED and row.run is not None:
            words.append(str(row.run.result.reason or row.run.result.status))
        shown = " ".join(word for word in words if word)
        if shown:
            yield row.name, str(row.verdict), shown
