"""Square lattices: squares, cubes and hypercubes in up to six dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many, show
from dovetail.models.lattices.cell_numbers import NO_NUMBER, CellNumbers
from dovetail.models.lattices.protocol import (
    CELLS_AT_ONCE,
    OTHER_FILES,
    Cell,
    Cells,
    Footprint,
    Isometry,
    Lattice,
    Orientations,
    Solid,
)
from dovetail.models.lattices.solids import upright

# There are 645,120 isometries in seven dimensions, and 46,080 in six.
MAX_DIMENSIONS = 6

# Titles by the number of dimensions; from five dimensions on, the title is made from the name.
TITLES = {1: "squares in a row", 2: "squares", 3: "cubes", 4: "hypercubes"}


@dataclass(frozen=True)
class SignedPermutation:
    """An isometry of a square lattice about the origin.

    Coordinate k of an image is coordinate `axes[k]` of the cell, times `signs[k]`.
    """

    axes: tuple[int, ...]
    signs: tuple[int, ...]

    @property
    def proper(self) -> bool:
        """True for a rotation, False for a map that reverses orientation."""
        inversions = sum(axis > other for axis, other in combinations(self.axes, 2))
        return (inversions % 2 == 1) == (prod(self.signs) < 0)

    def __call__(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the images of `cells`, an array of shape (cells, dimension)."""
        images: NDArray[np.int64] = cells[:, self.axes] * np.array(self.signs, dtype=np.int64)
        return images


@cache
def signed_permutations(dimension: int, *, reflections: bool) -> tuple[SignedPermutation, ...]:
    """Return all signed permutations of the axes, or the rotations among them, identity first."""
    if not reflections:
        everything = signed_permutations(dimension, reflections=True)
        return tuple(isometry for isometry in everything if isometry.proper)
    return tuple(
        SignedPermutation(axes, signs)
        for axes in permutations(range(dimension))
        for signs in product((1, -1), repeat=dimension)
    )


