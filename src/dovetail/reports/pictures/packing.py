"""Drawings of packings: regions, solutions and pieces, of cells or of edges.

Edges are drawn as strokes. The ends of a piece stop short of their vertices. Where the edges of a
piece at a vertex span less than half a turn, a bend beside the vertex joins the edges. Short ends
and bends leave room for another piece at the same vertex. Borders of pieces that do not cross do
not touch.

Solids whose cells do not lie in layers are seen from above and from the side. Faces are drawn from
back to front. A face has lines at the sides where the surface bends or another piece begins. Where
the surface continues without a bend, the path of the face includes the next face, because there is
no seam within a path. The next face is drawn again in its own turn.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from dovetail.errors import PuzzleError, how_many
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells, Lattice, Point
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.packings.colours import Colouring, colour_of
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.reports.elements import element
from dovetail.reports.pictures.colours import piece_numbers, piece_style, placed_numbers
from dovetail.reports.pictures.drawing import SCALE, SvgDrawing, with_legend
from dovetail.reports.pictures.geometry import (
    BELOW,
    DIGITS,
    SIDE,
    Array,
    Layers,
    Polygon,
    Stick,
    along,
    at,
    centre,
    hatch,
    hatching,
    inner_lines,
    layers,
    outline,
    place_in,
    rounded,
)

DOT = 4.0  # radius of the dot in a cell that stays empty
# Place of a colour's name on the way from the middle of a cell to a corner, as a share of the way,
# and the maximum number of characters of the name.
SIGN, SIGN_LENGTH = 0.72, 2
BOTH_ENDS = 2
EDGES_SCALE = 1.5  # pixels per unit where cells are edges, for names on thin strokes
FONTS = (7.0, 6.0, 5.0)  # font sizes on strokes of names with 1, 2 and 3 characters

# The initial view of the viewer, in radians: turned to the left, and seen from above.
AZIMUTH, ELEVATION = 0.55, 0.5
RIGHT = np.array([math.cos(AZIMUTH), math.sin(AZIMUTH), 0.0])
TOWARDS = np.array([RIGHT[1], -RIGHT[0], math.tan(ELEVATION)]) * math.cos(ELEVATION)
UP = np.cross(TOWARDS, RIGHT)
SUN = np.array([-0.15, -0.35, 0.92])  # direction towards the light
DARKEST = 0.45  # opacity of the shade of a face turned away from the light
LENGTH = 2.0  # length of a unit of the lattice in drawings of solids, in sides of a square

Corner = tuple[float, ...]
Solids = Sequence[tuple[str, Cells, str]]  # name, cells, CSS class


class Joints(NamedTuple):
    """Distances of ends, bends and their control points from a vertex, in lengths of an edge."""

    end: float
    bend: float
    control: float


WIDE = Joints(0.355, 0.37, 0.22)  # with room for another piece that bends
NARROW = Joints(0.29, 0.12, 0.0)


def solution_drawing(puzzle: PackingPuzzle, solution: PackingSolution, title: str) -> SvgDrawing:
    """Return a drawing of a solution.

    Each piece has its colour and pattern; fixed pieces are grey and hatched. Empty cells have a
    dot. Solids that do not lie in layers are seen from outside, without empty cells and above a
    legend. Raises `PuzzleError` if the lattice has no pictures.
    """
    try:
        alt_text = solution_text(puzzle, solution)
    except PuzzleError:  # text cannot show the names or the dimensions
        alt_text = _listed(solution)
    placed = _coloured(solution, placed_numbers(puzzle, solution))
    return _puzzle_drawing(puzzle, placed, title, alt_text)


def filled_drawing(
    cells: Cells, solution: PackingSolution, names: Sequence[str], title: str, alt_text: str
) -> SvgDrawing:
    """Return a drawing of a solution in open `cells` of a puzzle with pieces of these `names`.

    Pieces have the same colours as in `solution_drawing`, and empty cells have a dot. Raises
    `PuzzleError` if the lattice has no pictures.
    """
    lattice = solution.lattice or SquareLattice(len(cells[0]))
    placed = _coloured(solution, piece_numbers(solution, names, lattice))
    return solids_drawing(lattice, cells, placed, cells, title, alt_text)


def placed_drawing(solution: PackingSolution) -> SvgDrawing:
    """Return a drawing of the placed pieces of a solution whose puzzle is unknown.

    Raises `PuzzleError` if there are no pieces or the lattice has no pictures.
    """
    cells = tuple(sorted({cell for _, placed in solution.placed for cell in placed}))
    if not cells:
        raise PuzzleError("the solution has no pieces, so there is nothing to draw")
    return filled_drawing(cells, solution, (), "a solution", _listed(solution))


def region_drawing(puzzle: PackingPuzzle) -> SvgDrawing:
    """Return a drawing of the region with its fixed pieces; optional cells have a dot.

    Raises `PuzzleError` if the lattice has no pictures.
    """
    alt_text = how_many(len(puzzle.open_cells), "open cell")
    if puzzle.optional:
        alt_text += f", of which {len(puzzle.optional):,} may stay empty"
    return _puzzle_drawing(puzzle, (), f"the region of {puzzle.name}", alt_text)


def _puzzle_drawing(puzzle: PackingPuzzle, placed: Solids, title: str, alt_text: str) -> SvgDrawing:
    """Return a drawing of the region of a puzzle with its fixed pieces and with `placed` pieces."""
    solids = [*((piece.name, piece.cells, "fixed") for piece in puzzle.fixed), *placed]
    region, optional, colours = puzzle.region, puzzle.optional, puzzle.colours
    return solids_drawing(puzzle.lattice, region, solids, optional, title, alt_text, colours)


def piece_drawing(lattice: Lattice, piece: Piece, number: int) -> SvgDrawing:
    """Return a drawing of a single piece in the colour of its number.

    A solid is seen from outside. Raises `PuzzleError` if the lattice has no pictures.
    """
    style = piece_style(number)
    if _has_solids(lattice):
        return SvgDrawing(*oblique(lattice, [("", piece.cells, style)]), piece.name)
    laid = layers(lattice, piece.cells)
    if laid.sticks:
        return _laid(laid, _strokes(laid, piece.name, piece.cells, style), piece.name)
    shapes = _shape(laid, "", piece.cells, style)
    return _laid(laid, shapes, piece.name, colours=piece.colours)


def cells_drawing(lattice: Lattice, cells: Cells) -> SvgDrawing:
    """Return a drawing of a region of an unknown puzzle: its outline and a faint grid.

    Raises `PuzzleError` if the lattice has no pictures.
    """
    if not cells:
        return SvgDrawing(SIDE, SIDE, (), "a region without cells")
    return solids_drawing(lattice, cells, (), (), f"a region of {how_many(len(cells), 'cell')}")


def blank_shapes(polygons: Collection[Polygon]) -> tuple[Element, ...]:
    """Return the path around `polygons` and the path of the lines between them."""
    return (
        element("path", class_="blank", d=outline(polygons)),
        element("path", class_="lines", d=inner_lines(polygons)),
    )


def solids_drawing(
    lattice: Lattice,
    region: Cells,
    solids: Solids,
    optional: Cells,
    title: str,
    alt_text: str = "",
    colours: Colouring = (),
) -> SvgDrawing:
    """Return a drawing of a region and of `solids` in it; empty `optional` cells have a dot."""
    covered = {cell for _, cells, _ in solids for cell in cells}
    if not lies_in_layers(lattice):
        is_empty = all(style == "fixed" for _, _, style in solids)
        blank = ("", tuple(cell for cell in sorted(region) if cell not in covered), "blank")
        drawing = SvgDrawing(
            *oblique(lattice, [*solids, blank] if is_empty else solids), title, alt_text
        )
        return with_legend(drawing, ((name, style) for name, _, style in solids))
    laid = layers(lattice, region)
    if isinstance(lattice, WrappedLattice):
        solids = [
            (name, part, style)
            for name, cells, style in solids
            for part in _parts(lattice.base, cells)
        ]
    if laid.sticks:
        path = "".join(f"M{at(begin)}L{at(end)}" for begin, end in laid.sticks.values())
        shapes = [element("path", class_="track", d=path)]
    else:
        shapes = [*blank_shapes(laid.polygons.values())]
    for cell in optional:
        if cell not in covered:
            x, y = (SIDE * along for along in centre(laid.polygons[cell]))
            shapes.append(element("circle", class_="empty", cx=x, cy=y, r=DOT))
    for piece in solids:
        shapes += (_strokes if laid.sticks else _shape)(laid, *piece)
    if isinstance(lattice, WrappedLattice):
        shapes.append(element("path", class_="seam", d=_seams(lattice, laid)))
    if laid.sticks:  # names come last, where no other piece hides them
        for name, cells, _ in solids:
            shapes += stroke_name(laid, name, cells)
    return _laid(laid, shapes, title, alt_text, colours)


def _parts(lattice: Lattice, cells: Cells) -> Iterator[Cells]:
    """Yield the connected parts of a piece that is cut at a seam."""
    left = set(cells)
    while left:
        part = [min(left)]
        left.discard(part[0])
        for cell in part:  # `part` grows during the loop
            near = left.intersection(lattice.neighbours(cell))
            left -= near
            part += sorted(near)
        yield tuple(part)


def _seams(lattice: WrappedLattice, laid: Layers) -> str:
    """Return the path of the sides at which the region wraps around."""
    path = ""
    for cell, polygon in laid.polygons.items():
        corners = [*map(rounded, lattice.footprint(cell).polygon)]
        for other in lattice.base.neighbours(cell):
            folded = tuple(lattice.reduced(np.array(other)).tolist())
            if folded == other or folded not in laid.polygons:
                continue
            beyond, layer, _ = lattice.footprint(other)
            common = [n for n, corner in enumerate(corners) if corner in {*map(rounded, beyond)}]
            if layer == laid.layer[cell] and len(common) == BOTH_ENDS:
                path += f"M{at(polygon[common[0]])}L{at(polygon[common[1]])}"
    return path


def _laid(
    laid: Layers,
    shapes: Iterable[Element],
    title: str,
    alt_text: str = "",
    colours: Colouring = (),
) -> SvgDrawing:
    """Return a drawing of shapes in layers, with the titles of the layers.

    The name of the colour of a cell is written near a corner, in at most `SIGN_LENGTH` characters.
    """
    titles = (
        element("text", title, class_="title", x=x * SIDE, y=(y + 0.7) * SIDE)
        for title, (x, y) in laid.titles
    )
    signs = []
    for cell, name in colour_of(colours).items():
        x, y = along(centre(laid.polygons[cell]), laid.polygons[cell][0], SIGN)
        place = {"x": x * SIDE, "y": y * SIDE + BELOW * FONTS[0]}
        signs.append(element("text", name[:SIGN_LENGTH], class_="sign", **place))
    size, scale = (laid.width * SIDE, laid.height * SIDE), EDGES_SCALE if laid.sticks else SCALE
    return SvgDrawing(*size, (*shapes, *titles, *signs), title, alt_text, scale)


def _coloured(solution: PackingSolution, numbers: Iterable[int]) -> Solids:
    placed = zip(solution.placed, numbers, strict=True)
    return [(name, cells, piece_style(number)) for (name, cells), number in placed]


def _listed(solution: PackingSolution) -> str:
    return "; ".join(f"{name} at {' '.join(map(str, cells))}" for name, cells in solution.placed)


def _shape(laid: Layers, name: str, cells: Cells, style: str) -> Iterator[Element]:
    """Yield the shapes of a piece, with its name as a tooltip and in each layer where it fits."""
    polygons = [laid.polygons[cell] for cell in cells]
    whole = style if style == "fixed" else f"piece {style}"
    title = element("title", name) if name else None
    yield element("path", title, class_=whole, d=outline(polygons))
    if hatched := hatching(style):
        yield element("path", class_=hatched, d="".join(map(hatch, polygons)))
    for plane in sorted({laid.layer[cell] for cell in cells}):
        place = place_in([laid.polygons[cell] for cell in cells if laid.layer[cell] == plane], name)
        if place is not None:
            size = f"font-size:{place.size:.3g}px"
            yield element("text", name, class_="letter", x=place.x, y=place.y, style=size)


def _strokes(laid: Layers, name: str, cells: Cells, style: str) -> Iterator[Element]:
    """Yield the border of a piece of edges, and its strokes with its name as a tooltip."""
    path = strokes([laid.sticks[cell] for cell in cells], wide=laid.wide)
    yield element("path", class_="stick-border", d=path)
    yield element("path", element("title", name), class_=f"stick {style}", d=path)
    if hatched := hatching(style, "stick-hatch"):
        yield element("path", class_=hatched, d=path)


def stroke_name(laid: Layers, name: str, cells: Cells) -> Iterator[Element]:
    """Yield the name of a piece along the edge nearest to its middle.

    Names of one character are upright. Names of more than three characters do not fit.
    """
    middles = {along(*laid.sticks[cell], 0.5): cell for cell in cells}
    across, down = (sum(axis) / len(cells) for axis in zip(*middles, strict=True))
    x, y = min(middles, key=lambda p: ((p[0] - across) ** 2 + (p[1] - down) ** 2, p))
    for font in FONTS[len(name) - 1 : len(name)]:
        place: dict[str, object] = {"x": x * SIDE, "y": y * SIDE + BELOW * font}
        if len(name) > 1:
            (x1, y1), (x2, y2) = laid.sticks[middles[x, y]]
            angle = round(math.degrees(math.atan2(y2 - y1, x2 - x1)), 1)
            # At least -90 and below 90 degrees, so that the text is not upside down.
            angle = (angle + 90) % 180 - 90
            place["transform"] = f"rotate({angle:g} {x * SIDE:g} {y * SIDE:g})"
        yield element("text", name, class_="stick-name", style=f"font-size:{font:g}px", **place)


def strokes(sticks: Collection[Stick], *, wide: bool) -> str:
    """Return the path of a piece of edges of length 1, with wide or narrow bends."""
    joints = WIDE if wide else NARROW
    edges = [(rounded(begin), rounded(end)) for begin, end in sticks]
    ends = defaultdict[Point, list[Point]](list)
    for begin, end in edges:
        ends[begin].append(end)
        ends[end].append(begin)
    starts, bends = dict[Stick, Point](), list[str]()
    for point, others in ends.items():
        begins, bend = _joined(point, others, joints)
        starts.update({(point, other): start for other, start in begins.items()})
        bends.append(bend)
    lines = (f"M{at(starts[begin, end])}L{at(starts[end, begin])}" for begin, end in edges)
    return "".join(chain(lines, bends))


def _joined(point: Point, others: list[Point], joints: Joints) -> tuple[dict[Point, Point], str]:
    """Return the starts of the edges from a vertex to `others`, and the path of their bend.

    The bend joins the two outermost edges, and the other edges begin at the middle of the bend.
    Edges that span half a turn or more begin at the vertex, without a bend. A single edge begins
    beside the vertex, without a bend.
    """
    if len(others) == 1:
        return {others[0]: along(point, others[0], joints.end)}, ""
    about = sorted((math.atan2(y - point[1], x - point[0]), (x, y)) for x, y in others)
    turned = (about[0][0] + math.tau, about[0][1])
    gap, last, first = max(
        (round(after - before, DIGITS), vertex, following)
        for (before, vertex), (after, following) in pairwise([*about, turned])
    )
    if gap <= round(math.pi, DIGITS):
        return dict.fromkeys(others, point), ""
    begin, end = (along(point, other, joints.bend) for other in (first, last))
    near, far = (along(point, other, joints.control) for other in (first, last))
    middle = along(along(begin, end, 0.5), along(near, far, 0.5), 0.75)
    starts = dict.fromkeys(others, middle) | {first: begin, last: end}
    return starts, f"M{at(begin)}C{at(near)} {at(far)} {at(end)}"


class _Face(NamedTuple):
    # Number of the piece.
    piece: int
    points: Array
    normal: Array
    # The points rounded, so that equal corners compare equal.
    corners: tuple[Corner, ...]

    def sides(self) -> list[frozenset[Corner]]:
        return [frozenset(side) for side in pairwise([*self.corners, self.corners[0]])]


def lies_in_layers(lattice: Lattice) -> bool:
    """Return True if cells have a footprint, and False if cells are drawn as solids.

    Raises `PuzzleError` if cells have neither a footprint nor faces.
    """
    try:
        lattice.footprint(lattice.fundamental_cells[0])
    except PuzzleError:
        if _has_solids(lattice):
            return False
        raise
    return True


def _has_solids(lattice: Lattice) -> bool:
    """Return True if the lattice is three-dimensional and its cells have faces."""
    with suppress(PuzzleError):
        return lattice.dimension == 3 and bool(lattice.solid(lattice.fundamental_cells[0]).faces)
    return False


def oblique(lattice: Lattice, solids: Solids) -> tuple[float, float, tuple[Element, ...]]:
    """Return the width and height of a drawing in units, and the shapes of the visible faces."""
    seen = sorted(
        (face for face in _outer_faces(lattice, solids) if face.normal @ TOWARDS > 0.1**DIGITS),
        key=lambda face: float((face.points @ TOWARDS).mean().round(DIGITS)),
    )
    beside = defaultdict[frozenset[Corner], list[int]](list)
    for turn, face in enumerate(seen):
        for side in face.sides():
            beside[side].append(turn)
    paper = LENGTH * np.stack([RIGHT, -UP], axis=1)
    flat = np.vstack([face.points @ paper for face in seen])
    corner = flat.min(axis=0)
    places = [[at(point) for point in (face.points @ paper - corner).tolist()] for face in seen]
    paths = [f"M{'L'.join(corners)}Z" for corners in places]
    shapes = list[Element]()
    for turn, face in enumerate(seen):
        # For each side, the other faces that continue the surface of the piece without a bend.
        onward = [
            [
                other
                for other in beside[side]
                if other != turn
                and seen[other].piece == face.piece
                and seen[other].normal @ face.normal > 1 - 0.1**DIGITS
            ]
            for side in face.sides()
        ]
        later = sorted(other for other in chain(*onward) if other > turn)
        path = "".join(paths[index] for index in (turn, *later))
        name, _, style = solids[face.piece]
        title = element("title", name) if name else None
        shapes.append(element("path", title, class_=f"face {style}", d=path))
        if style != "fixed" and (hatched := hatching(style)):
            polygon = tuple((x, y) for x, y in (face.points @ paper - corner).tolist())
            shapes.append(element("path", class_=hatched, d=hatch(polygon)))
        opacity = DARKEST * (1 - float(face.normal @ SUN)) / 2
        shapes.append(element("path", class_="shade", style=f"opacity:{opacity:.2f}", d=path))
        sides = zip(pairwise([*places[turn], places[turn][0]]), onward, strict=True)
        ridges = "".join(f"M{begin}L{end}" for (begin, end), others in sides if not others)
        if ridges:
            shapes.append(element("path", class_="ridge", d=ridges))
    width, height = (SIDE * (flat.max(axis=0) - corner)).tolist()
    return width, height, tuple(shapes)


def _outer_faces(lattice: Lattice, solids: Solids) -> list[_Face]:
    """Return the faces on the surface: faces that no two cells share."""
    found = defaultdict[frozenset[Corner], list[_Face]](list)
    for number, (_, cells, _) in enumerate(solids):
        for cell in cells:
            corners, faces = lattice.solid(cell)
            for face in faces:
                points = np.array([corners[corner] for corner in face])
                normal = np.cross(points[1] - points[0], points[2] - points[0])
                keys = tuple(tuple((point.round(DIGITS) + 0.0).tolist()) for point in points)
                drawn = _Face(number, points, normal / np.linalg.norm(normal), keys)
                found[frozenset(keys)].append(drawn)
    return [same[0] for same in found.values() if len(same) == 1]
