"""Files of pictures of solutions, written as the solutions come: `.svg` and `.html`.

A file holds a bounded number of pictures; solutions beyond it are counted in a note.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import SolutionWriter
from dovetail.reports.describe_result import solution_noun
from dovetail.reports.elements import element
from dovetail.reports.pictures.board import board_drawing
from dovetail.reports.pictures.drawing import pixels, svg_text
from dovetail.reports.pictures.gallery_colours import gallery_colours
from dovetail.reports.pictures.packing import solution_drawing
from dovetail.reports.pictures.page import figure_element, fragment, gallery, page_around
from dovetail.reports.pictures.puzzle import options_list, whole_drawing
from dovetail.reports.pictures.sheet import Figure, sheet, with_note
from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page

MAX_IN_HTML, MAX_IN_SVG = 1_000, 200
MAX_CHARACTERS = 12_000_000  # of one file, roughly


def picture_writer(suffix: str, puzzle: Puzzle) -> SolutionWriter:
    """How solutions of `puzzle` are drawn into a file with this suffix, one of `PICTURES`.

    Raises `PuzzleError` for a puzzle whose solutions cannot be drawn, naming what shows them.
    """
    return PICTURES[suffix](puzzle)


def no_picture(name: str) -> PuzzleError:
    """The error for no solution of the puzzle with this name."""
    return PuzzleError(f"{name}: no solution to draw")


def empty_gallery(puzzle: Puzzle) -> Element:
    """What solutions of `puzzle` go into, on a page.

    Raises `PuzzleError` for a puzzle whose solutions cannot be shown.
    """
    if isinstance(puzzle, CoverProblem):
        return element("div", class_="lists")
    return gallery((), pixels(whole_drawing(puzzle))[0])


class SolutionFigures:
    """Draws solutions of one puzzle, each piece in the same colour in all of them.

    Its methods raise `PuzzleError` for a solution of another kind of puzzle, or that cannot be
    drawn.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._colours = gallery_colours(puzzle) if isinstance(puzzle, PackingPuzzle) else None

    def element(self, solution: Solution, number: int) -> Element:
        """The solution on a page: a figure, or the options of a bare cover problem."""
        puzzle = self._puzzle
        if isinstance(puzzle, CoverProblem) and isinstance(solution, CoverSolution):
            chosen = options_list(puzzle, solution.options)
            return element("section", element("h2", f"{number:,}"), chosen)
        return figure_element(self.figure(solution, number))

    def figure(self, solution: Solution, number: int) -> Figure:
        """The solution with its number below it."""
        title = f"{solution_noun(self._puzzle).one} {number:,} of {self._puzzle.name}"
        match self._puzzle, solution:
            case PackingPuzzle() as puzzle, PackingSolution():
                drawing = solution_drawing(puzzle, solution, title, self._colours)
            case EdgePuzzle() as puzzle, EdgeSolution():
                drawing = board_drawing(puzzle, solution, title)
            case _:
                raise PuzzleError("the solution is for another kind of puzzle")
        return Figure(drawing, f"{number:,}")


class _Bounded:
    """Counts what is drawn and what is left out."""

    may_be_empty = False

    def __init__(self, puzzle: Puzzle, max_count: int) -> None:
        self._name = puzzle.name
        self._max_count = max_count
        self._figures = SolutionFigures(puzzle)
        self._noun = solution_noun(puzzle)
        self._drawn, self._characters = 0, 0
        self.head = ""
        self.left_out = 0

    def _full(self) -> bool:
        """Whether the next solution is left out; then it is counted as that."""
        full = self._drawn == self._max_count or self._characters > MAX_CHARACTERS
        self.left_out += full
        self._drawn += not full
        return full

    def _note(self) -> str:
        """How many there are; raise `PuzzleError` if there are none."""
        if not self._drawn:
            raise no_picture(self._name)
        drawn = f"{self._noun.of(self._drawn)} in this file"
        return drawn + (f"; {self.left_out:,} more omitted" if self.left_out else "")


class _Gallery(_Bounded):
    """A page that is whole after each solution."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle, MAX_IN_HTML)
        self._frame = page_around(
            f"{self._noun.many.capitalize()} of {puzzle.name}", empty_gallery(puzzle)
        )
        self.head = self._frame.before

    def one(self, number: int, solution: Solution) -> str:
        if self._full():
            return ""
        text = fragment(self._figures.element(solution, number)) + "\n"
        self._characters += len(text)
        return text

    @property
    def tail(self) -> str:
        return self._frame.end(self._note())


class _Viewer(_Bounded):
    """The page of the viewer of solids, made when all solutions are there."""

    def __init__(self, puzzle: PackingPuzzle) -> None:
        super().__init__(puzzle, MAX_SOLUTIONS)
        self._packing = puzzle
        self._solutions: list[PackingSolution] = []

    def one(self, _: int, solution: Solution) -> str:
        assert isinstance(solution, PackingSolution)
        if not self._full():
            self._solutions.append(solution)
        return ""

    @property
    def tail(self) -> str:
        self._note()
        return viewer_page(self._packing, self._solutions, self._drawn + self.left_out)


class _Sheet(_Bounded):
    """One drawing with all, made when they are there, since its size comes first."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle, MAX_IN_SVG)
        whole_drawing(puzzle)  # or what cannot be drawn is known after the search
        self._shown: list[Figure] = []

    def one(self, number: int, solution: Solution) -> str:
        if not self._full():
            self._shown.append(self._figures.figure(solution, number))
        return ""

    @property
    def tail(self) -> str:
        note = self._note()
        if len(self._shown) == 1 and not self.left_out:
            return svg_text(self._shown[0].drawing)
        return svg_text(with_note(sheet(self._shown, f"{self._noun.many} of {self._name}"), note))


def _html(puzzle: Puzzle) -> SolutionWriter:
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension == 3:
        return _Viewer(puzzle)
    return _Gallery(puzzle)


PICTURES: dict[str, Callable[[Puzzle], SolutionWriter]] = {".svg": _Sheet, ".html": _html}
