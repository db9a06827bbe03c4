"""Pages about solvers: a list of all, and for each its places and its results on every puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dovetail.errors import how_many
from dovetail.harness.records.questions import question_of
from dovetail.harness.records.seed_runs import seed_runs
from dovetail.harness.records.solver_names import solver_name
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT, show_ratio
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.provenance import provenance_part
from dovetail.reports.results import improvements
from dovetail.reports.results.contest_words import show_interval
from dovetail.reports.results.node_meanings import node_meanings_text
from dovetail.reports.results.questions import LEGEND
from dovetail.reports.site.boards import problem_parts
from dovetail.reports.site.content import ComputerResults, SiteContent, SiteSolver, one_line
from dovetail.reports.site.downloads import download_part
from dovetail.reports.site.history import solver_history_part
from dovetail.reports.site.links import settings_identity

COLUMNS = ("solver", "puzzles", "runs", "finished", "stopped", "refused", "failed", "wrong")
ABOUT = (
    "A solver is a backend or an improver with its settings. puzzles: how many it ran on. runs: "
    "one for each question and machine, whatever its repeats. finished: it found all that was "
    "asked, or solved the board. stopped: by a limit. refused: it does not take such puzzles."
)
PLACES = ("family", "machine", "settings", "solver", "place", "× best", "95 %", "wins", "solved")
FIGURES = (
    *("solutions", "nodes", "prepare", "solve", "total", "peak"),
    *("× total", "spread"),
)
MAX_OPEN = 6  # settings; of more, each is shown when one opens it


def solvers_page(content: SiteContent) -> Page:
    """The list of all solvers with their settings."""
    by_solver: dict[str, list[JobResult]] = {}
    for solver in content.solvers:
        by_solver |= _by_settings(content, solver)
    rows = tuple((one_line(name), *_counts(own)) for name, own in by_solver.items())
    bad = frozenset(n for n, own in enumerate(by_solver.values()) if _has_errors(own))
    title = f"{how_many(len(rows), 'solver')}, {how_many(len(content.solvers), 'backend')}"
    part = Part("all", title, tables=(Table(COLUMNS, rows, marked=bad),), definitions=(ABOUT,))
    return Page("Solvers", "", (), (part,))


def _by_settings(content: SiteContent, solver: SiteSolver) -> dict[str, list[JobResult]]:
    """The results of a backend by the solvers that it is with settings."""
    found: dict[str, list[JobResult]] = {name: [] for name in solver.settings}
    for computer in content.computers:
        for result in computer.of_backend(solver.backend):
            found[solver_name(result)].append(result)
    return found


def _counts(results: Sequence[JobResult]) -> Iterator[str]:
    """Yield how many puzzles and runs there are, and what became of the runs."""
    ends = Counter(result.status for result in results)
    yield f"{len({result.digest for result in results})}"
    yield f"{len(results)}"
    yield f"{sum(result.is_answered for result in results)}"
    yield f"{sum(number for status, number in ends.items() if status.is_limit)}"
    yield from (f"{ends[status]}" for status in (Status.SKIPPED, Status.FAILED, Status.WRONG))


def _has_errors(results: Iterable[JobResult]) -> bool:
    return any(result.status.is_error for result in results)


def solver_page(content: SiteContent, solver: SiteSolver) -> Page:
    """A backend or an improver: where it stands, and its results with all settings."""
    results = [one for computer in content.computers for one in computer.of_backend(solver.backend)]
    parts = [
        _places_part(content, solver),
        *_settings_parts(content, solver),
        *problem_parts(results),
        solver_history_part(content, solver),
        provenance_part(solver.records),
        download_part(content.solver_files[solver.backend], len(solver.records)),
    ]
    return Page(
        solver.title,
        node_meanings_text(results),
        (),
        tuple(part for part in parts if part is not None),
    )


def _places_part(content: SiteContent, solver: SiteSolver) -> Part | None:
    """Its place in each leaderboard; None if it is in none."""
    rows = []
    for computer in content.computers:
        for verdict in computer.verdicts:
            contest = verdict.contest
            for place, one in enumerate(verdict.standings, start=1):
                run = contest.run(one.solver, contest.questions[0])
                if run.backend == solver.backend:
                    rows.append(
                        (
                            contest.family,
                            one_line(computer.computer.title),
                            contest.settings.removesuffix(" settings"),
                            one.solver,
                            f"{place} of {len(verdict.standings)}",
                            show_ratio(one.ratio.mean),
                            show_interval(one.ratio),
                            f"{one.wins} of {len(contest.questions)}",
                            f"{one.answered}",
                        )
                    )
    if not rows:
        return None
    return Part("places", "Places in leaderboards", tables=(Table(PLACES, tuple(rows), left=4),))


def _settings_parts(content: SiteContent, solver: SiteSolver) -> Iterator[Part]:
    """Yield the results by puzzle and machine: a part with one for each of the settings."""
    folded = len(solver.settings) > MAX_OPEN
    parts = tuple(
        Part(
            settings_identity(solver, name),
            one_line(name),
            tables=tuple(_tables(content, solver, name)),
            folded=folded,
        )
        for name in solver.settings
    )
    yield Part("settings", "Results", parts=parts, definitions=(LEGEND,))


def _tables(content: SiteContent, solver: SiteSolver, name: str) -> Iterator[Table]:
    """Yield the figures of all questions, and the scores of an improver."""
    rows, bad = list[tuple[str, ...]](), set[int]()
    scores = list[tuple[str, ...]]()
    for computer in content.computers:
        machine = one_line(computer.computer.title)
        own = [one for one in computer.of_backend(solver.backend) if solver_name(one) == name]
        for result in own:
            if not result.improves:
                bad |= {len(rows)} if result.status.is_error else set()
                rows.append(
                    (content.title_of(question_of(result)), machine, *_figures(computer, result))
                )
        groups = improvements.improvement_rows(seed_runs(own))
        scores += [tuple(row[column] for column in SCORES) for row in groups]
    if rows:
        yield Table(("puzzle", "machine", *FIGURES), tuple(rows), left=2, marked=frozenset(bad))
    if scores:
        yield Table(SCORES, tuple(scores))


SCORES = tuple(column for column in improvements.COLUMNS if column != "improver")


def _figures(computer: ComputerResults, result: JobResult) -> Iterator[str]:
    cells = computer.cells[result.job]
    return (cells[column] or ABSENT for column in FIGURES)
