"""Edges drawn as strokes: a piece bends where it turns, and ends short of a vertex.

So pieces that meet in a vertex lie beside one another. A piece whose edges lie within less than
half a turn is drawn away from the vertex, so far that there is room for a piece that does the same
on the other side; an end stops where there is room for a piece that bends around it. Borders of
pieces that do not cross do not touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, pairwise
from math import atan2, pi, tau
from typing import NamedTuple
from xml.etree.ElementTree import Element

from dovetail.models.lattices.protocol import Cells, Point
from dovetail.reports.elements import element
from dovetail.reports.pictures.labels import BELOW
from dovetail.reports.pictures.layers import Layers, Stick
from dovetail.reports.pictures.outline import DIGITS, SIDE, in_units


class Joints(NamedTuple):
    """How far from a vertex, in edges: where pieces end, bends begin, and their control points."""

    end: float
    bend: float
    control: float


WIDE = Joints(0.355, 0.37, 0.22)  # with room for another piece that bends
NARROW = Joints(0.29, 0.12, 0.0)
FONTS = (7.0, 6.0, 5.0)  # of names that are written on pieces, by their length: within a stroke


def track(sticks: Collection[Stick]) -> Element:
    """The edges of a region, whatever lies on them."""
    path = "".join(f"M{_at(begin)}L{_at(end)}" for begin, end in sticks)
    return element("path", class_="track", d=path)


def stick_shapes(laid: Layers, name: str, cells: Cells, style: str) -> Iterator[Element]:
    """Yield a piece: its border, and its strokes with its name as a tooltip."""
    path = strokes([laid.sticks[cell] for cell in cells], wide=laid.wide)
    yield element("path", class_="stick-border", d=path)
    yield element("path", element("title", name), class_=f"stick {style}", d=path)
    if style == "fixed":
        yield element("path", class_="stick-hatch", d=path)


def stick_names(laid: Layers, named: Iterable[tuple[str, Cells]]) -> Iterator[Element]:
    """Yield the names of pieces, each along the edge nearest to the middle of its piece.

    Names of one letter stand upright.
    """
    for name, cells in named:
        middles = {_middle(*laid.sticks[cell]): cell for cell in cells}
        across, down = (sum(axis) / len(cells) for axis in zip(*middles, strict=True))
        x, y = min(middles, key=lambda one: ((one[0] - across) ** 2 + (one[1] - down) ** 2, one))
        for font in FONTS[len(name) - 1 : len(name)]:
            at: dict[str, object] = {"x": x * SIDE, "y": y * SIDE + BELOW * font}
            if len(name) > 1:
                angle = _slope(*laid.sticks[middles[x, y]])
                at["transform"] = f"rotate({angle:g} {x * SIDE:g} {y * SIDE:g})"
            yield element("text", name, class_="stick-name", style=f"font-size:{font:g}px", **at)


def strokes(sticks: Collection[Stick], *, wide: bool) -> str:
    """The path of a piece on these edges, one unit long each, with `wide` bends or narrow ones."""
    joints = WIDE if wide else NARROW
    ends = defaultdict[Point, list[Point]](list)
    for begin, end in sticks:
        ends[_rounded(begin)].append(_rounded(end))
        ends[_rounded(end)].append(_rounded(begin))
    starts, bends = dict[Stick, Point](), list[str]()
    for point, others in ends.items():
        at, bend = _joined(point, others, joints)
        starts.update({(point, other): start for other, start in at.items()})
        bends.append(bend)
    lines = (
        f"M{_at(starts[_rounded(begin), _rounded(end)])}"
        f"L{_at(starts[_rounded(end), _rounded(begin)])}"
        for begin, end in sticks
    )
    return "".join(chain(lines, bends))


def _joined(point: Point, others: list[Point], joints: Joints) -> tuple[dict[Point, Point], str]:
    """Where the edges from a vertex to `others` begin, and the path of the bend between them.

    The two edges that the rest lie between are bent, and the rest begin in the middle of the bend.
    """
    if len(others) == 1:
        return {others[0]: _along(point, others[0], joints.end)}, ""
    about = sorted((atan2(y - point[1], x - point[0]), (x, y)) for x, y in others)
    turned = (about[0][0] + tau, about[0][1])
    gap, last, first = max(
        (round(after - before, DIGITS), one, other)
        for (before, one), (after, other) in pairwise([*about, turned])
    )
    if gap <= round(pi, DIGITS):
        return dict.fromkeys(others, point), ""
    begin, near, far, end = (
        _along(point, other, share)
        for other, share in (
            (first, joints.bend),
            (first, joints.control),
            (last, joints.control),
            (last, joints.bend),
        )
    )
    middle = _along(_middle(begin, end), _middle(near, far), 0.75)
    starts = dict.fromkeys(others, middle) | {first: begin, last: end}
    return starts, f"M{_at(begin)}C{_at(near)} {_at(far)} {_at(end)}"


def _slope(begin: Point, end: Point) -> float:
    """The direction of an edge in degrees, from -90 on, in which text along it is not overhead."""
    angle = round(atan2(end[1] - begin[1], end[0] - begin[0]) * 180 / pi, 1)
    return (angle + 90) % 180 - 90


def _along(begin: Point, end: Point, share: float) -> Point:
    """The point so far on the way from one to another."""
    return begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])


def _middle(begin: Point, end: Point) -> Point:
    return _along(begin, end, 0.5)


def _rounded(point: Point) -> Point:
    return round(point[0], DIGITS), round(point[1], DIGITS)


def _at(point: Point) -> str:
    return f"{in_units(point[0])} {in_units(point[1])}"
