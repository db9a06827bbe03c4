"""BurrTools' grids: positions of cells, numbered rotations, and constraints by colours.

Files place cells at positions (x, y, z). The position of a cell is its place in text; squares of
the plane are in a single layer of cubes. A coloured cell of a piece may lie on a coloured cell of
the result only if the problem's bitmap has the pair of colours. Cells without a colour fit any
colour. A scattered piece of spheres, with or without colours, may lie only in places to which
rotations of BurrTools map it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.kinds.space import rhombic, tetra_octa, triangular_prisms
from dovetail.models.lattices.kinds.spheres import spheres
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.puzzles.polyominoes import PLANE, SPACE, in_dimension

Array = NDArray[np.int64]

# Maximum number of steps for all problems of a file; they take some seconds. A step is a cell of a
# piece in a place that is tried. A cell of a listed place counts as `STEPS_OF_LISTED` further
# steps, since the puzzle checks the place again.
MAX_STEPS = 200_000_000
STEPS_OF_LISTED = 40

# The first two rows of the matrix of each rotation of spheres, multiplied by 3. The digits are the
# entries plus 3. The order is BurrTools' own and follows no rule.
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
    """A grid of BurrTools.

    Rotation n maps a point p to `matrices[n]` p / `divisor`, about some origin. With a divisor
    other than 1, only images with integer coordinates are cells.
    """

    kind: str  # the number that names the grid in files: `<gridType type="kind"/>`
    lattice: Lattice
    matrices: Array
    """Shape (rotations, 3, 3)."""
    points: Callable[[Array], Array]
    """Maps positions to points, shapes (n, 3)."""
    places: Callable[[Array], Array]
    """Maps points to positions, shapes (n, 3)."""
    divisor: int = 1
    expected: str = ""
    """Description of the positions that are cells; empty if every position is a cell."""
    reflection: Array = field(default_factory=lambda: np.eye(3, dtype=np.int64)[[1, 0, 2]])
    """A reflection of points that maps the grid to itself; by default it exchanges x and y."""

    @property
    def rotations(self) -> int:
        """Number of rotations."""
        return len(self.matrices)

    def positions(self, cells: Cells) -> Cells:
        """Return the positions of cells of the grid's lattice, or of squares of the plane."""
        if cells and len(cells[0]) == PLANE.dimension:
            return in_dimension(cells, 3)
        return tuple(self.lattice.text_places(cells))

    def cells(self, positions: Cells) -> Cells:
        """Return the cells at positions; raise `PuzzleError` for a position without a cell."""
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
        """Return the orientations of a coloured piece, or of its mirror image if `reflected`.

        `colours` has the colour at each position of the piece. An orientation has the normalised
        cells, and their colours in the same order.
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
        """Return True if the grid's rotations give every orientation of a piece.

        The rotations of spheres do so for connected pieces and for some others, and the rotations
        of other grids for all pieces.
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
        """Return the images of positions and of a hotspot under rotation `number`.

        All images are moved by the same translation. The images are in the order of the positions.
        With `reflected`, the positions are reflected first. Returns None if the rotation maps a
        cell to a position without a cell.
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
    """Return all grids by `kind`."""
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
            expected="distances 0, 1 and 2 in some order from the nearer sides of its 5x5x5 block",
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
    """Return the grid of a lattice, cubes for the plane; raise `PuzzleError` if there is none."""
    if lattice == PLANE:
        lattice = SPACE
    for grid in grids().values():
        if grid.lattice == lattice:
            return grid
    names = ", ".join(kind.name for kind in (PLANE, *(grid.lattice for grid in grids().values())))
    raise PuzzleError(
        f"BurrTools files do not support cells {lattice.phrase}; expected one of the lattices "
        f"{names}"
    )


@dataclass
class Allowance:
    """Number of steps used to find the places of pieces, in all problems of a file together."""

    steps: int = 0

    def spend(self, steps: int) -> None:
        """Add steps to the count; raise `PuzzleError` if it exceeds `MAX_STEPS`."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise PuzzleError(
                f"too many places of coloured pieces: {self.steps:,} steps to look through them; "
                f"the limit is {MAX_STEPS:,}"
            )


@dataclass(frozen=True)
class Places:
    """Places that colours and the grid's rotations allow for a piece."""

    listed: tuple[Cells, ...] | None  # None if the piece may lie wherever it fits into the result
    several: bool  # True if the colours fit the cells of some place in several ways


