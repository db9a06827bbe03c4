"""Where a name has room within a shape."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.protocol import Point
from dovetail.reports.pictures.layers import Polygon
from dovetail.reports.pictures.outline import SIDE, sides

LARGEST, SMALLEST = 0.6 * SIDE, 0.25 * SIDE
AMPLE = 1.5 * LARGEST  # with room for this a place is as good as with room for more
CHARACTER = 0.66  # the width of a letter, by the size of the font, on average and amply
CAPITAL = 0.7  # its height
FILL = 0.9  # of the room that there is, the rest being the border
BELOW = 0.35  # how far the base line lies below the middle of a text, by the size of the font
DIGITS = 6  # sizes and places that agree to so many behind the point are the same

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """The middle of a text's base line, and the size of its font."""

    x: float
    y: float
    size: float


def place_in(polygons: Collection[Polygon], text: str) -> Place | None:
    """The place of `text` in a shape of cells, as large and then as central as can be.

    It stands in the middle of a cell, or else of a side or in a corner between cells, where it has
    more room. None where it would be too small to read.
    """
    if not polygons or not text:
        return None
    left, top = (min(axis) for axis in zip(*(p for one in polygons for p in one), strict=True))
    moved = tuple(
        tuple((round(x - left, DIGITS), round(y - top, DIGITS)) for x, y in one)
        for one in sorted(polygons)
    )
    place = _place(moved, text)
    return place and Place(place.x + left * SIDE, place.y + top * SIDE, place.size)


@lru_cache(4096)  # pieces lie alike in many solutions
def _place(polygons: tuple[Polygon, ...], text: str) -> Place | None:
    """The same, for a shape that is moved to the upper left corner."""
    every = sides(polygons)
    outer = [side for side in every if side[::-1] not in every]
    edge = {corner for side in outer for corner in side}
    cells = [centre(polygon) for polygon in polygons]
    between = {_middle(*side) for side in every if side[::-1] in every}
    corners = {begin for begin, _ in every} - edge
    places = np.array([*cells, *sorted(between | corners)])
    sizes = np.minimum(AMPLE, FILL * SIDE * _largest_fonts(places, np.array(outer), text))
    away = ((places - np.mean(cells, axis=0)) ** 2).sum(axis=1)
    in_cell = np.arange(len(places)) < len(cells)
    rows = zip(sizes.round(DIGITS), ~in_cell, away.round(DIGITS), places, strict=True)
    size, _, _, (x, y) = min(rows, key=lambda row: (-row[0], row[1], row[2], row[3][1], row[3][0]))
    if size < SMALLEST:
        return None
    shown = min(LARGEST, float(size))
    return Place(float(x) * SIDE, float(y) * SIDE + BELOW * shown, shown)


def centre(polygon: Polygon) -> Point:
    """The middle of a polygon's corners."""
    x, y = (sum(axis) / len(polygon) for axis in zip(*polygon, strict=True))
    return x, y


def _middle(begin: Point, end: Point) -> Point:
    return round((begin[0] + end[0]) / 2, DIGITS), round((begin[1] + end[1]) / 2, DIGITS)


def _largest_fonts(places: Array, outer: Array, text: str) -> Array:
    """The largest fonts, in sides of a square, with which `text` stays clear of all sides.

    `places`, shape (n, 2), are where its middle is; `outer`, shape (m, 2, 2), are the sides around.
    The distance of a point is that at which the box of the text, growing, meets it: the larger one
    of two functions that are linear along a side, but for their sign. The least is at an end, where
    one of them is 0, or where they are equal.
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
    at = np.concatenate([zero.clip(0, 1), ends], axis=2)[..., None]
    distance = np.abs(begin[:, :, None] + at * along[:, :, None]).max(axis=3)
    nearest: Array = distance.min(axis=(1, 2))
    return nearest
