"""An oracle for packings in the plane that knows no lattice's isometries, only where cells lie.

Copies of a piece are found by carrying two corners of a cell onto any two of another that are as
far apart; whether all cells then coincide with cells decides. Everything else is tried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece

TINY = 1e-4  # nearer points are the same

Place = frozenset[Cell]
Points = NDArray[np.complex128]
Packing = frozenset[tuple[int, Place]]  # which class of pieces lies where


class Plane:
    """Where the cells of a region lie: the corners that they are drawn with, as complex numbers."""

    def __init__(self, lattice: Lattice, region: Sequence[Cell]) -> None:
        self._lattice = lattice
        self._corners = {cell: self._of(cell) for cell in region}
        self._cell_at = {_key(corners): cell for cell, corners in self._corners.items()}

    def images(self, cells: Sequence[Cell], *, mirror: bool) -> Iterator[tuple[Cell, ...]]:
        """The images of `cells` within the region, by every motion that has any."""
        every = [self._of(cell) for cell in cells]
        for corners in (every, [np.conj(one) for one in every]) if mirror else (every,):
            begin, step = corners[0][0], corners[0][1] - corners[0][0]
            for target in self._corners.values():
                for at, onward in permutations(target, 2):
                    turn = (onward - at) / step
                    if abs(abs(turn) - 1) < TINY:
                        image = [_key(at + turn * (one - begin)) for one in corners]
                        if all(key in self._cell_at for key in image):
                            yield tuple(self._cell_at[key] for key in image)

    def _of(self, cell: Cell) -> Points:
        return np.array([complex(x, y) for x, y in self._lattice.footprint(cell).polygon])


@dataclass
class PackingOracle:
    """The packings of a puzzle without listed placements, identical pieces interchangeable."""

    puzzle: PackingPuzzle

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        self._plane = Plane(puzzle.lattice, puzzle.open_cells)
        self.places: dict[str, set[Place]] = {
            piece.name: self._places(piece) for piece in puzzle.pieces
        }
        self._classes = list(dict.fromkeys(map(frozenset, self.places.values())))
        self._min, self._max = [0] * len(self._classes), [0] * len(self._classes)
        for piece in puzzle.pieces:
            number = self._classes.index(frozenset(self.places[piece.name]))
            self._min[number] += piece.min_count
            self._max[number] += piece.max_count

    def packings(self) -> set[Packing]:
        """All of them."""
        return set(self._filled(tuple(self.puzzle.open_cells), frozenset(), [0] * len(self._max)))

    def up_to_symmetry(self) -> int:
        """How many there are up to the symmetries of the region that keep the pieces."""
        left, classes = self.packings(), 0
        symmetries = list(self.symmetries())
        while left:
            classes += 1
            one = next(iter(left))
            left -= {self._moved(one, symmetry) for symmetry in symmetries}
        return classes

    def symmetries(self) -> Iterator[dict[Cell, Cell]]:
        """The motions of the open cells that carry optional ones and all pieces' places along."""
        cells, seen = self.puzzle.open_cells, set[tuple[Cell, ...]]()
        for image in self._plane.images(cells, mirror=True):
            symmetry = dict(zip(cells, image, strict=True))
            optional = {symmetry[cell] for cell in self.puzzle.optional}
            if image in seen or optional != set(self.puzzle.optional):
                continue
            seen.add(image)
            carried = [self._carried(number, symmetry) for number in range(len(self._classes))]
            if all(carried):
                yield symmetry

    def _places(self, piece: Piece) -> set[Place]:
        mirror = piece.motions == Motions.FREE
        copies = set(map(frozenset, self._plane.images(piece.cells, mirror=mirror)))
        walls = [frozenset(piece.cells) for piece in self.puzzle.fixed]
        return {place for place in copies if not self._crosses(place, walls)}

    def _carried(self, number: int, symmetry: dict[Cell, Cell]) -> bool:
        """Whether a symmetry carries a class of pieces to one that is used as often."""
        image = frozenset(frozenset(symmetry[c] for c in place) for place in self._classes[number])
        if image not in self._classes:
            return False
        other = self._classes.index(image)
        uses = (self._min[number], self._max[number])
        return uses == (self._min[other], self._max[other])

    def _moved(self, packing: Packing, symmetry: dict[Cell, Cell]) -> Packing:
        image = set[tuple[int, Place]]()
        for _, place in packing:
            moved = frozenset(symmetry[cell] for cell in place)
            image.add((next(n for n, its in enumerate(self._classes) if moved in its), moved))
        return frozenset(image)

    def _filled(
        self, cells: tuple[Cell, ...], placed: Packing, used: list[int]
    ) -> Iterator[Packing]:
        """The packings that fill what is left, cell by cell."""
        if not cells:
            if all(minimum <= count for minimum, count in zip(self._min, used, strict=True)):
                yield placed
            return
        target, rest = cells[0], frozenset(cells)
        if target in self.puzzle.optional:
            yield from self._filled(cells[1:], placed, used)
        for number, places in enumerate(self._classes):
            if used[number] == self._max[number]:
                continue
            for place in places:
                if (
                    target in place
                    and place <= rest
                    and not self._crosses(place, (its for _, its in placed))
                ):
                    left = tuple(cell for cell in cells if cell not in place)
                    more = [count + (n == number) for n, count in enumerate(used)]
                    yield from self._filled(left, placed | {(number, place)}, more)

    def _crosses(self, place: Place, others: Iterable[Place]) -> bool:
        """Whether a piece goes straight through a point that another one goes through."""
        crossings = set(self.puzzle.lattice.crossings(tuple(place)))
        return any(
            not crossings.isdisjoint(self.puzzle.lattice.crossings(tuple(other)))
            for other in others
        )


def _key(corners: Points) -> frozenset[tuple[int, int]]:
    """The corners of a cell, rounded."""
    return frozenset((round(one.real / TINY), round(one.imag / TINY)) for one in corners)
