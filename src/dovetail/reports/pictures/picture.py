"""Pictures of puzzles, solutions, boards and examples in records: as objects and as files.

The number of solutions in a file is limited; a note gives the number of omitted solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.files.writing import write_whole
from dovetail.harness.records.outline import (
    BoardOutline,
    Example,
    Outline,
    filled_board,
    filled_region,
)
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import Objective, PartialBoard, board_error
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.printable import Shown, printable
from dovetail.puzzles.formats.base import SolutionWriter, solutions_text
from dovetail.reports.describe.puzzle import headline
from dovetail.reports.describe.result import solution_noun
from dovetail.reports.elements import Child, element
from dovetail.reports.pictures.board import (
    board_drawing,
    hints_drawing,
    partial_board_figure,
    tile_drawing,
    tiles_drawing,
)
from dovetail.reports.pictures.colours import picture_style, piece_style
from dovetail.reports.pictures.drawing import (
    Figure,
    SvgDrawing,
    above,
    figure_element,
    fragment,
    gallery,
    legend_element,
    sheet,
    styled,
    svg_element,
    svg_text,
    with_legend,
    with_note,
)
from dovetail.reports.pictures.geometry import SIDE
from dovetail.reports.pictures.packing import (
    filled_drawing,
    lies_in_layers,
    piece_drawing,
    region_drawing,
    solution_drawing,
)
from dovetail.reports.rendering.html import document
from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page

WIDTH = 24.0 * SIDE  # minimum width of the rows of pieces below a region
PICTURES = (".svg", ".html")  # suffixes of files
MAX_PARTS = 1_000  # pieces, tiles or options shown
MAX_IN_HTML, MAX_IN_SVG = 1_000, 200  # solutions in a file
MAX_CHARACTERS = 12_000_000  # approximate maximum size of a page


@dataclass(frozen=True, repr=False)
class Picture(Shown):
    """A picture of a puzzle, of its solutions, or of a board whose edges need not match.

    A notebook displays the picture. The picture is drawn when it is displayed, saved or read as
    text. Drawing raises `PuzzleError` for a puzzle that cannot be drawn.

    >>> picture("pentominoes-6x10").svg[:20]
    '<svg class="picture"'
    """

    puzzle: Puzzle
    # None for a picture of the puzzle itself, or of a board.
    solutions: tuple[Solution, ...] | None = None
    # The board and its score.
    board: Figure | None = None

    def __str__(self) -> str:
        what = "" if self.board is None else "a board of "
        if self.solutions is not None:
            what = f"{solution_noun(self.puzzle).of(len(self.solutions))} of "
        return f"picture of {what}{shorten(printable(self.puzzle.name))}"

    @cached_property
    def svg(self) -> str:
        """Text of an SVG file with at most 200 solutions."""
        return self.text(".svg")

    @cached_property
    def html(self) -> str:
        """Text of an HTML page with at most 1,000 solutions, or 500 in a viewer of solids."""
        return self.text(".html")

    def save(self, path: str | Path) -> None:
        """Write the picture into a file ending in .svg or .html.

        Raises `ConfigError` for another suffix.
        """
        suffix = Path(path).suffix
        if suffix not in PICTURES:
            raise _unknown(suffix)
        write_whole(Path(path), self.text(suffix).encode())

    def text(self, suffix: str) -> str:
        """Return the text of a file with a suffix in `PICTURES`."""
        if self.board is not None:
            if suffix == ".svg":
                return svg_text(self.board.drawing)
            return _page(self.puzzle.name, figure_element(self.board))
        if self.solutions is None:
            return puzzles_picture(suffix, [self.puzzle])
        return solutions_text(picture_writer(suffix, self.puzzle), self.solutions)

    def _repr_html_(self) -> str:
        """Return HTML for a notebook, without a script and with at most 200 solutions."""
        if self.board is not None:
            return styled(figure_element(self.board))
        if self.solutions is None:
            return styled(puzzle_section(self.puzzle))
        shown = _empty_gallery(self.puzzle)
        for number, solution in enumerate(self.solutions[:MAX_IN_SVG], start=1):
            shown.append(solution_element(self.puzzle, solution, number))
        left_out = len(self.solutions) - MAX_IN_SVG
        more = element("p", f"and {left_out:,} more") if left_out > 0 else None
        return styled(legend_element(puzzle_legend(self.puzzle)), shown, more)


def picture_of(
    puzzle: Puzzle,
    solutions: Solution | Iterable[Solution] | PartialBoard | None = None,
    objective: Objective | None = None,
) -> Picture:
    """Return a picture of a puzzle, of its solutions, or of a board whose edges need not match.

    The score of a board is by `objective`, as in `partial_board_figure`. Raises `PuzzleError` for a
    board of another puzzle, and for `solutions` without a solution.
    """
    if solutions is None:
        return Picture(puzzle)
    if isinstance(solutions, PartialBoard):
        if not isinstance(puzzle, EdgePuzzle):
            raise PuzzleError(f"{puzzle.name} has no boards: it is not an edge-matching puzzle")
        if error := board_error(puzzle, solutions):
            raise PuzzleError(f"this is not a board of {puzzle.name}: {error}")
        return Picture(puzzle, board=partial_board_figure(puzzle, solutions, objective))
    drawn = (solutions,) if isinstance(solutions, Solution) else tuple(solutions)
    if not drawn:
        raise _no_picture(puzzle)
    return Picture(puzzle, drawn)


def _page(title: str, *parts: Child) -> str:
    """Return the text of a page with `parts` below its title."""
    return document(title, element("h1", title), *parts, style=picture_style())


def _no_picture(puzzle: Puzzle) -> PuzzleError:
    return PuzzleError(f"{puzzle.name}: there is no solution to draw")


def _unknown(suffix: str) -> ConfigError:
    valid = ", ".join(PICTURES)
    return ConfigError(f"{shorten(suffix)!r} is no kind of picture; valid: {valid}")


def puzzles_picture(suffix: str, puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a file that shows `puzzles`, in the format of the suffix.

    Raises `ConfigError` for another suffix and for several puzzles in an SVG file, and
    `PuzzleError` for a puzzle that cannot be drawn.
    """
    if suffix not in PICTURES:
        raise _unknown(suffix)
    if suffix == ".html":
        title = puzzles[0].name if len(puzzles) == 1 else f"{len(puzzles)} puzzles"
        return _page(title, *map(puzzle_section, puzzles))
    if len(puzzles) != 1:
        raise ConfigError(f".svg cannot show {len(puzzles)} puzzles; expected 1 puzzle, or .html")
    return svg_text(puzzle_drawing(puzzles[0]))


