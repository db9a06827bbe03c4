"""Where a name has room within a shape."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dovetail.models.lattice import Point
from dovetail.reports.pictures.layers import Polygon
from dovetail.reports.pictures.outline import DIGITS, SIDE

LARGEST, SMALLEST = 0.6 * SIDE, 0.25 * SIDE
CHARACTER = 0.66  # the width of a letter, by the size of the font, on average and amply
ROOM = 0.9  # of a cell, the rest being its border
BELOW = 0.35  # how far the base line lies below the middle of a text, by the size of the font


@dataclass(frozen=True)
class Place:
    """The middle of a text's base line, and the size of its font."""

    x: float
    y: float
    size: float


def place_in(polygons: Collection[Polygon], text: str) -> Place | None:
    """The place of `text` in a row of cells, as large and then as central as can be.

    None where it would be too small to read.
    """
    if not polygons or not text:
        return None
    # Single cells come besides whole rows: a letter needs no more, and stands in its middle.
    circles = [_inscribed(polygon) for polygon in polygons]
    across, down = (sum(axis) / len(circles) for axis in list(zip(*circles, strict=True))[:2])

    def rated(room: tuple[float, float, float]) -> tuple[float, float, float, float]:
        x, y, width = room
        distance = (x - across) ** 2 + (y - down) ** 2
        return -_size(text, width), distance, y, x

    x, y, width = min([*circles, *_rows(circles)], key=rated)
    size = _size(text, width)
    if size < SMALLEST:
        return None
    return Place(x * SIDE, y * SIDE + BELOW * size, size)


def centre(polygon: Polygon) -> Point:
    """The middle of a polygon's corners."""
    x, y = (sum(axis) / len(polygon) for axis in zip(*polygon, strict=True))
    return x, y


def _inscribed(polygon: Polygon) -> tuple[float, float, float]:
    """The centre and the diameter of a circle that has room in a cell."""
    x, y = centre(polygon)
    nearest = min(
        abs((x - a) * (d - b) - (y - b) * (c - a)) / math.hypot(c - a, d - b)
        for (a, b), (c, d) in pairwise([*polygon, polygon[0]])
    )
    return x, y, round(2 * nearest, DIGITS)


def _rows(
    circles: Sequence[tuple[float, float, float]],
) -> Iterator[tuple[float, float, float]]:
    """Circles of one size that touch side by side: the middle of each row, and its width."""
    at = {(round(x, DIGITS), round(y, DIGITS), width) for x, y, width in circles}
    for x, y, width in at:
        if (round(x - width, DIGITS), y, width) in at:
            continue
        length = 1
        while (round(x + length * width, DIGITS), y, width) in at:
            length += 1
        yield x + (length - 1) * width / 2, y, length * width


def _size(text: str, width: float) -> float:
    """The size of the font that lets `text` fit into so many sides of a square."""
    return min(LARGEST, ROOM * SIDE * width / (CHARACTER * len(text)))
