"""Solutions as text in the colours that pictures have, for a terminal."""

from __future__ import annotations

from dovetail.models.edges import EAST, WEST, EdgePuzzle, turned
from dovetail.models.packing import PackingPuzzle
from dovetail.models.partial_board import Laid, PartialBoard, mismatched_edges
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter, UnboundedWriter
from dovetail.puzzles.formats.solution_text import piece_labels, solution_text
from dovetail.reports.pictures.gallery_colours import gallery_colours
from dovetail.reports.pictures.motifs import paint_numbers
from dovetail.reports.pictures.paint import Paint
from dovetail.reports.pictures.palette import GREY

MISMATCH = "×"


def painted_writer(puzzle: Puzzle, paint: Paint) -> SolutionWriter:
    """Solutions one after another, as `.txt` has them."""
    return UnboundedWriter(
        "", lambda _, solution: painted_solution(puzzle, solution, paint) + "\n\n"
    )


def painted_solution(puzzle: Puzzle, solution: Solution, paint: Paint) -> str:
    """The text of a solution with its pieces in colours, or with the colours between its tiles.

    Raises `PuzzleError` for what text cannot show.
    """
    text = solution_text(puzzle, solution)
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            labels = piece_labels(puzzle, solution)
            colours = dict(zip(labels, gallery_colours(puzzle).of(solution), strict=True))
            greyed = {piece.name: GREY for piece in puzzle.fixed}
            return paint.labels(text, greyed | colours)
        case EdgePuzzle(), EdgeSolution():
            return _painted_board(puzzle, solution, text, paint)
    return text


def painted_board(puzzle: EdgePuzzle, board: PartialBoard, paint: Paint) -> str:
    """Rows of `tile/rotation` in colours; `-` is an empty cell, `×` an edge that does not match.

    Marks of edges between rows have lines of their own.
    """
    mismatched = set(mismatched_edges(puzzle, board))
    lines: list[str] = []
    for y, text in zip(reversed(range(puzzle.height)), str(board).split("\n"), strict=True):
        line, below = "", ""
        width = (len(text) + 1) // puzzle.width - 1
        for x in range(puzzle.width):
            word, laid = text[x * (width + 1) :][:width], board.at((x, y))
            line += word if laid is None else _painted_tile(puzzle, word, laid, paint)
            line += MISMATCH if ((x, y), (x + 1, y)) in mismatched else " "
            mark = MISMATCH if ((x, y - 1), (x, y)) in mismatched else ""
            below += mark.rjust(width) + " "
        lines += [line.rstrip(), below.rstrip()] if below.strip() else [line.rstrip()]
    return "\n".join(lines)


def _painted_board(puzzle: EdgePuzzle, solution: EdgeSolution, text: str, paint: Paint) -> str:
    """Each tile's number on the colour of its left side, its rotation on that of its right."""
    lines = []
    for line, row in zip(text.split("\n"), reversed(solution.cells), strict=True):
        width = (len(line) + 1) // len(row)
        lines.append(
            "".join(
                _painted_tile(puzzle, line[column * width : (column + 1) * width], laid, paint)
                for column, laid in enumerate(row)
            )
        )
    return "\n".join(lines)


def _painted_tile(puzzle: EdgePuzzle, word: str, laid: Laid, paint: Paint) -> str:
    """A tile's `word`: its number on the colour of its left side, the rest on its right's."""
    paints = paint_numbers(puzzle)
    sides = turned(puzzle.tiles[laid[0]], laid[1])
    at = word.index("/")
    number, rest = word[:at], word[at:]
    return paint.word(number, paints[abs(sides[WEST])]) + paint.word(rest, paints[abs(sides[EAST])])