@dataclass(frozen=True)
class Colouring:
    """The colours of a problem's result, and the pairs of colours that its bitmap allows."""

    grid: Grid
    result: Mapping[Cell, int]  # colour at each position of the result, 0 for none
    allowed: frozenset[tuple[int, int]]  # allowed pairs: a piece's colour on a result's colour
    allowance: Allowance

    def places(self, colours: Mapping[Cell, int], hotspot: Cell) -> Places:
        """Return the allowed places of a piece with the colours `colours` at its positions.

        Raises `PuzzleError` if `allowance` is exceeded.
        """
        everywhere = self.grid.turns_everywhere(tuple(colours), hotspot)
        if not self.result or (everywhere and not any(colours.values())):
            return Places(None, several=False)
        lets_in = {colour: self._lets_in(colour) for colour in set(colours.values())}
        if everywhere and all(below.all() for below in lets_in.values()):
            patterns = self.grid.coloured_orientations(colours, hotspot)
            return Places(None, len({cells for cells, _ in patterns}) < len(patterns))
        lattice, (numbers, shown) = self.grid.lattice, self._numbered
        fitting, free = set[bytes](), dict[bytes, tuple[int, ...]]()
        several = False
        for number in range(self.grid.rotations):
            turned = self.grid.turned(tuple(colours), hotspot, number)
            if turned is None:
                continue
            cells = np.array(self.grid.cells(turned[0]), dtype=np.int64)
            order = np.lexsort(cells.T[::-1])  # translations preserve the order
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
                keeps &= below[shown[places[:, in_order == colour]]].all(axis=1)
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
        """Return a mask over colour numbers of the result: True if `colour` may lie on that colour.

        Numbers that are not colours of the result are True.
        """
        return np.array(
            [
                not colour or not below or below not in self._colours or pair in self.allowed
                for below, pair in ((n, (colour, n)) for n in range(max(self._colours) + 1))
            ]
        )

    @cached_property
    def _colours(self) -> frozenset[int]:
        """Colours of the result, and 0."""
        return frozenset({0, *self.result.values()})

    @cached_property
    def _numbered(self) -> tuple[CellNumbers, Array]:
        """The cells of the result, numbered in ascending order, and their colours."""
        cells = np.array(self.grid.cells(tuple(self.result)), dtype=np.int64)
        order = np.lexsort(cells.T[::-1])
        return CellNumbers(cells[order]), np.array(list(self.result.values()), np.int64)[order]


def _same(positions: Array) -> Array:
    return positions


def _thirds(positions: Array) -> Array:
    """Return the centres of triangles, in thirds of steps along two axes at 60°, and their z."""
    x, y, z = positions.T
    down = (x + y) % 2
    return np.stack([3 * (x - y - down) // 2 + 1 + down, 3 * y + 1 + down, z], axis=1)


def _triangles(points: Array) -> Array:
    """Return the positions of triangles by their centres, as `_thirds` gives them."""
    a, b, z = points.T
    y, down = b // 3, b % 3 - 1
    return np.stack([2 * ((a - 1 - down) // 3) + y + down, y, z], axis=1)


def _cube_rotations() -> Array:
    """Return the matrices of the 24 rotations of cubes, in the order of their numbers.

    Rotation 4a + b first turns by b quarters about x. Then it turns by a quarters about y for
    a < 4, or by one quarter about z: forwards for a = 4, backwards for a = 5.
    """
    about_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    about_y = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    about_z = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    power = np.linalg.matrix_power
    then = [*(power(about_y, times) for times in range(4)), about_z, about_z.T]
    return np.array([second @ power(about_x, b) for second in then for b in range(4)])


def _prism_rotations() -> Array:
    """Return the matrices of the 12 rotations of prisms, in the order of their numbers.

    Rotation 6a + b first makes half a turn about the axis y if a = 1. Then it turns by b sixths
    about z.
    """
    sixth = np.array([[0, -1, 0], [1, 1, 0], [0, 0, 1]])
    over = np.array([[-1, -1, 0], [0, 1, 0], [0, 0, -1]])
    power = np.linalg.matrix_power
    return np.array([power(sixth, b) @ power(over, a) for a in range(2) for b in range(6)])


def _sphere_rotations() -> Array:
    """Return the matrices of the 120 rotations of spheres, times 3, so that entries are integers.

    The third row is the vector product of the first two rows, divided by 3.
    """
    digits = " ".join(SPHERE_ROTATIONS).split()
    rows = np.array([[int(digit) - 3 for digit in word] for word in digits]).reshape(-1, 2, 3)
    third = np.cross(rows[:, 0], rows[:, 1]) // 3
    return np.concatenate([rows, third[:, None]], axis=1)
