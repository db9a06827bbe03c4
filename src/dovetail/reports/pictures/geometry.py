"""Cells of a lattice as polygons on paper, paths around them, and places for names in them.

Layers z = 0, 1, … are side by side below their titles. In four dimensions, the layers of a row have
the same w. Lengths on paper are in sides of a square. The origin is at the top left, y points down,
and the corners of a polygon are in clockwise order. In lattices, y points up. Paths are SVG path
data; a side of a square has `SIDE` units of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.protocol import Cell, Cells, Lattice, Point
from dovetail.reports.elements import path_data

Polygon = tuple[Point, ...]
Stick = tuple[Point, Point]
Array = NDArray[np.float64]

SIDE = 40
TINY = 1e-6  # a length, shorter than any line
# Corners, and directions, that agree in these numbers of decimals are equal.
DIGITS, DIRECTION_DIGITS = 6, 3
COLUMNS = 32  # width of a row of layers in squares; further layers are in the next row
GAP = 1  # space between layers
TITLE, TITLE_CHARACTER = 1, 0.32  # height of a title, and generous average width of a letter
LARGEST, SMALLEST = 0.6 * SIDE, 0.25 * SIDE  # font sizes of names
AMPLE = 1.5 * LARGEST  # a place with room for this font is as good as a place with more room
CHARACTER, CAPITAL = 0.66, 0.7  # generous average width and height of a letter in font sizes
FILL = 0.9  # share of the room that a name may take; the rest is the border
BELOW = 0.35  # distance of the base line from the middle of a text, in font sizes


@dataclass(frozen=True)
class Layers:
    """Layout of the cells of a region on paper."""

    # Corners and layer of each cell, in the order of the region.
    polygons: dict[Cell, Polygon]
    layer: dict[Cell, Cell]
    # Titles of the layers and their places; none for a single layer.
    titles: tuple[tuple[str, Point], ...]
    width: float
    height: float
    # Ends of cells that are edges.
    sticks: dict[Cell, Stick]
    # True if bends are wide, because two pieces can turn around the same vertex.
    wide: bool


def layers(lattice: Lattice, region: Cells) -> Layers:
    """Return the layout of a region of at least one cell.

    Raises `PuzzleError` if the lattice has no pictures; the message names formats for solutions.
    """
    footprints = {cell: lattice.footprint(cell) for cell in region}
    planes = list(dict.fromkeys(footprint.layer for footprint in footprints.values()))
    names = [_title(plane) for plane in planes] if len(planes) > 1 else []
    xs, ys = zip(*(point for area in footprints.values() for point in area.polygon), strict=True)
    left, low = min(xs), min(ys)
    title_width = max((math.ceil(TITLE_CHARACTER * len(name)) for name in names), default=0)
    width = max(max(xs) - left, title_width)
    height = max(ys) - low + (TITLE if names else 0)
    corners = _corners(planes, width + GAP, height + GAP)
    polygons: dict[Cell, Polygon] = {}
    sticks: dict[Cell, Stick] = {}
    for cell, footprint in footprints.items():
        across, down = corners[footprint.layer]
        *polygon, begin, end = (
            (across + x - left, down + height - (y - low))
            for x, y in (*footprint.polygon, *(footprint.ends or footprint.polygon[:2]))
        )
        polygons[cell] = tuple(polygon)
        if footprint.ends:
            sticks[cell] = begin, end
    layer = {cell: footprint.layer for cell, footprint in footprints.items()}
    titles = tuple((_title(plane), corner) for plane, corner in corners.items()) if names else ()
    columns, rows = (max(axis) for axis in zip(*corners.values(), strict=True))
    wide = any(lattice.crossings((cell, *lattice.neighbours(cell))) for cell in region[:1])
    return Layers(polygons, layer, titles, columns + width, rows + height, sticks, wide)


def _corners(planes: list[Cell], width: float, height: float) -> dict[Cell, Point]:
    """Return the upper left corner of each layer.

    The layers of a row have the same w. A row of several layers is at most `COLUMNS` squares wide.
    """
    side_by_side = max(1, int((COLUMNS + GAP) // width))
    corners: dict[Cell, Point] = {}
    row = 0
    in_order = sorted(planes, key=lambda plane: plane[::-1])
    for _, same_w in groupby(in_order, key=lambda plane: plane[1:]):
        for number, plane in enumerate(same_w):
            down, column = divmod(number, side_by_side)
            corners[plane] = column * width, (row + down) * height
        row += down + 1
    return corners


def _title(plane: Cell) -> str:
    return ", ".join(f"{axis} = {value}" for axis, value in zip("zw", plane, strict=False))


def square(column: int, row: int) -> Polygon:
    """Return the square whose upper left corner has these coordinates."""
    return (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)


def centre(polygon: Polygon) -> Point:
    """Return the mean of the corners of a polygon."""
    x, y = (sum(axis) / len(polygon) for axis in zip(*polygon, strict=True))
    return x, y


def along(begin: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from `begin` to `end`."""
    return begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])


