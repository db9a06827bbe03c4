"""Where a name has room within a shape."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dovetail.models.lattices.protocol import Point
from dovetail.reports.pictures.layers import Polygon
from dovetail.reports.pictures.outline import DIGITS, SIDE, on_line

LARGEST, SMALLEST = 0.6 * SIDE, 0.25 * SIDE
CHARACTER = 0.66  # the width of a letter, by the size of the font, on average and amply
CAPITAL = 0.7  # its height
FILL = 0.9  # of a cell, the rest being its border
BELOW = 0.35  # how far the base line lies below the middle of a text, by the size of the font
ENOUGH = 0.47  # sides of a square, in height: all that the largest letter needs
INSIDE = 1 - 1e-9  # of what a cell measures, and no rounding leads out of it

Box = tuple[float, float, float, float]  # the middle, width and height


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
    boxes = [_box_in(polygon) for polygon in polygons]
    across, down = (sum(axis) / len(boxes) for axis in list(zip(*boxes, strict=True))[:2])

    def rated(box: Box) -> tuple[float, float, float, float]:
        x, y, *_ = box
        return -_size(text, box), (x - across) ** 2 + (y - down) ** 2, y, x

    box = min([*boxes, *_rows(boxes)], key=rated)
    size = _size(text, box)
    if size < SMALLEST:
        return None
    return Place(box[0] * SIDE, box[1] * SIDE + BELOW * size, size)


def centre(polygon: Polygon) -> Point:
    """The middle of a polygon's corners."""
    x, y = (sum(axis) / len(polygon) for axis in zip(*polygon, strict=True))
    return x, y


def _box_in(polygon: Polygon) -> Box:
    """A box about the middle of a convex cell, as wide as it can be if it is high enough."""
    x, y = centre(polygon)
    heights = [down for _, down in polygon]
    height = min(ENOUGH, INSIDE * 2 * (max(heights) - y), INSIDE * 2 * (y - min(heights)))
    edges = (on_line(polygon, (0, 1), y + half) for half in (-height / 2, height / 2))
    ends = [sorted(across for across, _ in edge) for edge in edges]
    width = 2 * min(min(x - edge[0], edge[-1] - x) for edge in ends)
    return x, y, round(width, DIGITS), height


def _rows(boxes: Sequence[Box]) -> Iterator[Box]:
    """Boxes of one size that touch side by side, made one."""
    at = {(round(x, DIGITS), round(y, DIGITS), width): height for x, y, width, height in boxes}
    for (x, y, width), height in at.items():
        if (round(x - width, DIGITS), y, width) in at:
            continue
        length = 1
        while (round(x + length * width, DIGITS), y, width) in at:
            length += 1
        yield x + (length - 1) * width / 2, y, length * width, height


def _size(text: str, box: Box) -> float:
    """The size of the font that lets `text` fit into a box."""
    _, _, width, height = box
    by_width = FILL * SIDE * width / (CHARACTER * len(text))
    return min(LARGEST, by_width, FILL * SIDE * height / CAPITAL)
