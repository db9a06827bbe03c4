"""Sections on the questions of a report: a picture of the puzzle, figures of all solvers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dovetail.errors import how_many, shorten
from dovetail.harness.records.outline import (
    BoardOutline,
    cell_count,
    outlined_cells,
    outlined_lattice,
)
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import Question, by_question, solver_name
from dovetail.reports.columns import (
    compared,
    question_title,
    results_table,
    short_name,
    summary_table,
)
from dovetail.reports.page import Content, Section, definitions
from dovetail.reports.pictures.board import empty_board_drawing
from dovetail.reports.pictures.drawing import Figure
from dovetail.reports.pictures.packing import cells_drawing
from dovetail.reports.pictures.picture import example_drawing

COLUMNS = (
    *("solver", "count", "placements_made", "attempts", "other_work", "prepare_s", "solve_s"),
    *("total_s", "peak_bytes", "added_bytes", "solve_ratio", "total_ratio", "spread"),
)
MAX_OPEN = 12  # with more questions, all sections of questions are folded
MAX_SECTIONS = 1_000  # with more questions, a single table replaces the sections
# Maximum numbers of cells drawn in total, and in solutions, so that a page of hundreds of puzzles
# stays small. An empty cell takes 5 to 20 bytes, a cell of a packing 40 to 80 bytes (160 if all
# pieces are single cells), and a cell of a board 200 bytes. Therefore a cell of a board, and a cell
# with a long name, counts as several cells.
MAX_CELLS, MAX_SOLVED_CELLS = 20_000, 4_000
CELLS_PER_TILE, CHARACTERS_PER_CELL = 3, 16

TITLE = "Puzzle by puzzle"


def results_section(results: Sequence[Record]) -> Section:
    """Return the section with a table of the results."""
    table = summary_table(results)
    return Section("results", "Results", [table], definitions=definitions("results"))


def questions_section(results: Sequence[Record]) -> Section:
    """Return a section for each question, or a single table for more than `MAX_SECTIONS`."""
    questions = by_question(results)
    if len(questions) > MAX_SECTIONS:
        table = results_table(("question", *COLUMNS), compared(results))
        return Section("questions", TITLE, [table], definitions=definitions("results"))
    pictures = PuzzlePictures()
    sections = [
        _question_section(number, question, answers, pictures, folded=len(questions) > MAX_OPEN)
        for number, (question, answers) in enumerate(questions.items(), start=1)
    ]
    contents: list[Content] = [*pictures.notes(), *sections]
    return Section("questions", TITLE, contents, definitions=definitions("results"))


class PuzzlePictures:
    """Pictures of puzzles and of solutions, up to maximum numbers of cells.

    All puzzles together have at most `MAX_CELLS` cells. All solutions together have at most
    `solved_cells`, where a cell of a board, and a cell with a long name, counts as several cells.
    """

    def __init__(self, solved_cells: int = MAX_SOLVED_CELLS) -> None:
        self._all, self._solved = _Allowance(MAX_CELLS), _Allowance(solved_cells)

    def of(self, answers: Sequence[Record]) -> Figure | None:
        """Return a picture of the puzzle of `answers`, with a solution if possible.

        Returns None if no outline is recorded or too few cells are left.
        """
        outline = next((answer.outline for answer in answers if answer.outline), None)
        if outline is None or not self._all.takes(cell_count(outline)):
            return None
        sound = (a for a in answers if not a.result.status.is_error and not a.job.improves)
        solved = next((a for a in sound if a.example is not None), None)
        if solved is not None:
            solver = short_name(solver_name(solved))
            drawing = self.solution(solved, f"a solution, found by {solver}")
            if drawing is not None:
                return drawing
        if isinstance(outline, BoardOutline):
            return Figure(empty_board_drawing(outline.width, outline.height))
        return Figure(cells_drawing(outlined_lattice(outline), outlined_cells(outline)))

    def solution(self, answer: Record, caption: str) -> Figure | None:
        """Return the picture of the solution or board in a record; None if it is not drawn."""
        example, outline = answer.example, answer.outline
        if example is None or outline is None:
            return None
        factor = CELLS_PER_TILE if isinstance(outline, BoardOutline) else 1
        cells = max(factor * cell_count(outline), example.length // CHARACTERS_PER_CELL)
        if not self._solved.takes(cells):
            return None
        return Figure(example_drawing(example, outline), caption)

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each kind of omitted picture."""
        solved, drawn = (how_many(of.left_out, "puzzle") for of in (self._solved, self._all))
        if self._solved.left_out:
            yield f"To stay small, this page shows {solved} without the solution that was found."
        if self._all.left_out:
            yield f"To stay small, this page omits the pictures of {drawn}."


class _Allowance:
    """The number of cells that may still be drawn."""

    def __init__(self, cells: int) -> None:
        # Number of pictures that did not fit.
        self.left_out = 0
        self._left = cells

    def takes(self, cells: int) -> bool:
        """Take the cells of a picture if they fit; return True if they fit."""
        fits = cells <= self._left
        self._left -= cells if fits else 0
        self.left_out += not fits
        return fits


def _question_section(
    number: int,
    question: Question,
    answers: Sequence[Record],
    pictures: PuzzlePictures,
    *,
    folded: bool,
) -> Section:
    counts = dict.fromkeys(a.expected for a in answers if a.expected is not None)
    expected = (f"{how_many(count, 'solution')} expected" for count in counts)
    return Section(
        f"question-{number}",
        short_name(question_title(answers[0])),
        [
            ", ".join([*size_facts(answers), *expected, digest_fact(question)]),
            pictures.of(answers),
            results_table(COLUMNS, compared(answers)),
        ],
        folded=folded,
    )


def size_facts(answers: Sequence[Record]) -> Iterator[str]:
    """Yield the recorded sizes of the puzzle in words, such as `60 cells`."""
    size: Mapping[str, int] = next((a.size for a in answers if a.size), {})
    yield from (how_many(number, what.removesuffix("s")) for what, number in size.items())


def digest_fact(question: Question) -> str:
    """Return the digest of the puzzle as text: `digest 0a1b2c3d4e5f`."""
    return f"digest {shorten(question.digest)}"