def hatch(polygon: Polygon) -> str:
    """Return the path of diagonal lines across a convex polygon.

    Along x and along y, the lines are half the side of a square apart.
    """
    lowest, highest = min(map(sum, polygon)), max(map(sum, polygon))
    lines = ""
    for twice in range(math.floor(2 * lowest + TINY) + 1, math.ceil(2 * highest - TINY)):
        crossed = []
        for begin, end in pairwise([*polygon, polygon[0]]):
            before, after = sum(begin) - twice / 2, sum(end) - twice / 2
            if before * after <= 0:
                crossed.append(along(begin, end, before / (before - after)))
        (x, y), (to_x, to_y) = min(crossed), max(crossed)
        lines += f"M{at((x, y))}l{at((to_x - x, to_y - y))}"
    return lines


def hatching(style: str, kind: str = "hatch") -> str:
    """Return the CSS classes of the hatching of a piece with the classes `style`; "" for none."""
    pattern = style.partition(" ")[2]
    return f"{kind} {pattern}" if pattern else kind if style == "fixed" else ""


def in_units(length: float) -> str:
    """Return a length in units of the drawing, with at most two decimals."""
    return f"{round(SIDE * length, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def at(point: Point) -> str:
    """Return the coordinates of a point in units of the drawing."""
    return f"{in_units(point[0])} {in_units(point[1])}"


def outline(polygons: Iterable[Polygon]) -> str:
    """Return the closed path along the boundary of `polygons` and of their holes.

    Polygons that touch only at a corner have separate loops.
    """
    path = ""
    for loop in _loops(sides_of(polygons)):
        corners = ([in_units(x), in_units(y)] for x, y in loop)
        path += f"{path_data(corners, ' ')}Z"
    return path


def inner_lines(polygons: Iterable[Polygon]) -> str:
    """Return the path of all sides that two of `polygons` share; collinear sides are joined."""
    sides = sides_of(polygons)
    by_direction: dict[float, dict[Point, Point]] = {}
    for begin, end in sides:
        direction = _angle(begin, end)
        if (end, begin) in sides and 0 <= direction < math.pi:
            by_direction.setdefault(round(direction, DIRECTION_DIGITS), {})[begin] = end
    path = ""
    for direction, following in sorted(by_direction.items()):
        upright = direction == round(math.pi / 2, DIRECTION_DIGITS)
        heads = following.keys() - following.values()
        for head in sorted(heads, key=lambda p: p if upright else p[::-1]):
            end = head
            while end in following:
                end = following[end]
            across, down = end[0] - head[0], end[1] - head[1]
            step = f"h{in_units(across)}" if down == 0 else f"l{at((across, down))}"
            path += f"M{at(head)}{f'v{in_units(down)}' if across == 0 else step}"
    return path


def rounded(point: Point) -> Point:
    """Return a point rounded to `DIGITS` decimals, so that equal points compare equal."""
    return round(point[0], DIGITS), round(point[1], DIGITS)


def sides_of(polygons: Iterable[Polygon]) -> dict[Stick, None]:
    """Return all sides as keys, each from a corner of a polygon to the next corner clockwise."""
    found: dict[Stick, None] = {}
    for polygon in sorted(polygons):
        corners = list(map(rounded, polygon))
        found.update(dict.fromkeys(zip(corners, [*corners[1:], corners[0]], strict=True)))
    return found


def _loops(sides: Collection[Stick]) -> Iterator[list[Point]]:
    """Yield the corners at which the boundary of polygons with these `sides` turns, by loop."""
    onward: dict[Point, list[Point]] = {}
    for begin, end in sides:
        if (end, begin) not in sides:
            onward.setdefault(begin, []).append(end)
    while onward:
        yield list(_turning_points(_loop(onward)))


def _loop(onward: dict[Point, list[Point]]) -> list[Point]:
    """Remove a closed walk along the boundary from `onward` and return its corners.

    At a corner where polygons touch, the walk turns right to stay at the same polygon.
    """
    start = corner = next(iter(onward))
    heading = _angle(corner, onward[corner][0])
    walk: list[Point] = []
    while corner != start or not walk:
        walk.append(corner)
        ways = onward[corner]
        turns = [_turn(heading, _angle(corner, way)) for way in ways]
        chosen = ways.pop(turns.index(max(turns)))
        if not ways:
            del onward[corner]
        corner, heading = chosen, _angle(corner, chosen)
    return walk