def whole_drawing(puzzle: Puzzle) -> SvgDrawing:
    """Return a drawing of the region or board of a puzzle, as large as a drawing of a solution.

    Raises `PuzzleError` for a bare cover problem, and for a lattice without pictures.
    """
    match puzzle:
        case PackingPuzzle():
            return region_drawing(puzzle)
        case EdgePuzzle():
            return hints_drawing(puzzle)
    raise PuzzleError(
        f"{puzzle.name} is a bare cover problem, which has no picture; "
        "use .html for a list of its options, or .txt, .json, .csv"
    )


def puzzle_drawing(puzzle: Puzzle) -> SvgDrawing:
    """Return a drawing of a puzzle, with at most `MAX_PARTS` of its pieces or tiles.

    Raises `PuzzleError` for a bare cover problem, and for a lattice without pictures.
    """
    whole = whole_drawing(puzzle)
    name, parts, more = _parts(puzzle)
    if not parts:
        return whole
    drawing = above(whole, sheet(parts, f"{name}s", width=max(WIDTH, whole.width)))
    return with_note(drawing, f"and {more}") if more else drawing


def puzzle_section(puzzle: Puzzle) -> Element:
    """Return the section of a page about a puzzle: pictures, or the options of a cover problem."""
    name, parts, left_out = _parts(puzzle)
    if isinstance(puzzle, CoverProblem):
        shown = [_options_list(puzzle, range(min(puzzle.option_count, MAX_PARTS)))]
    else:
        widest = max((figure.drawing.pixels[0] for figure in parts), default=0)
        heading = element("h2", f"{name}s".capitalize())
        whole = svg_element(whole_drawing(puzzle))
        shown = [whole, heading, gallery(parts, widest, shrunk=1.0)]
    more = element("p", f"… and {left_out}") if left_out else None
    return element("section", element("p", headline(puzzle)), *shown, more)


