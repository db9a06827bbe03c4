"""Layered text: drawings of labelled cells in two or three dimensions.

`puzzles.formats.layered_text` reads such drawings and describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import add, sub

import numpy as np

from dovetail.models.lattices.protocol import Cell, Cells, Lattice

OPEN = "."
OPTIONAL = "?"  # optional cell in drawings of a region
OUTSIDE = "*"


def draw_cells(lattice: Lattice, labels: Mapping[Cell, str], region: Cells) -> str:
    """Return a drawing of the cells of `region` at their places in text, as in `draw_layers`.

    Raises `PuzzleError` if text cannot show the lattice.
    """
    place = dict(zip(region, lattice.text_places(region), strict=True))
    labelled = {place[cell]: label for cell, label in labels.items() if cell in place}
    return draw_layers(labelled, tuple(place.values()))


def draw_to_be_read(lattice: Lattice, labels: Mapping[Cell, str], cells: Cells) -> str:
    """Return a drawing like that of `draw_cells` from which the classes of cells can be read.

    The drawing begins at the corner that `corner_of` returns. On lattices other than squares, it
    may therefore have empty places on the left and at the bottom. Raises `PuzzleError` if text
    cannot show the lattice.
    """
    place = dict(zip(cells, lattice.text_places(cells), strict=True))
    places = tuple(place.values())
    labelled = {place[cell]: label for cell, label in labels.items() if cell in place}
    return draw_layers(labelled, places, corner_of(lattice, places)[0])


def draw_layers(labels: Mapping[Cell, str], region: Cells, corner: Cell | None = None) -> str:
    """Return a drawing of the places in `region`, each with its label, or `.` without a label.

    Places outside `region` are drawn as `*`. Places are in two or three dimensions. Labels are
    padded to one width. `corner` is the place at which the drawing begins, with no coordinate above
    those of `region`; by default, the least coordinate of `region` on each axis.
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
    """Return a bottom left corner for a drawing of `places` that preserves the cells' classes.

    Returns the corner's place, and the translation of cells that moves the origin of places to the
    corner. The corner is as close to `places` as a translation of the lattice allows.
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
    """Yield all ways to write `size` as a sum of `axes` numbers from 0, in descending order."""
    if axes == 1:
        yield (size,)
        return
    for first in range(size, -1, -1):
        for rest in _sums(axes - 1, size - first):
            yield (first, *rest)
