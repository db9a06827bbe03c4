"""What is different between two files of run records: for a terminal, as Markdown, as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as TerminalTable
from rich.text import Text

from dovetail.harness.changes.comparison import Comparison, JobChange
from dovetail.harness.changes.conditions import Difference
from dovetail.harness.changes.costs import Cost, Verdict
from dovetail.harness.changes.findings import Finding, Severity
from dovetail.harness.changes.spread import Spread
from dovetail.harness.questions import Question
from dovetail.harness.record import Record
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.reports.elements import shown
from dovetail.reports.numbers import ABSENT, show_count, show_seconds
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.result_cells import show_settings
from dovetail.reports.terminal import empty_table, output_console, print_fitting

JOB = ("puzzle", "backend")
# Whatever is different there, seconds are not comparable.
OF_THE_MACHINE = "machine: "
MOST_TOLD = 4  # values of a difference
TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}


@dataclass(frozen=True)
class Compared:
    """Two files, what was passed over in them, and what is different."""

    old: Path
    new: Path
    passed_over: tuple[str, ...]
    comparison: Comparison


def changes_page(compared: Compared, *, every_job: bool = False) -> Page:
    """All that is different; what jobs cost of those with findings, or of `every_job`."""
    comparison = compared.comparison
    parts = [
        *(_findings_part(comparison, severity) for severity in Severity),
        _costs_part(comparison, every_job=every_job),
        _ratios_part(comparison),
        _one_sided_part("removed", f"Only in {compared.old}", comparison.removed),
        _one_sided_part("added", f"Only in {compared.new}", comparison.added),
    ]
    return Page(
        f"{compared.old} → {compared.new}",
        _about(comparison),
        (*compared.passed_over, *_conditions(comparison.differences)),
        tuple(part for part in parts if part is not None),
    )


def print_changes(page: Page, console: Console | None = None) -> None:
    """Print such a page: errors in red."""
    console = console or output_console()
    console.print(_text(page.title, "bold"))
    for warning in page.warnings:
        console.print(_text(warning, "yellow"))
    console.print(_text(page.about))
    for part in page.parts:
        console.print()
        console.print(_text(part.title, "bold red" if part.identity == Severity.ERROR else "bold"))
        for table in part.tables:
            _print_table(table, console)
        for paragraph in part.paragraphs:
            console.print(_text(paragraph, "dim"))


def changes_fields(compared: Compared) -> dict[str, Any]:
    """The same as plain JSON values."""
    comparison = compared.comparison
    return {
        "old": str(compared.old),
        "new": str(compared.new),
        "passed_over": list(compared.passed_over),
        "differences": [asdict(difference) for difference in comparison.differences],
        "jobs": len(comparison.jobs),
        "unchanged": _unchanged(comparison),
        "findings": [
            {**_job_fields(job.new), **asdict(finding)}
            for job in comparison.jobs
            for finding in job.findings
        ],
        "costs": [
            {**_job_fields(job.new), "costs": [_cost_fields(cost) for cost in job.costs]}
            for job in comparison.jobs
        ],
        "ratios": [asdict(ratio) for ratio in comparison.ratios],
        "removed": [_job_fields(record) for record in comparison.removed],
        "added": [_job_fields(record) for record in comparison.added],
    }


def _about(comparison: Comparison) -> str:
    """How many jobs there are, and how many of them are as they were."""
    jobs, unchanged = len(comparison.jobs), _unchanged(comparison)
    if jobs == unchanged and not comparison.removed and not comparison.added:
        return f"no change: {_jobs(jobs)} in both"
    said = [f"{_jobs(jobs)} in both, {unchanged} of them unchanged"]
    said += [f"{len(comparison.removed)} removed"] if comparison.removed else []
    said += [f"{len(comparison.added)} added"] if comparison.added else []
    return ", ".join(said)


def _unchanged(comparison: Comparison) -> int:
    return sum(not job.findings for job in comparison.jobs)


def _jobs(number: int) -> str:
    return "1 job" if number == 1 else f"{number} jobs"


def _conditions(differences: Iterable[Difference]) -> Iterator[str]:
    """What is not the same of where and with what the files were made."""
    for difference in differences:
        said = f"{difference.name}: {_values(difference.old)} → {_values(difference.new)}"
        if difference.name.startswith(OF_THE_MACHINE):
            said += ": times are not comparable between machines"
        yield said


def _values(values: tuple[str, ...]) -> str:
    more = f", {len(values) - MOST_TOLD} more" if len(values) > MOST_TOLD else ""
    return ", ".join(values[:MOST_TOLD]) + more


def _findings_part(comparison: Comparison, severity: Severity) -> Part | None:
    """What was found of one severity, a row for each finding."""
    rows = tuple(
        (*_job(job.new), finding.what, *_both(finding))
        for job in comparison.jobs
        for finding in job.findings
        if finding.severity == severity
    )
    if not rows:
        return None
    columns = (*JOB, "what", "old", "new")
    return Part(str(severity), TITLES[severity], tables=(Table(columns, rows, left=3),))


def _both(finding: Finding) -> tuple[str, str]:
    """How it was and is; of a cost the median with the range of all runs."""
    show = _show_bytes if finding.what == "memory" else show_seconds

    def side(told: str | Spread) -> str:
        if isinstance(told, str):
            return told
        return f"{show(told.median)} ({show(told.least)} to {show(told.most)})"

    return side(finding.old), side(finding.new)


def _costs_part(comparison: Comparison, *, every_job: bool) -> Part | None:
    """What jobs cost, old and new, and why that is not judged where it is not."""
    jobs = [job for job in comparison.jobs if every_job or job.findings]
    not_judged = Counter(job.costs[0].verdict for job in comparison.jobs)
    told = tuple(
        f"Costs of {_jobs(not_judged[verdict])} are not judged: {why}."
        for verdict, why in (
            (Verdict.TOO_FEW_RUNS, "fewer than three runs on either side have no spread"),
            (Verdict.OTHER_MACHINE, "another machine"),
            (Verdict.OTHER_WORK, "they did not end after the same work"),
        )
        if not_judged[verdict]
    )
    if not jobs and not told:
        return None
    rows = tuple((*_job(job.new), *_cost_cells(job)) for job in jobs)
    columns = (*JOB, "runs", "prepare", "×", "solve", "×", "memory", "×")
    tables = (Table(columns, rows, left=2),) if rows else ()
    return Part("costs", "Costs, medians", told, tables=tables)


def _cost_cells(job: JobChange) -> Iterator[str]:
    """How many runs there are, then each cost, old and new, and how many times as much it is."""
    yield f"{len(job.old['repeats'])} → {len(job.new['repeats'])}"
    for cost in job.costs:
        show = _show_bytes if cost.name == "memory" else show_seconds
        sides = (ABSENT if side is None else show(side.median) for side in (cost.old, cost.new))
        cpu = " cpu" if cost.name.endswith("cpu") else ""
        yield " → ".join(sides) + cpu
        yield _show_ratio(cost.ratio)


def _ratios_part(comparison: Comparison) -> Part | None:
    """Geometric means over the jobs that are finished in both."""
    if not comparison.ratios:
        return None
    rows = tuple(
        (
            "all" if ratio.backend is None else ratio.backend,
            str(ratio.jobs),
            *map(_show_ratio, (ratio.prepare, ratio.solve, ratio.memory)),
        )
        for ratio in comparison.ratios
    )
    columns = ("backend", "jobs", "prepare", "solve", "memory")
    told = "New by old: below 1 is less. Solve is processor time where both files have it."
    table = Table(columns, rows)
    return Part("ratios", "Geometric means of the jobs finished in both", (told,), tables=(table,))


def _one_sided_part(identity: str, title: str, records: tuple[Record, ...]) -> Part | None:
    """Jobs that only one file has."""
    if not records:
        return None
    rows = tuple(
        (*_job(record), show_count(record["count"], record["status"] == Status.EXHAUSTED),
         record["status"])
        for record in records
    )  # fmt: skip
    table = Table((*JOB, "solutions", "status"), rows, left=2)
    return Part(identity, title, tables=(table,))


def _job(record: Record) -> tuple[str, str]:
    """The question, and who was asked it."""
    return _question(record).title, record["backend"] + show_settings(record)


def _question(record: Record) -> Question:
    labelled = record["config"]["labelled"]
    return Question(record["puzzle"], record["digest"], record["symmetry"], labelled)


def _show_ratio(ratio: float | None) -> str:
    return ABSENT if ratio is None else f"{ratio:.2f}"


def _show_bytes(size: float) -> str:
    return show_size(round(size))


def _print_table(table: Table, console: Console) -> None:
    """A table of a page, as wide as it has to be: what does not fit is cut."""

    def build(_columns: Sequence[str]) -> TerminalTable:
        made = empty_table(table.columns, left=table.columns[: table.left])
        for row in table.rows:
            made.add_row(*map(_text, row))
        return made

    print_fitting(build, table.columns, (), console)


def _text(text: str, style: str = "") -> Text:
    return Text(shown(text).replace("\n", " "), style=style)


def _job_fields(record: Record) -> dict[str, Any]:
    told = ("job", "puzzle", "digest", "symmetry", "backend", "config", "reductions", "status")
    return {key: record[key] for key in told}


def _cost_fields(cost: Cost) -> dict[str, Any]:
    return {**asdict(cost), "ratio": cost.ratio}
