"""Drawings of edge-matching boards.

Each side of a tile is a triangle in the paint of its colour, with half of a motif at the middle of
the edge. The halves on both sides of an edge make a whole motif if the tiles match. Twelve paints
and eight motifs distinguish 96 colours. Tiles of hints have a thick border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from xml.etree.ElementTree import Element

import numpy as np

from dovetail.errors import how_many
from dovetail.models.boards.edges import EdgePuzzle, Tile, turned
from dovetail.models.boards.geometry import (
    SIDE_NAMES,
    Position,
    lattice_cells,
    lattice_of_board,
)
from dovetail.models.boards.partial_board import (
    Edge,
    Laid,
    Objective,
    PartialBoard,
    max_score,
    mismatched_edges,
    score,
    tiles_in_order,
)
from dovetail.models.lattices.protocol import Cell, Point
from dovetail.models.solution import EdgeSolution
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.reports.elements import element
from dovetail.reports.pictures.colours import motif_numbers, paint_numbers
from dovetail.reports.pictures.drawing import Figure, SvgDrawing
from dovetail.reports.pictures.geometry import (
    SIDE,
    Layers,
    Polygon,
    along,
    at,
    centre,
    inner_lines,
    layers,
    outline,
    square,
)
from dovetail.reports.pictures.packing import blank_shapes

BOARD_SCALE = 1.2  # pixels per unit; more than `SCALE`, because motifs are small
NUMBER_BELOW = 3.2  # distance from the middle of a tile down to the base line of its number

Step = tuple[int, int]

# The half of each motif that lies on a tile, as polygons in units of the drawing. A polygon has its
# first corner, relative to the middle of the side, and then the steps from corner to corner. Both
# are (along the side, into the tile).
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

SMALLER = 0.8  # factor on the size of motifs on triangles, which have less room


def layout(puzzle: EdgePuzzle, positions: Iterable[Position] | None = None) -> Layers:
    """Return the layout of the board, or of some positions of its lattice.

    `polygons` has the polygon of each position, row by row from the top left. Side n of a tile
    begins at corner n of its polygon.
    """
    chosen = puzzle.geometry.positions if positions is None else positions
    places = sorted(chosen, key=lambda place: (-place[1], place[0]))
    cells = lattice_cells(puzzle.lattice, np.array(places, dtype=np.int64))
    found = layers(lattice_of_board(puzzle.lattice), tuple(map(tuple, cells.tolist())))
    polygons: dict[Cell, Polygon] = {
        (x, y): polygon if len(polygon) > 3 or (x + y) % 2 == 0 else (*polygon[2:], *polygon[:2])
        for (x, y), polygon in zip(places, found.polygons.values(), strict=True)
    }
    return replace(found, polygons=polygons)


def board_drawing(puzzle: EdgePuzzle, solution: EdgeSolution, title: str) -> SvgDrawing:
    """Return a drawing of a solution with numbered tiles."""
    laid = PartialBoard(solution.cells).laid
    return _drawing(puzzle, laid, title, solution_text(puzzle, solution))


def partial_board_figure(
    puzzle: EdgePuzzle, board: PartialBoard, objective: Objective | None = None
) -> Figure:
    """Return a figure of a board with a bar on each mismatched edge; the score is the caption.

    The score is by `objective`. Without an objective, it is the number of tiles if there are empty
    cells and no mismatched edges, otherwise the number of matched edges.
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
    shapes = (*drawing.shapes, *_bars(puzzle, layout(puzzle), mismatched))
    return Figure(replace(drawing, shapes=shapes), caption)


def hints_drawing(puzzle: EdgePuzzle) -> SvgDrawing:
    """Return a drawing of the board of a puzzle with the tiles of its hints."""
    laid = {(hint.x, hint.y): (hint.tile, hint.rotation) for hint in puzzle.hints}
    hints = how_many(len(puzzle.hints), "hint")
    alt_text = f"{puzzle.width} wide, {puzzle.height} high, {hints}"
    return _drawing(puzzle, laid, f"the board of {puzzle.name}", alt_text)


def tiles_drawing(puzzle: EdgePuzzle) -> SvgDrawing:
    """Return a drawing of the tiles as `tiles_in_order` lays them, without numbers.

    Mismatched edges have thick bars.
    """
    board, paper = tiles_in_order(puzzle), layout(puzzle)
    shown = {place: puzzle.tiles[tile] for place, (tile, _) in board.laid.items()}
    mismatched = mismatched_edges(puzzle, board)
    is_full = len(shown) == len(puzzle.tiles)
    shapes = [] if is_full else [*blank_shapes(paper.polygons.values())]
    shapes += [*_tiles(puzzle, paper, shown), *_bars(puzzle, paper, mismatched)]
    title = "a board" if mismatched or not is_full else "a solution of a board"
    title += f", {puzzle.width} wide and {puzzle.height} high"
    return _sized(paper.width, paper.height, shapes, title)


def tile_drawing(puzzle: EdgePuzzle, number: int) -> SvgDrawing:
    """Return a drawing of a tile in rotation 0, without its number."""
    tile = puzzle.tiles[number]
    named = zip(SIDE_NAMES[puzzle.lattice], tile, strict=True)
    alt_text = ", ".join(f"{name} {colour}" for name, colour in named)
    paper = layout(puzzle, [(0, 0)])
    shapes = _tiles(puzzle, paper, {(0, 0): tile})
    return _sized(paper.width, paper.height, shapes, f"tile {number}", alt_text)


