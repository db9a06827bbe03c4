"""Edges drawn as strokes: a piece bends where it turns, and ends short of a vertex.

So pieces that meet in a vertex lie beside one another: where one turns there is room for another,
if the lattice has room for two there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from xml.etree.ElementTree import Element

from dovetail.models.lattices.protocol import Cells, Point
from dovetail.reports.elements import element
from dovetail.reports.pictures.layers import Layers, Stick
from dovetail.reports.pictures.outline import DIGITS, SIDE, in_units

END = 0.29  # how far from a vertex a piece ends
WIDE, NARROW = 0.35, 0.12  # how far from it a bend begins, with room for another and without
PULL = 0.4  # how far a wide bend is drawn away from its vertex, by the way to its chord
STRAIGHT = 1e-3
FONTS = (15.0, 12.0, 10.0)  # of names that are written on pieces, by their length


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
    """Yield the names of pieces, each on the edge nearest to the middle of its piece."""
    for name, cells in named:
        middles = [_middle(*laid.sticks[cell]) for cell in cells]
        across, down = (sum(axis) / len(cells) for axis in zip(*middles, strict=True))
        x, y = min(middles, key=lambda one: ((one[0] - across) ** 2 + (one[1] - down) ** 2, one))
        for font in FONTS[len(name) - 1 : len(name)]:
            at = {"x": x * SIDE, "y": y * SIDE + 0.35 * font}
            yield element("text", name, class_="stick-name", style=f"font-size:{font:g}px", **at)


def strokes(sticks: Collection[Stick], *, wide: bool) -> str:
    """The path of a piece on these edges, one unit long each, with `wide` bends or narrow ones."""
    turn = WIDE if wide else NARROW
    ends = defaultdict[Point, list[Point]](list)
    for begin, end in sticks:
        ends[_rounded(begin)].append(end)
        ends[_rounded(end)].append(begin)
    short = {point: _shortened(point, others, turn) for point, others in ends.items()}
    lines = (
        f"M{_at(_along(begin, end, short[_rounded(begin)]))}"
        f"L{_at(_along(end, begin, short[_rounded(end)]))}"
        for begin, end in sticks
    )
    bends = (_bend(point, ends[point], turn) for point, by in short.items() if by == turn)
    return "".join(chain(lines, bends))


def _shortened(point: Point, others: list[Point], turn: float) -> float:
    """How far from a vertex the strokes of the edges that end there begin."""
    if len(others) == 1:
        return END
    return turn if len(others) == 2 and _cosine(point, *others) > STRAIGHT - 1 else 0.0


def _bend(point: Point, others: list[Point], turn: float) -> str:
    """A curve about a vertex from one of two edges to the other."""
    begin, end = (_along(point, other, turn) for other in others)
    control = _along(point, _middle(begin, end), PULL if turn == WIDE else 0.0)
    return f"M{_at(begin)}Q{_at(control)} {_at(end)}"


def _cosine(point: Point, one: Point, other: Point) -> float:
    """Of the angle between two edges of length 1 at their vertex."""
    return sum((a - p) * (b - p) for p, a, b in zip(point, one, other, strict=True))


def _along(begin: Point, end: Point, share: float) -> Point:
    """The point so far on the way from one to another."""
    return begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])


def _middle(begin: Point, end: Point) -> Point:
    return _along(begin, end, 0.5)


def _rounded(point: Point) -> Point:
    return round(point[0], DIGITS), round(point[1], DIGITS)


def _at(point: Point) -> str:
    return f"{in_units(point[0])} {in_units(point[1])}"
