"""Pages of a site: the home page, and the pages of families, computers and record files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.evaluation.contests import Clock
from dovetail.harness.evaluation.ranking import ContestVerdict
from dovetail.harness.records.outline import cell_count
from dovetail.harness.records.record import Record, computer_of
from dovetail.harness.records.summary import solver_name
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.reports.columns import LEADERS, RUNS
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Section, definitions
from dovetail.reports.pictures.drawing import Figure
from dovetail.reports.results.improvements import improvements_headline, improvements_section
from dovetail.reports.results.page import disagreements_section, overview_section, reasons_section
from dovetail.reports.results.provenance import provenance_section
from dovetail.reports.results.questions import PuzzlePictures
from dovetail.reports.results.ranking import ranking_section
from dovetail.reports.results.solvers import (
    has_profile,
    performance_section,
    profile_chart,
    scatter_section,
)
from dovetail.reports.results.verdict import first_text, headline, verdict_section, verdict_text
from dovetail.reports.site.content import Site, SiteSubject, one_line
from dovetail.reports.table import Column, Table, Topic, by_name

# Maximum number of cells of the map of all runs on a computer.
MAX_MAP_CELLS = 400
# Maximum number of charts on the home page, and preferred number of cells of puzzles shown there.
MAX_CHARTS, CELLS_SHOWN = 4, 60
MACHINES = ("machine", "records", "runs", "puzzles", "solvers", "from", "to")
FILES = ("file", "suites", "machines", "records", "puzzles", "solvers", "runs from", "to")
NONE = "No two solvers answered the same puzzles on one machine, so none is ranked."


class Leaderboard(NamedTuple):
    """The verdict on a contest on a computer."""

    computer: SiteSubject
    verdict: ContestVerdict

    @property
    def settings(self) -> str:
        """The settings of the solvers, with "cold start" for contests with cold starts."""
        contest = self.verdict.contest
        cold = ", cold start" if contest.clock is Clock.COLD else ""
        return contest.settings.removesuffix(" settings") + cold

    def backend_of(self, solver: str) -> str:
        """Return the backend of a solver in the contest."""
        contest = self.verdict.contest
        return contest.run(solver, contest.questions[0]).job.backend


def _subject_column(title: str) -> Column[SiteSubject]:
    """Return the column of the titles of subjects, which are links."""
    return Column(
        title,
        lambda subject: subject.title,
        words=True,
        link=lambda subject: (
            subject.topic,
            subject.address if subject.topic is Topic.FILE else subject.key,
        ),
    )


_CONTESTS: Mapping[str, Column[Leaderboard]] = {
    name: column.over(lambda board: board.verdict) for name, column in LEADERS.items()
}
BOARDS: Mapping[str, Column[Leaderboard]] = by_name(
    _CONTESTS["family"],
    Column("settings", lambda board: board.settings, words=True),
    _CONTESTS["first"],
    _CONTESTS["second"],
    _subject_column("machine").over(lambda board: board.computer),
    *(_CONTESTS[name] for name in ("ahead", "wins", "refused", "solvers")),
)


def _suites(subject: SiteSubject) -> str:
    return _joined(record.suite or ABSENT for record in subject.records)


def _machines(subject: SiteSubject) -> str:
    return _joined(computer_of(record).title for record in subject.records)


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(map(one_line, texts)))


# Columns of lists of computers, solvers and files.
SUBJECTS = by_name(
    *map(_subject_column, ("machine", "solver", "file")),
    Column[SiteSubject]("suites", _suites, words=True),
    Column[SiteSubject]("machines", _machines, words=True),
    Column[SiteSubject]("records", lambda subject: len(subject.records)),
    *(column.over(attrgetter("results")) for column in RUNS.values()),
    Column[SiteSubject](
        "puzzles", lambda subject: len(subject.distinct(lambda r: r.job.puzzle_digest))
    ),
    Column[SiteSubject]("solvers", lambda subject: len(subject.distinct(solver_name))),
    Column[SiteSubject]("from", lambda subject: subject.dates[0]),
    Column[SiteSubject]("runs from", lambda subject: subject.dates[0]),
    Column[SiteSubject]("to", lambda subject: subject.dates[-1]),
)


def subjects_table(titles: Iterable[str], subjects: Iterable[SiteSubject]) -> Table:
    """Return a table of subjects with the named columns; rows of solvers with errors are red."""

    def has_errors(subject: SiteSubject) -> bool:
        is_wrong = any(result.result.status.is_error for result in subject.results)
        return subject.topic is Topic.SOLVER and is_wrong

    return Table([SUBJECTS[title] for title in titles], list(subjects), marked=has_errors)


def leaderboards(site: Site) -> list[Leaderboard]:
    """Return the verdicts on all contests on all computers."""
    return [
        Leaderboard(computer, verdict)
        for computer in site.computers.values()
        for verdict in computer.verdicts
    ]


def _first_section(computers: Iterable[SiteSubject], families: Section | None) -> Section | None:
    """Return the first solver on each computer in words and charts; None without a ranking."""
    leading = [
        (computer.title, computer.verdicts[0]) for computer in computers if computer.verdicts
    ]
    if not leading:
        return None
    contests = [verdict.contest for _, verdict in leading if has_profile(verdict.contest)]
    charts = [
        replace(profile_chart(contest), name=f"{number}")
        for number, contest in enumerate(contests[:MAX_CHARTS], start=1)
    ]
    texts = (f"{machine}: {first_text(verdict)}" for machine, verdict in leading)
    return Section("first", "Who is first", [*texts, *charts], beside=families)


def _families_section(site: Site) -> Section | None:
    """Return a picture of a puzzle of each family; None if no puzzle can be drawn."""
    pictures, drawings = PuzzlePictures(), list[Figure]()
    for family in site.families.values():
        puzzles = [puzzle for puzzle in site.puzzles.values() if puzzle.family == family.title]
        for puzzle in sorted(puzzles, key=_plainness):
            drawing = pictures.of(puzzle.counted)
            if drawing is not None:
                drawings.append(replace(drawing, caption=f"{family.title}: {puzzle.title}"))
                break
    return Section("families", "Families", drawings) if drawings else None


def _plainness(puzzle: SiteSubject) -> tuple[bool, int]:
    """Return a sort key by which puzzles with a recorded solution come first.

    The next criterion is the difference between the number of cells and `CELLS_SHOWN`.
    """
    outlines = (record.outline for record in puzzle.counted if record.outline is not None)
    cells = next(map(cell_count, outlines), MAX_MAP_CELLS)
    return all(record.example is None for record in puzzle.counted), abs(cells - CELLS_SHOWN)


def home_page(site: Site) -> Page:
    """Return the home page: leaders, contradictions and computers."""
    first = _first_section(site.computers.values(), _families_section(site))
    wrong = sum(result.result.status is Status.WRONG for result in site.results)
    boards, computers = leaderboards(site), site.computers.values()
    bests = [(subject.title, improvements_headline(subject.results)) for subject in computers]
    leading = [
        Table(list(BOARDS.values()), boards) if boards else NONE,
        *(f"Best boards on {machine}: {best}" for machine, best in bests if best),
    ]
    leaders = Section("leaders", "Leaderboards", leading, definitions=definitions("leaders"))
    listed = subjects_table(MACHINES, computers)
    machines = Section("machines", "Machines", [listed], definitions=definitions("machines"))
    solvers = sum(len(solver.solvers) for solver in site.solvers.values())
    warnings = [source.warning for source in site.sources if source.warning is not None]
    if wrong:
        warnings.append(f"Wrong results: {wrong} of {len(site.results)}.")
    return Page(
        site.title,
        [first, leaders, disagreements_section(site.results) if wrong else None, machines],
        warnings=tuple(warnings),
        headline=f"{how_many(len(site.results), 'run')} of {how_many(solvers, 'solver')} on "
        f"{how_many(len(site.puzzles), 'puzzle')}, from {how_many(len(site.records), 'record')} "
        f"in {how_many(len(site.files), 'file')}.",
    )


def family_page(site: Site, family: SiteSubject) -> Page:
    """Return the page of a family of puzzles: the rankings on each computer."""
    sections = []
    for number, computer in enumerate(site.computers.values(), start=1):
        verdicts = [
            verdict for verdict in computer.verdicts if verdict.contest.family == family.title
        ]
        section = ranking_section(verdicts)
        if section is not None:
            contents = [verdict_text(verdicts[0]), *section.contents]
            section = replace(section, title=computer.title, contents=contents)
            sections.append(renamed(section, f"machine-{number}"))
    about = f"All leaderboards over puzzles of the family {family.title}, one for each machine."
    none = Section("none", "Leaderboards", [NONE])
    return Page(f"Leaderboards: {family.title}", sections or [none], about)


def computer_page(computer: SiteSubject) -> Page:
    """Return the page of a computer: the sections of a report on its records."""
    verdicts, runs = computer.verdicts, computer.runs
    answer = verdict_section(verdicts, runs)
    if answer is not None and len(runs.solvers) * len(runs.questions) > MAX_MAP_CELLS:
        answer = replace(answer, beside=None)
    ranked = [standing.solver for standing in verdicts[0].standings] if verdicts else []
    sections = [
        answer,
        improvements_section(computer.results),
        *problem_sections(computer.results),
        ranking_section(verdicts),
        scatter_section(computer.counted, ranked),
        performance_section([verdict.contest for verdict in verdicts]),
        overview_section(computer.current, computer.results),
        provenance_section(computer.current),
        download_section(computer, ".csv", "Figures", "lines", len(computer.results)),
    ]
    return Page(
        computer.title,
        sections,
        headline=headline(verdicts, runs) or improvements_headline(computer.results),
    )


def problem_sections(results: Sequence[Record]) -> list[Section]:
    """Return the sections on contradictions and on refusals and failures, if there are any."""
    is_wrong = any(record.result.status is Status.WRONG for record in results)
    reasons = reasons_section(results)
    disagreements = [disagreements_section(results)] if is_wrong else []
    return [*disagreements, *([reasons] if reasons.tables else [])]


def records_page(site: Site) -> Page:
    """Return the page that lists the source files."""
    files = subjects_table(FILES, site.files)
    size = Column[SiteSubject](
        "size", lambda subject: show_size(len(site.sources[subject.key].data))
    )
    table = replace(files, columns=(*files.columns, size))
    section = Section("files", how_many(len(site.files), "file"), [table])
    return Page("Records", [section], definitions("files")[0])


def download_section(
    subject: SiteSubject, suffix: str, title: str, unit: str, number: int
) -> Section:
    """Return a section with a link to the file about a subject.

    `number` is the number of records or lines in the file, and `unit` is the title of its column.
    """
    name = f"{subject.name}{suffix}"
    file = Column[str](
        "file", str, words=True, link=lambda name: (Topic.FILE, f"{subject.topic}/{name}")
    )
    table = Table((file, Column(unit, lambda _: number)), (name,))
    return Section(title.lower(), title, [table])


def renamed(section: Section, prefix: str) -> Section:
    """Return a section with a prefix to its identity, and to all identities within it."""
    return replace(
        section,
        identity=f"{prefix}-{section.identity}",
        contents=[
            renamed(content, prefix) if isinstance(content, Section) else content
            for content in section.contents
        ],
        beside=None if section.beside is None else renamed(section.beside, prefix),
    )
