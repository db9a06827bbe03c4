"""An order in which pieces can be put together: none of them floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dovetail.models.lattices.protocol import Cell, Cells, Lattice

LEVEL = 1e-6  # lower than this above the bottom is at the bottom


class Building:
    """The cells of a region as what pieces are put together in; the `standing` ones are filled."""

    def __init__(self, lattice: Lattice, region: Cells, standing: Cells = ()) -> None:
        self._near = {cell: lattice.neighbours(cell) for cell in region}
        self._standing = standing
        solids = {cell: lattice.solid(cell) for cell in region}
        self._low = {cell: min(z for *_, z in solid.corners) for cell, solid in solids.items()}
        self._bottom = min(self._low.values()) + LEVEL
        heights = np.zeros(len(region))  # flat pieces are all at one height
        if lattice.dimension > 2:
            heights = lattice.positions(np.array(region, dtype=np.int64))[:, 2]
        self._height = dict(zip(region, heights.tolist(), strict=True))

    def order(self, placed: Sequence[Cells]) -> list[int]:
        """The numbers of the `placed` pieces, lower ones first where there is a choice.

        Each has a cell at the bottom of the region, or a neighbour of a cell that is filled. A part
        without either begins with its lowest piece.
        """
        grounded = {
            number
            for number, cells in enumerate(placed)
            if any(self._low[cell] < self._bottom for cell in cells)
        }
        rank = [
            (number not in grounded, self._mean_height(cells), number)
            for number, cells in enumerate(placed)
        ]
        owner = {cell: number for number, cells in enumerate(placed) for cell in cells}
        waiting = set(range(len(placed)))
        ready = grounded | self._beside(self._standing, owner)
        order = list[int]()
        while waiting:
            number = min(ready & waiting or waiting, key=rank.__getitem__)
            waiting.remove(number)
            order.append(number)
            ready |= self._beside(placed[number], owner)
        return order

    def _beside(self, cells: Cells, owner: Mapping[Cell, int]) -> set[int]:
        """The pieces that have a neighbour of one of `cells`."""
        near = (other for cell in cells for other in self._near[cell])
        return {owner[other] for other in near if other in owner}

    def _mean_height(self, cells: Cells) -> float:
        return round(sum(self._height[cell] for cell in cells) / len(cells), 6)
