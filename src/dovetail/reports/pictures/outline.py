"""Paths around polygons and the lines between them: SVG path data, one for a whole shape.

Polygons have their corners clockwise, y pointing downward, in sides of a square; paths are in units
of the drawing, `SIDE` of which are such a side. Those that have a side in common have both its
corners in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from dovetail.models.lattices.protocol import Point
from dovetail.reports.pictures.layers import Polygon

SIDE = 40

# Corners that agree to so many digits behind the point are the same, and so are directions, which
# are less exact.
DIGITS, DIRECTION_DIGITS = 6, 3


def square(column: int, row: int) -> Polygon:
    """The square whose upper left corner has these coordinates."""
    return (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)


def outline(polygons: Iterable[Polygon]) -> str:
    """The path along the boundary of `polygons`, holes included; it is filled as they are.

    Polygons that touch in a corner only are gone around one by one.
    """
    onward = _boundary(polygons)
    loops = []
    while onward:
        loops.append(_loop(onward))
    return "".join(f"{_path(_turning_points(loop))}Z" for loop in loops)


def inner_lines(polygons: Iterable[Polygon]) -> str:
    """The path of all sides between two of `polygons`, those in a row being one line."""
    found = sides(polygons)
    by_direction: dict[float, dict[Point, Point]] = {}
    for begin, end in found:
        direction = _angle(begin, end)
        if (end, begin) in found and 0 <= direction < math.pi:
            by_direction.setdefault(round(direction, DIRECTION_DIGITS), {})[begin] = end
    lines = []
    for direction, following in sorted(by_direction.items()):
        upright = direction == round(math.pi / 2, DIRECTION_DIGITS)
        heads = sorted(
            following.keys() - following.values(), key=lambda p: p if upright else p[::-1]
        )
        for head in heads:
            end = head
            while end in following:
                end = following[end]
            lines.append((head, end))
    return "".join(
        f"M{in_units(x)} {in_units(y)}{_step(to_x - x, to_y - y)}" for (x, y), (to_x, to_y) in lines
    )


def on_line(polygon: Polygon, across: Point, at: float) -> Iterator[Point]:
    """Where the sides of a polygon meet the line a x + b y = `at`, with (a, b) `across` it.

    A side that lies on the line meets it at its ends.
    """
    a, b = across
    for (x, y), (to_x, to_y) in pairwise([*polygon, polygon[0]]):
        begin, end = a * x + b * y - at, a * to_x + b * to_y - at
        if begin == end == 0:
            yield from ((x, y), (to_x, to_y))
        elif begin * end <= 0:
            share = begin / (begin - end)
            yield x + share * (to_x - x), y + share * (to_y - y)


def in_units(length: float) -> str:
    """A length in units of the drawing, with as many digits as a picture needs."""
    return f"{round(SIDE * length, 2):.2f}".rstrip("0").rstrip(".")


def sides(polygons: Iterable[Polygon]) -> dict[tuple[Point, Point], None]:
    """All sides, from a corner to the next with the polygon on the right hand, from the left on."""
    found: dict[tuple[Point, Point], None] = {}
    for polygon in sorted(polygons):
        corners = [(round(x, DIGITS), round(y, DIGITS)) for x, y in polygon]
        found.update(dict.fromkeys(zip(corners, [*corners[1:], corners[0]], strict=True)))
    return found


def _boundary(polygons: Iterable[Polygon]) -> dict[Point, list[Point]]:
    """From each corner on the boundary to which ones it goes on."""
    found = sides(polygons)
    onward: dict[Point, list[Point]] = {}
    for begin, end in found:
        if (end, begin) not in found:
            onward.setdefault(begin, []).append(end)
    return onward


def _loop(onward: dict[Point, list[Point]]) -> list[Point]:
    """Take one closed walk out of the boundary: its corners.

    Where polygons touch in a corner, turning right stays with the one walked along.
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
    """The corners at which a closed walk changes its direction."""
    for before, corner, after in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        if abs(_turn(_angle(before, corner), _angle(corner, after))) > 0.1**DIRECTION_DIGITS:
            yield corner


def _path(corners: Iterable[Point]) -> str:
    """The corners of a walk as absolute moves, along one axis where they can be."""
    path, before = "", None
    for x, y in corners:
        if before is None:
            path = f"M{in_units(x)} {in_units(y)}"
        elif y == before[1]:
            path += f"H{in_units(x)}"
        elif x == before[0]:
            path += f"V{in_units(y)}"
        else:
            path += f"L{in_units(x)} {in_units(y)}"
        before = x, y
    return path


def _step(across: float, down: float) -> str:
    """A relative move, along one axis where it can be."""
    if down == 0:
        return f"h{in_units(across)}"
    return f"v{in_units(down)}" if across == 0 else f"l{in_units(across)} {in_units(down)}"


def _angle(begin: Point, end: Point) -> float:
    """The direction from a point to another, 0 to the right and growing to the right hand."""
    return math.atan2(end[1] - begin[1], end[0] - begin[0])


def _turn(heading: float, onward: float) -> float:
    """By how much a direction is to the right of another, from −π up to π."""
    return (onward - heading + math.pi) % math.tau - math.pi
