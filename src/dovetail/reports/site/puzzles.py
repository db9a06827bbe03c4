"""Pages about puzzles: a list of all, and for each its picture and every solver's results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dovetail.errors import how_many, shorten
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.questions import by_question, solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import best_run
from dovetail.reports.columns import LEGEND, question_title
from dovetail.reports.numbers import ABSENT, show_count, show_seconds, show_whole
from dovetail.reports.page import Page, Section
from dovetail.reports.provenance import provenance_part
from dovetail.reports.published import published_part
from dovetail.reports.results.improvements import improvements_section
from dovetail.reports.results.profiles import profiles_section
from dovetail.reports.results.questions import (
    PuzzlePictures,
    answers_table,
    digest_fact,
    expected_facts,
    size_facts,
)
from dovetail.reports.site.boards import problem_parts
from dovetail.reports.site.content import SiteContent, SitePuzzle, one_line
from dovetail.reports.site.downloads import download_part
from dovetail.reports.site.history import puzzle_history_part
from dovetail.reports.site.links import renamed
from dovetail.reports.table import Table, text_table

COLUMNS = ("puzzle", "family", "fastest", "machine", "time", "solutions", "size", "solvers", "runs")
WORDS = 4  # columns of words
MAX_PROFILES = 8  # as many as charts have colours
ABOUT = (
    "A row for each question: a puzzle, the symmetry up to which solutions are counted, and how "
    "many are asked for. fastest: the solver with the least time (prepare + solve) on any machine; "
    "for a best board, the solver with the most matched edges. solutions: as counted by a finished "
    "run, or the most that a run found (≥). size: open cells of a packing, tiles of a board, or "
    "items of an exact cover."
)


def puzzles_page(content: SiteContent) -> Page:
    """The list of all questions."""
    families = {puzzle.digest: puzzle.family for puzzle in content.puzzles}
    machines = {
        id(result): one_line(computer.computer.title)
        for computer in content.computers
        for result in computer.results
    }
    questions = by_question(content.results)
    order = {puzzle.digest: place for place, puzzle in enumerate(content.puzzles)}
    rows = []
    for question in sorted(questions, key=lambda one: (order[one.digest], one.title)):
        answers = questions[question]
        best = _best(answers)
        rows.append(
            (
                content.title_of(question),
                families[question.digest],
                ABSENT if best is None else one_line(solver_name(best)),
                ABSENT if best is None else machines[id(best)],
                ABSENT if best is None else show_seconds(best.result.total_s),
                _solutions(answers),
                _size(answers),
                f"{len({solver_name(answer) for answer in answers})}",
                f"{sum(len(answer.runs) for answer in answers)}",
            )
        )
    table = text_table(COLUMNS, tuple(rows), words=WORDS)
    part = Section(
        "all", how_many(len(content.puzzles), "puzzle"), tables=(table,), definitions=(ABOUT,)
    )
    return Page("Puzzles", "", (), (part,))


def _best(answers: Sequence[Record]) -> Record | None:
    """The fastest answer, or the highest score; None where there is none."""
    scored = [
        answer for answer in answers if answer.job.improves and answer.result.score is not None
    ]
    if scored:
        return max(scored, key=lambda answer: (answer.result.score or 0, -answer.result.total_s))
    finished = [answer for answer in answers if answer.result.is_answered]
    return min(finished, key=lambda answer: answer.result.total_s, default=None)


def _solutions(answers: Sequence[Record]) -> str:
    """The number of solutions, or the highest score, as far as it is known."""
    run = best_run(answer for answer in answers if answer.result.score is not None)
    if run is not None:
        return f"{show_whole(run.result.score)} of {show_whole(run.result.bound)} edges"
    right = [answer for answer in answers if not answer.result.status.is_error]
    exact = next(
        (one.result.count for one in right if one.result.is_finished and not one.job.probable), None
    )
    if exact is not None:
        return show_count(exact, True)
    bounds = [one.result.count for one in right if one.result.count is not None]
    return show_count(max(bounds), False) if bounds else ABSENT


def _size(answers: Sequence[Record]) -> str:
    sizes = next((answer.size for answer in answers if answer.size), {})
    for what in ("cells", "tiles", "items"):
        if what in sizes:
            return how_many(sizes[what], what.removesuffix("s"))
    return ABSENT


def puzzle_page(content: SiteContent, puzzle: SitePuzzle) -> Page:
    """A puzzle: its picture, every solver's results on each machine, history, records."""
    results = [one for computer in content.computers for one in computer.of_puzzle(puzzle.digest)]
    counted = [result for result in results if not result.job.improves]
    parts = [
        _about_part(puzzle, results),
        *_question_parts(content, puzzle),
        *_improvements_parts(content, puzzle),
        *problem_parts(results),
        published_part(results),
        puzzle_history_part(content, puzzle),
        _profiles_part(counted),
        provenance_part(puzzle.records),
        download_part(content.puzzle_files[puzzle.digest], len(puzzle.records)),
    ]
    shown = tuple(part for part in parts if part is not None)
    return Page(puzzle.title, "", (), shown, headline=_headline(content, puzzle))


