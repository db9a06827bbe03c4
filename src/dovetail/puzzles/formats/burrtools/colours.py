"""Colour constraints: which placements the colours of a piece and of its result forbid.

A coloured cell of a piece may lie on a coloured cell of the result only where the problem's bitmap
has the pair; cells without a colour lie everywhere and let everything in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.puzzles.formats.burrtools.grids import Grid

MAX_STEPS = 20_000_000  # cells of pieces laid somewhere: some seconds

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Colouring:
    """What a problem says of colours.

    `result` has the positions of the result's cells with their colours, 0 for none; `allowed` the
    pairs of a piece's colour and a result's that may meet.
    """

    grid: Grid
    result: Mapping[Cell, int]
    allowed: frozenset[tuple[int, int]]

    def forbidden_pairs(self, colours: Mapping[Cell, int]) -> bool:
        """Whether any cell of a piece with these colours may not lie on some cell of the result."""
        shown = set(self.result.values()) - {0}
        return any(
            colour and (colour, below) not in self.allowed
            for colour in set(colours.values())
            for below in shown
        )

    def placements(self, colours: Mapping[Cell, int], hotspot: Cell) -> tuple[Cells, ...] | None:
        """The places of a piece whose cells have these colours; None where none is forbidden.

        Raises `PuzzleError` where there is too much to look through.
        """
        if not self.forbidden_pairs(colours):
            return None
        fitting, free = set[Cells](), set[Cells]()
        region = np.array(self.grid.cells(tuple(self.result)), dtype=np.int64)
        below = {tuple(cell): n for n, cell in enumerate(region.tolist())}
        shown = np.array(list(self.result.values()), dtype=np.int64)
        steps = 0
        for number in range(self.grid.rotations):
            turned = self.grid.turned(tuple(colours), hotspot, number)
            if turned is None:
                continue
            cells = np.array(self.grid.cells(turned[0]), dtype=np.int64)
            vectors = self.grid.lattice.translations(tuple(cells[0].tolist()), region)
            keeps = np.ones(len(vectors), dtype=bool)
            for cell, colour in zip(cells, colours.values(), strict=True):
                steps += len(vectors)
                if steps > MAX_STEPS:
                    raise PuzzleError("too many places of coloured pieces; expected fewer cells")
                places = [below.get(tuple(one), -1) for one in (vectors + cell).tolist()]
                there = np.array(places, dtype=np.int64)
                vectors, keeps, there = (one[there >= 0] for one in (vectors, keeps, there))
                keeps &= self._lets_in(colour)[shown[there]]
            for vector, kept in zip(vectors, keeps, strict=True):
                place = tuple(sorted(map(tuple, (cells + vector).tolist())))
                fitting.add(place)
                if kept:
                    free.add(place)
        return None if free == fitting else tuple(sorted(free))

    def _lets_in(self, colour: int) -> NDArray[np.bool_]:
        """For each colour of the result, from 0, whether a piece's colour may lie there."""
        below = range(max(self.result.values(), default=0) + 1)
        return np.array([not (colour and b) or (colour, b) in self.allowed for b in below])