def _parts(puzzle: Puzzle) -> tuple[str, list[Figure], str]:
    """Return the noun for the parts of a puzzle, their figures, and a text on omitted parts."""
    figures: list[Figure] = []
    match puzzle:
        case PackingPuzzle():
            name, count = "piece", len(puzzle.pieces)
            for number, piece in enumerate(puzzle.pieces[:MAX_PARTS]):
                drawing = piece_drawing(puzzle.lattice, piece, number)
                figures.append(Figure(drawing, piece.title))
        case EdgePuzzle():
            name, count = "tile", len(puzzle.tiles)
            for number in range(min(count, MAX_PARTS)):
                figures.append(Figure(tile_drawing(puzzle, number), str(number)))
        case CoverProblem():
            name, count = "option", puzzle.option_count
    more = how_many(count - MAX_PARTS, f"more {name}") if count > MAX_PARTS else ""
    return name, figures, more


def _options_list(problem: CoverProblem, options: Iterable[int]) -> Element:
    """Return a list of options by number, each with its name and its members."""
    items = []
    for option in options:
        members = "; ".join(
            member if isinstance(member, str) else f"{member[0]} = {member[1]}"
            for member in problem.members(option)
        )
        names = problem.option_names
        name = element("b", names[option]) if names else None
        items.append(element("li", f"{option}: ", name, f" ({members})"))
    return element("ul", *items)


def example_drawing(example: Example, outline: Outline) -> SvgDrawing:
    """Return a drawing of the solution in a record, in the colours of other pictures.

    The puzzle is not needed. The drawing has no fixed pieces and no tile numbers. Mismatched edges
    of a board are marked. Raises `PuzzleError` for an example that the reader of records refuses.
    """
    if isinstance(outline, BoardOutline):
        return tiles_drawing(filled_board(example))
    filled = filled_region(example, outline)
    title = f"a solution in a region of {how_many(len(filled.cells), 'cell')}"
    return filled_drawing(filled.cells, filled.solution, filled.pieces, title, example.text)


def puzzle_legend(puzzle: Puzzle) -> list[tuple[str, str]]:
    """Return the name and the CSS classes of each piece, for the legend of several solutions.

    The list is empty for puzzles other than packings, for fewer than two pieces, for lattices
    without pictures, and for lattices whose drawings have their own legends.
    """
    if not isinstance(puzzle, PackingPuzzle) or len(puzzle.pieces) < 2:
        return []
    with suppress(PuzzleError):
        if lies_in_layers(puzzle.lattice):
            return [(piece.name, piece_style(n)) for n, piece in enumerate(puzzle.pieces)]
    return []


def solution_element(puzzle: Puzzle, solution: Solution, number: int) -> Element:
    """Return a figure for a page, or the options of a bare cover problem.

    Raises errors as `solution_figure` does.
    """
    if isinstance(puzzle, CoverProblem) and isinstance(solution, CoverSolution):
        chosen = _options_list(puzzle, solution.options)
        return element("section", element("h2", f"{number:,}"), chosen)
    return figure_element(solution_figure(puzzle, solution, number))


def solution_figure(puzzle: Puzzle, solution: Solution, number: int) -> Figure:
    """Return the figure of a solution, with its number as the caption.

    Raises `PuzzleError` for a solution of another kind of puzzle, or that cannot be drawn.
    """
    title = f"{solution_noun(puzzle).one} {number:,} of {puzzle.name}"
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            drawing = solution_drawing(puzzle, solution, title)
        case EdgePuzzle(), EdgeSolution():
            drawing = board_drawing(puzzle, solution, title)
        case _:
            raise PuzzleError("the solution is for another kind of puzzle")
    return Figure(drawing, f"{number:,}")


