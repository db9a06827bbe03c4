"""An oracle for packings that knows no lattice's isometries, only where the corners of cells lie.

Copies of a piece are found by carrying a few of its corners onto any corners that are as far apart;
whether all its cells then coincide with cells decides. Everything else is tried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece

TINY = 1e-4  # nearer points are the same

Place = frozenset[Cell]
Points = NDArray[np.float64]
Packing = frozenset[tuple[int, Place]]  # which class of pieces lies where


class Space:
    """Where the cells of a region lie: their corners in the plane or in space."""

    def __init__(self, lattice: Lattice, region: Sequence[Cell]) -> None:
        assert isinstance(lattice, PointLattice)
        self._lattice = lattice
        self._cell_at = {_key(self._of(cell)): cell for cell in region}
        corners = np.concatenate(list(map(self._of, region)))
        self._corners = corners[np.unique(corners.round(6), axis=0, return_index=True)[1]]

    def images(self, cells: Sequence[Cell], *, mirror: bool) -> Iterator[tuple[Cell, ...]]:
        """The images of `cells` within the region, by every motion that has any."""
        parts = list(map(self._of, cells))
        points = np.concatenate(parts)
        frame = _frame(points)
        source = _orthonormal(points[frame])
        for target in self._as_far_apart(points[frame], np.empty((0, points.shape[1]))):
            turn = source.T @ _orthonormal(target)
            if len(source) == points.shape[1] and not mirror and np.linalg.det(turn) < 0:
                continue
            keys = [_key((part - points[0]) @ turn + target[0]) for part in parts]
            if all(key in self._cell_at for key in keys):
                yield tuple(self._cell_at[key] for key in keys)

    def _as_far_apart(self, source: Points, chosen: Points) -> Iterator[Points]:
        """Corners of the region with the distances of `source`, beginning with those `chosen`."""
        done = len(chosen)
        if done == len(source):
            yield chosen
            return
        wanted = np.linalg.norm(source[:done] - source[done], axis=1)
        found = np.linalg.norm(self._corners[:, None] - chosen, axis=2)
        for corner in self._corners[(abs(found - wanted) < TINY).all(axis=1)]:
            yield from self._as_far_apart(source, np.vstack([chosen, corner]))

    def _of(self, cell: Cell) -> Points:
        return np.array(self._lattice.corners(cell))


def _frame(points: Points) -> list[int]:
    """The first point and others that are not in line, or in a plane, with those before."""
    chosen = [0]
    for number in range(1, len(points)):
        vectors = points[[*chosen, number]] - points[0]
        if np.linalg.matrix_rank(vectors, tol=TINY) == len(chosen):
            chosen.append(number)
    return chosen


def _orthonormal(points: Points) -> Points:
    """Unit vectors at right angles in the directions of points from the first, in their order."""
    found = list[Points]()
    for vector in points[1:] - points[0]:
        rest = vector - sum(((vector @ one) * one for one in found), np.zeros(len(vector)))
        found.append(rest / np.linalg.norm(rest))
    return np.array(found).reshape(-1, points.shape[1])


@dataclass
class PackingOracle:
    """The packings of a puzzle without listed placements, identical pieces interchangeable."""

    puzzle: PackingPuzzle

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        self._space = Space(puzzle.lattice, puzzle.open_cells)
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

    def up_to_symmetry(self, *, mirror: bool = False) -> int:
        """How many there are up to the symmetries of the region that keep the pieces.

        They are rotations of the region's own dimension, in the plane and with `mirror` reflections
        too.
        """
        left, classes = self.packings(), 0
        symmetries = list(self.symmetries(mirror=mirror or self.puzzle.lattice.flips))
        while left:
            classes += 1
            one = next(iter(left))
            left -= {self._moved(one, symmetry) for symmetry in symmetries}
        return classes

    def symmetries(self, *, mirror: bool) -> Iterator[dict[Cell, Cell]]:
        """The motions of the open cells that carry optional ones and all pieces' places along."""
        cells, seen = self.puzzle.open_cells, set[tuple[Cell, ...]]()
        for image in self._space.images(cells, mirror=mirror):
            symmetry = dict(zip(cells, image, strict=True))
            optional = {symmetry[cell] for cell in self.puzzle.optional}
            if image in seen or optional != set(self.puzzle.optional):
                continue
            seen.add(image)
            carried = [self._carried(number, symmetry) for number in range(len(self._classes))]
            if all(carried):
                yield symmetry

    def _places(self, piece: Piece) -> set[Place]:
        mirror = piece.motions == Motions.FREE and self.puzzle.lattice.flips
        copies = set(map(frozenset, self._space.images(piece.cells, mirror=mirror)))
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


def _key(corners: Points) -> frozenset[tuple[int, ...]]:
    """The corners of a cell, rounded."""
    return frozenset(tuple(corner) for corner in (corners / TINY).round().astype(int).tolist())
