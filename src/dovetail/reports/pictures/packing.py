"""Packings drawn: regions with pieces in them, and pieces by themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element

from dovetail.errors import PuzzleError, how_many
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.solution_text import solution_text
from dovetail.reports.elements import element
from dovetail.reports.pictures.colouring import colour_numbers, touching
from dovetail.reports.pictures.drawing import Drawing
from dovetail.reports.pictures.gallery_colours import GalleryColours, gallery_colours
from dovetail.reports.pictures.labels import centre, place_in
from dovetail.reports.pictures.layers import Layers, Polygon, layers
from dovetail.reports.pictures.legend import with_legend
from dovetail.reports.pictures.oblique import lies_in_layers, oblique
from dovetail.reports.pictures.outline import SIDE, in_units, on_line, outline
from dovetail.reports.pictures.palette import PIECES
from dovetail.reports.pictures.region import region_shapes, scale_of, title_shapes
from dovetail.reports.pictures.sticks import stick_names, stick_shapes

DOT = 4.0  # in a cell that stays empty
TINY = 1e-6  # shorter than any line

Coloured = Sequence[tuple[str, Cells, int]]  # name, cells, colour number


def solution_drawing(
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    title: str,
    colours: GalleryColours | None = None,
) -> Drawing:
    """A solution: neighbouring pieces in different colours, fixed ones grey and hatched.

    Cells that it leaves empty have a dot. Solids that do not lie in layers are seen from outside,
    without what it leaves empty, above the names of all pieces. Of several pictures in a gallery,
    later ones have the `colours` of those before. Raises `PuzzleError` where the lattice has no
    pictures.
    """
    shapes = _coloured(solution.placed, (colours or gallery_colours(puzzle)).of(solution))
    alt_text = _in_words(puzzle, solution)
    return _drawing(
        puzzle.lattice, puzzle.region, shapes, puzzle.fixed, puzzle.optional, title, alt_text
    )


def filled_drawing(
    cells: Cells, solution: PackingSolution, names: Sequence[str], title: str, alt_text: str
) -> Drawing:
    """A solution in the open `cells` of a puzzle of which only the `names` of all pieces are known.

    Pieces have the colours that `solution_drawing` gives them, and empty cells a dot. Raises
    `PuzzleError` where the lattice has no pictures.
    """
    lattice = solution.lattice or SquareLattice(len(cells[0]))
    shapes = _coloured(solution.placed, GalleryColours(lattice, names).of(solution))
    return _drawing(lattice, cells, shapes, (), cells, title, alt_text)


def region_drawing(puzzle: PackingPuzzle) -> Drawing:
    """The region of a puzzle with its fixed pieces; cells that may stay empty have a dot.

    Raises `PuzzleError` where the lattice has no pictures.
    """
    alt_text = how_many(len(puzzle.open_cells), "open cell")
    if puzzle.optional:
        alt_text += f", of which {len(puzzle.optional):,} may stay empty"
    title = f"the region of {puzzle.name}"
    return _drawing(
        puzzle.lattice, puzzle.region, (), puzzle.fixed, puzzle.optional, title, alt_text
    )


def piece_drawing(lattice: Lattice, piece: Piece, number: int) -> Drawing:
    """A piece by itself, as it is given; `number` is its place among the pieces."""
    style = _colour(number)
    if not lies_in_layers(lattice):
        return Drawing(*oblique(lattice, [("", piece.cells, style)]), piece.name)
    laid = layers(lattice, piece.cells)
    if laid.sticks:
        shapes = (*stick_shapes(laid, piece.name, piece.cells, style), *title_shapes(laid))
    else:
        path = element("path", class_="piece " + style, d=outline(laid.polygons.values()))
        shapes = (path, *title_shapes(laid))
    size = laid.width * SIDE, laid.height * SIDE
    return Drawing(*size, shapes, piece.name, scale=scale_of(laid))


def placed_drawing(solution: PackingSolution) -> Drawing:
    """What lies where, of a solution whose puzzle is not known.

    Raises `PuzzleError` where nothing lies anywhere, or where the lattice has no pictures.
    """
    cells = tuple(sorted({cell for _, placed in solution.placed for cell in placed}))
    if not cells:
        raise PuzzleError("the solution has no pieces; nothing to draw")
    lattice = solution.lattice or SquareLattice(len(cells[0]))
    near = touching([placed for _, placed in solution.placed], lattice)
    shapes = _coloured(solution.placed, colour_numbers(near, PIECES))
    return _drawing(lattice, cells, shapes, (), (), "a solution", _listed(solution))


def _drawing(
    lattice: Lattice,
    region: Cells,
    placed: Coloured,
    fixed: Sequence[FixedPiece],
    optional: Cells,
    title: str,
    alt_text: str,
) -> Drawing:
    if not lies_in_layers(lattice):
        solids = [(piece.name, piece.cells, "fixed") for piece in fixed]
        solids += [(name, cells, _colour(colour)) for name, cells, colour in placed]
        empty = set(region) - {cell for _, cells, _ in solids for cell in cells}
        blank = [] if placed else [("", tuple(sorted(empty)), "blank")]
        drawing = Drawing(*oblique(lattice, solids + blank), title, alt_text)
        return with_legend(drawing, ((name, style) for name, _, style in solids))
    covered = {cell for _, cells, _ in placed for cell in cells}
    laid = layers(lattice, region)
    shapes = [*region_shapes(laid)]
    shapes += [_dot(laid.polygons[cell]) for cell in optional if cell not in covered]
    for piece in fixed:
        shapes += _shape(laid, piece.name, piece.cells, "fixed")
    for name, cells, colour in placed:
        shapes += _shape(laid, name, cells, _colour(colour))
    if laid.sticks:
        shapes += stick_names(laid, [(one.name, one.cells) for one in fixed])
        shapes += stick_names(laid, [(name, cells) for name, cells, _ in placed])
    shapes += title_shapes(laid)
    size = laid.width * SIDE, laid.height * SIDE
    return Drawing(*size, tuple(shapes), title, alt_text, scale_of(laid))


def _coloured(placed: Iterable[tuple[str, Cells]], colours: Iterable[int]) -> Coloured:
    return [(*piece, colour) for piece, colour in zip(placed, colours, strict=True)]


def _shape(laid: Layers, name: str, cells: Cells, style: str) -> Iterator[Element]:
    """Yield a piece, with its name as a tooltip and written in each layer where it fits."""
    if laid.sticks:  # their names come last, where no other piece hides them
        yield from stick_shapes(laid, name, cells, style)
        return
    polygons = [laid.polygons[cell] for cell in cells]
    whole = style if style == "fixed" else f"piece {style}"
    yield element("path", element("title", name), class_=whole, d=outline(polygons))
    if style == "fixed":
        yield element("path", class_="hatch", d="".join(map(_hatch, polygons)))
    for plane in sorted({laid.layer[cell] for cell in cells}):
        place = place_in([laid.polygons[cell] for cell in cells if laid.layer[cell] == plane], name)
        if place is not None:
            size = f"font-size:{place.size:.3g}px"
            yield element("text", name, class_="letter", x=place.x, y=place.y, style=size)


def _colour(number: int) -> str:
    return f"piece-{number % PIECES}"


def _dot(polygon: Polygon) -> Element:
    x, y = (SIDE * along for along in centre(polygon))
    return element("circle", class_="empty", cx=x, cy=y, r=DOT)


def _hatch(polygon: Polygon) -> str:
    """Slanting lines across a convex polygon, half a square's side apart along its sides."""
    lowest, highest = min(map(sum, polygon)), max(map(sum, polygon))
    lines = ""
    for twice in range(math.floor(2 * lowest + TINY) + 1, math.ceil(2 * highest - TINY)):
        crossed = sorted(on_line(polygon, (1, 1), twice / 2))
        (x, y), (to_x, to_y) = crossed[0], crossed[-1]
        lines += f"M{in_units(x)} {in_units(y)}l{in_units(to_x - x)} {in_units(to_y - y)}"
    return lines


def _in_words(puzzle: PackingPuzzle, solution: PackingSolution) -> str:
    """The solution as text, or piece by piece where its names or dimensions do not allow that."""
    try:
        return solution_text(puzzle, solution)
    except PuzzleError:
        return _listed(solution)


def _listed(solution: PackingSolution) -> str:
    return "; ".join(f"{name} at {' '.join(map(str, cells))}" for name, cells in solution.placed)
