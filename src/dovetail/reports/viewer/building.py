"""An order in which pieces can be put together: none of them floats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dovetail.models.lattices.protocol import Cell, Cells, Lattice

LEVEL = 1e-6  # lower than this above the bottom is at the bottom


def building_order(lattice: Lattice, placed: Sequence[Cells], standing: Cells) -> list[int]:
    """The numbers of the `placed` pieces, lower ones first where there is a choice.

    Each has a cell at the bottom, that of all cells, or a neighbour of a cell that is there:
    of a piece before it or `standing`. A part that no such piece belongs to begins with its lowest.
    """
    lowest = [min(_low(lattice, cell) for cell in cells) for cells in placed]
    bottom = min([*lowest, *(_low(lattice, cell) for cell in standing)], default=0.0)
    grounded = {number for number, low in enumerate(lowest) if low < bottom + LEVEL}
    rank = [
        (number not in grounded, _mean_height(lattice, cells), number)
        for number, cells in enumerate(placed)
    ]
    owner = {cell: number for number, cells in enumerate(placed) for cell in cells}
    waiting = set(range(len(placed)))
    ready = grounded | _beside(lattice, standing, owner)
    order = list[int]()
    while waiting:
        number = min(ready & waiting or waiting, key=rank.__getitem__)
        waiting.remove(number)
        order.append(number)
        ready |= _beside(lattice, placed[number], owner)
    return order


def _beside(lattice: Lattice, cells: Cells, owner: dict[Cell, int]) -> set[int]:
    """The pieces that have a neighbour of one of `cells`."""
    near = (other for cell in cells for other in lattice.neighbours(cell))
    return {owner[other] for other in near if other in owner}


def _low(lattice: Lattice, cell: Cell) -> float:
    return min(z for *_, z in lattice.solid(cell).corners)


def _mean_height(lattice: Lattice, cells: Cells) -> float:
    """Of the cells' middles; flat pieces are all at one height."""
    if lattice.dimension < 3:
        return 0.0
    height: float = lattice.positions(np.array(cells, dtype=np.int64))[:, 2].mean()
    return round(height, 6)
