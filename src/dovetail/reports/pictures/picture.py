"""A picture as an object: what notebooks show, and what is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dovetail.errors import ConfigError, PuzzleError, reason_of, shorten
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, board_error
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.reports.elements import element
from dovetail.reports.pictures.page import figure_element, styled
from dovetail.reports.pictures.partial_board import partial_board_figure, partial_board_picture
from dovetail.reports.pictures.puzzle import puzzle_section, puzzles_picture
from dovetail.reports.pictures.writing import (
    MAX_IN_SVG,
    PICTURES,
    SolutionFigures,
    empty_gallery,
    no_picture,
    picture_writer,
)


@dataclass(frozen=True)
class Picture:
    """A puzzle, or solutions of it, drawn when asked; without solutions the puzzle itself.

    With a `board`, one of an edge-matching puzzle whose edges need not match. A notebook shows it.
    Its texts raise `PuzzleError` for what cannot be drawn.
    """

    puzzle: Puzzle
    solutions: tuple[Solution, ...] | None = None
    board: PartialBoard | None = None

    @cached_property
    def svg(self) -> str:
        """A file of SVG; at most 200 solutions are in it."""
        return self._file(".svg")

    @cached_property
    def html(self) -> str:
        """A page; at most 1,000 solutions are in it. Solid packings are in a viewer."""
        return self._file(".html")

    def save(self, path: str | Path) -> None:
        """Write it into a file ending in .svg or .html; raises `ConfigError` for another."""
        suffix = Path(path).suffix
        if suffix not in PICTURES:
            valid = ", ".join(PICTURES)
            raise ConfigError(f"{shorten(suffix)!r}: unknown kind of picture; valid: {valid}")
        try:
            Path(path).write_text(self._file(suffix), encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{path} cannot be written ({reason_of(error)})") from None

    def _file(self, suffix: str) -> str:
        if self.board is not None:
            assert isinstance(self.puzzle, EdgePuzzle)
            return partial_board_picture(suffix, self.puzzle, self.board)
        if self.solutions is None:
            return puzzles_picture(suffix, [self.puzzle])
        writer = picture_writer(suffix, self.puzzle)
        drawn = [writer.one(number, one) for number, one in enumerate(self.solutions, start=1)]
        return "".join([writer.head, *drawn, writer.tail])

    def _repr_html_(self) -> str:
        """Part of a page, without a script."""
        if self.board is not None:
            assert isinstance(self.puzzle, EdgePuzzle)
            return styled(figure_element(partial_board_figure(self.puzzle, self.board)))
        if self.solutions is None:
            return styled(puzzle_section(self.puzzle))
        shown, figures = empty_gallery(self.puzzle), SolutionFigures(self.puzzle)
        for number, solution in enumerate(self.solutions[:MAX_IN_SVG], start=1):
            shown.append(figures.element(solution, number))
        left_out = len(self.solutions) - MAX_IN_SVG
        more = element("p", f"and {left_out:,} more") if left_out > 0 else None
        return styled(shown, more)


def picture_of(
    puzzle: Puzzle, solutions: Solution | Iterable[Solution] | PartialBoard | None = None
) -> Picture:
    """A picture of a puzzle, of one or several solutions of it, or of a board that need not be one.

    Raises `PuzzleError` for a board that is not the puzzle's, and where no solution is given.
    """
    if solutions is None:
        return Picture(puzzle)
    if isinstance(solutions, PartialBoard):
        _check_board(puzzle, solutions)
        return Picture(puzzle, board=solutions)
    drawn = (solutions,) if isinstance(solutions, Solution) else tuple(solutions)
    if not drawn:
        raise no_picture(puzzle.name)
    return Picture(puzzle, drawn)


def _check_board(puzzle: Puzzle, board: PartialBoard) -> None:
    """Raises `PuzzleError` with the rule that a board breaks, if any."""
    error = "it is not an edge-matching puzzle"
    if isinstance(puzzle, EdgePuzzle):
        error = board_error(puzzle, board) or ""
    if error:
        raise PuzzleError(f"not a board of {puzzle.name}: {error}")
