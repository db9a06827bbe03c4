"""Colour constraints: which placements the colours of a piece and of its result forbid.

A coloured cell of a piece may lie on a coloured cell of the result only where the problem's bitmap
has the pair; cells without a colour lie everywhere and let everything in. A scattered piece of
spheres, with or without colours, may lie only where rotations of BurrTools carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.puzzles.formats.burrtools.grids import Grid

# For all problems of a file. A step is a cell of a piece that is laid somewhere; a cell of a listed
# place counts for more, since it is checked again by the puzzle: some seconds in all.
MAX_STEPS = 200_000_000
STEPS_OF_LISTED = 40


@dataclass
class Allowance:
    """How many steps were taken to find the places of pieces, for all problems of a file."""

    steps: int = 0

    def spend(self, steps: int) -> None:
        """Raise `PuzzleError` where there is too much to look through."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise PuzzleError(
                f"too many places of coloured pieces: {self.steps:,} steps to look through them; "
                f"the limit is {MAX_STEPS:,}"
            )


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
        lattice, numbers = self.grid.lattice, self._numbers
        fitting, free = set[bytes](), dict[bytes, tuple[int, ...]]()
        several = False
        for number in range(self.grid.rotations):
            turned = self.grid.turned(tuple(colours), hotspot, number)
            if turned is None:
                continue
            cells = np.array(self.grid.cells(turned[0]), dtype=np.int64)
            order = np.lexsort(cells.T[::-1])  # translations keep it
            cells, in_order = cells[order], np.array(list(colours.values()))[order]
            pattern = tuple(in_order.tolist())
            source = tuple(cells[0].tolist())
            vectors = lattice.translations(source, numbers.coordinates)
            corner, extent = cells.min(axis=0), np.ptp(cells, axis=0) + 1
            keys = (cells - corner)[None] @ numbers.strides
            candidates = numbers.candidates(keys, numbers.steps(vectors + corner, extent))
            self.allowance.spend(len(numbers.coordinates) + len(candidates[0]) * len(cells))
            places = np.empty((len(candidates[0]), len(cells)), dtype=np.int32)
            places = places[: np.count_nonzero(numbers.place(keys, *candidates, places))]
            keeps = np.ones(len(places), dtype=bool)
            for colour, below in lets_in.items():
                keeps &= below[self._shown[places[:, in_order == colour]]].all(axis=1)
            for place, kept in zip(map(np.ndarray.tobytes, places), keeps.tolist(), strict=True):
                fitting.add(place)
                if kept:
                    several |= free.setdefault(place, pattern) != pattern
        if everywhere and free.keys() == fitting:
            return Places(None, several)
        self.allowance.spend(STEPS_OF_LISTED * len(free) * len(colours))
        taken = np.frombuffer(b"".join(free), dtype=np.int32).reshape(-1, len(colours))
        listed = numbers.coordinates[taken[np.lexsort(taken.T[::-1])]].tolist()
        return Places(tuple(tuple(map(tuple, place)) for place in listed), several)

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
    def _cells(self) -> NDArray[np.int64]:
        """The cells of the result, shape (n, axes)."""
        return np.array(self.grid.cells(tuple(self.result)), dtype=np.int64)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The rows of `_cells` in ascending order."""
        return np.lexsort(self._cells.T[::-1])

    @cached_property
    def _numbers(self) -> CellNumbers:
        """The cells of the result, numbered in ascending order."""
        return CellNumbers(self._cells[self._order])

    @cached_property
    def _shown(self) -> NDArray[np.int64]:
        """The colours of the numbered cells."""
        return np.array(list(self.result.values()), dtype=np.int64)[self._order]
