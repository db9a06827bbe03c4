"""Pages of puzzles and of solvers: a list of each, and a page for each puzzle and backend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.evaluation.ranking import Standing
from dovetail.harness.records.record import Record, by_computer, computer_of
from dovetail.harness.records.summary import (
    best_run,
    by_question,
    question_of,
    seed_runs,
    solver_name,
)
from dovetail.reports.columns import RECORDED, RESULTS, STANDINGS, ComparedResult, scores_table
from dovetail.reports.exhibits.published import published_section
from dovetail.reports.numbers import show_count, show_seconds, show_whole
from dovetail.reports.page import Page, Section, definitions
from dovetail.reports.results.improvements import improvements_section
from dovetail.reports.results.profiles import profiles_section
from dovetail.reports.results.provenance import provenance_section
from dovetail.reports.results.questions import digest_fact, questions_section, size_facts
from dovetail.reports.results.solvers import node_meanings_text
from dovetail.reports.results.verdict import RANKING
from dovetail.reports.site.content import MACHINE, Site, SiteSubject, one_line
from dovetail.reports.site.history import history_section
from dovetail.reports.site.overview import (
    BOARDS,
    Leaderboard,
    download_section,
    leaderboards,
    problem_sections,
    renamed,
    subjects_table,
)
from dovetail.reports.table import Column, Table, Topic, linked

# Maximum number of node profiles on a page: the number of colours of charts.
MAX_PROFILES = 8
# Maximum number of solvers on a page whose results are not folded.
MAX_OPEN = 6
SOLVERS = ("solver", "puzzles", "runs", "finished", "stopped", "refused", "failed", "wrong")
FIGURES = (
    *("count", "placements_made", "prepare_s", "solve_s", "total_s", "peak_bytes"),
    *("total_ratio", "spread"),
)


class AskedQuestion(NamedTuple):
    """A question and the results on all computers that answer it."""

    family: str
    answers: Sequence[Record]

    @property
    def best(self) -> Record | None:
        """The run with the highest score, or else the fastest answer; None without either."""
        scored = [run for run in self.answers if run.job.improves and run.result.score is not None]
        if scored:
            return max(scored, key=lambda run: (run.result.score or 0, -run.result.total_s))
        return _fastest(self.answers)

    @property
    def solutions(self) -> str:
        """The number of solutions or the highest score, as far as it is known."""
        run = best_run(answer for answer in self.answers if answer.result.score is not None)
        if run is not None:
            result = run.result
            return f"{show_whole(result.score)} of {show_whole(result.bound)} {run.job.objective}"
        right = [answer for answer in self.answers if not answer.result.status.is_error]
        for answer in sorted(right, key=lambda answer: answer.job.probable):
            if answer.result.is_finished:
                return show_count(answer.result.count, True, probable=answer.job.probable)
        bounds = [answer.result.count for answer in right if answer.result.count is not None]
        return show_count(max(bounds, default=None), False)

    @property
    def size(self) -> str | None:
        """The number of cells, tiles or items; None if it is not recorded."""
        sizes = next((answer.size for answer in self.answers if answer.size), {})
        unit = next((unit for unit in ("cells", "tiles", "items") if unit in sizes), None)
        return None if unit is None else how_many(sizes[unit], unit.removesuffix("s"))


def question_columns(site: Site) -> list[Column[AskedQuestion]]:
    """Return the columns of the list of questions."""

    def of_best(column: Column[Record], title: str = "") -> Column[AskedQuestion]:
        return column.over(lambda asked: asked.best, title)

    return [
        site.puzzle_column.over(lambda asked: asked.answers[0]),
        linked(Topic.FAMILY, "family", lambda asked: asked.family),
        of_best(linked(Topic.SOLVER, "fastest", solver_name, one_line)),
        of_best(MACHINE),
        of_best(RECORDED["total_s"], "time"),
        Column("solutions", lambda asked: asked.solutions),
        Column("size", lambda asked: asked.size),
        Column("solvers", lambda asked: len(set(map(solver_name, asked.answers)))),
        Column("runs", lambda asked: sum(len(answer.runs) for answer in asked.answers)),
    ]


def puzzles_page(site: Site) -> Page:
    """Return the page that lists all questions."""
    order = {digest: place for place, digest in enumerate(site.puzzles)}
    questions = sorted(
        by_question(site.results).items(), key=lambda item: (order[item[0].digest], item[0].title)
    )
    asked = [
        AskedQuestion(site.puzzles[question.digest].family, answers)
        for question, answers in questions
    ]
    table = Table(question_columns(site), asked)
    title = how_many(len(site.puzzles), "puzzle")
    section = Section("all", title, [table], definitions=definitions("puzzles"))
    return Page("Puzzles", [section])


def puzzle_page(site: Site, puzzle: SiteSubject) -> Page:
    """Return the page of a puzzle: the results on each computer, and their history."""
    questions = len(set(map(question_of, puzzle.records)))
    sections = [
        *_computer_sections(puzzle),
        *problem_sections(puzzle.results),
        published_section(puzzle.results),
        history_section(site, puzzle.records, *(["question"] if questions == 1 else [])),
        _profiles_section(puzzle.counted),
        provenance_section(puzzle.records),
        download_section(puzzle, ".jsonl", "Records", "records", len(puzzle.records)),
    ]
    return Page(puzzle.title, sections, _about(puzzle), headline=_headline(puzzle))


def _headline(puzzle: SiteSubject) -> str:
    """Return a sentence on the fastest solver for the question with the most results.

    The results are those on a single computer. The sentence is empty without results of counts.
    """
    groups = [
        answers
        for results in by_computer(puzzle.counted).values()
        for answers in by_question(results).values()
    ]
    if not groups:
        return ""
    answers = max(groups, key=len)
    machine = one_line(computer_of(answers[0]).title)
    best, solvers = _fastest(answers), len(set(map(solver_name, answers)))
    if best is None:
        return f"{how_many(solvers, 'solver')} ran on {machine}; none finished."
    name, seconds = one_line(solver_name(best)), show_seconds(best.result.total_s)
    if solvers == 1:
        return f"{name} took {seconds} on {machine}."
    return f"{name} is the fastest of {how_many(solvers, 'solver')}: {seconds} on {machine}."


def _fastest(answers: Sequence[Record]) -> Record | None:
    answered = [answer for answer in answers if answer.result.is_answered]
    return min(answered, key=lambda answer: answer.result.total_s, default=None)


def _about(puzzle: SiteSubject) -> str:
    """Return the family, the sizes, the digest and the other names of a puzzle."""
    digest = digest_fact(question_of(puzzle.results[0]))
    text = f"{', '.join([puzzle.family, *size_facts(puzzle.results), digest])}."
    _, *others = dict.fromkeys(record.job.puzzle for record in puzzle.records)
    names = ", ".join(map(one_line, others))
    return f"{text} Also called {names}." if others else text


def _computer_sections(puzzle: SiteSubject) -> Iterator[Section]:
    """Yield the results by question and the best boards on each computer."""
    for number, (computer, results) in enumerate(by_computer(puzzle.results).items(), start=1):
        counted = [result for result in results if not result.job.improves]
        sections = {
            "Results": questions_section(sorted(counted, key=_place)) if counted else None,
            "Best boards": improvements_section(results),
        }
        for title, section in sections.items():
            if section is not None:
                titled = replace(section, title=f"{title}, {one_line(computer.title)}")
                yield renamed(titled, f"machine-{number}")


def _profiles_section(results: Sequence[Record]) -> Section | None:
    """Return the node profiles of the fastest solvers; None if there are no profiles.

    A job has the same search tree on all computers, so it is shown once.
    """
    profiled = [record for record in results if record.result.counters.fits_by_remaining]
    jobs = list({record.job.digest: record for record in reversed(profiled)}.values())[::-1]
    chosen = sorted(jobs, key=_place)[:MAX_PROFILES]
    section = profiles_section(chosen)
    if section is None or len(chosen) == len(jobs):
        return section
    text = f"Only the {len(chosen)} fastest of {len(jobs)} runs are shown; the records have all."
    return replace(section, contents=[text, *section.contents])


def _place(record: Record) -> tuple[bool, float]:
    """Return the sort key of results: answers come first, then by total time."""
    return not record.result.is_answered, record.result.total_s


class RankingPlace(NamedTuple):
    """The place of a solver in a leaderboard."""

    board: Leaderboard
    place: int
    standing: Standing


_STANDINGS: list[Column[RankingPlace]] = [
    STANDINGS[name].over(lambda place: place.standing) for name in RANKING
]
PLACES: Sequence[Column[RankingPlace]] = (
    _STANDINGS[0],
    Column(
        "place", lambda place: f"{place.place} of {len(place.board.verdict.standings)}", words=True
    ),
    *(BOARDS[name].over(lambda place: place.board) for name in ("family", "settings", "machine")),
    *_STANDINGS[1:],
)


def solvers_page(site: Site) -> Page:
    """Return the page that lists all solvers."""
    solvers = [variant for solver in site.solvers.values() for variant in solver.solvers.values()]
    title = f"{how_many(len(solvers), 'solver')}, {how_many(len(site.solvers), 'backend')}"
    table = subjects_table(SOLVERS, solvers)
    section = Section("all", title, [table], definitions=definitions("solvers"))
    return Page("Solvers", [section])


def solver_page(site: Site, solver: SiteSubject) -> Page:
    """Return the page of a backend: its places in leaderboards, results and history."""
    places = [
        RankingPlace(board, place, standing)
        for board in leaderboards(site)
        for place, standing in enumerate(board.verdict.standings, start=1)
        if board.backend_of(standing.solver) == solver.key
    ]
    runs, variants = subjects_table(SOLVERS, solver.solvers.values()), solver.solvers.values()
    in_boards, folded = Table(PLACES, places), len(variants) > MAX_OPEN
    settings = [
        Section(variant.name, variant.title, [*_result_tables(site, variant.results)], folded)
        for variant in variants
    ]
    sections = [
        Section("runs", "Runs by settings", [runs], definitions=definitions("solvers")),
        Section("places", "Places in leaderboards", [in_boards], definitions=definitions("places"))
        if places
        else None,
        Section("settings", "Results", settings, definitions=definitions("results")),
        *problem_sections(solver.results),
        history_section(site, solver.records),
        provenance_section(solver.records),
        download_section(solver, ".jsonl", "Records", "records", len(solver.records)),
    ]
    known = [result for result in solver.results if result.job.node_meaning is not None]
    return Page(solver.title, sections, node_meanings_text(known))


def _result_tables(site: Site, results: Sequence[Record]) -> Iterator[Table]:
    """Yield the figures of all questions by computer, and the scores of an improver."""
    columns: list[Column[ComparedResult]] = [
        *(column.over(lambda row: row.record) for column in (site.puzzle_column, MACHINE)),
        *(RESULTS[name] for name in FIGURES),
    ]
    by_machine = by_computer(results).values()
    rows = [site.compared(run) for group in by_machine for run in group if not run.job.improves]
    if rows:
        yield Table(columns, rows, marked=lambda row: row.is_error)
    groups = [seeds for group in by_machine for seeds in seed_runs(group)]
    if groups:
        yield scores_table(groups, "improver")
