"""Pages about solvers: a list of all, and for each its places and its results on every puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from dovetail.errors import how_many
from dovetail.harness.records.environment import by_computer
from dovetail.harness.records.questions import question_of, solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import seed_runs
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.provenance import provenance_part
from dovetail.reports.results import improvements
from dovetail.reports.results.contest_words import standing_cells
from dovetail.reports.results.node_meanings import node_meanings_text
from dovetail.reports.results.questions import LEGEND
from dovetail.reports.site.boards import problem_parts, settings_of
from dovetail.reports.site.content import SiteContent, SiteSolver, one_line
from dovetail.reports.site.downloads import download_part
from dovetail.reports.site.history import solver_history_part
from dovetail.reports.site.links import settings_identity

COLUMNS = ("solver", "puzzles", "runs", "finished", "stopped", "refused", "failed", "wrong")
ABOUT = (
    "A solver is a backend or an improver with its settings. puzzles: how many it ran on. runs: "
    "one for each question and machine, whatever its repeats. finished: it found all that was "
    "asked, or solved the board. stopped: by a limit. refused: it does not take such puzzles."
)
PLACES = ("solver", "place", "family", "settings", "machine")
RANKED = ("× best", "95 %", "wins", "solved", "refused")
FIGURES = (
    *("solutions", "nodes", "prepare", "solve", "total", "peak"),
    *("× total", "spread"),
)
ABOUT_PLACES = (
    "Its place in each leaderboard that it takes part in. × best: the geometric mean of its times "
    "over those of the fastest solver of each puzzle, on the puzzles that it accepts, with the "
    "95 % interval; a lower bound (>) where it did not answer. wins: on how many puzzles nobody "
    "was faster. solved: how many it answered of those it accepted. refused: how many it refused."
)
SCORES = tuple(column for column in improvements.COLUMNS if column != "improver")
MAX_OPEN = 6  # settings; of more, each is shown when one opens it


def solvers_page(content: SiteContent) -> Page:
    """The list of all solvers with their settings."""
    table = _settings_table(content, content.solvers)
    title = f"{how_many(len(table.rows), 'solver')}, {how_many(len(content.solvers), 'backend')}"
    part = Part("all", title, tables=(table,), definitions=(ABOUT,))
    return Page("Solvers", "", (), (part,))


def _settings_table(content: SiteContent, solvers: Iterable[SiteSolver]) -> Table:
    """A row for each of `solvers` with settings: what became of its runs."""
    listed = [item for solver in solvers for item in _by_settings(content, solver).items()]
    rows = tuple((one_line(name), *_counts(own)) for name, own in listed)
    bad = frozenset(n for n, (_, own) in enumerate(listed) if _has_errors(own))
    return Table(COLUMNS, rows, marked=bad)


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
        scripts=(files("dovetail.reports.site").joinpath("target.js").read_text(encoding="utf-8"),),
    )


def _summary_part(content: SiteContent, solver: SiteSolver) -> Part:
    table = _settings_table(content, [solver])
    return Part("runs", "Runs by settings", tables=(table,), definitions=(ABOUT,))


def _places_part(content: SiteContent, solver: SiteSolver) -> Part | None:
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
                            *(standing_cells(one)[column] for column in RANKED),
                        )
                    )
    if not rows:
        return None
    table = Table((*PLACES, *RANKED), tuple(rows), left=len(PLACES))
    return Part("places", "Places in leaderboards", tables=(table,), definitions=(ABOUT_PLACES,))


def _settings_parts(content: SiteContent, solver: SiteSolver) -> Iterator[Part]:
    """Yield the results by puzzle and machine: a part with one for each of the settings."""
    folded = len(solver.settings) > MAX_OPEN
    parts = tuple(
        Part(
            settings_identity(solver, name),
            one_line(name),
            tables=tuple(_tables(content, results)),
            folded=folded,
        )
        for name, results in _by_settings(content, solver).items()
    )
    yield Part("settings", "Results", parts=parts, definitions=(LEGEND,))


def _tables(content: SiteContent, results: Sequence[Record]) -> Iterator[Table]:
    """Yield the figures of all questions, and the scores of an improver."""
    rows, scores = list[tuple[str, ...]](), list[tuple[str, ...]]()
    bad = set[int]()
    for computer, own in by_computer(results).items():
        machine = one_line(computer.title)
        for record in own:
            if not record.job.improves:
                bad |= {len(rows)} if record.result.status.is_error else set()
                title, cells = content.title_of(question_of(record)), content.cells_of(record)
                rows.append((title, machine, *(cells[column] or ABSENT for column in FIGURES)))
        groups = improvements.improvement_rows(seed_runs(own))
        scores += [tuple(row[column] for column in SCORES) for row in groups]
    if rows:
        yield Table(("puzzle", "machine", *FIGURES), tuple(rows), left=2, marked=frozenset(bad))
    if scores:
        yield Table(SCORES, tuple(scores))
