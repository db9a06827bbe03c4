"""Leaderboards: on the home page in short, in full by family of puzzles and by machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dovetail.harness.evaluation.contests import Clock
from dovetail.harness.evaluation.verdict import ContestVerdict
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.page import Page, Section
from dovetail.reports.provenance import provenance_part
from dovetail.reports.results.improvements import improvements_headline, improvements_section
from dovetail.reports.results.page import disagreements_section, overview_section, reasons_section
from dovetail.reports.results.ranking import ranking_section
from dovetail.reports.results.solvers import performance_section, scatter_section
from dovetail.reports.results.verdict import headline, show_lead, verdict_section, verdict_text
from dovetail.reports.site.content import ComputerResults, SiteContent, one_line
from dovetail.reports.site.downloads import figures_part
from dovetail.reports.site.links import renamed
from dovetail.reports.table import text_table

COLUMNS = (
    "family",
    "settings",
    "first",
    "second",
    "machine",
    "ahead",
    "wins",
    "refused",
    "solvers",
)
WORDS = 5  # columns of words
MAX_MAP_CELLS = 400
ABOUT = (
    "Two solvers are compared by the geometric mean of their ratios on the puzzles that both "
    "accept; the first is ahead of the second, and each solver of the next. A time is prepare + "
    "solve; a run without an answer counts as its time limit, and the factor is then a lower bound "
    "(>), or not known (–) where the first left a puzzle that the second answered. Only solvers "
    "that ran the same puzzles on the same machine are compared, those with chosen settings apart "
    "from those with default ones. ahead: how many times the second took. wins: on how many "
    "puzzles nobody was faster than the first. refused: how many puzzles the first refused."
)
NONE = "No two solvers answered the same puzzles on one machine, so none is ranked."


def leaders_part(content: SiteContent) -> Section:
    """Who is first where: a row for each contest on each machine."""
    rows = tuple(
        _row(computer, verdict) for computer in content.computers for verdict in computer.verdicts
    )
    tables = (text_table(COLUMNS, rows, words=WORDS),) if rows else ()
    texts = [] if rows else [NONE]
    for computer in content.computers:
        best = improvements_headline(computer.results)
        texts += [f"Best boards on {one_line(computer.computer.title)}: {best}"] if best else []
    return Section("leaders", "Leaderboards", tuple(texts), tables=tables, definitions=(ABOUT,))


def _row(computer: ComputerResults, verdict: ContestVerdict) -> tuple[str, ...]:
    contest = verdict.contest
    return (
        contest.family,
        settings_of(verdict),
        verdict.first.solver,
        verdict.second.solver,
        one_line(computer.computer.title),
        show_lead(verdict.lead),
        f"{verdict.first.wins} of {len(contest.questions)}",
        f"{verdict.first.refused}",
        f"{len(contest.solvers)}",
    )


def settings_of(verdict: ContestVerdict) -> str:
    """The settings of the solvers that take part, and the clock where start-up counts."""
    settings = verdict.contest.settings.removesuffix(" settings")
    return f"{settings}, cold start" if verdict.contest.clock is Clock.COLD else settings


def family_page(content: SiteContent, family: str) -> Page:
    """The leaderboards of a family of puzzles, one for each machine."""
    parts = [
        part
        for number, computer in enumerate(content.computers, start=1)
        if (part := _family_part(computer, family, number)) is not None
    ]
    alone = Section("none", "Leaderboards", (NONE,))
    about = f"All leaderboards over puzzles of the family {family}, one for each machine."
    return Page(f"Leaderboards: {family}", about, (), tuple(parts) or (alone,))


def _family_part(computer: ComputerResults, family: str, number: int) -> Section | None:
    """The rankings on one machine; None if there is none."""
    verdicts = [one for one in computer.verdicts if one.contest.family == family]
    part = ranking_section(verdicts)
    if part is None:
        return None
    texts = (*map(verdict_text, verdicts[:1]), *part.paragraphs)
    return renamed(
        replace(part, title=one_line(computer.computer.title), paragraphs=texts),
        f"machine-{number}",
    )


def computer_page(content: SiteContent, computer: ComputerResults) -> Page:
    """The leaderboards of all families on one machine, and what its runs came to."""
    verdicts, counted = computer.verdicts, computer.counted
    ranked = [one.solver for one in verdicts[0].standings] if verdicts else []
    parts = [
        *_answer_parts(computer),
        improvements_section(computer.results),
        *problem_parts(computer.results),
        ranking_section(verdicts),
        scatter_section(counted, ranked),
        performance_section([one.contest for one in verdicts]),
        overview_section(computer.current, computer.results),
        provenance_part(computer.current),
        figures_part(content.computer_files[computer.computer], len(computer.results)),
    ]
    shown = tuple(part for part in parts if part is not None)
    first = headline(verdicts, computer.runs) or improvements_headline(computer.results)
    return Page(one_line(computer.computer.title), "", (), shown, headline=first)


def _answer_parts(computer: ComputerResults) -> list[Section]:
    """Who won, with the map of all runs if it is small: pages of puzzles have these, too."""
    section = verdict_section(computer.verdicts, computer.runs)
    if section is None:
        return []
    small = len(computer.runs.solvers) * len(computer.runs.questions) <= MAX_MAP_CELLS
    return [section if small else replace(section, beside=None)]


def problem_parts(results: Sequence[Record]) -> Iterator[Section]:
    """Yield contradictions, refusals and failures among `results`, where there are any."""
    if any(record.result.status is Status.WRONG for record in results):
        yield disagreements_section(results)
    reasons = reasons_section(results)
    if reasons.tables:
        yield reasons