def _turning_points(loop: list[Point]) -> Iterator[Point]:
    """Yield the corners at which a closed walk changes its direction."""
    for before, corner, after in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        if abs(_turn(_angle(before, corner), _angle(corner, after))) > 0.1**DIRECTION_DIGITS:
            yield corner


def _angle(begin: Point, end: Point) -> float:
    """Return the direction from a point to another in radians: 0 to the right, π / 2 down."""
    return math.atan2(end[1] - begin[1], end[0] - begin[0])


def _turn(heading: float, onward: float) -> float:
    """Return the clockwise turn from `heading` to `onward` in radians, at least −π and below π."""
    return (onward - heading + math.pi) % math.tau - math.pi


@dataclass(frozen=True)
class TextPlace:
    """The middle of the base line of a text, and the size of its font."""

    x: float
    y: float
    size: float


def place_in(polygons: Collection[Polygon], text: str) -> TextPlace | None:
    """Return the place of a text in a shape of cells; None without text, cells or enough room.

    The text is as large as possible. Among places with equal room, the middle of a cell is better
    than a side or a corner between cells. Of several such places, the place nearest to the middle
    of the shape is the best.
    """
    if not polygons or not text:
        return None
    left, top = (min(axis) for axis in zip(*(p for cell in polygons for p in cell), strict=True))
    moved = tuple(
        tuple(rounded((x - left, y - top)) for x, y in polygon) for polygon in sorted(polygons)
    )
    place = _place(moved, text)
    return place and TextPlace(place.x + left * SIDE, place.y + top * SIDE, place.size)


@lru_cache(4096)  # the same placements recur in many solutions
def _place(polygons: tuple[Polygon, ...], text: str) -> TextPlace | None:
    """Return the place of a text in a shape whose least coordinates are 0."""
    sides = sides_of(polygons)
    # Few long sides: a row for each side of a cell would need gigabytes for a large shape.
    outer = [side for loop in _loops(sides) for side in pairwise([*loop, loop[0]])]
    edge = {corner for side in sides if side[::-1] not in sides for corner in side}
    cells = [centre(polygon) for polygon in polygons]
    between = {
        rounded(((x + to_x) / 2, (y + to_y) / 2))
        for (x, y), (to_x, to_y) in sides
        if ((to_x, to_y), (x, y)) in sides
    }
    corners = {begin for begin, _ in sides} - edge
    places = np.array([*cells, *sorted(between | corners)])
    sizes = np.minimum(AMPLE, FILL * SIDE * _largest_fonts(places, np.array(outer), text))
    away = ((places - np.mean(cells, axis=0)) ** 2).sum(axis=1)
    in_cell = np.arange(len(places)) < len(cells)
    rows = zip(sizes.round(DIGITS), ~in_cell, away.round(DIGITS), places, strict=True)
    size, _, _, (x, y) = min(rows, key=lambda row: (-row[0], row[1], row[2], row[3][1], row[3][0]))
    if size < SMALLEST:
        return None
    shown = min(LARGEST, float(size))
    return TextPlace(float(x) * SIDE, float(y) * SIDE + BELOW * shown, shown)


def _largest_fonts(places: Array, outer: Array, text: str) -> Array:
    """Return the largest font at each place with which a text stays clear of all sides.

    Fonts are in sides of a square. `places`, shape (n, 2), are the middles of the text; `outer`,
    shape (m, 2, 2), are the ends of the sides. A growing box of text reaches a point at the font
    max(|x|, |y|), where x and y are the distances from the place in half widths and half heights of
    a box of font 1. Both distances are linear along a side, so the least font of a side is at an
    end, where x or y is 0, or where |x| = |y|.
    """
    half = np.array([CHARACTER * len(text), CAPITAL]) / 2
    begin = (outer[None, :, 0] - places[:, None]) / half
    along = (outer[:, 1] - outer[:, 0])[None] / half
    equal = np.stack([begin.sum(axis=2), begin[..., 0] - begin[..., 1]], axis=2)
    slope = np.stack([along.sum(axis=2), along[..., 0] - along[..., 1]], axis=2)
    above = np.concatenate([begin, equal], axis=2)
    below = np.broadcast_to(np.concatenate([along, slope], axis=2), above.shape)
    zero = np.divide(-above, below, out=np.zeros_like(above), where=np.abs(below) > 0.1**DIGITS)
    ends = np.broadcast_to([0.0, 1.0], (*above.shape[:2], 2))
    shares = np.concatenate([zero.clip(0, 1), ends], axis=2)[..., None]
    distance = np.abs(begin[:, :, None] + shares * along[:, :, None]).max(axis=3)
    nearest: Array = distance.min(axis=(1, 2))
    return nearest
