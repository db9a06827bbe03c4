"""Question by question: the picture of the puzzle, and every solver's figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from dovetail.errors import how_many, shorten
from dovetail.harness.records.outline import BoardOutline, outlined_cells
from dovetail.harness.records.questions import Question, by_question
from dovetail.harness.records.summary import JobResult
from dovetail.reports.page import Drawing, Part, Table
from dovetail.reports.pictures.region import board_svg, region_svg
from dovetail.reports.result_cells import CELLS, cells_of, question_title
from dovetail.reports.results.solver_runs import LONGEST_NAME
from dovetail.reports.work import LEGEND as WORK_LEGEND

COLUMNS = tuple(cell for cell in CELLS if cell != "per s")
MAX_OPEN = 12  # of more questions, each is shown when one opens it
MAX_PARTS = 1_000  # of more, no question has a part of its own
MAX_CELLS = 20_000  # drawn in all, so that a page of hundreds of puzzles stays small

TITLE = "Puzzle by puzzle"
LEGEND = (
    "≥: lower bound, because a limit stopped the run. total: prepare + solve, without warm-up "
    "(imports, compiling) and verification. peak: largest memory use of the process while it "
    "prepared and searched, including Python, libraries and compiled kernels; added: its growth "
    "during that time. −redundancy after a puzzle: all backends broke the symmetry with a piece or "
    "tile on request; (−redundancy) after a backend: the backend did so automatically, so its tree "
    "is smaller by a factor of at most the number of symmetries. × solve, × total: ratio to the "
    "fastest finished run of the same question. spread: solve times of the fastest and the slowest "
    "repeat. " + WORK_LEGEND
)


def questions_part(results: Sequence[JobResult]) -> Part:
    """A part for each question, folded where there are many; one table for thousands."""
    questions = by_question(results)
    if len(questions) > MAX_PARTS:
        return Part("questions", TITLE, (LEGEND,), tables=(_table_of_all(questions),))
    pictures = _Pictures()
    parts = tuple(
        _question_part(number, question, answers, pictures, folded=len(questions) > MAX_OPEN)
        for number, (question, answers) in enumerate(questions.items(), start=1)
    )
    paragraphs = [LEGEND]
    if pictures.left_out:
        paragraphs.append(
            "To stay small, this page omits the pictures of "
            f"{how_many(pictures.left_out, 'puzzle')}."
        )
    return Part("questions", TITLE, tuple(paragraphs), parts=parts)


class _Pictures:
    """Draws puzzles until `MAX_CELLS` are drawn; `left_out` counts those that came later."""

    def __init__(self) -> None:
        self.left_out = 0
        self._drawn = 0

    def of(self, outline: str | BoardOutline) -> Element | None:
        """The picture of what a record keeps of its puzzle."""
        if isinstance(outline, str):
            cells = outlined_cells(outline)
            return region_svg(cells) if self._fits(len(cells)) else None
        width, height = outline.width, outline.height
        return board_svg(width, height) if self._fits(width * height) else None

    def _fits(self, cells: int) -> bool:
        fits = self._drawn + cells <= MAX_CELLS
        self._drawn += cells if fits else 0
        self.left_out += not fits
        return fits


def _question_part(
    number: int,
    question: Question,
    answers: Sequence[JobResult],
    pictures: _Pictures,
    *,
    folded: bool,
) -> Part:
    rows = tuple(tuple(cells[column] for column in COLUMNS) for cells in cells_of(answers))
    bad = frozenset(n for n, answer in enumerate(answers) if answer.status.is_error)
    outline = next((answer.outline for answer in answers if answer.outline), None)
    svg = None if outline is None else pictures.of(outline)
    return Part(
        f"question-{number}",
        shorten(question_title(question, answers), LONGEST_NAME),
        (", ".join(_facts(question, answers)),),
        tables=(Table(COLUMNS, rows, marked=bad),),
        drawings=() if svg is None else (Drawing(svg),),
        folded=folded,
    )


def _table_of_all(questions: Mapping[Question, Sequence[JobResult]]) -> Table:
    """Every solver's figures on every question, which stands in each row."""
    rows: list[tuple[str, ...]] = []
    bad: set[int] = set()
    for question, answers in questions.items():
        title = shorten(question_title(question, answers), LONGEST_NAME)
        for answer, cells in zip(answers, cells_of(answers), strict=True):
            bad |= {len(rows)} if answer.status.is_error else set()
            rows.append((title, *(cells[column] for column in COLUMNS)))
    return Table(("puzzle", *COLUMNS), tuple(rows), left=2, marked=frozenset(bad))


def _facts(question: Question, answers: Sequence[JobResult]) -> Iterator[str]:
    """Yield how large the puzzle is, as recorded, and what is expected of it."""
    size: Mapping[str, int] = next((a.size for a in answers if a.size), {})
    yield from (how_many(number, what.removesuffix("s")) for what, number in size.items())
    expected = dict.fromkeys(a.expected for a in answers if a.expected is not None)
    yield from (f"{how_many(count, 'solution')} expected" for count in expected)
    yield f"digest {shorten(question.digest)}"
