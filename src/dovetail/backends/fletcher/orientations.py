"""The orientations of a puzzle's pieces about the cell that each of them takes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.models.lattices.protocol import Cells
from dovetail.models.options.packing import PackingOptions


@dataclass(frozen=True)
class Orientation:
    """A shape turned some way: its cells but the first, relative to that, in order of filling.

    Cells are filled x slowest, so that the first cell of a placement is its least one: where it
    lies on the cell to be filled next, no other cell of it can have been passed.
    """

    shape: int
    cells: Cells


def orientations_of(options: PackingOptions, shapes: Sequence[int]) -> tuple[Orientation, ...]:
    """All orientations of `shapes`, those of one shape side by side, whatever the region."""
    puzzle = options.puzzle
    pieces = {piece.name: piece for piece in puzzle.pieces}
    found = list[Orientation]()
    for shape in shapes:
        piece = pieces[options.placements.shapes[shape].name]
        for cells in piece.motions.orientations(puzzle.lattice, piece.cells):
            around = np.array(cells[1:], dtype=np.int64).reshape(-1, len(cells[0])) - cells[0]
            found.append(Orientation(shape, tuple(map(tuple, around.tolist()))))
    return tuple(found)
