"""History: what has changed from one revision of dovetail to the next, on each machine.

The runs at a revision are compared with the last earlier ones of the same jobs, as `dovetail
compare` does with two files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dovetail.errors import how_many
from dovetail.harness.records.diff.run_diff import RunDiff, diff_runs
from dovetail.harness.records.environment import (
    Revision,
    by_computer,
    by_revision,
    computer_of,
    newest,
    revision_of,
)
from dovetail.harness.records.questions import question_of, solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import summaries
from dovetail.harness.run.clock import MIN_S
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.kinds import INTERVALS
from dovetail.reports.columns import placements_made, show_answer
from dovetail.reports.diff import findings_parts, ratios_part
from dovetail.reports.numbers import ABSENT, show_ratio, show_seconds, show_whole
from dovetail.reports.page import Page, Section
from dovetail.reports.site.content import (
    ComputerResults,
    SiteContent,
    SitePuzzle,
    SiteSolver,
    one_line,
)
from dovetail.reports.table import Table, text_table

REVISIONS = ("machine", "revision", "first run", "suites", "jobs", "compared")
REVISIONS_WORDS = 4  # columns of words
ROWS = (
    *("puzzle", "solver", "machine", "revision", "started"),
    *("solutions", "nodes", "solve", "total", "× first"),
)
ABOUT = (
    "A revision is a version of dovetail with the commit of its source; revisions stand in the "
    "order in which they were first used on a machine. compared: how many of its jobs (question, "
    "solver, settings and limits) were run at an earlier revision on the same machine, too."
)
ABOUT_ROWS = (
    "A row for each revision at which the same job was run on the same machine, with the median of "
    "its repeats by solve time. × first: total time over that at the first of these revisions."
)
ABOUT_INDEX = (
    "The solve time of each backend relative to the first revision at which it was compared: at "
    "each revision, the geometric mean of new over old times of the jobs that both sides finished, "
    "times all earlier means."
)
MAX_INDEX = 1e9  # far beyond what a change of a program explains
RATIOS = "new over old, geometric means over the jobs finished at both revisions"
NONE = "No job was run at several revisions on one machine, so there is nothing to compare."


@dataclass(frozen=True)
class Step:
    """A revision on a machine, the `number`-th: how its records differ from the last earlier ones.

    The last of these are of revision number `before`. `compared` jobs have earlier records.
    """

    number: int
    revision: Revision
    records: tuple[Record, ...]
    diff: RunDiff | None
    compared: int
    before: int

    @property
    def title(self) -> str:
        """Its number and the revision."""
        return f"{self.number}. {one_line(self.revision.title)}"


def steps(records: Sequence[Record]) -> list[Step]:
    """The revisions of records of one computer, the first used first."""
    found, before = list[Step](), list[Record]()
    revisions = by_revision(records)
    numbers = {revision: number for number, revision in enumerate(revisions, start=1)}
    for revision, own in revisions.items():
        jobs = {record.job.digest for record in own}
        old = newest([record for record in before if record.job.digest in jobs])
        diff = diff_runs(old, own) if old else None
        compared = len({record.job.digest for record in old})
        last = max((numbers[revision_of(record)] for record in old), default=0)
        found.append(Step(numbers[revision], revision, tuple(own), diff, compared, last))
        before += own
    return found


def history_page(content: SiteContent) -> Page:
    """All revisions, and what has changed at each."""
    by_machine = {one: steps(one.records) for one in content.computers}
    rows = tuple(
        (one_line(computer.computer.title), *_revision_cells(step))
        for computer, found in by_machine.items()
        for step in found
    )
    table = text_table(REVISIONS, rows, words=REVISIONS_WORDS)
    compared = any(step.diff for found in by_machine.values() for step in found)
    revisions = Section(
        "revisions",
        "Revisions",
        () if compared else (NONE,),
        tables=(table,),
        definitions=(ABOUT,),
    )
    parts = [revisions]
    for number, (computer, found) in enumerate(by_machine.items(), start=1):
        if any(step.diff for step in found):
            parts += _machine_parts(number, computer, found)
    return Page("History", "", (), tuple(parts))


def _revision_cells(step: Step) -> Iterator[str]:
    yield step.title
    yield _date(min((one.begun or "" for one in step.records), default=""))
    yield ", ".join(dict.fromkeys(one_line(one.suite or ABSENT) for one in step.records))
    yield f"{len({record.job.digest for record in step.records})}"
    yield f"{step.compared}"


def _date(begun: str) -> str:
    return begun[:10] or ABSENT


def _machine_parts(
    number: int, computer: ComputerResults, found: Sequence[Step]
) -> Iterator[Section]:
    """Yield the solve times over the revisions of a machine, then what has changed at each."""
    title = one_line(computer.computer.title)
    chart = _index_chart(found)
    changes = tuple(
        Section(
            f"machine-{number}-revision-{step.number}",
            f"{step.title}: {_summary(step.diff)}",
            tables=tuple(_diff_tables(step.diff)),
            folded=not _has_errors(step.diff),
        )
        for step in found
        if step.diff is not None
    )
    yield Section(
        f"machine-{number}",
        f"Changes on {title}",
        charts=() if chart is None else (chart,),
        sections=changes,
        about_charts=() if chart is None else (ABOUT_INDEX,),
    )


def _summary(diff: RunDiff) -> str:
    """How many jobs were compared, and of how many something was found."""
    return f"{how_many(len(diff.jobs), 'job')} compared, {diff.unchanged} unchanged"


def _diff_tables(diff: RunDiff) -> Iterator[Table]:
    """Yield mean ratios of costs, then what was found."""
    ratios = ratios_part(diff)
    if ratios is not None:
        yield from (replace(table, caption=RATIOS) for table in ratios.tables)
    for part in findings_parts(diff):
        yield from (replace(table, caption=part.title) for table in part.tables)


def _index_chart(found: Sequence[Step]) -> Chart | None:
    """Solve times of backends relative to their first revision; None where none is compared."""
    points: dict[str, list[Point]] = {}
    for step in found:
        if step.diff is None:
            continue
        for backend, ratio in _solve_ratios(step.diff).items():
            own = points.setdefault(backend, [Point(step.before, 1.0, f"{backend}: 1.00")])
            index = min(max(own[-1].y * ratio, 1 / MAX_INDEX), MAX_INDEX)
            tooltip = f"{backend}, revision {step.number}: {index:.3g}"
            own.append(Point(step.number, index, tooltip))
    if not points:
        return None
    lines = tuple(
        Series(one_line(backend), style, tuple(own))
        for style, (backend, own) in enumerate(points.items())
    )
    drawn = [point for line in lines for point in line.points]
    last = ", ".join(f"{line.name} {line.points[-1].y:.3g}" for line in lines)
    first = min(point.x for point in drawn)
    return Chart(
        "Solve time over revisions",
        f"Solve time relative to the first revision, on a logarithmic scale. At the end: {last}.",
        Axis("revision", first - 0.5, len(found) + 0.5, False, "{:g}".format, whole=True),
        logarithmic_axis(
            "solve time, first revision = 1",
            [point.y for point in drawn],
            show_ratio,
            "ratio",
            is_fitted=True,
        ),
        lines,
        INTERVALS,
        "solve-time",
    )


def _solve_ratios(diff: RunDiff) -> dict[str, float]:
    """The mean of new over old solve times of each backend, where there is one."""
    each = [ratio for ratio in diff.ratios if ratio.backend is not None]
    if not each and diff.ratios:  # all jobs are of one backend
        each = [replace(diff.ratios[0], backend=diff.jobs[0].new.job.backend)]
    return {
        ratio.backend: ratio.solve.ratio
        for ratio in each
        if ratio.backend is not None and ratio.solve.ratio is not None
    }


def puzzle_history_part(content: SiteContent, puzzle: SitePuzzle) -> Section | None:
    """Every job on a puzzle that was run at several revisions; None where there is none."""
    part = _history_part(content, puzzle.records)
    questions = {question_of(record) for record in puzzle.records}
    return part if part is None or len(questions) > 1 else _without_puzzle(part)


def _without_puzzle(part: Section) -> Section:
    (table,) = part.tables
    return replace(part, tables=(table.without("puzzle"),))


def solver_history_part(content: SiteContent, solver: SiteSolver) -> Section | None:
    """Every job of a backend that was run at several revisions; None where there is none."""
    return _history_part(content, solver.records)


def _history_part(content: SiteContent, records: Iterable[Record]) -> Section | None:
    rows = list[tuple[str, ...]]()
    for own in by_computer(records).values():
        jobs: dict[str, list[Record]] = {}
        for record in own:
            jobs.setdefault(record.job.digest, []).append(record)
        for of_job in jobs.values():
            revisions = by_revision(of_job)
            if len(revisions) > 1:
                rows += _job_rows(content, revisions)
    if not rows:
        return None
    table = text_table(ROWS, tuple(rows), words=5)
    return Section("history", "History", tables=(table,), definitions=(ABOUT_ROWS,))


def _job_rows(
    content: SiteContent, revisions: Mapping[Revision, Sequence[Record]]
) -> Iterator[tuple[str, ...]]:
    """Yield what a job came to at each revision."""
    first_s = None
    for revision, records in revisions.items():
        (record,) = summaries(records)
        if first_s is None and record.result.is_answered:
            first_s = record.result.total_s
        compared = record.result.is_answered and first_s is not None
        yield (
            content.title_of(question_of(record)),
            one_line(solver_name(record)),
            one_line(computer_of(record).title),
            one_line(revision.title),
            _date(record.begun or ""),
            show_answer(record),
            show_whole(placements_made(record)),
            show_seconds(record.result.solve_s),
            show_seconds(record.result.total_s),
            f"×{show_ratio(max(record.result.total_s, MIN_S), max(first_s or 0.0, MIN_S))}"
            if compared
            else ABSENT,
        )


def _has_errors(diff: RunDiff | None) -> bool:
    return diff is not None and diff.is_wrong
