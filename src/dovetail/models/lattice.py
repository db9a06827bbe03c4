"""Lattices: the cells that regions and pieces are made of, and how they move.

A cell is a tuple of integers. A lattice knows which cells are neighbours, which isometries
(rotations, and reflections) carry it onto itself, and which translations there are. Square
lattices of any dimension are here: squares, cubes, hypercubes. Another lattice has to offer
the same methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from operator import index, sub

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError

Cell = tuple[int, ...]
Cells = tuple[Cell, ...]

# Coordinates beyond this are a mistake; the bound keeps sums of coordinates within int64.
LARGEST_COORDINATE = 1_000_000

# Seven dimensions have 645,120 isometries, six 46,080.
MOST_DIMENSIONS = 6


@dataclass(frozen=True)
class Isometry:
    """A linear map of the lattice onto itself: a signed permutation of the axes.

    Coordinate k of an image is coordinate `axes[k]` of the cell, times `signs[k]`.
    """

    axes: tuple[int, ...]
    signs: tuple[int, ...]

    @property
    def proper(self) -> bool:
        """True for a rotation, False for a map that reverses orientation."""
        inversions = sum(one > other for one, other in combinations(self.axes, 2))
        return (inversions % 2 == 1) == (prod(self.signs) < 0)

    def apply(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of `cells`, an array of shape (cells, dimension)."""
        images: NDArray[np.int64] = cells[:, self.axes] * np.array(self.signs, dtype=np.int64)
        return images


@cache
def _isometries(dimension: int, reflections: bool) -> tuple[Isometry, ...]:
    """All signed permutations of the axes, or the rotations among them, identity first."""
    if not reflections:
        return tuple(isometry for isometry in _isometries(dimension, True) if isometry.proper)
    return tuple(
        Isometry(axes, signs)
        for axes in permutations(range(dimension))
        for signs in product((1, -1), repeat=dimension)
    )


@dataclass(frozen=True)
class SquareLattice:
    """Unit squares, cubes and their kin in 1 to `MOST_DIMENSIONS` dimensions.

    Two cells are neighbours when they share a facet. The isometries are the signed
    permutations of the axes: 8 in two dimensions, 48 in three, 384 in four, half of each
    being rotations. Raises `PuzzleError` for another dimension.
    """

    dimension: int

    def __post_init__(self) -> None:
        if type(self.dimension) is not int or not 1 <= self.dimension <= MOST_DIMENSIONS:
            raise PuzzleError(
                f"a square lattice of {self.dimension} dimensions; expected 1 to {MOST_DIMENSIONS}"
            )

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
        return _isometries(self.dimension, reflections)

    def possible_symmetries(self, cells: NDArray[np.int64], *, reflections: bool) -> list[Isometry]:
        """The isometries that may carry `cells`, shape (n, dimension), onto a translate of them.

        The identity comes first. All that do carry them so are here, save that of several which
        move the cells alike only the first is.
        """
        spans = np.ptp(cells, axis=0)
        isometries = self.isometries(reflections=reflections)
        same_box = np.all(spans[_axes(isometries)] == spans, axis=1)
        return _different([isometries[n] for n in np.flatnonzero(same_box)], spans)

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

    def orientations(self, cells: Cells, isometries: Sequence[Isometry]) -> tuple[Cells, ...]:
        """The distinct images of `cells` under `isometries`, normalised, in order of discovery."""
        array = np.array(cells, dtype=np.int64)
        turns = _different(isometries, np.ptp(array, axis=0))
        return tuple(dict.fromkeys(self.normalise(turn.apply(array).tolist()) for turn in turns))


def _axes(isometries: Sequence[Isometry]) -> NDArray[np.int64]:
    """Where the coordinates of images come from, shape (isometries, dimension)."""
    return np.array([isometry.axes for isometry in isometries], dtype=np.int64)


def _different(isometries: Sequence[Isometry], spans: NDArray[np.int64]) -> list[Isometry]:
    """The first of those `isometries` that move cells with these `spans` alike, up to translation.

    An axis along which the cells do not extend may be reversed, or go anywhere.
    """
    if spans.all():
        return list(isometries)
    axes = _axes(isometries)
    signs = np.array([isometry.signs for isometry in isometries], dtype=np.int64)
    effects = np.where(spans[axes] == 0, 0, (axes + 1) * signs)
    _, first = np.unique(effects, axis=0, return_index=True)
    return [isometries[number] for number in np.sort(first)]


def as_cells(cells: Iterable[Iterable[int]]) -> Cells:
    """`cells` as a tuple of tuples of Python integers, in the given order.

    Raises `PuzzleError` for a coordinate that is not a whole number.
    """
    try:
        return tuple(tuple(index(coordinate) for coordinate in cell) for cell in cells)
    except TypeError:
        raise PuzzleError("a cell is not a sequence of whole numbers") from None
