"""Draws layered text: a picture of labelled cells in two or three dimensions.

`puzzles.formats.layered_text` reads such pictures and describes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from dovetail.models.lattices.protocol import Cell, Cells, Lattice

OPEN = "."
OPTIONAL = "?"  # in drawings of a region
OUTSIDE = "*"


def draw_cells(lattice: Lattice, labels: Mapping[Cell, str], region: Cells) -> str:
    """A picture of the cells of `region`, each at its place in text, as in `draw_layers`.

    Raises `PuzzleError` where text cannot show the lattice.
    """
    place = {cell: lattice.text_place(cell) for cell in region}
    labelled = {place[cell]: label for cell, label in labels.items() if cell in place}
    return draw_layers(labelled, tuple(place.values()))


def draw_layers(labels: Mapping[Cell, str], region: Cells, corner: Cell | None = None) -> str:
    """A picture of the places in `region`, each with its label, or `.` where it has none.

    Places are in two or three dimensions. Labels are padded to one width. The picture begins at
    the place `corner`, below all others on every axis; by default at their least coordinates.
    """
    dimension = len(region[0])
    inside = set(region)
    spans = [
        range(first, max(along) + 1)
        for first, along in zip(
            corner or map(min, zip(*region, strict=True)), zip(*region, strict=True), strict=True
        )
    ]
    width = max((len(label) for label in labels.values()), default=1)
    depths = spans[2] if dimension == 3 else range(1)

    def label(cell: Cell) -> str:
        return labels.get(cell, OPEN) if cell in inside else OUTSIDE

    def row(y: int, z: int) -> str:
        cells = ((x, y, z)[:dimension] for x in spans[0])
        return " ".join(label(cell).rjust(width) for cell in cells)

    return "\n".join(",".join(row(y, z) for z in depths) for y in reversed(spans[1]))
