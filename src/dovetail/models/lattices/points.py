"""Lattices from data: a new lattice needs a `Tiling`, but no code.

Isometries are integer matrices. Their effect on cells is computed once for a cell of each class of
translates. Neighbours are found by shared corners. `kinds.space.prisms` makes a lattice of
prisms from any planar tiling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product, zip_longest
from math import atan2
from operator import add, sub

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import (
    Cell,
    Cells,
    Footprint,
    Isometry,
    Lattice,
    Orientations,
    Solid,
    symmetries_by,
)
from dovetail.models.lattices.solids import hull_faces, upright
from dovetail.models.lattices.sublattice import (
    Array,
    Matrix,
    Sublattice,
    Tiling,
    Translates,
    identity,
)

MAX_ISOMETRIES = 48  # largest number of isometries up to translations in three dimensions
REACH = 2  # largest distance of neighbours in periods, along each period


@dataclass(frozen=True)
class PointLattice(Lattice):
    """The lattice of a tiling.

    Raises `PuzzleError` if two fundamental cells are translates of each other. When cells are first
    moved, `PuzzleError` is also raised for matrices that do not map the tiling onto itself.
    """

    tiling: Tiling

    def __post_init__(self) -> None:
        _ = self._middles  # `Translates` checks the fundamental cells

    def __reduce__(self) -> tuple[type[PointLattice], tuple[Tiling]]:
        return type(self), (self.tiling,)

    @property
    def name(self) -> str:
        return self.tiling.name

    @property
    def title(self) -> str:
        return self.tiling.title or super().title

    @property
    def axes(self) -> tuple[str, ...]:
        return self.tiling.axes

    @property
    def dimension(self) -> int:  # type: ignore[override]  # a plain attribute elsewhere
        return len(self.tiling.frame[0])

    @property
    def fundamental_cells(self) -> Cells:
        return self._cells.members

    def is_cell(self, cell: Cell) -> bool:
        return self._cells.find(cell) is not None

    def neighbours(self, cell: Cell) -> Cells:
        """Return the cells that share enough corners, in the same order for translates."""
        number, coefficients = self._found(cell)
        return tuple(self._periods.moved(near, coefficients) for near in self._near[number])

    def translations(self, source: Cell, targets: Array) -> Array:
        vectors = targets - np.array(source, dtype=np.int64)
        found: Array = vectors[self._periods.contains(vectors)]
        return found

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        rows = sorted(cells)  # translations preserve this order
        number, _ = self._found(rows[0])
        vector = tuple(map(sub, self.fundamental_cells[number], rows[0]))
        return tuple(tuple(map(add, row, vector)) for row in rows)

    def homes(self, cells: Array) -> Array:
        return np.array(self.fundamental_cells, dtype=np.int64)[self._cells.find_all(cells)[0]]

    def orientations(self, cells: Cells, *, reflections: bool) -> Orientations:
        array = np.array(cells, dtype=np.int64)
        isometries = self.isometries(reflections=reflections)
        return Orientations(self, [np.stack([isometry(array) for isometry in isometries])])

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        return symmetries_by(self, cells, self.isometries(reflections=reflections))

    def isometries(self, *, reflections: bool) -> Sequence[Isometry]:
        return [
            partial(self._moved, number)
            for number, matrix in enumerate(self._matrices)
            if reflections or np.linalg.det(np.array(matrix)) > 0
        ]

    def colours(self, cells: Array, neighbours: NDArray[np.int32]) -> Array | None:
        """Return part of a colouring of the lattice if there is one, with the first cell black."""
        if self._signs is None:
            return super().colours(cells, neighbours)
        numbers, coefficients = self._cells.find_all(cells)
        signs: Array = self._signs[(numbers, *coefficients.T % 2)]
        return signs * signs[:1]

    def positions(self, cells: Array) -> NDArray[np.float64]:
        numbers, coefficients = self._cells.find_all(cells)
        steps = np.array(self._middles.sublattice.basis)
        points = np.array(self._middles.members)[numbers] + coefficients @ steps
        places: NDArray[np.float64] = points / self._corner_count @ np.array(self.tiling.frame)
        return places

    def corners(self, cell: Cell) -> tuple[tuple[float, ...], ...]:
        """Return the positions in space of a cell's corners."""
        places = np.array(self.corner_points(cell)) @ np.array(self.tiling.frame)
        return tuple(map(tuple, places.tolist()))

    def corner_points(self, cell: Cell) -> Cells:
        """Return the corners of a cell as integer points."""
        number, coefficients = self._found(cell)
        home = self.tiling.corners[self.fundamental_cells[number]]
        return tuple(self._steps.moved(corner, coefficients) for corner in home)

    def footprint(self, cell: Cell) -> Footprint:
        """Return the polygon of a planar cell, or a prism's base in the layer `cell[-1:]`.

        Raises `PuzzleError` for other cells.
        """
        corners = self.corners(cell)
        if self.dimension == 2:
            return Footprint(clockwise(corners))
        levels = defaultdict[float, set[tuple[float, ...]]](set)
        for *point, z in corners:
            levels[z].add(tuple(point))
        below, *above = levels.values()
        if above != [below]:
            return super().footprint(cell)
        return Footprint(clockwise(below), cell[-1:])

    def solid(self, cell: Cell) -> Solid:
        """Return the convex hull of the corners, or the prism over a planar cell."""
        if self.dimension == 2:
            return upright(self.footprint(cell))
        number, _ = self._found(cell)
        return Solid(tuple((x, y, z) for x, y, z in self.corners(cell)), self._faces[number])

    def text_place(self, cell: Cell) -> Cell:
        return self._text.translate(*self._found(cell))

    def text_cell(self, place: Cell) -> Cell | None:
        found = self._text.find(place)
        return None if found is None else self._cells.translate(*found)

    def text_places(self, cells: Sequence[Cell]) -> list[Cell]:
        if not cells:
            return []
        numbers, coefficients = self._cells.find_all(np.array(cells, dtype=np.int64))
        return list(map(tuple, self._text.translate_all(numbers, coefficients).tolist()))

    def text_cells(self, places: Sequence[Cell]) -> list[Cell | None]:
        if not places:
            return []
        numbers, coefficients = self._text.find_all(np.array(places, dtype=np.int64))
        cells = self._cells.translate_all(numbers, coefficients).tolist()
        return [
            tuple(cell) if number >= 0 else None
            for cell, number in zip(cells, numbers.tolist(), strict=True)
        ]

    def _found(self, cell: Cell) -> tuple[int, Cell]:
        """Return the number of a cell's fundamental cell, and the coefficients of the periods."""
        found = self._cells.find(cell)
        if found is None:
            raise PuzzleError(f"{cell} is not a cell {self.phrase}")
        return found

    def _moved(self, isometry: int, cells: Array) -> Array:
        images, periods = self._actions[isometry]
        numbers, coefficients = self._cells.find_all(cells)
        moved: Array = images[numbers] + coefficients @ periods
        return moved

    @cached_property
    def _periods(self) -> Sublattice:
        return Sublattice(self.tiling.periods)

    @cached_property
    def _steps(self) -> Sublattice:
        return Sublattice(self.tiling.steps)

    @cached_property
    def _cells(self) -> Translates:
        return Translates(self._periods, tuple(sorted(self.tiling.corners)))

    @cached_property
    def _middles(self) -> Translates:
        """Centres of the cells, multiplied by the number of corners, as integer points."""
        steps = tuple(tuple(self._corner_count * x for x in step) for step in self.tiling.steps)
        corners = (self.tiling.corners[cell] for cell in self.fundamental_cells)
        middles = tuple(tuple(map(sum, zip(*its, strict=True))) for its in corners)
        return Translates(Sublattice(steps), middles)

    @cached_property
    def _text(self) -> Translates:
        places = tuple(self.tiling.text[cell] for cell in self.fundamental_cells)
        return Translates(Sublattice(self.tiling.text_steps), places)

    @cached_property
    def _faces(self) -> list[tuple[tuple[int, ...], ...]]:
        """Faces of each fundamental cell, by the numbers of its corners."""
        return [hull_faces(self.corners(cell)) for cell in self.fundamental_cells]

    @cached_property
    def _corner_count(self) -> int:
        return len(self.tiling.corners[self.fundamental_cells[0]])

    @cached_property
    def _matrices(self) -> tuple[Matrix, ...]:
        """All products of the generators, identity first."""
        found = {identity(len(self.tiling.frame)): None}
        reached = list(found)
        for matrix in reached:  # grows during the loop
            for generator in self.tiling.generators:
                image = tuple(map(tuple, (np.array(matrix) @ np.array(generator)).tolist()))
                if image not in found:
                    if len(found) == MAX_ISOMETRIES:
                        raise PuzzleError(f"{self.name} has more than {MAX_ISOMETRIES} isometries")
                    found[image] = None
                    reached.append(image)
        return tuple(found)

    @cached_property
    def _actions(self) -> list[tuple[Array, Array]]:
        """For each isometry, the images of the fundamental cells and of the periods."""
        actions = []
        for matrix in self._matrices:
            transposed = np.array(matrix, dtype=np.int64).T
            images = [self._cell_at(middle @ transposed) for middle in self._middles.members]
            steps, rests = self._steps.split_all(np.array(self.tiling.steps) @ transposed)
            if rests.any():
                raise PuzzleError(f"{self.name}: an isometry does not map steps to steps")
            actions.append((np.array(images), steps @ np.array(self.tiling.periods)))
        return actions

    def _cell_at(self, middle: Array) -> Cell:
        found = self._middles.find(tuple(middle.tolist()))
        if found is None:
            raise PuzzleError(f"{self.name}: an isometry does not map cells to cells")
        return self._cells.translate(*found)

    @cached_property
    def _signs(self) -> Array | None:
        """A colouring of the lattice by fundamental cells and parities of coefficients, or None."""
        shape = (len(self.fundamental_cells), *(2 for _ in self.tiling.periods))
        near = list[list[int]]()
        for number, *parities in np.ndindex(shape):
            around = self.neighbours(self._cells.translate(number, tuple(parities)))
            numbers, coefficients = self._cells.find_all(np.array(around, dtype=np.int64))
            near.append(np.ravel_multi_index((numbers, *coefficients.T % 2), shape).tolist())
        table = np.array([*zip_longest(*near, fillvalue=-1)], dtype=np.int32).T
        signs = Lattice.colours(self, np.empty((0, len(self.axes)), dtype=np.int64), table)
        return None if signs is None else signs.reshape(shape)

    @cached_property
    def _near(self) -> list[Cells]:
        """Neighbours of each fundamental cell, sorted."""
        around = defaultdict[Cell, list[Cell]](list)
        reach = range(-REACH, REACH + 1)
        for coefficients in product(reach, repeat=len(self.tiling.periods)):
            for number in range(len(self.fundamental_cells)):
                cell = self._cells.translate(number, coefficients)
                for corner in self.corner_points(cell):
                    around[corner].append(cell)
        return [self._sharing(cell, around) for cell in self.fundamental_cells]

    def _sharing(self, cell: Cell, around: dict[Cell, list[Cell]]) -> Cells:
        """Return the neighbours of a fundamental cell; `around` has the cells at each corner."""
        shared = defaultdict[Cell, int](int)
        for corner in self.tiling.corners[cell]:
            for other in around[corner]:
                shared[other] += 1
        enough = (other for other, times in shared.items() if times >= self.tiling.shared)
        return tuple(sorted(other for other in enough if other != cell))


def clockwise(corners: Iterable[tuple[float, ...]]) -> tuple[tuple[float, float], ...]:
    """Return the corners of a convex polygon clockwise, the leftmost of the topmost first."""
    points = [(x, y) for x, y in corners]
    middle = np.mean(points, axis=0)
    order = sorted(points, key=lambda corner: -atan2(corner[1] - middle[1], corner[0] - middle[0]))
    first = min(range(len(order)), key=lambda n: (-round(order[n][1], 6), round(order[n][0], 6)))
    return tuple(order[first:] + order[:first])
