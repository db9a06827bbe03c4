"""Colour constraints: which placements the colours of a piece and of its result forbid.

A coloured cell of a piece may lie on a coloured cell of the result only where the problem's bitmap
has the pair; cells without a colour lie everywhere and let everything in. A scattered piece of
spheres, with or without colours, may lie only where rotations of BurrTools carry it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.puzzles.formats.burrtools.grids import Grid

MAX_STEPS = 5_000_000  # cells of pieces laid somewhere: some seconds


@dataclass
class Allowance:
    """How many cells of pieces may still be laid somewhere, for all problems of a file."""

    steps: int = field(default_factory=lambda: MAX_STEPS)

    def spend(self, steps: int) -> None:
        """Raises `PuzzleError` where there is too much to look through."""
        self.steps -= steps
        if self.steps < 0:
            raise PuzzleError("too many places of coloured pieces; expected fewer cells")


@dataclass(frozen=True)
class Places:
    """Where a piece may lie by its colours and the grid's rotations.

    `listed` has the places, None if every place that it fits is among them. With `several`, its
    colours can lie on the cells of one place in more than one way.
    """

    listed: tuple[Cells, ...] | None
    several: bool


@dataclass(frozen=True)
class Colouring:
    """What a problem says of colours.

    `result` has the positions of the result's cells with their colours, 0 for none; `allowed` the
    pairs of a piece's colour and a result's that may meet.
    """

    grid: Grid
    result: Mapping[Cell, int]
    allowed: frozenset[tuple[int, int]]
    allowance: Allowance

    def places(self, colours: Mapping[Cell, int], hotspot: Cell) -> Places:
        """The places of a piece whose cells have these colours.

        Raises `PuzzleError` when the allowance is spent.
        """
        everywhere = self.grid.turns_everywhere(tuple(colours), hotspot)
        if not self.result or (everywhere and not any(colours.values())):
            return Places(None, several=False)
        lets_in = {colour: self._lets_in(colour) for colour in set(colours.values())}
        if everywhere and all(below.all() for below in lets_in.values()):
            patterns = self.grid.coloured_orientations(colours, hotspot)
            return Places(None, len({cells for cells, _ in patterns}) < len(patterns))
        lattice, region, numbers = self.grid.lattice, self._region, self._numbers
        fitting, free = set[Cells](), dict[Cells, tuple[int, ...]]()
        several = False
        for number in range(self.grid.rotations):
            self.allowance.spend(len(colours))
            turned = self.grid.turned(tuple(colours), hotspot, number)
            if turned is None:
                continue
            cells = np.array(self.grid.cells(turned[0]), dtype=np.int64)
            pattern = _in_order(cells, tuple(colours.values()))
            vectors = lattice.translations(tuple(cells[0].tolist()), region)
            keeps = np.ones(len(vectors), dtype=bool)
            for cell, colour in zip(cells, colours.values(), strict=True):
                self.allowance.spend(len(vectors))
                found = [numbers.get(tuple(one), -1) for one in (vectors + cell).tolist()]
                there = np.array(found, dtype=np.int64)
                vectors, keeps, there = (one[there >= 0] for one in (vectors, keeps, there))
                keeps &= lets_in[colour][self._shown[there]]
            for vector, kept in zip(vectors, keeps, strict=True):
                place = tuple(sorted(map(tuple, (cells + vector).tolist())))
                fitting.add(place)
                if kept:
                    several |= free.setdefault(place, pattern) != pattern
        forbidden = not everywhere or free.keys() != fitting
        listed = tuple(sorted(free)) if forbidden else None
        return Places(listed, several)

    def _lets_in(self, colour: int) -> NDArray[np.bool_]:
        """For each number that a colour of the result may have, whether a piece's may lie there.

        A colour that the result does not have lets everything in.
        """
        return np.array(
            [
                not colour or not below or below not in self._colours or pair in self.allowed
                for below, pair in ((n, (colour, n)) for n in range(max(self._colours) + 1))
            ]
        )

    @cached_property
    def _colours(self) -> frozenset[int]:
        """Those of the result, and 0."""
        return frozenset({0, *self.result.values()})

    @cached_property
    def _region(self) -> NDArray[np.int64]:
        """The cells of the result, shape (n, axes)."""
        return np.array(self.grid.cells(tuple(self.result)), dtype=np.int64)

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        """The rows of `_region`."""
        return {tuple(cell): number for number, cell in enumerate(self._region.tolist())}

    @cached_property
    def _shown(self) -> NDArray[np.int64]:
        """The colours of the rows of `_region`."""
        return np.array(list(self.result.values()), dtype=np.int64)


def _in_order(cells: NDArray[np.int64], colours: Sequence[int]) -> tuple[int, ...]:
    """The colours in the order of the sorted cells, which translations keep."""
    return tuple(colours[n] for n in np.lexsort(cells.T[::-1]).tolist())
