"""Edge-matching boards drawn: tiles as four triangles with motifs, hints in a thick border.

Twelve paints times eight motifs are 96 styles of colours. A motif lies on the middle of an edge,
half of it on either tile, and is whole where tiles match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from dovetail.errors import how_many
from dovetail.models.edges import EdgePuzzle, Position, Tile, turned
from dovetail.models.partial_board import (
    Edge,
    Laid,
    Objective,
    PartialBoard,
    max_score,
    mismatched_edges,
    score,
    tiles_in_order,
)
from dovetail.models.solution import EdgeSolution
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.reports.elements import element
from dovetail.reports.pictures.colours import motif_numbers, paint_numbers
from dovetail.reports.pictures.drawing import Figure, SvgDrawing
from dovetail.reports.pictures.geometry import SIDE, Polygon, inner_lines, outline, square
from dovetail.reports.pictures.packing import blank_shapes

BOARD_SCALE = 1.2  # pixels for a unit, enlarged since motifs are small
NUMBER_BELOW = 3.2  # distance of the base line of a tile's number below the middle

Place = tuple[int, int]  # column and row, (0, 0) at the top left
Step = tuple[int, int]

# The half of each motif that lies on a tile: polygons as a first corner and the steps from there,
# (along the side, into the tile), from the middle of the side.
MOTIFS: tuple[tuple[tuple[Step, ...], ...], ...] = (
    (((-7, 0), (2, 5), (5, 2), (5, -2), (2, -5)),),  # a disc
    (((-3, 0), (0, 10), (6, 0), (0, -10)),),  # a bar across the edge
    (((-9, 0), (9, 9), (9, -9)),),  # a diamond
    (((-12, 0), (0, 3), (24, 0), (0, -3)),),  # a bar along the edge
    (((-6, 0), (0, 7), (12, 0), (0, -7)),),  # a square
    (((-9, 0), (0, 5), (5, 0), (0, -5)), ((4, 0), (0, 5), (5, 0), (0, -5))),  # two squares
    (((-10, 0), (0, 2), (8, 0), (0, 8), (4, 0), (0, -8), (8, 0), (0, -2)),),  # a plus
    (((-8, 0), (0, 9), (4, 0), (0, -9)), ((4, 0), (0, 9), (4, 0), (0, -9))),  # two bars
)

# The direction clockwise along each side (north, east, south, west), as (right, down).
_ALONG = ((1, 0), (0, 1), (-1, 0), (0, -1))
_HALF = SIDE // 2


def board_drawing(puzzle: EdgePuzzle, solution: EdgeSolution, title: str) -> SvgDrawing:
    """Return a solution with numbered tiles."""
    laid = PartialBoard(solution.cells).laid
    return _drawing(puzzle, laid, title, solution_text(puzzle, solution))


def partial_board_figure(
    puzzle: EdgePuzzle, board: PartialBoard, objective: Objective | None = None
) -> Figure:
    """Return a board with bars where edges do not match; its score is the caption.

    The score is by `objective`; if it is None, matched edges, or tiles if there are empty cells and
    no mismatch.
    """
    matched, mismatched = score(puzzle, board), mismatched_edges(puzzle, board)
    if objective is None:
        is_full = len(board.laid) == max_score(puzzle, Objective.TILES)
        has_holes = not is_full and not mismatched
        objective = Objective.TILES if has_holes else Objective.EDGES
    found, bound = matched, max_score(puzzle)
    if objective is Objective.TILES:
        found, bound = len(board.laid), max_score(puzzle, objective)
    caption = objective.result_text(found, bound)
    alt_text = f"{how_many(matched, 'edge')} match, {len(mismatched):,} do not\n{board}"
    drawing = _drawing(puzzle, board.laid, f"{puzzle.name}: {caption}", alt_text)
    shapes = (*drawing.shapes, *_bars(puzzle, mismatched))
    return Figure(replace(drawing, shapes=shapes), caption)


def hints_drawing(puzzle: EdgePuzzle) -> SvgDrawing:
    """Return the board of a puzzle with the tiles of its hints."""
    laid = {(hint.x, hint.y): (hint.tile, hint.rotation) for hint in puzzle.hints}
    hints = how_many(len(puzzle.hints), "hint")
    alt_text = f"{puzzle.width} wide, {puzzle.height} high, {hints}"
    return _drawing(puzzle, laid, f"the board of {puzzle.name}", alt_text)


def tiles_drawing(puzzle: EdgePuzzle) -> SvgDrawing:
    """Return the tiles as given, row by row from the top left, without numbers.

    Edges that do not match have thick bars. `NO_TILE` stands for an empty cell.
    """
    width, board = puzzle.width, tiles_in_order(puzzle)
    top = puzzle.height - 1
    shown = [((x, top - y), puzzle.tiles[tile]) for (x, y), (tile, _) in board.laid.items()]
    mismatched = mismatched_edges(puzzle, board)
    is_full = len(shown) == len(puzzle.tiles)
    shapes = [] if is_full else [*blank_shapes(_squares(puzzle))]
    shapes += [*_tiles(puzzle, shown), *_bars(puzzle, mismatched)]
    title = "a board" if mismatched or not is_full else "a solution of a board"
    title += f", {width} wide and {puzzle.height} high"
    return _sized(width, puzzle.height, shapes, title)


def tile_drawing(puzzle: EdgePuzzle, number: int) -> SvgDrawing:
    """Return an unturned tile without its number."""
    tile = puzzle.tiles[number]
    alt_text = f"top {tile[0]}, right {tile[1]}, bottom {tile[2]}, left {tile[3]}"
    return _sized(1, 1, _tiles(puzzle, [((0, 0), tile)]), f"tile {number}", alt_text)


def numbers_drawing(solution: EdgeSolution | PartialBoard) -> SvgDrawing:
    """Return tile numbers and rotations of a solution or board whose puzzle is unknown."""
    height, width = len(solution.cells), max(map(len, solution.cells), default=0)
    shapes = list(blank_shapes([square(x, y) for y in range(height) for x in range(width)]))
    for y, row in enumerate(reversed(solution.cells)):
        for x, laid in enumerate(row):
            if laid is not None:
                shapes.append(_number((x, y), "/".join(map(str, laid)), "turned"))
    alt_text = "tile number / quarter turns anticlockwise"
    return _sized(width, height, shapes, "a board", alt_text)


def _drawing(
    puzzle: EdgePuzzle, laid: Mapping[Position, Laid], title: str, alt_text: str
) -> SvgDrawing:
    top = puzzle.height - 1
    placed = [((x, top - y), tile, turn) for (x, y), (tile, turn) in laid.items()]
    squares = _squares(puzzle)
    shown = [(place, turned(puzzle.tiles[tile], turn)) for place, tile, turn in placed]
    shapes = list(blank_shapes(squares)) if len(laid) < len(squares) else []
    shapes += _tiles(puzzle, shown)
    for hint in puzzle.hints:
        border = outline([square(hint.x, top - hint.y)])
        shapes.append(element("path", class_="hint", d=border))
    shapes += [_number(place, str(tile), "tile-number") for place, tile, _ in placed]
    return _sized(puzzle.width, puzzle.height, shapes, title, alt_text)


def _squares(puzzle: EdgePuzzle) -> list[Polygon]:
    """Return the squares of the cells, row by row from the top left."""
    cells = sorted(puzzle.geometry.positions, key=lambda cell: (-cell[1], cell[0]))
    return [square(x, puzzle.height - 1 - y) for x, y in cells]


def _sized(
    width: int, height: int, shapes: Iterable[Element], title: str, alt_text: str = ""
) -> SvgDrawing:
    size = width * SIDE, height * SIDE
    return SvgDrawing(*size, tuple(shapes), title, alt_text, BOARD_SCALE)


def _number(place: Place, words: str, style: str) -> Element:
    x, y = ((along + 0.5) * SIDE for along in place)
    return element("text", words, class_=style, x=x, y=y + NUMBER_BELOW)


def _bars(puzzle: EdgePuzzle, mismatched: Sequence[Edge]) -> Iterator[Element]:
    """Yield a path with a bar on each edge, if there are any edges."""
    bars = ""
    for (x, y), (other_x, _) in mismatched:
        top = (puzzle.height - 1 - y) * SIDE
        bars += f"M{x * SIDE} {top}h{SIDE}" if x == other_x else f"M{(x + 1) * SIDE} {top}v{SIDE}"
    if bars:
        yield element("path", class_="mismatch", d=bars)


def _tiles(puzzle: EdgePuzzle, shown: Iterable[tuple[Place, Tile]]) -> Iterator[Element]:
    """Yield a path for each paint and a path for all motifs: a board has a thousand sides.

    Of two colours that match each other, the motif of the negative or greater one is hollow.
    """
    paints, motifs = paint_numbers(puzzle), motif_numbers(puzzle)
    paths: dict[str, list[str]] = {}
    squares = []
    for (column, row), tile in shown:
        squares.append(square(column, row))
        corner = column * SIDE, row * SIDE
        for side, colour in enumerate(tile):
            is_frame = colour == puzzle.frame_colour
            paint = "paint frame" if is_frame else f"paint piece-{paints[colour]}"
            paths.setdefault(paint, []).append(side_path(side, corner))
            if not is_frame:
                motif = motif_path(motifs[colour], side, corner)
                is_mate = colour != puzzle.representative(colour)
                paths.setdefault("hollow" if is_mate else "motif", []).append(motif)
    for style in sorted(paths, key=lambda style: not style.startswith("paint")):
        yield element("path", class_=style, d="".join(paths[style]))
    yield element("path", class_="tiles", d=outline(squares) + inner_lines(squares))


def motif_path(motif: int, side: int, corner: Step) -> str:
    """Return the half motif on a side of the tile with this upper left corner."""
    path = ""
    for (along, into), *steps in MOTIFS[motif]:
        right, down = _turned(side, along, into - _HALF)
        path += f"M{corner[0] + _HALF + right} {corner[1] + _HALF + down}l"
        path += " ".join(f"{r} {d}" for r, d in (_turned(side, *step) for step in steps)) + "z"
    return path


def side_path(side: int, corner: Step) -> str:
    """Return the triangle between a side and the middle of the tile with this upper left corner."""
    (x, y), (a, b), (c, d) = (
        _turned(side, *step) for step in ((-_HALF, -_HALF), (SIDE, 0), (-_HALF, _HALF))
    )
    return f"M{corner[0] + _HALF + x} {corner[1] + _HALF + y}l{a} {b} {c} {d}z"


def _turned(side: int, along: int, into: int) -> Step:
    """Return a step along a side and into the tile as (right, down)."""
    right, down = _ALONG[side]
    return right * along - down * into, down * along + right * into
