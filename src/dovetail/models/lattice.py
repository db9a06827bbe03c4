"""Lattices: the cells that regions and pieces are made of, and how they move.

`Lattice` is all that the rest of the package asks of one; `SquareLattice` has squares, cubes and
their kin in any dimension. How other lattices fit is in docs/ARCHITECTURE.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from operator import add, index, sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many

Cell = tuple[int, ...]
Cells = tuple[Cell, ...]
Point = tuple[float, float]

# A map of the lattice onto itself: of cells, shape (n, axes), to their images in the same order. Of
# those that differ by a translation a lattice needs one.
Isometry = Callable[[NDArray[np.int64]], NDArray[np.int64]]

# Coordinates beyond this are a mistake; the bound keeps sums of coordinates within int64.
LARGEST_COORDINATE = 1_000_000

# Seven dimensions have 645,120 isometries, six 46,080.
MAX_DIMENSIONS = 6

OTHER_FILES = "use JSON (.json, .jsonl) or CSV (.csv)"


class Footprint(NamedTuple):
    """A cell on paper: the corners of a convex polygon, and the layer that it is drawn in.

    Corners go clockwise, y pointing upward, in units of which a square's side is one. Cells that
    have a side in common have both its corners in common. `layer` is () in the plane, (z,) in space
    and (z, w) in four dimensions.
    """

    polygon: tuple[Point, ...]
    layer: Cell = ()


class Lattice(ABC):
    """The cells of a tiling or a packing, and everything that is asked about them.

    A cell is a tuple of integers, one for each of `axes`. A translation adds a vector of as many
    integers to every cell; which vectors are translations is up to the lattice, but each cell is a
    translate of exactly one of the `fundamental_cells`. So a lattice may have cells of several
    classes, which the last coordinates tell apart or which are spread over the integer points.

    Lattices are immutable, hashable, equal to their copies and picklable: puzzles hold them.
    Subclasses implement the abstract methods. The others have defaults: pieces do not cross, a
    colouring is searched for, and there are neither pictures nor text, which is refused by name.
    """

    # Of the space that the cells lie in.
    dimension: int

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: Any) -> Any:
        """How plain data have a lattice: as one of squares, until files name others."""
        return handler(source) if cls is not Lattice else handler.generate_schema(SquareLattice)

    @property
    @abstractmethod
    def name(self) -> str:
        """Names the lattice in digests and messages; no two lattices have the same name."""

    @property
    @abstractmethod
    def axes(self) -> tuple[str, ...]:
        """What the coordinates of a cell are called."""

    @property
    @abstractmethod
    def fundamental_cells(self) -> Cells:
        """One cell of each class of translates, sorted.

        Where there is one class it is the origin: differences of cells are cells then.
        """

    @abstractmethod
    def is_cell(self, cell: Cell) -> bool:
        """Whether integers, as many as there are axes, are a cell."""

    @abstractmethod
    def neighbours(self, cell: Cell) -> Cells:
        """The cells by which pieces, and parts of a region, hang together with `cell`."""

    @abstractmethod
    def translations(self, source: Cell, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The vectors that carry `source` onto those of `targets` that are its translates.

        `targets` has shape (n, axes), the vectors (m, axes), in the order of the targets.
        """

    @abstractmethod
    def orientations(self, cells: Cells, *, reflections: bool) -> tuple[Cells, ...]:
        """The ways that a piece can lie, one for each class of translates, normalised.

        They are its congruent copies on the lattice: images under rotations, with `reflections`
        also mirror images. `cells` as they are come first.
        """

    @abstractmethod
    def symmetries(self, cells: NDArray[np.int64], *, reflections: bool) -> NDArray[np.int32]:
        """How rotations permute a region that they carry onto itself.

        `cells` are distinct, shape (n, axes), n ≥ 1. Row g of the result, shape (symmetries, n),
        has the number of the cell that symmetry g carries each cell to. Rows differ; the identity
        comes first. With `reflections`, those are among them too.
        """

    @abstractmethod
    def positions(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where the centres of `cells`, shape (n, axes), lie in space, shape (n, dimension)."""

    @property
    def flips(self) -> bool:
        """Whether turning a piece over in one's hands reflects it: only in the plane."""
        return self.dimension == 2

    @property
    def phrase(self) -> str:
        """Names the lattice behind "60 cells", as a reader would."""
        return f"of the {self.name} lattice"

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """`cells` translated to a standard position and sorted: equal for translates.

        By default the first of them becomes one of the `fundamental_cells`.
        """
        rows = sorted(cells)  # in an order that translations keep
        (vector,) = self.translations(rows[0], np.array(self.fundamental_cells)).tolist()
        return tuple(tuple(map(add, row, vector)) for row in rows)

    def crossings(self, cells: Cells) -> Cells:
        """The places that a piece on `cells` crosses, where no other piece may cross it.

        Places have as many coordinates as cells and are numbered apart from them: a translation of
        the piece adds its vector to them too. By default there are none.
        """
        return ()

    def colours(
        self, cells: NDArray[np.int64], neighbours: NDArray[np.int32]
    ) -> NDArray[np.int64] | None:
        """A colouring in which neighbours differ, 1 for black cells and −1 for white; or None.

        `cells` has shape (n, axes), `neighbours` (n, degree) with the numbers of cells, −1 for
        none; the colours have shape (n,). By default each part of the region is coloured from its
        first cell on, which is black, and None means that some part has an odd cycle.
        """
        near, colour = neighbours.tolist(), [0] * len(neighbours)
        for seed in range(len(near)):
            if colour[seed]:
                continue
            colour[seed] = 1
            reached = [seed]
            for cell in reached:  # grows while it is walked
                for other in near[cell]:
                    if other >= 0 and not colour[other]:
                        colour[other] = -colour[cell]
                        reached.append(other)
                    elif other >= 0 and colour[other] == colour[cell]:
                        return None
        return np.array(colour, dtype=np.int64)

    def footprint(self, cell: Cell) -> Footprint:
        """How `cell` is drawn; raises `PuzzleError` where cells of the lattice are not."""
        raise PuzzleError(f"pictures cannot show cells {self.phrase}; {OTHER_FILES}")

    def text_place(self, cell: Cell) -> Cell:
        """The column and row of a cell in a text picture, and its layer if there are layers.

        Rows are counted upward. Cells have different places, and translates of cells that form a
        picture form the same one. Raises `PuzzleError` where text cannot show the lattice.
        """
        raise PuzzleError(f"text cannot show cells {self.phrase}; {OTHER_FILES}")

    def text_cell(self, place: Cell) -> Cell | None:
        """The cell that has a place in text pictures, None where none has it."""
        raise PuzzleError(f"text cannot show cells {self.phrase}; {OTHER_FILES}")


def orientations_by(
    lattice: Lattice, cells: Cells, isometries: Iterable[Isometry]
) -> tuple[Cells, ...]:
    """The distinct images of `cells` under `isometries`, normalised, in order of discovery."""
    array = np.array(cells, dtype=np.int64)
    images = (isometry(array).tolist() for isometry in isometries)
    return tuple(dict.fromkeys(map(lattice.normalise, images)))


def symmetries_by(
    lattice: Lattice, cells: NDArray[np.int64], isometries: Iterable[Isometry]
) -> NDArray[np.int32]:
    """The permutations of `cells` that some isometries and a translation make.

    What `Lattice.symmetries` returns where the symmetries of all regions are a group's.
    """
    order = np.lexsort(cells.T[::-1])
    target = cells[order]
    found = dict[bytes, NDArray[np.int32]]()
    for isometry in isometries:
        image = isometry(cells)
        by_image = np.lexsort(image.T[::-1])
        in_order = image[by_image]  # a translation keeps the order
        for vector in lattice.translations(tuple(in_order[0].tolist()), target[:1]):
            if np.array_equal(in_order + vector, target):
                permutation = np.empty(len(cells), dtype=np.int32)
                permutation[by_image] = order
                found.setdefault(permutation.tobytes(), permutation)
    return np.stack(list(found.values()))


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
        inversions = sum(one > other for one, other in combinations(self.axes, 2))
        return (inversions % 2 == 1) == (prod(self.signs) < 0)

    def __call__(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of `cells`, an array of shape (cells, dimension)."""
        images: NDArray[np.int64] = cells[:, self.axes] * np.array(self.signs, dtype=np.int64)
        return images


@cache
def signed_permutations(dimension: int, *, reflections: bool) -> tuple[SignedPermutation, ...]:
    """All signed permutations of the axes, or the rotations among them, identity first."""
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
    """Unit squares, cubes and their kin in 1 to `MAX_DIMENSIONS` dimensions.

    Two cells are neighbours when they share a facet. The isometries are the signed
    permutations of the axes: 8 in two dimensions, 48 in three, 384 in four, half of each
    being rotations. Raises `PuzzleError` for another dimension.
    """

    dimension: int

    def __post_init__(self) -> None:
        if type(self.dimension) is not int or not 1 <= self.dimension <= MAX_DIMENSIONS:
            raise PuzzleError(
                f"a square lattice of {self.dimension} dimensions; expected 1 to {MAX_DIMENSIONS}"
            )

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

    def is_cell(self, cell: Cell) -> bool:
        return True

    def neighbours(self, cell: Cell) -> Cells:
        """The cells that share a facet with `cell`: −x, −y, −z, …, then +x, +y, +z, …"""
        return tuple(
            (*cell[:axis], cell[axis] + step, *cell[axis + 1 :])
            for step in (-1, 1)
            for axis in range(self.dimension)
        )

    def translations(self, source: Cell, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        return targets - np.array(source, dtype=np.int64)

    def orientations(self, cells: Cells, *, reflections: bool) -> tuple[Cells, ...]:
        isometries = signed_permutations(self.dimension, reflections=reflections)
        spans = np.ptp(np.array(cells, dtype=np.int64), axis=0)
        return orientations_by(self, cells, _different(isometries, spans))

    def symmetries(self, cells: NDArray[np.int64], *, reflections: bool) -> NDArray[np.int32]:
        spans = np.ptp(cells, axis=0)
        isometries = signed_permutations(self.dimension, reflections=reflections)
        same_box = np.all(spans[_axes(isometries)] == spans, axis=1)
        possible = _different([isometries[n] for n in np.flatnonzero(same_box)], spans)
        return symmetries_by(self, cells, possible)

    def positions(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        return cells.astype(np.float64)

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """`cells` sorted, with least coordinates 0."""
        rows = list(cells)
        lowest = tuple(map(min, zip(*rows, strict=True)))
        return tuple(sorted(tuple(map(sub, row, lowest)) for row in rows))

    def colours(self, cells: NDArray[np.int64], neighbours: NDArray[np.int32]) -> NDArray[np.int64]:
        """A chessboard's: cells whose coordinates have an odd sum are black."""
        colours: NDArray[np.int64] = 2 * (cells.sum(axis=1) % 2) - 1
        return colours

    def footprint(self, cell: Cell) -> Footprint:
        if self.dimension > 4:
            raise PuzzleError(
                f"pictures show up to 4 dimensions, not {self.dimension}; {OTHER_FILES}"
            )
        x, y = (*cell, 0)[:2]
        return Footprint(((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)), cell[2:])

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
    """Where the coordinates of images come from, shape (isometries, dimension)."""
    return np.array([isometry.axes for isometry in isometries], dtype=np.int64)


def _different(
    isometries: Sequence[SignedPermutation], spans: NDArray[np.int64]
) -> list[SignedPermutation]:
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


def require_squares(lattice: Lattice, what: str) -> None:
    """Raises `PuzzleError` where `what`, a format or a page, has no words for a lattice."""
    if not isinstance(lattice, SquareLattice):
        raise PuzzleError(f"{what} supports square cells only, not cells {lattice.phrase}")


def as_cells(cells: Iterable[Iterable[int]]) -> Cells:
    """`cells` as a tuple of tuples of Python integers, in the given order.

    Raises `PuzzleError` for a coordinate that is not a whole number.
    """
    try:
        return tuple(tuple(index(coordinate) for coordinate in cell) for cell in cells)
    except TypeError:
        raise PuzzleError("a cell is not a sequence of whole numbers") from None
