"""Data of tilings, sublattices (integer combinations of vectors), and vectors modulo these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells

Matrix = tuple[Cell, ...]


@dataclass(frozen=True)
class Tiling:
    """The data of a lattice of tiles, solids or edges.

    Corners are *points*. Points have integer coordinates, but along other axes than cells; these
    axes may be oblique.
    """

    name: str
    """As in `Lattice`."""
    axes: tuple[str, ...]
    """As in `Lattice`."""
    corners: Mapping[Cell, Cells]
    """Corners of each fundamental cell; all cells have equally many corners."""
    periods: Cells
    """Linearly independent vectors of cells. Their integer combinations are the translations."""
    steps: Cells
    """Translation of points that corresponds to each of the periods."""
    generators: tuple[Matrix, ...]
    """Matrices on points. Their products are all isometries about the origin."""
    frame: tuple[tuple[float, ...], ...]
    """Vectors in space for a step along each axis of points, one per row."""
    shared: int
    """Least number of corners that neighbours have in common."""
    text: Mapping[Cell, Cell]
    """Place of each fundamental cell in text: column, row and, if there are layers, layer."""
    text_steps: Cells
    """Translation of places in text that corresponds to each of the periods."""
    title: str = ""
    """As in `Lattice`; empty to derive it from the name."""

    def __hash__(self) -> int:
        return hash(self.name)


def identity(size: int, times: int = 1) -> Matrix:
    """Return a multiple of the unit matrix."""
    return tuple(tuple(times * (row == column) for column in range(size)) for row in range(size))


# Isometries of points whose first two axes are at 60°: a turn by 60°, and an exchange.
SIXTH_TURN: Matrix = ((0, -1), (1, 1))
EXCHANGE: Matrix = ((0, 1), (1, 0))
# A turn of points whose axes are at right angles.
QUARTER_TURN: Matrix = ((0, -1), (1, 0))
CUBE_TURNS: tuple[Matrix, ...] = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
)

HEIGHT = 3**0.5 / 2  # height of a triangle with sides of length 1
AT_60_DEGREES = ((1.0, 0.0), (0.5, HEIGHT))


Array = NDArray[np.int64]


@dataclass(frozen=True)
class Sublattice:
    """All integer combinations of the rows of `basis`.

    Axes on which all rows are 0 are left unchanged. There must be as many other axes as rows, and
    the rows must be linearly independent; otherwise `PuzzleError` is raised.
    """

    basis: Cells

    def __post_init__(self) -> None:
        if len(self._axes) != len(self.basis) or self._determinant == 0:
            raise PuzzleError(f"basis {self.basis} does not span the axes on which it is not 0")

    def split(self, vector: Cell) -> tuple[Cell, Cell]:
        """Return a vector's coefficients, rounded down, and its rest, equal for translates."""
        on = [vector[axis] for axis in self._axes]
        coefficients = tuple(
            sum(map(int.__mul__, on, column)) // self._determinant for column in self._columns
        )
        return coefficients, self.moved(vector, tuple(-times for times in coefficients))

    def moved(self, vector: Cell, coefficients: Cell) -> Cell:
        """Return a vector plus a combination of the basis."""
        rows = [
            tuple(times * component for component in row)
            for times, row in zip(coefficients, self.basis, strict=True)
            if times
        ]
        return tuple(map(sum, zip(vector, *rows, strict=True)))

    def contains(self, vectors: Array) -> NDArray[np.bool_]:
        """Return a mask of the `vectors`, shape (n, axes), that are in the sublattice."""
        inside: NDArray[np.bool_] = np.all(self.split_all(vectors)[1] == 0, axis=1)
        return inside

    def split_all(self, vectors: Array) -> tuple[Array, Array]:
        """Return `split` of many vectors: coefficients, shape (n, rows), and rests, (n, axes)."""
        adjugate = np.array(self._columns, dtype=np.int64).T
        coefficients = vectors[:, self._axes] @ adjugate // self._determinant
        return coefficients, vectors - coefficients @ np.array(self.basis, dtype=np.int64)

    @cached_property
    def _axes(self) -> tuple[int, ...]:
        return tuple(
            axis for axis, column in enumerate(zip(*self.basis, strict=True)) if any(column)
        )

    @cached_property
    def _determinant(self) -> int:
        """Absolute value of the determinant; the adjugate has the sign."""
        return abs(round(float(np.linalg.det(self._square))))

    @cached_property
    def _columns(self) -> Cells:
        """Columns of the inverse of `_square`, times `_determinant`."""
        inverse = np.linalg.inv(self._square) * self._determinant
        return tuple(map(tuple, inverse.round().astype(np.int64).T.tolist()))

    @cached_property
    def _square(self) -> NDArray[np.float64]:
        return np.array(
            [[row[axis] for axis in self._axes] for row in self.basis], dtype=np.float64
        )


@dataclass(frozen=True)
class Translates:
    """The translates of the vectors `members` by a sublattice.

    Raises `PuzzleError` if two members are translates of each other.
    """

    sublattice: Sublattice
    members: Cells

    def __post_init__(self) -> None:
        if len(self._found) != len(self.members):
            raise PuzzleError(f"two of {self.members} are translates of each other")

    def find(self, vector: Cell) -> tuple[int, Cell] | None:
        """Return the number of the member that `vector` is a translate of, and the coefficients.

        Returns None if there is no such member.
        """
        coefficients, rest = self.sublattice.split(vector)
        if rest not in self._found:
            return None
        number, offset = self._found[rest]
        return number, tuple(map(int.__sub__, coefficients, offset))

    def find_all(self, vectors: Array) -> tuple[Array, Array]:
        """Return `find` of many vectors: numbers, shape (n,), −1 for none, and coefficients."""
        coefficients, rests = self.sublattice.split_all(vectors)
        known = np.array(list(self._found), dtype=np.int64)
        is_rest = (rests[:, None, :] == known).all(axis=2)
        number = is_rest.argmax(axis=1)
        offsets = np.array([offsets for _, offsets in self._found.values()], dtype=np.int64)
        return np.where(is_rest.any(axis=1), number, -1), coefficients - offsets[number]

    def translate_all(self, numbers: Array, coefficients: Array) -> Array:
        """Return `translate` of many members, shape (n, axes)."""
        basis = np.array(self.sublattice.basis, dtype=np.int64)
        moved: Array = np.array(self.members, dtype=np.int64)[numbers] + coefficients @ basis
        return moved

    def translate(self, number: int, coefficients: Cell) -> Cell:
        """Return the member `number`, moved by the combination of the basis with `coefficients`."""
        return self.sublattice.moved(self.members[number], coefficients)

    @cached_property
    def _found(self) -> dict[Cell, tuple[int, Cell]]:
        """Number and coefficients of each member, by its rest, in the order of the members."""
        found = {}
        for number, member in enumerate(self.members):
            coefficients, rest = self.sublattice.split(member)
            found[rest] = (number, coefficients)
        return found
