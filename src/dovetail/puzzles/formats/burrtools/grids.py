"""BurrTools' grids: where cells of a lattice stand, and the numbered rotations.

Files place cells at positions (x, y, z). A cell stands at its place in text; a square of the plane
stands in one layer of cubes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.prisms import triangular_prisms
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.rhombic import rhombic
from dovetail.models.lattices.spheres import spheres
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.lattices.tetra_octa import tetra_octa

Array = NDArray[np.int64]

SPACE, PLANE = SquareLattice(3), SquareLattice(2)

# The first two rows of three times each rotation of spheres, every entry with 3 added to it. The
# order is BurrTools' own and follows no rule.
SPHERE_ROTATIONS = (
    "633363 336303 303633 363336 033303 330363 363033 303330 336633 633336 033336 330633",
    "330033 033330 633330 336033 336363 633303 303336 363633 330303 033363 363330 303033",
    "455125 514541 415521 554145 215545 451154 251145 415554 411525 552141 451121 512545",
    "255141 411552 211541 455152 545451 451545 541455 455541 525255 411141 521251 415145",
    "114525 141114 141411 525552 255114 114255 552255 411114 552411 114411 255552 114141",
    "255525 525114 141255 552525 141552 525411 154215 121215 512451 215512 545154 154545",
    "121154 121512 512121 154121 545512 154451 545215 215154 512215 121451 451512 215121",
    "125514 152125 125211 541152 514455 455514 211514 152455 152211 211152 514211 514125",
    "541514 125455 152541 211125 125152 541211 145415 521554 112521 145112 554415 112415",
    "251554 251112 112251 554251 415112 554521 145554 521415 112145 251521 521112 145251",
)


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid of files with `<gridType type="kind"/>`.

    Rotation number n carries a point p to `matrices[n]` p / `divisor`, about some origin; matrices
    have shape (rotations, 3, 3). `points` takes positions to points, shapes (n, 3), and `places`
    takes them back. Where there is a divisor, cells are the points that images happen to hit.
    `reflection` is one of the grid's reflections of points; by default it exchanges x and y.
    `expected` says which positions are cells.
    """

    kind: str
    lattice: Lattice
    matrices: Array
    points: Callable[[Array], Array]
    places: Callable[[Array], Array]
    divisor: int = 1
    expected: str = ""
    reflection: Array = field(default_factory=lambda: np.eye(3, dtype=np.int64)[[1, 0, 2]])

    @property
    def rotations(self) -> int:
        """How many there are."""
        return len(self.matrices)

    def positions(self, cells: Cells) -> Cells:
        """Where cells of the lattice, or of the plane, stand."""
        flat = cells and len(cells[0]) == PLANE.dimension
        if flat:
            return tuple((*cell, 0) for cell in cells)
        return tuple(self.lattice.text_places(cells))

    def cells(self, positions: Cells) -> Cells:
        """The cells at some positions; `PuzzleError` names the first where there is none."""
        every = self.lattice.text_cells(positions)
        found = tuple(cell for cell in every if cell is not None)
        if len(found) < len(positions):
            strange = positions[every.index(None)]
            raise PuzzleError(
                f"{strange} is not a position of the {self.lattice.name} grid; expected "
                f"{self.expected}"
            )
        return found

    def coloured_orientations(
        self, colours: Mapping[Cell, int], hotspot: Cell, *, reflected: bool = False
    ) -> frozenset[tuple[Cells, tuple[int, ...]]]:
        """The ways that a coloured piece, or its mirror image, can lie.

        `colours` has the positions of its cells; each way has the cells, normalised, and the
        colours of the cells in their order.
        """
        found = set[tuple[Cells, tuple[int, ...]]]()
        for number in range(self.rotations):
            turned = self.turned(tuple(colours), hotspot, number, reflected=reflected)
            if turned is not None:
                cells = self.cells(turned[0])
                in_order = sorted(zip(cells, colours.values(), strict=True))
                pattern = tuple(colour for _, colour in in_order)
                found.add((self.lattice.normalise(cells), pattern))
        return frozenset(found)

    def turns_everywhere(self, positions: Cells, hotspot: Cell) -> bool:
        """Whether rotations make every way that a piece can lie.

        Those of spheres do so for pieces that touching holds together, and for some others.
        """
        if self.divisor == 1:
            return True
        apart = set(self.cells(positions))
        reached = [apart.pop()]
        while reached:
            touching = apart.intersection(self.lattice.neighbours(reached.pop()))
            apart -= touching
            reached += touching
        if not apart:
            return True
        ways = self.coloured_orientations(dict.fromkeys(positions, 0), hotspot)
        every = self.lattice.orientations(self.cells(positions), reflections=False)
        return len(ways) == len(every)

    def turned(
        self, positions: Cells, hotspot: Cell, number: int, *, reflected: bool = False
    ) -> tuple[Cells, Cell] | None:
        """The images of cells' positions and of a hotspot by a rotation, up to a translation.

        They keep their order; with `reflected`, they are reflected first. None where the rotation
        carries a cell to where none can be.
        """
        anchor = np.array(min(positions) if self.divisor > 1 else (0, 0, 0), dtype=np.int64)
        every = np.array([*positions, hotspot], dtype=np.int64) - anchor
        points = self.points(every)
        if reflected:
            points @= self.reflection.T
        image = points @ self.matrices[number].T
        if (image[:-1] % self.divisor).any():
            return None
        image = (2 * image + self.divisor) // (2 * self.divisor)  # BurrTools rounds hotspots
        *turned, goal = map(tuple, (self.places(image) + anchor).tolist())
        if None in self.lattice.text_cells(turned):
            return None
        return tuple(turned), goal


