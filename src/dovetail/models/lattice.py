"""Lattices: the cells that regions and pieces are made of, and how they move.

A cell is a tuple of integers. A lattice knows which cells are neighbours, which isometries
(rotations, and reflections) carry it onto itself, and which translations there are. Square
lattices of any dimension are here: squares, cubes, hypercubes. Another lattice has to offer
the same methods.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from operator import index, sub

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError

Cell = tuple[int, ...]
Cells = tuple[Cell, ...]

# Coordinates beyond this are a mistake; the bound keeps sums of coordinates within int64.
LARGEST_COORDINATE = 1_000_000


@dataclass(frozen=True)
class Isometry:
    """A linear map of the lattice onto itself; `proper` ones are rotations."""

    matrix: tuple[tuple[int, ...], ...]

    @cached_property
    def proper(self) -> bool:
        """True for a rotation, False for a map that reverses orientation."""
        return round(float(np.linalg.det(np.array(self.matrix)))) > 0

    def apply(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of `cells`, an array of shape (cells, dimension)."""
        return cells @ np.array(self.matrix, dtype=np.int64).T


@dataclass(frozen=True)
class SquareLattice:
    """Unit squares, cubes and their kin in any dimension from 1 up.

    Two cells are neighbours when they share a facet. The isometries are the signed
    permutations of the axes: 8 in two dimensions, 48 in three, 384 in four, half of each
    being rotations.
    """

    dimension: int

    @property
    def name(self) -> str:
        """Names the lattice in digests."""
        return f"square-{self.dimension}"

    @property
    def flips(self) -> bool:
        """Whether turning a piece over in one's hands reflects it: only in the plane."""
        return self.dimension == 2

    def neighbours(self, cell: Cell) -> Cells:
        """The cells that share a facet with `cell`: −x, −y, −z, …, then +x, +y, +z, …"""
        return tuple(
            (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])
            for step in (-1, 1)
            for axis in range(self.dimension)
        )

    def colours(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """A colouring in which neighbours differ: 1 for black cells, −1 for white, shape (n,).

        Cells whose coordinates have an odd sum are black.
        """
        colours: NDArray[np.int64] = 2 * (cells.sum(axis=1) % 2) - 1
        return colours

    def isometries(self, *, reflections: bool) -> tuple[Isometry, ...]:
        """The rotations about the origin, identity first; with `reflections`, all isometries."""
        found = (
            Isometry(
                tuple(
                    tuple(sign if column == axis else 0 for column in range(self.dimension))
                    for axis, sign in zip(axes, signs, strict=True)
                )
            )
            for axes in permutations(range(self.dimension))
            for signs in product((1, -1), repeat=self.dimension)
        )
        return tuple(isometry for isometry in found if reflections or isometry.proper)

    def translations(self, source: Cell, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The vectors that carry `source` onto each of `targets`, shape (n, dimension).

        On a lattice whose cells are not all translates of one another, the targets that
        `source` cannot be carried to are left out.
        """
        return targets - np.array(source, dtype=np.int64)

    def aligned(self, cells: NDArray[np.int64], onto: NDArray[np.int64]) -> NDArray[np.int64]:
        """`cells` translated to where they coincide with `onto` if any translation does that."""
        moved: NDArray[np.int64] = cells - cells.min(axis=0) + onto.min(axis=0)
        return moved

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """`cells` translated to a standard position and sorted: equal for translates."""
        rows = list(cells)
        lowest = tuple(map(min, zip(*rows, strict=True)))
        return tuple(sorted(tuple(map(sub, row, lowest)) for row in rows))

    def orientations(self, cells: Cells, isometries: Iterable[Isometry]) -> tuple[Cells, ...]:
        """The distinct images of `cells` under `isometries`, normalised, in order of discovery."""
        array = np.array(cells, dtype=np.int64)
        images = (self.normalise(image.apply(array).tolist()) for image in isometries)
        return tuple(dict.fromkeys(images))


def as_cells(cells: Iterable[Iterable[int]]) -> Cells:
    """`cells` as a tuple of tuples of Python integers, in the given order.

    Raises `PuzzleError` for a coordinate that is not a whole number.
    """
    try:
        return tuple(tuple(index(coordinate) for coordinate in cell) for cell in cells)
    except TypeError:
        raise PuzzleError("a cell is not a sequence of whole numbers") from None
