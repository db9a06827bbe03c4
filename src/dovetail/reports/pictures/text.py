"""Solutions and boards as coloured text for a terminal; colours do not change the text itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dovetail.models.boards.edges import EdgePuzzle, turned
from dovetail.models.boards.geometry import Position
from dovetail.models.boards.partial_board import PartialBoard, mismatched_edges
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OUTSIDE
from dovetail.puzzles.formats.base import SolutionWriter, UnboundedWriter
from dovetail.puzzles.formats.solutions import piece_labels, solution_text
from dovetail.reports.pictures.colours import (
    DARK,
    GREY,
    PIECES,
    SIXTEEN,
    paint_numbers,
    placed_numbers,
)

if TYPE_CHECKING:
    from rich.color import ColorSystem

MISMATCH = "×"


class Paint:
    """Colours of text in a terminal with a colour system of rich; with None, text stays plain."""

    def __init__(self, system: ColorSystem | None) -> None:
        self._system = system

    def word(self, word: str, colour: int | None) -> str:
        """Return a word on the colour of a number, or on grey for `GREY`; unchanged for None."""
        if self._system is None or colour is None or not word:
            return word
        from rich.color import ColorSystem

        has_more_than_sixteen = self._system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
        colours = DARK if has_more_than_sixteen else SIXTEEN
        background = colours["picture-fixed" if colour == GREY else f"piece-{colour % PIECES}"]
        return self._render(word, color=colours["picture-letter"], bgcolor=background)

    def faint(self, word: str) -> str:
        """Return a dimmed word."""
        return self._render(word, dim=True)

    def _render(self, word: str, **style: Any) -> str:
        if self._system is None:
            return word
        from rich.style import Style

        return Style(**style).render(word, color_system=self._system)

    def labels(self, text: str, colours: Mapping[str, int], outside: str = OUTSIDE) -> str:
        """Return layered text with coloured labels and coloured gaps between equal labels.

        Places outside the region have the mark `outside`, which is dimmed.
        """

        def painted(found: re.Match[str]) -> str:
            label, gap = found.groups(default="")
            colour = colours.get(label)
            word = self.faint(outside) if label == OUTSIDE else self.word(label, colour)
            return word + self.word(gap, colour)

        # A label, and the gap after it if the same label follows.
        return re.sub(r"([^\s,]+)(?:( +)(?=\1(?![^\s,])))?", painted, text)


PLAIN = Paint(None)


def terminal_paint() -> Paint:
    """Return the colours of standard output; `PLAIN` if it has none or colours are off."""
    if not sys.stdout.isatty():
        return PLAIN
    from rich.console import COLOR_SYSTEMS, Console

    console = Console()
    wanted = None if console.no_color else console.color_system
    return PLAIN if wanted is None else Paint(COLOR_SYSTEMS[wanted])


def painted_writer(puzzle: Puzzle, paint: Paint) -> SolutionWriter:
    """Return a writer of solutions as coloured text in the layout of `.txt` files."""
    return UnboundedWriter(
        "", lambda _, solution: painted_solution(puzzle, solution, paint) + "\n\n"
    )


def painted_solution(puzzle: Puzzle, solution: Solution, paint: Paint) -> str:
    """Return the text of a solution, with the colours of pieces or of the sides of tiles.

    A solution of a cover problem has no colours. Raises `PuzzleError` for a solution that text
    cannot show.
    """
    text = solution_text(puzzle, solution)
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            labels = piece_labels(puzzle, solution)
            colours = dict(zip(labels, placed_numbers(puzzle, solution), strict=True))
            greyed = {piece.name: GREY for piece in puzzle.fixed}
            return paint.labels(text, greyed | colours)
        case EdgePuzzle(), EdgeSolution():
            rows = reversed([*enumerate(solution.cells)])
            places = ((x, y) for y, row in rows for x, laid in enumerate(row) if laid is not None)
            return re.sub(
                r" *\d+/\d+ ?",
                lambda word: _tile(puzzle, word[0], next(places), solution, paint),
                text,
            )
    return text


def painted_board(puzzle: EdgePuzzle, board: PartialBoard, paint: Paint) -> str:
    """Return rows of `tile/rotation` in colours; `-` is an empty cell, `×` a mismatched edge.

    Marks of edges between rows have lines of their own.
    """
    mismatched = set(mismatched_edges(puzzle, board))
    lines: list[str] = []
    for y, text in zip(reversed(range(puzzle.height)), str(board).split("\n"), strict=True):
        line, below = "", ""
        width = (len(text) + 1) // puzzle.width - 1
        for x in range(puzzle.width):
            word, laid = text[x * (width + 1) :][:width], board.at((x, y))
            line += word if laid is None else _tile(puzzle, word, (x, y), board, paint)
            line += MISMATCH if ((x, y), (x + 1, y)) in mismatched else " "
            mark = MISMATCH if ((x, y - 1), (x, y)) in mismatched else ""
            below += mark.rjust(width) + " "
        lines += [line.rstrip(), below.rstrip()] if below.strip() else [line.rstrip()]
    return "\n".join(lines)


def _tile(
    puzzle: EdgePuzzle,
    word: str,
    place: Position,
    board: PartialBoard | EdgeSolution,
    paint: Paint,
) -> str:
    """Return `tile/rotation` on the colours of the left and the right side of the tile."""
    paints, (x, y) = paint_numbers(puzzle), place
    laid = board.cells[y][x]
    assert laid is not None
    sides = turned(puzzle.tiles[laid[0]], laid[1])
    left, right = (
        paints[sides[puzzle.geometry.side_to(place, other)]] for other in ((x - 1, y), (x + 1, y))
    )
    slash = word.index("/")
    number, rest = word[:slash], word[slash:]
    return paint.word(number, left) + paint.word(rest, right)
