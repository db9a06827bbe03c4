"""Pages with leaderboards: the home page, and the pages of families and computers; record files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.evaluation.contests import Clock
from dovetail.harness.evaluation.verdict import ContestVerdict
from dovetail.harness.records.environment import computer_of
from dovetail.harness.records.questions import solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Section, definitions
from dovetail.reports.provenance import provenance_section
from dovetail.reports.results.improvements import improvements_headline, improvements_section
from dovetail.reports.results.page import disagreements_section, overview_section, reasons_section
from dovetail.reports.results.ranking import ranking_section
from dovetail.reports.results.solvers import performance_section, scatter_section
from dovetail.reports.results.verdict import headline, show_lead, verdict_section, verdict_text
from dovetail.reports.site.content import Kind, Site, Subject, one_line
from dovetail.reports.table import Column, Table, by_name, text_table

# Maximum number of cells of the map of all runs on a computer.
MAX_MAP_CELLS = 400
MACHINES = ("machine", "records", "runs", "puzzles", "solvers", "from", "to")
FILES = ("file", "suites", "machines", "records", "puzzles", "solvers", "runs from", "to")
NONE = "No two solvers answered the same puzzles on one machine, so none is ranked."


class Leaderboard(NamedTuple):
    """The verdict on a contest on a computer."""

    machine: str
    verdict: ContestVerdict

    @property
    def settings(self) -> str:
        """The settings of the solvers, and the clock of contests with start-up."""
        contest = self.verdict.contest
        cold = ", cold start" if contest.clock is Clock.COLD else ""
        return contest.settings.removesuffix(" settings") + cold

    def backend_of(self, solver: str) -> str:
        """Return the backend of a solver in the contest."""
        contest = self.verdict.contest
        return contest.run(solver, contest.questions[0]).job.backend


LEADERS: Sequence[Column[Leaderboard]] = (
    Column("family", lambda board: board.verdict.contest.family, words=True),
    Column("settings", lambda board: board.settings, words=True),
    Column("first", lambda board: board.verdict.first.solver, words=True),
    Column("second", lambda board: board.verdict.second.solver, words=True),
    Column("machine", lambda board: board.machine, words=True),
    Column("ahead", lambda board: show_lead(board.verdict.lead)),
    Column(
        "wins",
        lambda board: f"{board.verdict.first.wins} of {len(board.verdict.contest.questions)}",
    ),
    Column("refused", lambda board: board.verdict.first.refused),
    Column("solvers", lambda board: len(board.verdict.contest.solvers)),
)


def _suites(subject: Subject) -> str:
    return _joined(record.suite or ABSENT for record in subject.records)


def _machines(subject: Subject) -> str:
    return _joined(computer_of(record).title for record in subject.records)


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(map(one_line, texts)))


# Columns of lists of computers, solvers and files.
SUBJECTS = by_name(
    Column[Subject]("machine", lambda subject: subject.title, words=True),
    Column[Subject]("solver", lambda subject: subject.title, words=True),
    Column[Subject]("file", lambda subject: subject.title, words=True),
    Column[Subject]("suites", _suites, words=True),
    Column[Subject]("machines", _machines, words=True),
    Column[Subject]("records", lambda subject: len(subject.records)),
    Column[Subject]("runs", lambda subject: len(subject.results)),
    Column[Subject](
        "puzzles", lambda subject: len(subject.distinct(lambda r: r.job.puzzle_digest))
    ),
    Column[Subject]("solvers", lambda subject: len(subject.distinct(solver_name))),
    Column[Subject]("finished", lambda subject: sum(r.result.is_answered for r in subject.results)),
    Column[Subject]("stopped", lambda subject: subject.number(*(s for s in Status if s.is_limit))),
    Column[Subject]("refused", lambda subject: subject.number(Status.SKIPPED)),
    Column[Subject]("failed", lambda subject: subject.number(Status.FAILED)),
    Column[Subject]("wrong", lambda subject: subject.number(Status.WRONG)),
    Column[Subject]("from", lambda subject: subject.dates[0]),
    Column[Subject]("runs from", lambda subject: subject.dates[0]),
    Column[Subject]("to", lambda subject: subject.dates[-1]),
)


def subjects_table(titles: Iterable[str], subjects: Iterable[Subject]) -> Table:
    """Return a list of subjects with the columns of these titles; errors of solvers are marked."""

    def has_errors(subject: Subject) -> bool:
        return subject.kind is Kind.SOLVER and subject.number(Status.FAILED, Status.WRONG) > 0

    return Table([SUBJECTS[title] for title in titles], list(subjects), marked=has_errors)


def leaderboards(site: Site) -> list[Leaderboard]:
    """Return the verdicts on all contests on all computers."""
    return [
        Leaderboard(computer.title, verdict)
        for computer in site.computers.values()
        for verdict in computer.verdicts
    ]


def home_page(site: Site) -> Page:
    """Return the home page: leaders, contradictions and computers."""
    wrong = sum(result.result.status is Status.WRONG for result in site.results)
    boards, computers = leaderboards(site), site.computers.values()
    bests = {subject.title: improvements_headline(subject.results) for subject in computers}
    leaders = Section(
        "leaders",
        "Leaderboards",
        (
            *([] if boards else [NONE]),
            *(f"Best boards on {machine}: {best}" for machine, best in bests.items() if best),
        ),
        tables=(Table(LEADERS, boards),) if boards else (),
        definitions=definitions("leaders"),
    )
    machines = Section(
        "machines",
        "Machines",
        tables=(subjects_table(MACHINES, computers),),
        definitions=definitions("machines"),
    )
    solvers = sum(len(solver.solvers) for solver in site.solvers.values())
    return Page(
        site.title,
        "",
        (
            *(source.warning for source in site.sources if source.warning is not None),
            *([f"Wrong results: {wrong} of {len(site.results)}."] if wrong else []),
        ),
        (leaders, *([disagreements_section(site.results)] if wrong else []), machines),
        headline=f"{how_many(len(site.results), 'run')} of {how_many(solvers, 'solver')} on "
        f"{how_many(len(site.puzzles), 'puzzle')}, from {how_many(len(site.records), 'record')} "
        f"in {how_many(len(site.files), 'file')}.",
    )


def family_page(site: Site, family: Subject) -> Page:
    """Return the page of a family of puzzles: the rankings on each computer."""
    sections = []
    for number, computer in enumerate(site.computers.values(), start=1):
        verdicts = [
            verdict for verdict in computer.verdicts if verdict.contest.family == family.title
        ]
        section = ranking_section(verdicts)
        if section is not None:
            texts = (verdict_text(verdicts[0]), *section.paragraphs)
            section = replace(section, title=computer.title, paragraphs=texts)
            sections.append(renamed(section, f"machine-{number}"))
    about = f"All leaderboards over puzzles of the family {family.title}, one for each machine."
    none = Section("none", "Leaderboards", (NONE,))
    return Page(f"Leaderboards: {family.title}", about, (), tuple(sections) or (none,))


def computer_page(computer: Subject) -> Page:
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
        download_section(f"{computer.name}.csv", "Figures", "lines", len(computer.results)),
    ]
    return Page(
        computer.title,
        "",
        (),
        tuple(section for section in sections if section is not None),
        headline=headline(verdicts, runs) or improvements_headline(computer.results),
    )


def problem_sections(results: Sequence[Record]) -> list[Section]:
    """Return the sections on contradictions and on refusals and failures, if there are any."""
    is_wrong = any(record.result.status is Status.WRONG for record in results)
    reasons = reasons_section(results)
    disagreements = [disagreements_section(results)] if is_wrong else []
    return [*disagreements, *([reasons] if reasons.tables else [])]


def records_page(site: Site) -> Page:
    """Return the list of the source files."""
    files = subjects_table(FILES, site.files)
    size = Column[Subject]("size", lambda subject: show_size(len(site.sources[subject.key].data)))
    table = replace(
        files,
        columns=(*files.columns, size),
        links={"file": {file.title: file.title for file in site.files}},
    )
    section = Section("files", how_many(len(site.files), "file"), tables=(table,))
    return Page("Records", definitions("files")[0], (), (section,))


def download_section(name: str, title: str, unit: str, number: int) -> Section:
    """Return a section with a link to a file in the folder of the page.

    `number` is the number of records or lines in the file, which are called `unit`.
    """
    table = text_table(("file", unit), [(name, f"{number:,}")], links={"file": {name: name}})
    return Section(title.lower(), title, tables=(table,))


def renamed(section: Section, prefix: str) -> Section:
    """Return a section with a prefix to the identities of it and of the sections within it."""
    return replace(
        section,
        identity=f"{prefix}-{section.identity}",
        sections=tuple(renamed(inner, prefix) for inner in section.sections),
        beside=None if section.beside is None else renamed(section.beside, prefix),
    )
