"""Edge-matching boards drawn: tiles as four triangles with motifs, hints in a thick border."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from dovetail.errors import how_many
from dovetail.models.board_geometry import Position
from dovetail.models.edges import BORDER, EdgePuzzle, Tile, turned
from dovetail.models.partial_board import (
    Edge,
    PartialBoard,
    mismatched_edges,
    score,
    tiles_in_order,
)
from dovetail.models.solution import EdgeSolution
from dovetail.puzzles.formats.solution_text import solution_text
from dovetail.reports.elements import element
from dovetail.reports.pictures.drawing import Drawing
from dovetail.reports.pictures.motifs import ColourStyle, colour_styles, motif_path, side_path
from dovetail.reports.pictures.outline import SIDE, inner_lines, outline, square
from dovetail.reports.pictures.region import blank_shapes

BOARD_SCALE = 1.2  # pixels for a unit: motifs are small
NUMBER_BELOW = 3.2  # the base line of a tile's number, below its middle

Place = tuple[int, int]  # column and row, (0, 0) at the top left
Laid = dict[Place, tuple[int, int]]  # tile number and rotation


def board_drawing(puzzle: EdgePuzzle, solution: EdgeSolution, title: str) -> Drawing:
    """A solution: the tiles as they are turned, numbered; those of hints in a thick border."""
    laid = {
        (x, puzzle.height - 1 - y): placed
        for y, row in enumerate(solution.cells)
        for x, placed in enumerate(row)
    }
    return _drawing(puzzle, laid, title, solution_text(puzzle, solution))


def partial_board_drawing(puzzle: EdgePuzzle, board: PartialBoard, title: str) -> Drawing:
    """A board that need not be a solution: edges that do not match are marked by thick bars."""
    top = puzzle.height - 1
    laid = {(x, top - y): placed for (x, y), placed in board.laid.items()}
    mismatched = mismatched_edges(puzzle, board)
    alt_text = (
        f"{how_many(score(puzzle, board), 'edge')} match, {len(mismatched):,} do not\n{board}"
    )
    drawing = _drawing(puzzle, laid, title, alt_text)
    return replace(drawing, shapes=(*drawing.shapes, *_bars(puzzle, mismatched)))


def _bars(puzzle: EdgePuzzle, mismatched: Sequence[Edge]) -> Iterator[Element]:
    """One path with a bar on each of these edges, if there are any."""
    bars = "".join(_bar(puzzle, *edge) for edge in mismatched)
    if bars:
        yield element("path", class_="mismatch", d=bars)


def _bar(puzzle: EdgePuzzle, one: Position, other: Position) -> str:
    """Path data of the edge between a cell and its neighbour to the north or east."""
    (x, y), top = one, puzzle.height - 1
    if one[0] == other[0]:
        return f"M{x * SIDE} {(top - y) * SIDE}h{SIDE}"
    return f"M{(x + 1) * SIDE} {(top - y) * SIDE}v{SIDE}"


def hints_drawing(puzzle: EdgePuzzle) -> Drawing:
    """The board of a puzzle with the tiles that hints name."""
    laid = {(h.x, puzzle.height - 1 - h.y): (h.tile, h.rotation) for h in puzzle.hints}
    hints = len(puzzle.hints)
    alt_text = f"{puzzle.width} wide, {puzzle.height} high, {how_many(hints, 'hint')}"
    return _drawing(puzzle, laid, f"the board of {puzzle.name}", alt_text)


def tiles_drawing(puzzle: EdgePuzzle, title: str) -> Drawing:
    """The tiles of a puzzle as they are, row by row from the top left, without their numbers.

    Edges that do not match are marked by thick bars.
    """
    width, height = puzzle.width, puzzle.height
    shown = [((n % width, n // width), tile) for n, tile in enumerate(puzzle.tiles)]
    mismatched = mismatched_edges(puzzle, tiles_in_order(puzzle))
    shapes = (*_tiles(shown, colour_styles(puzzle)), *_bars(puzzle, mismatched))
    return Drawing(width * SIDE, height * SIDE, shapes, title, scale=BOARD_SCALE)


def tile_drawing(puzzle: EdgePuzzle, number: int) -> Drawing:
    """The tile with a number, unturned; which it is stands beside it."""
    tile = puzzle.tiles[number]
    shapes = _tiles([((0, 0), tile)], colour_styles(puzzle))
    alt_text = f"top {tile[0]}, right {tile[1]}, bottom {tile[2]}, left {tile[3]}"
    return Drawing(SIDE, SIDE, tuple(shapes), f"tile {number}", alt_text, BOARD_SCALE)


def numbers_drawing(solution: EdgeSolution) -> Drawing:
    """Tile numbers and rotations, of a solution whose puzzle is not known."""
    height, width = len(solution.cells), max(map(len, solution.cells), default=0)
    squares = [square(x, y) for y in range(height) for x in range(width)]
    shapes = [*blank_shapes(squares)]
    for y, row in enumerate(reversed(solution.cells)):
        for x, (tile, rotation) in enumerate(row):
            at = {"x": (x + 0.5) * SIDE, "y": (y + 0.5) * SIDE + NUMBER_BELOW}
            shapes.append(element("text", f"{tile}/{rotation}", class_="turned", **at))
    alt_text = "tile number / quarter turns anticlockwise"
    return Drawing(width * SIDE, height * SIDE, tuple(shapes), "a board", alt_text, BOARD_SCALE)


def _drawing(puzzle: EdgePuzzle, laid: Laid, title: str, alt_text: str) -> Drawing:
    squares = [square(x, y) for y in range(puzzle.height) for x in range(puzzle.width)]
    shown = [(at, turned(puzzle.tiles[tile], rotation)) for at, (tile, rotation) in laid.items()]
    shapes = [*blank_shapes(squares)] if len(laid) < len(squares) else []
    shapes += _tiles(shown, colour_styles(puzzle))
    for hint in puzzle.hints:
        place = square(hint.x, puzzle.height - 1 - hint.y)
        shapes.append(element("path", class_="hint", d=outline([place])))
    for (x, y), (tile, _) in laid.items():
        at = {"x": (x + 0.5) * SIDE, "y": (y + 0.5) * SIDE + NUMBER_BELOW}
        shapes.append(element("text", str(tile), class_="tile-number", **at))
    width, height = puzzle.width * SIDE, puzzle.height * SIDE
    return Drawing(width, height, tuple(shapes), title, alt_text, BOARD_SCALE)


def _tiles(
    shown: Iterable[tuple[Place, Tile]], style_of: dict[int, ColourStyle]
) -> Iterator[Element]:
    """One path for each paint and one for all motifs: a board has a thousand sides.

    Of a signed board the motif of a negative colour is hollow.
    """
    paths: dict[str, list[str]] = {}
    squares = []
    for (column, row), tile in shown:
        squares.append(square(column, row))
        x, y = column * SIDE, row * SIDE
        for side, colour in enumerate(tile):
            colour_style = style_of.get(abs(colour))
            paint = "paint frame" if colour_style is None else f"paint piece-{colour_style.paint}"
            paths.setdefault(paint, []).append(side_path(side, x, y))
            if colour_style is not None:
                motif = "motif" if colour > BORDER else "hollow"
                paths.setdefault(motif, []).append(motif_path(colour_style.motif, side, x, y))
    for style in sorted(paths, key=lambda style: not style.startswith("paint")):
        yield element("path", class_=style, d="".join(paths[style]))
    yield element("path", class_="tiles", d=outline(squares) + inner_lines(squares))