def empty_board_drawing(width: int, height: int) -> SvgDrawing:
    """Return a drawing of an edge-matching board of squares without tiles."""
    squares = [square(x, y) for x, y in product(range(width), range(height))]
    title = f"a board, {width} wide and {height} high"
    return SvgDrawing(width * SIDE, height * SIDE, blank_shapes(squares), title)


def numbers_drawing(solution: EdgeSolution | PartialBoard) -> SvgDrawing:
    """Return a drawing of the tile numbers and rotations of a board whose puzzle is unknown."""
    height, width = len(solution.cells), max(map(len, solution.cells), default=0)
    shapes = list(blank_shapes([square(x, y) for y in range(height) for x in range(width)]))
    for y, row in enumerate(reversed(solution.cells)):
        for x, laid in enumerate(row):
            if laid is not None:
                shapes.append(_number(square(x, y), "/".join(map(str, laid)), "turned"))
    alt_text = "tile number / turns anticlockwise"
    return _sized(width, height, shapes, "a board", alt_text)


def _drawing(
    puzzle: EdgePuzzle, laid: Mapping[Position, Laid], title: str, alt_text: str
) -> SvgDrawing:
    paper = layout(puzzle)
    shown = {place: turned(puzzle.tiles[tile], turn) for place, (tile, turn) in laid.items()}
    shapes = list(blank_shapes(paper.polygons.values())) if len(laid) < len(paper.polygons) else []
    shapes += _tiles(puzzle, paper, shown)
    for hint in puzzle.hints:
        border = outline([paper.polygons[hint.x, hint.y]])
        shapes.append(element("path", class_="hint", d=border))
    shapes += [
        _number(paper.polygons[place], str(tile), "tile-number")
        for place, (tile, _) in laid.items()
    ]
    return _sized(paper.width, paper.height, shapes, title, alt_text)


def _sized(
    width: float, height: float, shapes: Iterable[Element], title: str, alt_text: str = ""
) -> SvgDrawing:
    size = width * SIDE, height * SIDE
    return SvgDrawing(*size, tuple(shapes), title, alt_text, BOARD_SCALE)


def _number(polygon: Polygon, words: str, style: str) -> Element:
    x, y = (SIDE * float(along) for along in centre(polygon))
    return element("text", words, class_=style, x=x, y=y + NUMBER_BELOW)


def _bars(puzzle: EdgePuzzle, paper: Layers, mismatched: Sequence[Edge]) -> Iterator[Element]:
    """Yield a path with a bar on each mismatched edge; nothing if there are none."""
    bars = ""
    for place, other in mismatched:
        side = puzzle.geometry.side_to(place, other)
        (x, y), (to_x, to_y) = _ends(paper.polygons[place], side)
        bars += f"M{at((x, y))}l{at((to_x - x, to_y - y))}"
    if bars:
        yield element("path", class_="mismatch", d=bars)


def _tiles(puzzle: EdgePuzzle, paper: Layers, shown: Mapping[Position, Tile]) -> Iterator[Element]:
    """Yield the paths of the paints, of the solid and the hollow motifs, and of the borders.

    Sides with the same paint share a path, because a board can have a thousand sides. If two
    different colours match each other, the motif of the negative or greater colour is hollow.
    """
    paints, motifs = paint_numbers(puzzle), motif_numbers(puzzle)
    paths: dict[str, list[str]] = {}
    for place, tile in shown.items():
        polygon = paper.polygons[place]
        for side, colour in enumerate(tile):
            is_frame = colour == puzzle.frame_colour
            paint = "paint frame" if is_frame else f"paint piece-{paints[colour]}"
            paths.setdefault(paint, []).append(side_path(polygon, side))
            if not is_frame:
                motif = motif_path(polygon, side, motifs[colour])
                is_mate = colour != puzzle.representative(colour)
                paths.setdefault("hollow" if is_mate else "motif", []).append(motif)
    for style in sorted(paths, key=lambda style: not style.startswith("paint")):
        yield element("path", class_=style, d="".join(paths[style]))
    polygons = [paper.polygons[place] for place in shown]
    yield element("path", class_="tiles", d=outline(polygons) + inner_lines(polygons))


def motif_path(polygon: Polygon, side: int, motif: int) -> str:
    """Return the path of the half motif on a side of a tile."""
    begin, end = _ends(polygon, side)
    x, y = along(begin, end, 0.5)
    size = SMALLER if len(polygon) == 3 else 1
    right, down = ((to - here) * size / SIDE for here, to in zip(begin, end, strict=True))
    path = ""
    for (first, into), *steps in MOTIFS[motif]:
        path += f"M{at((x + right * first - down * into, y + down * first + right * into))}l"
        path += " ".join(at((right * a - down * b, down * a + right * b)) for a, b in steps) + "z"
    return path


def side_path(polygon: Polygon, side: int) -> str:
    """Return the path of the triangle between a side and the middle of a tile."""
    corners = (*_ends(polygon, side), centre(polygon))
    steps = ((to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(corners))
    return f"M{at(corners[0])}l{' '.join(map(at, steps))}z"


def _ends(polygon: Polygon, side: int) -> tuple[Point, Point]:
    """Return both ends of a side in clockwise order."""
    return polygon[side], polygon[(side + 1) % len(polygon)]
