"""What series look like in charts: told apart by shape and by colours that most people can.

The colours are classes, which the page defines for light and dark (`style.css`): eight after
Okabe and Ito 2008, told apart with any of the common kinds of colour blindness. After eight series
colours come again, each with the next shape and another pattern of dashes.
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
    dashes = style // COLOURS % DASHES
    return f"line {series_class(style)}" + (f" dashes-{dashes}" if dashes else "")


def mark(style: int, x: float, y: float, *, hollow: bool, said: str | None = None) -> Element:
    """The mark of the series numbered `style` at a place; `said` is shown when pointed at."""
    return element(
        "path",
        element("title", said) if said else None,
        class_=f"mark {series_class(style)}{' hollow' if hollow else ''}",
        d=_SHAPES[(style + style // COLOURS) % len(_SHAPES)],
        transform=f"translate({x:.2f} {y:.2f})",
    )


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
