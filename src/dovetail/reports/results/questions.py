"""Question by question: the picture of the puzzle, and every solver's figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dovetail.errors import how_many, shorten
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.outline import (
    BoardOutline,
    Outline,
    cell_count,
    outlined_cells,
    outlined_lattice,
)
from dovetail.harness.records.questions import Question, by_question, solver_name
from dovetail.harness.records.record import Record
from dovetail.reports.page import Drawing, Part, Table
from dovetail.reports.pictures.drawing import svg_element
from dovetail.reports.pictures.packing import board_svg, region_svg
from dovetail.reports.pictures.picture import example_drawing
from dovetail.reports.result_cells import CELLS, cells_of, question_title
from dovetail.reports.work import LEGEND as WORK_LEGEND

COLUMNS = tuple(cell for cell in CELLS if cell != "per s")
MAX_OPEN = 12  # of more questions, each is shown when one opens it
MAX_PARTS = 1_000  # of more, no question has a part of its own
# Cells drawn in all, so that a page of hundreds of puzzles stays small, and those of solutions. An
# empty cell takes 5 to 20 bytes, one of a packing 40 to 80 (160 if all pieces are single cells),
# one of a board 200: it counts as several. So do cells whose pieces have long names.
MAX_CELLS, MAX_SOLVED_CELLS = 20_000, 4_000
CELLS_PER_TILE, CHARACTERS_PER_CELL = 3, 16

TITLE = "Puzzle by puzzle"
LEGEND = (
    "≥, >: lower bound, because a limit stopped the run. ≈: correct only with high probability. "
    "total: prepare + solve, without warm-up "
    "(imports, compiling) and verification. peak: largest memory use of the process while it "
    "prepared and searched, including Python, libraries and compiled kernels; added: its growth "
    "during that time. −redundancy after a puzzle: all backends broke the symmetry with a piece or "
    "tile on request; (−redundancy) after a backend: the backend did so automatically, so its tree "
    "is smaller by a factor of at most the number of symmetries. × solve, × total: ratio to the "
    "fastest finished run of the same question. spread: solve times of the fastest and the slowest "
    "repeat. " + WORK_LEGEND
)


def questions_part(results: Sequence[Record]) -> Part:
    """A part for each question, folded where there are many; one table for thousands."""
    questions = by_question(results)
    if len(questions) > MAX_PARTS:
        table = _table_of_all(questions)
        return Part("questions", TITLE, tables=(table,), definitions=(LEGEND,))
    pictures = PuzzlePictures()
    parts = tuple(
        _question_part(number, question, answers, pictures, folded=len(questions) > MAX_OPEN)
        for number, (question, answers) in enumerate(questions.items(), start=1)
    )
    return Part("questions", TITLE, tuple(pictures.notes()), parts=parts, definitions=(LEGEND,))


class PuzzlePictures:
    """Draws puzzles until `MAX_CELLS` are drawn, `MAX_SOLVED_CELLS` of them with solutions."""

    def __init__(self) -> None:
        self._all, self._solved = _Allowance(MAX_CELLS), _Allowance(MAX_SOLVED_CELLS)

    def of(self, answers: Sequence[Record]) -> Drawing | None:
        """The picture of the puzzle that all of `answers` are about."""
        outline = next((answer.outline for answer in answers if answer.outline), None)
        if outline is None or not self._all.takes(cell_count(outline)):
            return None
        sound = (a for a in answers if not a.result.status.is_error and not a.job.improves)
        solved = next((a for a in sound if a.example is not None), None)
        return self._solution(solved) or _empty(outline)

    def notes(self) -> Iterator[str]:
        """Yield what is not drawn."""
        if self._solved.left_out:
            puzzles = how_many(self._solved.left_out, "puzzle")
            yield f"To stay small, this page shows {puzzles} without the solution that was found."
        if self._all.left_out:
            puzzles = how_many(self._all.left_out, "puzzle")
            yield f"To stay small, this page omits the pictures of {puzzles}."

    def _solution(self, answer: Record | None) -> Drawing | None:
        """The solution in a record, which has the outline that it fills."""
        if answer is None or answer.example is None or answer.outline is None:
            return None
        factor = CELLS_PER_TILE if isinstance(answer.outline, BoardOutline) else 1
        cells = factor * cell_count(answer.outline)
        if not self._solved.takes(max(cells, answer.example.length // CHARACTERS_PER_CELL)):
            return None
        svg = svg_element(example_drawing(answer.example, answer.outline))
        solver = shorten(solver_name(answer), LONGEST_NAME)
        return Drawing(svg, f"a solution, found by {solver}")


class _Allowance:
    """Cells that may be drawn; `left_out` counts the pictures that did not fit."""

    def __init__(self, cells: int) -> None:
        self.left_out = 0
        self._left = cells

    def takes(self, cells: int) -> bool:
        """Whether a picture of so many cells fits; then they are taken."""
        fits = cells <= self._left
        self._left -= cells if fits else 0
        self.left_out += not fits
        return fits


def _empty(outline: Outline) -> Drawing:
    """The puzzle without a solution."""
    if isinstance(outline, BoardOutline):
        return Drawing(board_svg(outline.width, outline.height))
    return Drawing(region_svg(outlined_lattice(outline), outlined_cells(outline)))


def _question_part(
    number: int,
    question: Question,
    answers: Sequence[Record],
    pictures: PuzzlePictures,
    *,
    folded: bool,
) -> Part:
    drawing = pictures.of(answers)
    return Part(
        f"question-{number}",
        shorten(question_title(question, answers), LONGEST_NAME),
        (", ".join([*size_facts(answers), *expected_facts(answers), digest_fact(question)]),),
        tables=(answers_table(answers),),
        drawings=() if drawing is None else (drawing,),
        folded=folded,
    )


def answers_table(answers: Sequence[Record], caption: str = "") -> Table:
    """Every solver's figures on the one question that `answers` are of."""
    rows = tuple(tuple(cells[column] for column in COLUMNS) for cells in cells_of(answers))
    bad = frozenset(n for n, answer in enumerate(answers) if answer.result.status.is_error)
    return Table(COLUMNS, rows, caption, marked=bad)


def _table_of_all(questions: Mapping[Question, Sequence[Record]]) -> Table:
    """Every solver's figures on every question, which stands in each row."""
    rows: list[tuple[str, ...]] = []
    bad: set[int] = set()
    for question, answers in questions.items():
        title = shorten(question_title(question, answers), LONGEST_NAME)
        for answer, cells in zip(answers, cells_of(answers), strict=True):
            bad |= {len(rows)} if answer.result.status.is_error else set()
            rows.append((title, *(cells[column] for column in COLUMNS)))
    return Table(("puzzle", *COLUMNS), tuple(rows), left=2, marked=frozenset(bad))


def size_facts(answers: Sequence[Record]) -> Iterator[str]:
    """Yield how large the puzzle is, as recorded."""
    size: Mapping[str, int] = next((a.size for a in answers if a.size), {})
    yield from (how_many(number, what.removesuffix("s")) for what, number in size.items())


def expected_facts(answers: Sequence[Record]) -> Iterator[str]:
    """Yield how many solutions are expected."""
    expected = dict.fromkeys(a.expected for a in answers if a.expected is not None)
    yield from (f"{how_many(count, 'solution')} expected" for count in expected)


def digest_fact(question: Question) -> str:
    """The content of the puzzle."""
    return f"digest {shorten(question.digest)}"
