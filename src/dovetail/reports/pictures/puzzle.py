"""What a puzzle is, drawn: the region and the pieces, or the board and the tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.reports.describe_puzzle import headline, piece_title
from dovetail.reports.elements import element, html_text
from dovetail.reports.pictures.board import hints_drawing, tile_drawing
from dovetail.reports.pictures.drawing import Drawing, pixels, svg_element, svg_text
from dovetail.reports.pictures.outline import SIDE
from dovetail.reports.pictures.packing import piece_drawing, region_drawing
from dovetail.reports.pictures.page import gallery, page
from dovetail.reports.pictures.sheet import Figure, above, sheet, with_note

MAX_PARTS = 1_000  # pieces, tiles or options shown
WIDTH = 24.0 * SIDE  # of the pieces below a region


def puzzles_picture(suffix: str, puzzles: Sequence[Puzzle]) -> str:
    """The text of a file with this suffix that shows `puzzles`.

    Raises `ConfigError` for a suffix of no picture, or several puzzles in one SVG, and
    `PuzzleError` for a puzzle that cannot be drawn.
    """
    match suffix:
        case ".svg":
            if len(puzzles) != 1:
                raise ConfigError(f"{len(puzzles)} puzzles in one .svg; expected one, or .html")
            return svg_text(puzzle_drawing(puzzles[0]))
        case ".html":
            title = puzzles[0].name if len(puzzles) == 1 else f"{len(puzzles)} puzzles"
            return html_text(page(title, *map(puzzle_section, puzzles)))
    raise ConfigError(f"{shorten(suffix)!r}: unknown kind of picture; valid: .svg, .html")


def whole_drawing(puzzle: Puzzle) -> Drawing:
    """The region of a puzzle or its board, as large as a solution of it.

    Raises `PuzzleError` for a bare cover problem, and for a lattice without pictures.
    """
    match puzzle:
        case PackingPuzzle():
            return region_drawing(puzzle)
        case EdgePuzzle():
            return hints_drawing(puzzle)
    check_drawable_puzzle(puzzle)
    raise AssertionError("unknown kind of puzzle")


def check_drawable_puzzle(puzzle: Puzzle) -> None:
    """Raises `PuzzleError` for a bare cover problem, naming what shows its solutions."""
    if isinstance(puzzle, CoverProblem):
        raise PuzzleError(
            f"{puzzle.name} is a bare cover problem, which has no picture; "
            "use .html for a list of its options, or .txt, .json, .csv"
        )


def puzzle_drawing(puzzle: Puzzle) -> Drawing:
    """One drawing of all of a puzzle, with at most `MAX_PARTS` of its pieces or tiles.

    Raises `PuzzleError` for a bare cover problem, and for a lattice without pictures.
    """
    whole, parts, name = whole_drawing(puzzle), list(_parts(puzzle)), _name_of_parts(puzzle)
    if not parts:
        return whole
    shown = sheet(parts, name, width=max(WIDTH, whole.width))
    left_out = _left_out(puzzle)
    drawing = above(whole, shown)
    more = how_many(left_out, f"more {name.removesuffix('s')}")
    return with_note(drawing, f"and {more}") if left_out else drawing


def puzzle_section(puzzle: Puzzle) -> Element:
    """The same as part of a page; of a bare cover problem its options as a list."""
    left_out = _left_out(puzzle)
    name = _name_of_parts(puzzle)
    others = how_many(left_out, f"more {name.removesuffix('s')}")
    more = element("p", f"… and {others}") if left_out else None
    about = element("p", headline(puzzle))
    if isinstance(puzzle, CoverProblem):
        options = options_list(puzzle, range(min(puzzle.option_count, MAX_PARTS)))
        return element("section", about, options, more)
    parts = list(_parts(puzzle))
    widest = max((pixels(figure.drawing)[0] for figure in parts), default=0)
    return element(
        "section",
        about,
        svg_element(whole_drawing(puzzle)),
        element("h2", name.capitalize()),
        gallery(parts, widest, shrunk=1.0),
        more,
    )


def _parts(puzzle: Puzzle) -> Iterator[Figure]:
    if isinstance(puzzle, PackingPuzzle):
        for number, piece in enumerate(puzzle.pieces[:MAX_PARTS]):
            yield Figure(piece_drawing(puzzle.lattice, piece, number), piece_title(piece))
    if isinstance(puzzle, EdgePuzzle):
        for number in range(min(len(puzzle.tiles), MAX_PARTS)):
            yield Figure(tile_drawing(puzzle, number), str(number))


def _name_of_parts(puzzle: Puzzle) -> str:
    match puzzle:
        case PackingPuzzle():
            return "pieces"
        case EdgePuzzle():
            return "tiles"
        case CoverProblem():
            return "options"


def _left_out(puzzle: Puzzle) -> int:
    match puzzle:
        case PackingPuzzle():
            parts = len(puzzle.pieces)
        case EdgePuzzle():
            parts = len(puzzle.tiles)
        case CoverProblem():
            parts = puzzle.option_count
    return max(0, parts - MAX_PARTS)


def options_list(problem: CoverProblem, options: Iterable[int]) -> Element:
    """Options by number, each with its name and its members."""
    return element("ul", *(_option(problem, option) for option in options))


def _option(problem: CoverProblem, option: int) -> Element:
    members = "; ".join(
        member if isinstance(member, str) else f"{member[0]} = {member[1]}"
        for member in problem.members(option)
    )
    name = None if problem.option_names is None else element("b", problem.option_names[option])
    return element("li", f"{option} ", name, f" ({members})")