@dataclass(frozen=True)
class SquareLattice(Lattice):
    """Unit squares, cubes and hypercubes in 1 to `MAX_DIMENSIONS` dimensions.

    Two cells are neighbours if they share a facet. The isometries are the signed permutations of
    the axes: 8 in two dimensions, 48 in three, 384 in four. Half of them are rotations. Raises
    `PuzzleError` for another dimension.

    >>> SquareLattice(2).normalise(((3, 4), (2, 4)))
    ((0, 0), (1, 0))
    """

    dimension: int

    def __post_init__(self) -> None:
        if type(self.dimension) is not int or not 1 <= self.dimension <= MAX_DIMENSIONS:
            what = f"a square lattice of {show(self.dimension)} dimensions"
            raise PuzzleError(f"{what}; expected 1 to {MAX_DIMENSIONS}")

    @property
    def name(self) -> str:
        return f"square-{self.dimension}"

    @property
    def axes(self) -> tuple[str, ...]:
        return ("x", "y", "z", "w", "x5", "x6")[: self.dimension]

    @property
    def fundamental_cells(self) -> Cells:
        return ((0,) * self.dimension,)

    @property
    def phrase(self) -> str:
        return f"in {how_many(self.dimension, 'dimension')}"

    @property
    def title(self) -> str:
        return TITLES.get(self.dimension, super().title)

    def is_cell(self, cell: Cell) -> bool:
        return True

    def neighbours(self, cell: Cell) -> Cells:
        """Return the cells that share a facet: −x, −y, … first, then +x, +y and so on."""
        return tuple(
            (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])
            for step in (-1, 1)
            for axis in range(self.dimension)
        )

    def translations(self, source: Cell, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        return targets - np.array(source, dtype=np.int64)

    def orientations(self, cells: Cells, *, reflections: bool) -> Orientations:
        array = np.array(cells, dtype=np.int64)
        spans = np.ptp(array, axis=0)
        chosen = _different(signed_permutations(self.dimension, reflections=reflections), spans)
        small = np.min_scalar_type(-int(spans.max()) - 1)
        array = (array - array.min(axis=0)).astype(small)
        axes, signs = _axes(chosen), _signs(chosen).astype(small)
        at_once = max(1, CELLS_AT_ONCE // len(array))
        return Orientations(
            self,
            (
                array[:, axes[begin : begin + at_once]].swapaxes(0, 1)
                * signs[begin : begin + at_once, None]
                for begin in range(0, len(chosen), at_once)
            ),
        )

    def isometries(self, *, reflections: bool) -> Sequence[Isometry]:
        return signed_permutations(self.dimension, reflections=reflections)

    def symmetries(self, cells: NDArray[np.int64], *, reflections: bool) -> NDArray[np.int32]:
        spans = np.ptp(cells, axis=0)
        isometries = signed_permutations(self.dimension, reflections=reflections)
        same_box = np.all(spans[_axes(isometries)] == spans, axis=1)
        possible = _different([isometries[n] for n in np.flatnonzero(same_box)], spans)
        order = np.lexsort(cells.T[::-1]).astype(np.int32)
        numbers = CellNumbers(cells[order])
        # Contributions to the keys of images, by source axis, forward and reversed.
        within = (cells - cells.min(axis=0)).T
        there, back = within, spans[:, None] - within
        found = dict[bytes, NDArray[np.int32]]()
        for isometry in possible:
            keys = np.zeros(len(cells), dtype=np.int64)
            for stride, axis, sign in zip(
                numbers.strides, isometry.axes, isometry.signs, strict=True
            ):
                keys += stride * (there if sign > 0 else back)[axis]
            image = numbers.at(keys)
            if (image != NO_NUMBER).all():
                permutation = order[image]
                found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def positions(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        return cells.astype(np.float64)

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """Return `cells` sorted and translated so that the least coordinate on each axis is 0."""
        columns = [(column, min(column)) for column in zip(*cells, strict=True)]
        rows = zip(*([at - low for at in column] for column, low in columns), strict=True)
        return tuple(sorted(rows))

    def homes(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.zeros(cells.shape, dtype=np.int64)

    def colours(self, cells: NDArray[np.int64], neighbours: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return a chessboard colouring: cells whose coordinates have an odd sum are black."""
        colours: NDArray[np.int64] = 2 * (cells.sum(axis=1) % 2) - 1
        return colours

    def footprint(self, cell: Cell) -> Footprint:
        if self.dimension > 4:
            raise PuzzleError(
                f"pictures show up to 4 dimensions, not {self.dimension}; {OTHER_FILES}"
            )
        x, y = (*cell, 0)[:2]
        return Footprint(((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)), cell[2:])

    def solid(self, cell: Cell) -> Solid:
        return super().solid(cell) if self.dimension > 3 else upright(self.footprint(cell))

    def text_place(self, cell: Cell) -> Cell:
        if self.dimension not in (2, 3):
            raise PuzzleError(
                f"text shows solutions of two or three dimensions, not {self.dimension}; "
                f"{OTHER_FILES}"
            )
        return cell

    def text_cell(self, place: Cell) -> Cell:
        return self.text_place(place)


def _axes(isometries: Sequence[SignedPermutation]) -> NDArray[np.int64]:
    """Return the source axis of each coordinate of an image, shape (isometries, dimension)."""
    return np.array([isometry.axes for isometry in isometries], dtype=np.int64)


def _signs(isometries: Sequence[SignedPermutation]) -> NDArray[np.int64]:
    """Return the sign of each coordinate of an image, shape (isometries, dimension)."""
    return np.array([isometry.signs for isometry in isometries], dtype=np.int64)


def _different(
    isometries: Sequence[SignedPermutation], spans: NDArray[np.int64]
) -> list[SignedPermutation]:
    """Return the first of `isometries` for each effect on cells with these `spans`.

    Effects are compared up to translation. An axis along which the cells do not extend may be
    reversed or exchanged without effect.
    """
    if spans.all():
        return list(isometries)
    axes = _axes(isometries)
    signs = _signs(isometries)
    effects = np.where(spans[axes] == 0, 0, (axes + 1) * signs)
    _, first = np.unique(effects, axis=0, return_index=True)
    return [isometries[number] for number in np.sort(first)]


def require_squares(lattice: Lattice, what: str) -> None:
    """Raise `PuzzleError` unless the lattice is square; `what` is a format or page."""
    if not isinstance(lattice, SquareLattice):
        raise PuzzleError(f"{what} supports square cells only, not cells {lattice.phrase}")