@cache
def grids() -> dict[str, Grid]:
    """All grids by `kind`."""
    cube = _cube_rotations()
    every = (
        Grid("0", SPACE, cube, _same, _same),
        Grid(
            "1",
            triangular_prisms(),
            _prism_rotations(),
            _thirds,
            _triangles,
            reflection=np.diag([1, 1, -1]),
        ),
        Grid("2", spheres(), _sphere_rotations(), _same, _same, 3, expected="x + y + z to be even"),
        Grid(
            "3",
            rhombic(),
            cube,
            lambda positions: positions - 2,
            lambda points: points + 2,
            expected="in its block of 5x5x5, from the nearer side, 0, 1 and 2 in some order",
        ),
        Grid(
            "4",
            tetra_octa(),
            cube,
            lambda positions: 2 * positions - 5,
            lambda points: (points + 5) // 2,
            expected="the middle of a block of 3x3x3, or one of the four corners that it has",
        ),
    )
    return {grid.kind: grid for grid in every}


def grid_of(lattice: Lattice) -> Grid:
    """The grid of a lattice; `PuzzleError` where BurrTools has none."""
    if lattice == PLANE:
        lattice = SPACE
    for grid in grids().values():
        if grid.lattice == lattice:
            return grid
    names = ", ".join(one.name for one in (PLANE, *(grid.lattice for grid in grids().values())))
    raise PuzzleError(
        f"BurrTools files do not support cells {lattice.phrase}; expected one of the lattices "
        f"{names}"
    )


def moved(positions: Cells, by: Cell) -> Cells:
    """`positions` translated by a vector."""
    a, b, c = by
    return tuple((x + a, y + b, z + c) for x, y, z in positions)


def opposite(vector: Cell) -> Cell:
    """The vector back."""
    return tuple(-c for c in vector)


def min_corner(positions: Cells) -> Cell:
    """The least coordinates."""
    return tuple(map(min, zip(*positions, strict=True)))


def _same(positions: Array) -> Array:
    return positions


def _thirds(positions: Array) -> Array:
    """The centres of triangles as thirds of steps along axes at 60°, and z."""
    x, y, z = positions.T
    down = (x + y) % 2
    return np.stack([3 * (x - y - down) // 2 + 1 + down, 3 * y + 1 + down, z], axis=1)


def _triangles(points: Array) -> Array:
    """The positions of triangles with these centres."""
    a, b, z = points.T
    y, down = b // 3, b % 3 - 1
    return np.stack([2 * ((a - 1 - down) // 3) + y + down, y, z], axis=1)


def _cube_rotations() -> Array:
    """Number 4a + b: b quarters about x, then a quarters about y, or one about z either way."""
    about_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    about_y = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    about_z = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    power = np.linalg.matrix_power
    then = [*(power(about_y, times) for times in range(4)), about_z, about_z.T]
    return np.array([second @ power(about_x, b) for second in then for b in range(4)])


def _prism_rotations() -> Array:
    """Number 6a + b: for a = 1 half a turn about the vertical axis y, then b sixths about z."""
    sixth = np.array([[0, -1, 0], [1, 1, 0], [0, 0, 1]])
    over = np.array([[-1, -1, 0], [0, 1, 0], [0, 0, -1]])
    power = np.linalg.matrix_power
    return np.array([power(sixth, b) @ power(over, a) for a in range(2) for b in range(6)])


def _sphere_rotations() -> Array:
    """Three times each of the 120."""
    digits = " ".join(SPHERE_ROTATIONS).split()
    rows = np.array([[int(digit) - 3 for digit in one] for one in digits]).reshape(-1, 2, 3)
    third = np.cross(rows[:, 0], rows[:, 1]) // 3
    return np.concatenate([rows, third[:, None]], axis=1)
