"""Styles of series in charts: they differ in colour, in the shape of marks and in dashes.

The colours are classes, which the page defines for light and dark (`style.css`): eight that were
sought by computer as those of `pictures.palette` were, so that the least difference between two of
them is as large as can be to usual eyes and to those with deuteranopia, protanopia or tritanopia,
each with a contrast of 3 or more to the paper. Their order keeps those most alike apart.

Shapes and dashes go on from each series to the next, and by one more after eight, when colours
come again: the first 32 series differ in their lines, the first 64 in their marks.
"""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element

from dovetail.reports.elements import element

COLOURS = 8
DASHES = 4  # the first of which is a line without gaps
RADIUS = 3.2


def series_class(style: int) -> str:
    """The class that colours the series numbered `style`."""
    return f"series-{style % COLOURS}"


def line_class(style: int) -> str:
    """The classes of its strokes."""
    dashes = _cycle(style) % DASHES
    return f"line {series_class(style)}" + (f" dashes-{dashes}" if dashes else "")


def mark(style: int, x: float, y: float, *, hollow: bool, tooltip: str | None = None) -> Element:
    """The mark of the series numbered `style` at a place; pointing at it shows the `tooltip`."""
    return element(
        "path",
        element("title", tooltip) if tooltip else None,
        class_=f"mark {series_class(style)}{' hollow' if hollow else ''}",
        data_series=style,
        d=_SHAPES[_cycle(style) % len(_SHAPES)],
        transform=f"translate({x:.2f} {y:.2f})",
    )


def _cycle(style: int) -> int:
    """Return the number of the shape and of the dashes: another one when a colour comes again."""
    return style + style // COLOURS


def _circle() -> str:
    """Two half circles, the second back to where the first began."""
    half = f"a{RADIUS},{RADIUS} 0 1,0"
    return f"M{-RADIUS},0{half} {2 * RADIUS},0{half} {-2 * RADIUS},0Z"


def _polygon(corners: int, turn: float, inner: float | None = None) -> str:
    """A polygon about the origin, its first corner `turn` of a circle from the right.

    With `inner`, a star whose notches lie at that share of the radius.
    """
    radii = [1.2] if inner is None else [1.35, 1.35 * inner]
    count = corners * len(radii)
    points = []
    for number in range(count):
        angle = 2 * math.pi * (turn + number / count)
        radius = RADIUS * radii[number % len(radii)]
        points.append(f"{radius * math.cos(angle):.2f},{-radius * math.sin(angle):.2f}")
    return "M" + "L".join(points) + "Z"


_SHAPES = (
    _circle(),
    _polygon(4, 1 / 8),
    _polygon(3, 1 / 4),
    _polygon(4, 0),
    _polygon(3, 3 / 4),
    _polygon(5, 1 / 4, inner=0.45),
    _polygon(4, 0, inner=0.35),
    _polygon(4, 1 / 8, inner=0.35),
)