def _headline(content: SiteContent, puzzle: SitePuzzle) -> str:
    """Who is fastest of the question that most solvers were asked on one machine, in a sentence."""
    asked = [
        (answers, computer)
        for computer in content.computers
        for answers in by_question(computer.of_puzzle(puzzle.digest)).values()
        if not answers[0].job.improves
    ]
    if not asked:
        return ""
    answers, computer = max(asked, key=lambda one: len(one[0]))
    best, solvers = _best(answers), len({solver_name(answer) for answer in answers})
    on = f"on {one_line(computer.computer.title)}"
    if best is None:
        return f"None of {how_many(solvers, 'solver')} finished {on}."
    name, seconds = one_line(solver_name(best)), show_seconds(best.result.total_s)
    if solvers == 1:
        return f"{name} took {seconds} {on}."
    return f"{name} is the fastest of {how_many(solvers, 'solver')}: {seconds} {on}."


def _about_part(puzzle: SitePuzzle, results: Sequence[Record]) -> Section:
    """The picture, with a solution where a record has one, and what is known of the puzzle."""
    drawing = PuzzlePictures().of(results)
    first = next(iter(by_question(results)))
    facts = [puzzle.family, *size_facts(results), digest_fact(first)]
    texts = [f"{', '.join(facts)}."]
    if len(puzzle.names) > 1:
        texts.append(f"Also called {', '.join(map(one_line, puzzle.names[1:]))}.")
    drawings = () if drawing is None else (drawing,)
    return Section("puzzle", "The puzzle", tuple(texts), drawings=drawings)


def _question_parts(content: SiteContent, puzzle: SitePuzzle) -> Iterator[Section]:
    """Yield a part for each question, with a table for each machine."""
    tables: dict[str, list[Table]] = {}
    expected: dict[str, str] = {}
    for computer in content.computers:
        for question, answers in by_question(computer.of_puzzle(puzzle.digest)).items():
            if not question.improves:
                title = shorten(question_title(question, answers), LONGEST_NAME)
                ordered = sorted(answers, key=_place)
                table = answers_table(ordered, f"on {one_line(computer.computer.title)}")
                tables.setdefault(title, []).append(table)
                for fact in expected_facts(answers):
                    expected[title] = f"{fact}."
    for number, (title, own) in enumerate(tables.items(), start=1):
        texts = (expected[title],) if title in expected else ()
        yield Section(f"question-{number}", title, texts, tables=tuple(own), definitions=(LEGEND,))


def _improvements_parts(content: SiteContent, puzzle: SitePuzzle) -> Iterator[Section]:
    """Yield the best boards of improvers on each machine."""
    several = len(content.computers) > 1
    for number, computer in enumerate(content.computers, start=1):
        part = improvements_section(computer.of_puzzle(puzzle.digest))
        if part is not None:
            on = f", {one_line(computer.computer.title)}" if several else ""
            yield renamed(replace(part, title=f"{part.title}{on}"), f"machine-{number}")


def _profiles_part(results: Sequence[Record]) -> Section | None:
    """The node profiles of the fastest solvers, so that the page stays small; None without any."""
    found = _one_of_each_job(
        [record for record in results if record.result.counters.fits_by_remaining]
    )
    chosen = sorted(found, key=_place)[:MAX_PROFILES]
    part = profiles_section(chosen)
    if part is None or len(chosen) == len(found):
        return part
    text = f"The {len(chosen)} fastest of {len(found)} runs; the records have the profiles of all."
    return replace(part, paragraphs=(text, *part.paragraphs))


def _place(record: Record) -> tuple[bool, float]:
    """What results of a question are ordered by: answers first, then by total time."""
    return not record.result.is_answered, record.result.total_s


def _one_of_each_job(results: Sequence[Record]) -> list[Record]:
    """The results without those of a job that another machine ran, too: its tree is the same."""
    return list({result.job.digest: result for result in reversed(results)}.values())[::-1]