def _empty_gallery(puzzle: Puzzle) -> Element:
    """Return the empty element to which the solutions on a page are added.

    Raises `PuzzleError` if solutions cannot be shown.
    """
    if isinstance(puzzle, CoverProblem):
        return element("div", class_="lists")
    return gallery((), whole_drawing(puzzle).pixels[0])


def picture_writer(suffix: str, puzzle: Puzzle) -> SolutionWriter:
    """Return a writer of solutions into a file with a suffix in `PICTURES`.

    Raises `PuzzleError` for a puzzle whose solutions cannot be drawn; the message names formats
    that can hold them.
    """
    if suffix == ".svg":
        whole_drawing(puzzle)  # raises an error before the search for a puzzle without pictures
        return WholeFileWriter(puzzle, MAX_IN_SVG, _sheet)
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension == 3:
        return WholeFileWriter(puzzle, MAX_SOLUTIONS, viewer_page)
    return _Gallery(puzzle)


class _Gallery:
    """A `SolutionWriter` of a page to which solutions are added one by one."""

    may_be_empty = False

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._drawn, self._characters, self.left_out = 0, 0, 0
        title = f"{solution_noun(puzzle).many.capitalize()} of {puzzle.name}"
        # The gallery comes last on the page.
        parts = legend_element(puzzle_legend(puzzle)), _empty_gallery(puzzle)
        begin, self._end, self._after = _page(title, *parts).rpartition("</div>")
        self.head = begin + "\n"

    def one(self, number: int, solution: Solution) -> str:
        """Return the text for a solution; empty if the page is full."""
        if self._drawn == MAX_IN_HTML or self._characters > MAX_CHARACTERS:
            self.left_out += 1
            return ""
        self._drawn += 1
        text = fragment(solution_element(self._puzzle, solution, number)) + "\n"
        self._characters += len(text)
        return text

    @property
    def tail(self) -> str:
        """End of the page; raises `PuzzleError` without a solution."""
        note = element("p", _note(self._puzzle, self._drawn, self._drawn + self.left_out))
        return f"{self._end}{fragment(note)}{self._after}\n"


class WholeFileWriter:
    """A `SolutionWriter` that collects solutions and writes the whole file as its tail."""

    head = ""
    may_be_empty = False

    def __init__(
        self, puzzle: Puzzle, max_count: int, write: Callable[[Any, Any, int], str]
    ) -> None:
        self._puzzle, self._max_count, self._write = puzzle, max_count, write
        self._solutions: list[Solution] = []
        self.left_out = 0

    def one(self, _: int, solution: Solution) -> str:
        """Keep a solution if there is room for it."""
        if len(self._solutions) < self._max_count:
            self._solutions.append(solution)
        else:
            self.left_out += 1
        return ""

    @property
    def tail(self) -> str:
        """The whole file; raises `PuzzleError` without a solution."""
        if not self._solutions:
            raise _no_picture(self._puzzle)
        return self._write(self._puzzle, self._solutions, len(self._solutions) + self.left_out)


def _sheet(puzzle: Puzzle, solutions: Sequence[Solution], found: int) -> str:
    """Return an SVG file of solutions, with a note of their number if several were found."""
    figures = [
        solution_figure(puzzle, solution, number) for number, solution in enumerate(solutions, 1)
    ]
    legend = puzzle_legend(puzzle)
    if found == 1:
        return svg_text(with_legend(figures[0].drawing, legend))
    title = f"{solution_noun(puzzle).many} of {puzzle.name}"
    drawing = with_legend(sheet(figures, title), legend)
    return svg_text(with_note(drawing, _note(puzzle, len(solutions), found)))


def _note(puzzle: Puzzle, drawn: int, found: int) -> str:
    if not drawn:
        raise _no_picture(puzzle)
    omitted = f"; {found - drawn:,} more omitted" if found > drawn else ""
    return f"{solution_noun(puzzle).of(drawn)} in this file{omitted}"
