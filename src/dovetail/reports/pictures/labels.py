"""Where a name has room within a shape."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from dovetail.reports.pictures.layers import Square
from dovetail.reports.pictures.outline import SIDE, runs

LARGEST, SMALLEST = 0.6 * SIDE, 0.25 * SIDE
CHARACTER = 0.66  # the width of a letter, by the size of the font, on average and amply
ROOM = 0.9  # of a square, the rest being its border
BELOW = 0.35  # how far the base line lies below the middle of a text, by the size of the font


@dataclass(frozen=True)
class Place:
    """The middle of a text's base line, and the size of its font."""

    x: float
    y: float
    size: float


def place_in(squares: Collection[Square], text: str) -> Place | None:
    """The place of `text` in a row of `squares`, as large and then as central as can be.

    None where it would be too small to read.
    """
    if not squares or not text:
        return None
    # Single squares come besides whole runs: a letter needs no more, and stands in its middle.
    rows = [(x, y, 1) for x, y in squares] + list(runs(set(squares)))
    across, down = (sum(axis) / len(squares) for axis in zip(*squares, strict=True))

    def rated(row: tuple[int, int, int]) -> tuple[float, float, int, float]:
        x, y, length = row
        middle = x + (length - 1) / 2
        distance = (middle - across) ** 2 + (y - down) ** 2
        return -_size(text, length), distance, y, middle

    x, y, length = min(rows, key=rated)
    size = _size(text, length)
    if size < SMALLEST:
        return None
    return Place((x + length / 2) * SIDE, (y + 0.5) * SIDE + BELOW * size, size)


def _size(text: str, length: int) -> float:
    """The size of the font that lets `text` fit into so many squares side by side."""
    return min(LARGEST, ROOM * SIDE * length / (CHARACTER * len(text)))
