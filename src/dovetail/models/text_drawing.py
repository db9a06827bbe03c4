"""Draws layered text: a picture of labelled cells in two or three dimensions.

`puzzles.formats.layered_text` reads such pictures and describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import add, sub

import numpy as np

from dovetail.models.lattices.protocol import Cell, Cells, Lattice

OPEN = "."
OPTIONAL = "?"  # in drawings of a region
OUTSIDE = "*"


def draw_cells(lattice: Lattice, labels: Mapping[Cell, str], region: Cells) -> str:
    """A picture of the cells of `region`, each at its place in text, as in `draw_layers`.

    Raises `PuzzleError` where text cannot show the lattice.
    """
    place = dict(zip(region, lattice.text_places(region), strict=True))
    labelled = {place[cell]: label for cell, label in labels.items() if cell in place}
    return draw_layers(labelled, tuple(place.values()))


def draw_to_be_read(lattice: Lattice, labels: Mapping[Cell, str], cells: Cells) -> str:
    """A picture as `draw_cells` makes it, from which cells of the same classes are read.

    It begins where `corner_of` says, so that on other lattices than squares there may be places
    without a cell at the left and below. Raises `PuzzleError` where text cannot show the lattice.
    """
    place = dict(zip(cells, lattice.text_places(cells), strict=True))
    places = tuple(place.values())
    labelled = {place[cell]: label for cell, label in labels.items() if cell in place}
    return draw_layers(labelled, places, corner_of(lattice, places)[0])


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


def corner_of(lattice: Lattice, places: Cells) -> tuple[Cell, Cell]:
    """The bottom left of a picture of `places` in which each is of the same class as a cell.

    First as a place, then as the translation of cells that carries place 0 there. It lies as far to
    the left and below as it must for that to be a translation.
    """
    home = lattice.fundamental_cells[0]
    origin = lattice.text_place(home)
    corner = tuple(map(min, zip(*places, strict=True)))
    size = 0
    while True:
        for margins in _sums(len(corner), size):
            place = tuple(map(sub, corner, margins))
            cell = lattice.text_cell(tuple(map(add, origin, place)))
            vectors = [] if cell is None else lattice.translations(home, np.array([cell])).tolist()
            if vectors:
                return place, tuple(vectors[0])
        size += 1


def _sums(axes: int, size: int) -> Iterator[Cell]:
    """All ways to write `size` as a sum of so many natural numbers, the first ones large first."""
    if axes == 1:
        yield (size,)
        return
    for first in range(size, -1, -1):
        for rest in _sums(axes - 1, size - first):
            yield (first, *rest)
