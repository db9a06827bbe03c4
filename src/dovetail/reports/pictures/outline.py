"""Paths around squares and the lines within: SVG path data, one for a whole shape.

Lengths are in units of the drawing, `SIDE` of which are the side of a square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from dovetail.reports.pictures.layers import Square

SIDE = 40

# From a corner to the next with the shape on the right hand; the order is that of turning right.
_RIGHT, _DOWN, _LEFT, _UP = (1, 0), (0, 1), (-1, 0), (0, -1)
_TURNS = (_RIGHT, _DOWN, _LEFT, _UP)


def outline(squares: Collection[Square]) -> str:
    """The path along the boundary of `squares`, holes included; it is filled as they are.

    Squares that touch in a corner only are gone around one by one.
    """
    sides = _boundary(set(squares))
    loops = []
    while sides:
        loops.append(_loop(sides))
    return "".join(f"M{_corners(loop)}Z" for loop in loops)


def inner_lines(squares: Collection[Square]) -> str:
    """The path of all lines between two of `squares`, those in a row being one."""
    inside = set(squares)
    across = {(x, y) for x, y in inside if (x, y - 1) in inside}
    down = {(x, y) for x, y in inside if (x - 1, y) in inside}
    lines = [f"M{x * SIDE} {y * SIDE}h{length * SIDE}" for x, y, length in runs(across)]
    turned = {(y, x) for x, y in down}
    lines += [f"M{x * SIDE} {y * SIDE}v{length * SIDE}" for y, x, length in runs(turned)]
    return "".join(lines)


def runs(squares: set[Square]) -> Iterator[tuple[int, int, int]]:
    """Squares side by side: (column, row) where each run begins, and how long it is."""
    for x, y in sorted(squares, key=lambda square: square[::-1]):
        if (x - 1, y) in squares:
            continue
        length = 1
        while (x + length, y) in squares:
            length += 1
        yield x, y, length


def _boundary(inside: set[Square]) -> dict[Square, list[Square]]:
    """From each corner on the boundary in which directions it goes on."""
    sides: dict[Square, list[Square]] = {}
    for x, y in sorted(inside):
        if (x, y - 1) not in inside:
            sides.setdefault((x, y), []).append(_RIGHT)
        if (x + 1, y) not in inside:
            sides.setdefault((x + 1, y), []).append(_DOWN)
        if (x, y + 1) not in inside:
            sides.setdefault((x + 1, y + 1), []).append(_LEFT)
        if (x - 1, y) not in inside:
            sides.setdefault((x, y + 1), []).append(_UP)
    return sides


def _loop(sides: dict[Square, list[Square]]) -> list[tuple[Square, Square]]:
    """Take one closed walk out of `sides`: the corners where it turns, and whereto."""
    start = corner = next(iter(sides))
    heading = sides[corner][0]
    walk: list[tuple[Square, Square]] = []
    while True:
        ways = sides[corner]
        # Where two squares touch in a corner, turning right stays with the one walked along.
        turn = (_TURNS.index(heading) + 1) % 4
        chosen = _TURNS[turn] if _TURNS[turn] in ways else ways[0]
        ways.remove(chosen)
        if not ways:
            del sides[corner]
        if not walk or chosen != walk[-1][1]:
            walk.append((corner, chosen))
        corner, heading = (corner[0] + chosen[0], corner[1] + chosen[1]), chosen
        if corner == start:
            return walk


def _corners(walk: list[tuple[Square, Square]]) -> str:
    """The corners of a walk as absolute moves along one axis at a time."""
    (x, y), _ = walk[0]
    path = f"{x * SIDE} {y * SIDE}"
    for (_, before), ((x, y), _) in pairwise(walk):
        path += f"H{x * SIDE}" if before[0] else f"V{y * SIDE}"
    return path
