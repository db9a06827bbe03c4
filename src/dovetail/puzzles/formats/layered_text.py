"""Layered text: a picture of labelled cells in two or three dimensions.

The first line is the largest y, x runs to the right, and the comma-separated blocks of a line
are z = 0, 1, 2, … Every cell is a label; `.` is an open cell and `*` one outside the region.
"""

from __future__ import annotations

from collections.abc import Mapping

from dovetail.errors import PuzzleError
from dovetail.models.lattice import Cell, Cells

OPEN = "."
OUTSIDE = "*"


def draw_layers(labels: Mapping[Cell, str], region: Cells) -> str:
    """A picture of `region`, each cell with its label, or `.` where it has none.

    Labels are padded to one width. Raises `PuzzleError` outside two and three dimensions.
    """
    dimension = len(region[0])
    if dimension not in (2, 3):
        raise PuzzleError(f"layered text shows two or three dimensions, not {dimension}")
    inside = set(region)
    spans = [
        range(min(c[axis] for c in region), max(c[axis] for c in region) + 1)
        for axis in range(dimension)
    ]
    width = max((len(label) for label in labels.values()), default=1)
    depths = spans[2] if dimension == 3 else range(1)

    def label(cell: Cell) -> str:
        return labels.get(cell, OPEN) if cell in inside else OUTSIDE

    def row(y: int, z: int) -> str:
        cells = ((x, y, z)[:dimension] for x in spans[0])
        return " ".join(label(cell).rjust(width) for cell in cells)

    return "\n".join(",".join(row(y, z) for z in depths) for y in reversed(spans[1]))


def read_layers(lines: list[str]) -> dict[Cell, str]:
    """The labels of a picture, by cell (x, y, z) with the least coordinates 0.

    Cells marked `*` are left out. Raises `PuzzleError` when lines differ in length.
    """
    labels: dict[Cell, str] = {}
    shape: list[int] | None = None
    for y, line in enumerate(reversed(lines)):
        blocks = [block.split() for block in line.split(",")]
        widths = [len(block) for block in blocks]
        shape = shape or widths
        if widths != shape:
            raise PuzzleError("the lines of a picture have different lengths")
        for z, block in enumerate(blocks):
            for x, label in enumerate(block):
                if label != OUTSIDE:
                    labels[x, y, z] = label
    return labels
