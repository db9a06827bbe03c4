"""History of results over the revisions of dovetail, on each computer.

The runs at a revision are compared with the last earlier runs of the same jobs, as `dovetail
compare` compares two files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.records.record import (
    Record,
    Revision,
    by_computer,
    by_revision,
    grouped,
    newest,
    revision_of,
)
from dovetail.harness.records.run_diff import RunDiff, diff_runs
from dovetail.harness.records.summary import summaries
from dovetail.harness.run.clock import MIN_S
from dovetail.reports.charts.chart import Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import INTERVALS
from dovetail.reports.columns import RECORDED
from dovetail.reports.diff import findings_sections, ratios_table
from dovetail.reports.numbers import show_ratio
from dovetail.reports.page import Page, Section, definitions
from dovetail.reports.site.content import MACHINE, Site, one_line
from dovetail.reports.table import Column, Table

# Maximum relative solve time, far beyond the effect of changes to a program.
MAX_INDEX = 1e9
RATIOS = "new over old, geometric means over the jobs finished at both revisions"
NONE = "No job was run at several revisions on one machine, so there is nothing to compare."


@dataclass(frozen=True)
class HistoryStep:
    """The records of a revision on a computer, compared with the last earlier records."""

    # Numbers, from 1, of the revision and of the last revision with earlier records of its jobs; 0
    # if there are no such records.
    number: int
    before: int
    revision: Revision
    records: Sequence[Record]
    # None if no job has earlier records.
    diff: RunDiff | None

    @property
    def title(self) -> str:
        """Number and title of the revision."""
        return f"{self.number}. {one_line(self.revision.title)}"


REVISIONS: Sequence[Column[HistoryStep]] = (
    MACHINE.over(lambda step: step.records[0]),
    Column("revision", lambda step: step.title, words=True),
    Column("first run", lambda step: _date(step.records), words=True),
    Column(
        "suites",
        lambda step: ", ".join(dict.fromkeys(one_line(run.suite or "–") for run in step.records)),
        words=True,
    ),
    Column("jobs", lambda step: f"{len({record.job.digest for record in step.records})}"),
    Column("compared", lambda step: str(len(step.diff.jobs) if step.diff else 0)),
)


class JobAtRevision(NamedTuple):
    """The summary of a job at a revision."""

    record: Record
    # Total time at the first revision with an answer; None if there is no answer yet.
    first_s: float | None

    @property
    def ratio(self) -> str | None:
        """The total time relative to the first revision; None without an answer."""
        if self.first_s is None or not self.record.result.is_answered:
            return None
        return f"×{show_ratio(max(self.record.result.total_s, MIN_S), max(self.first_s, MIN_S))}"


def job_columns(site: Site) -> list[Column[JobAtRevision]]:
    """Return the columns of the history of jobs."""
    figures = ("count", "placements_made", "solve_s", "total_s")
    recorded: list[Column[Record]] = [
        site.puzzle_column,
        RECORDED["solver"],
        MACHINE,
        Column("revision", lambda record: one_line(revision_of(record).title), words=True),
        Column("started", lambda record: (record.begun or "")[:10] or None, words=True),
        *(RECORDED[name] for name in figures),
    ]
    first = Column[JobAtRevision]("× first", lambda job: job.ratio)
    return [*(column.over(lambda job: job.record) for column in recorded), first]


def _date(records: Iterable[Record]) -> str | None:
    """Return the date of the first run; None if a run has no date."""
    return min((record.begun or "" for record in records), default="")[:10] or None


def steps(records: Sequence[Record]) -> list[HistoryStep]:
    """Return a step for each revision in the records of a computer, in the order of first runs."""
    result, before = list[HistoryStep](), list[Record]()
    revisions = by_revision(records)
    numbers = {revision: number for number, revision in enumerate(revisions, start=1)}
    for revision, group in revisions.items():
        jobs = {record.job.digest for record in group}
        old = newest([record for record in before if record.job.digest in jobs])
        diff = diff_runs(old, group) if old else None
        last = max((numbers[revision_of(record)] for record in old), default=0)
        result.append(HistoryStep(numbers[revision], last, revision, group, diff))
        before += group
    return result


def history_page(site: Site) -> Page:
    """Return the page of all revisions and their changes."""
    machines = [(machine.title, steps(machine.records)) for machine in site.computers.values()]
    every_step = [step for _, machine_steps in machines for step in machine_steps]
    revisions = Section(
        "revisions",
        "Revisions",
        [
            None if any(step.diff for step in every_step) else NONE,
            Table(REVISIONS, every_step),
        ],
        definitions=definitions("revisions"),
    )
    changes = (
        _machine_section(f"machine-{number}", title, machine_steps)
        for number, (title, machine_steps) in enumerate(machines, start=1)
        if any(step.diff for step in machine_steps)
    )
    return Page("History", [revisions, *changes])


def _machine_section(identity: str, machine: str, machine_steps: Sequence[HistoryStep]) -> Section:
    """Return the changes on a computer: a chart of solve times, and a section for each revision."""
    charts = list(_charts(machine_steps))
    changes = [
        Section(
            f"{identity}-revision-{step.number}",
            f"{step.title}: {how_many(len(step.diff.jobs), 'job')} compared, "
            f"{step.diff.unchanged} unchanged",
            [*_diff_tables(step.diff)],
            folded=not step.diff.is_wrong,
        )
        for step in machine_steps
        if step.diff is not None
    ]
    return Section(
        identity,
        f"Changes on {machine}",
        [*charts, *changes],
        about_charts=definitions("history-charts") if charts else (),
    )


def _diff_tables(diff: RunDiff) -> Iterator[Table]:
    """Yield the mean ratios of costs, then the findings."""
    if diff.ratios:
        yield replace(ratios_table(diff), caption=RATIOS)
    for section in findings_sections(diff):
        yield from (replace(table, caption=section.title) for table in section.tables)


def _charts(machine_steps: Sequence[HistoryStep]) -> Iterator[Chart]:
    """Yield the chart of solve times relative to the first revision, if a backend is compared."""
    points: dict[str, list[Point]] = {}
    for step in machine_steps:
        for backend, ratio in _solve_ratios(step.diff).items():
            line = points.setdefault(backend, [Point(step.before, 1.0, f"{backend}: 1.00")])
            index = min(max(line[-1].y * ratio, 1 / MAX_INDEX), MAX_INDEX)
            tooltip = f"{backend}, revision {step.number}: {index:.3g}"
            line.append(Point(step.number, index, tooltip))
    if not points:
        return
    lines = tuple(
        Series(one_line(backend), style, tuple(line))
        for style, (backend, line) in enumerate(points.items())
    )
    last = ", ".join(f"{line.name} {line.points[-1].y:.3g}" for line in lines)
    drawn = [point for line in lines for point in line.points]
    first, values = min(point.x for point in drawn), [point.y for point in drawn]
    label = "solve time, first revision = 1"
    yield Chart(
        "Solve time over revisions",
        f"Solve time relative to the first revision, on a logarithmic scale. At the end: {last}.",
        Axis("revision", first - 0.5, len(machine_steps) + 0.5, False, "{:g}".format, whole=True),
        logarithmic_axis(label, values, show_ratio, "ratio", is_fitted=True),
        lines,
        INTERVALS,
        "solve-time",
    )


def _solve_ratios(diff: RunDiff | None) -> dict[str, float]:
    """Return the mean of new over old solve times of each backend that has a mean."""
    ratios = () if diff is None else diff.ratios
    each = [ratio for ratio in ratios if ratio.backend is not None]
    if diff is not None and ratios and not each:  # if all jobs have the same backend
        each = [replace(ratios[0], backend=diff.jobs[0].new.job.backend)]
    means = {ratio.backend or "": ratio.solve.ratio for ratio in each}
    return {backend: mean for backend, mean in means.items() if mean is not None}


def history_section(site: Site, records: Iterable[Record], *left_out: str) -> Section | None:
    """Return the jobs that were run at several revisions on a computer; None without such a job.

    `left_out` are the names of omitted columns.
    """
    jobs = list[JobAtRevision]()
    for group in by_computer(records).values():
        for runs in grouped(group, lambda record: record.job.digest).values():
            revisions = by_revision(runs)
            if len(revisions) > 1:
                jobs += _job_history(revisions.values())
    if not jobs:
        return None
    table = Table(job_columns(site), jobs).without(*left_out)
    return Section("history", "History", [table], definitions=definitions("history"))


def _job_history(revisions: Iterable[Sequence[Record]]) -> Iterator[JobAtRevision]:
    first_s = None
    for records in revisions:
        (record,) = summaries(records)
        if first_s is None and record.result.is_answered:
            first_s = record.result.total_s
        yield JobAtRevision(record, first_s)
