"""Pages about solvers: a list of all, and for each its places and its results on every puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.records.environment import by_computer, computer_of
from dovetail.harness.records.questions import solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import seed_runs
from dovetail.models.outcome import Status
from dovetail.reports.columns import LEGEND, RESULTS, STANDINGS, ComparedResult, scores_table
from dovetail.reports.page import Page, Section
from dovetail.reports.provenance import provenance_part
from dovetail.reports.results.solvers import node_meanings_text
from dovetail.reports.site.boards import problem_parts, settings_of
from dovetail.reports.site.content import SiteContent, SiteSolver, one_line
from dovetail.reports.site.downloads import download_part
from dovetail.reports.site.history import solver_history_part
from dovetail.reports.site.links import settings_identity
from dovetail.reports.table import Column, Table, text_table

COLUMNS = ("solver", "puzzles", "runs", "finished", "stopped", "refused", "failed", "wrong")
ABOUT = (
    "A solver is a backend or an improver with its settings. puzzles: how many it ran on. runs: "
    "one for each question and machine, whatever its repeats. finished: it found all that was "
    "asked, or solved the board. stopped: by a limit. refused: it does not take such puzzles."
)
PLACES = ("solver", "place", "family", "settings", "machine")
RANKED = ("× best", "95 %", "wins", "solved", "refused")
FIGURES = (
    *("count", "placements_made", "prepare_s", "solve_s", "total_s", "peak_bytes"),
    *("total_ratio", "spread"),
)
ABOUT_PLACES = (
    "Its place in each leaderboard that it takes part in. × best: the geometric mean of its times "
    "over those of the fastest solver of each puzzle, on the puzzles that it accepts, with the "
    "95 % interval; a lower bound (>) where it did not answer. wins: on how many puzzles nobody "
    "was faster. solved: how many it answered of those it accepted. refused: how many it refused."
)
MAX_OPEN = 6  # settings; of more, each is shown when one opens it


def solvers_page(content: SiteContent) -> Page:
    """The list of all solvers with their settings."""
    table = _settings_table(content, content.solvers)
    title = f"{how_many(len(table.rows), 'solver')}, {how_many(len(content.solvers), 'backend')}"
    part = Section("all", title, tables=(table,), definitions=(ABOUT,))
    return Page("Solvers", "", (), (part,))


def _settings_table(content: SiteContent, solvers: Iterable[SiteSolver]) -> Table:
    """A row for each of `solvers` with settings: what became of its runs."""
    listed = [item for solver in solvers for item in _by_settings(content, solver).items()]
    rows = tuple((one_line(name), *_counts(own)) for name, own in listed)
    bad = {row for row, (_, own) in zip(rows, listed, strict=True) if _has_errors(own)}
    return text_table(COLUMNS, rows, marked=lambda row: row in bad)


def _by_settings(content: SiteContent, solver: SiteSolver) -> dict[str, list[Record]]:
    """The results of a backend by the solvers that it is with settings."""
    found: dict[str, list[Record]] = {name: [] for name in solver.settings}
    for computer in content.computers:
        for result in computer.of_backend(solver.backend):
            found[solver_name(result)].append(result)
    return found


def _counts(results: Sequence[Record]) -> Iterator[str]:
    """Yield how many puzzles and runs there are, and what became of the runs."""
    ends = Counter(record.result.status for record in results)
    yield f"{len({record.job.puzzle_digest for record in results})}"
    yield f"{len(results)}"
    yield f"{sum(record.result.is_answered for record in results)}"
    yield f"{sum(number for status, number in ends.items() if status.is_limit)}"
    yield from (f"{ends[status]}" for status in (Status.SKIPPED, Status.FAILED, Status.WRONG))


def _has_errors(results: Iterable[Record]) -> bool:
    return any(record.result.status.is_error for record in results)


def solver_page(content: SiteContent, solver: SiteSolver) -> Page:
    """A backend or an improver: where it stands, and its results with all settings."""
    results = [one for computer in content.computers for one in computer.of_backend(solver.backend)]
    parts = [
        _summary_part(content, solver),
        _places_part(content, solver),
        *_settings_parts(content, solver),
        *problem_parts(results),
        solver_history_part(content, solver),
        provenance_part(solver.records),
        download_part(content.solver_files[solver.backend], len(solver.records)),
    ]
    return Page(
        solver.title,
        node_meanings_text([result for result in results if result.job.node_meaning is not None]),
        (),
        tuple(part for part in parts if part is not None),
    )


def _summary_part(content: SiteContent, solver: SiteSolver) -> Section:
    table = _settings_table(content, [solver])
    return Section("runs", "Runs by settings", tables=(table,), definitions=(ABOUT,))


def _places_part(content: SiteContent, solver: SiteSolver) -> Section | None:
    """Its place in each leaderboard; None if it is in none."""
    rows = []
    for computer in content.computers:
        for verdict in computer.verdicts:
            contest = verdict.contest
            for place, one in enumerate(verdict.standings, start=1):
                run = contest.run(one.solver, contest.questions[0])
                if run.job.backend == solver.backend:
                    rows.append(
                        (
                            one.solver,
                            f"{place} of {len(verdict.standings)}",
                            contest.family,
                            settings_of(verdict),
                            one_line(computer.computer.title),
                            *(STANDINGS[column].text(one) for column in RANKED),
                        )
                    )
    if not rows:
        return None
    table = text_table((*PLACES, *RANKED), tuple(rows), words=len(PLACES))
    return Section("places", "Places in leaderboards", tables=(table,), definitions=(ABOUT_PLACES,))


def _settings_parts(content: SiteContent, solver: SiteSolver) -> Iterator[Section]:
    """Yield the results by puzzle and machine: a part with one for each of the settings."""
    folded = len(solver.settings) > MAX_OPEN
    parts = tuple(
        Section(
            settings_identity(solver, name),
            one_line(name),
            tables=tuple(_tables(content, results)),
            folded=folded,
        )
        for name, results in _by_settings(content, solver).items()
    )
    yield Section("settings", "Results", sections=parts, definitions=(LEGEND,))


def _tables(content: SiteContent, results: Sequence[Record]) -> Iterator[Table]:
    """Yield the figures of all questions, and the scores of an improver."""
    columns = (
        Column[ComparedResult]("puzzle", lambda row: content.title_of(row.question), words=True),
        Column[ComparedResult](
            "machine", lambda row: one_line(computer_of(row.record).title), words=True
        ),
        *(RESULTS[name] for name in FIGURES),
    )
    by_machine = list(by_computer(results).values())
    counted = [
        content.compared(record) for own in by_machine for record in own if not record.job.improves
    ]
    groups = [group for own in by_machine for group in seed_runs(own)]
    if counted:
        yield Table(columns, counted, marked=lambda row: row.is_error)
    if groups:
        yield scores_table(groups, "improver")
