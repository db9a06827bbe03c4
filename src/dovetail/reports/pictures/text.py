"""Solutions as text in the colours that pictures have, for a terminal."""

from __future__ import annotations

from dovetail.models.edges import EAST, WEST, EdgePuzzle, turned
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter, UnboundedWriter
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.puzzles.formats.solutions.text import piece_labels
from dovetail.reports.pictures.motifs import paint_numbers
from dovetail.reports.pictures.packing import piece_colours
from dovetail.reports.pictures.paint import Paint
from dovetail.reports.pictures.palette import GREY


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
            colours = dict(zip(labels, piece_colours(puzzle, solution), strict=True))
            greyed = {piece.name: GREY for piece in puzzle.fixed}
            return paint.labels(text, greyed | colours)
        case EdgePuzzle(), EdgeSolution():
            return _painted_board(puzzle, solution, text, paint)
    return text


def _painted_board(puzzle: EdgePuzzle, solution: EdgeSolution, text: str, paint: Paint) -> str:
    """Each tile's number on the colour of its left side, its rotation on that of its right."""
    paints = paint_numbers(puzzle)
    lines = []
    for line, row in zip(text.split("\n"), reversed(solution.cells), strict=True):
        width = (len(line) + 1) // len(row)
        painted = ""
        for column, (tile, rotation) in enumerate(row):
            sides = turned(puzzle.tiles[tile], rotation)
            word = line[column * width : (column + 1) * width]
            number, rest = word[: word.index("/")], word[word.index("/") :]
            painted += paint.word(number, paints[abs(sides[WEST])])
            painted += paint.word(rest, paints[abs(sides[EAST])])
        lines.append(painted)
    return "\n".join(lines)
