"""An oracle for packings that knows no lattice's isometries, only where the corners of cells lie.

Copies of a piece are found by carrying a few of its corners onto any corners that are as far apart;
whether all its cells then coincide with cells decides. Everything else is tried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece

TINY = 1e-4  # nearer points are the same

Place = frozenset[Cell]
Points = NDArray[np.float64]
CellMap = dict[Cell, Cell]


class Space:
    """Where the cells of a region lie: their corners in the plane or in space."""

    def __init__(self, lattice: Lattice, region: Sequence[Cell]) -> None:
        self._lattice = lattice
        self._cell_at = {_key(self._of(cell)): cell for cell in region}
        corners = np.concatenate(list(map(self._of, region)))
        self._corners = corners[np.unique(corners.round(6), axis=0, return_index=True)[1]]

    @cache  # noqa: B019  the spaces are kept as well
    def images(self, cells: Cells, *, mirror: bool) -> tuple[Cells, ...]:
        """The distinct images of `cells` within the region, by every motion that has any."""
        return tuple(dict.fromkeys(self._images(cells, mirror=mirror)))

    def copies(self, piece: Piece) -> set[Place]:
        """Where a piece may be by its motions, if nothing is listed."""
        if piece.motions == Motions.FIXED:
            return set(map(frozenset, self._translates(piece.cells)))
        mirror = piece.motions == Motions.FREE and self._lattice.flips
        return set(map(frozenset, self.images(piece.cells, mirror=mirror)))

    def _images(self, cells: Cells, *, mirror: bool) -> Iterator[Cells]:
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

    def _translates(self, cells: Cells) -> Iterator[Cells]:
        """The images of `cells` within the region that are not turned."""
        points = np.concatenate(list(map(self._of, cells)))
        for image in self.images(cells, mirror=False):
            moved = np.concatenate(list(map(self._of, image)))
            shift = moved[np.lexsort(moved.round(4).T)] - points[np.lexsort(points.round(4).T)]
            if np.ptp(shift, axis=0).max() < TINY:
                yield image

    def maps(self, cells: Sequence[Cell], *, mirror: bool) -> list[CellMap]:
        """The motions that carry `cells`, the whole region, onto themselves."""
        images = self.images(tuple(cells), mirror=mirror)
        return [dict(zip(cells, image, strict=True)) for image in images]

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
        if isinstance(self._lattice, SquareLattice):
            return np.array(list(product(*((c, c + 1) for c in cell))), dtype=np.float64)
        assert isinstance(self._lattice, PointLattice)
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


@cache
def space(lattice: Lattice, region: Cells) -> Space:
    """The space of a region, the same one each time."""
    return Space(lattice, region)


@dataclass(frozen=True)
class PieceClass:
    """Pieces that stand for each other: their copies within the region, and those allowed.

    `mark` distinguishes pieces that have the same copies but are not interchangeable.
    """

    copies: frozenset[Place]
    places: frozenset[Place]
    mark: str


Packing = frozenset[tuple[PieceClass, Place]]
Carried = dict[PieceClass, PieceClass]  # which pieces a symmetry makes of which


@dataclass
class PackingOracle:
    """The packings of a puzzle, identical pieces interchangeable unless it says that they differ.

    If `labelled`, no pieces are interchangeable; each is used once at most then.
    """

    puzzle: PackingPuzzle
    labelled: bool = False

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        self._space = space(puzzle.lattice, puzzle.open_cells)
        self._min, self._max = Counter[PieceClass](), Counter[PieceClass]()
        for piece in puzzle.pieces:
            assert piece.max_count == 1 or not self.labelled
            copies = self.copies(piece)
            held = piece.placements
            listed = copies if held is None else set(map(frozenset, held))
            distinguished = self.labelled or not puzzle.interchangeable
            mark = piece.name if distinguished else "free" if held is None else "held"
            key = PieceClass(frozenset(copies), frozenset(copies & listed), mark)
            self._min[key] += piece.min_count
            self._max[key] += piece.max_count

    def packings(self) -> set[Packing]:
        """All of them."""
        return set(self._filled(tuple(self.puzzle.open_cells), frozenset(), Counter()))

    def up_to_symmetry(self, *, mirror: bool = False) -> int:
        """How many there are up to the symmetries of the region that keep the pieces.

        They are rotations of the region's own dimension, in the plane and with `mirror` reflections
        too.
        """
        left, classes = self.packings(), 0
        symmetries = list(self._symmetries(mirror=mirror or self.puzzle.lattice.flips))
        while left:
            classes += 1
            one = next(iter(left))
            left -= {_moved(one, *symmetry) for symmetry in symmetries}
        return classes

    def counts(self) -> dict[str, int]:
        """How many packings there are, all and up to each symmetry."""
        return {
            "all": len(self.packings()),
            "unique": self.up_to_symmetry(),
            "mirror": self.up_to_symmetry(mirror=True),
        }

    def copies(self, piece: Piece) -> set[Place]:
        """Where a piece may be by its motions, not across fixed pieces, if nothing is listed."""
        walls = [frozenset(piece.cells) for piece in self.puzzle.fixed]
        return {place for place in self._space.copies(piece) if not self._crosses(place, walls)}

    def _symmetries(
        self, *, mirror: bool
    ) -> Iterator[tuple[CellMap, dict[PieceClass, PieceClass]]]:
        """The maps of the open cells that keep optional and marked cells, and how pieces move."""
        cells = self.puzzle.open_cells
        kept = [set(self.puzzle.optional), *map(set, self.puzzle.markings)]
        kept = [marked.intersection(cells) for marked in kept]
        for cell_map in self._space.maps(cells, mirror=mirror):
            if any({cell_map[cell] for cell in marked} != marked for marked in kept):
                continue
            carried = self._carried(cell_map)
            if carried is not None:
                yield cell_map, carried

    def _carried(self, cell_map: CellMap) -> Carried | None:
        """Which pieces a map makes of which; None unless it keeps the puzzle.

        Pieces stay what they are where they can be moved like that. Otherwise, as where a one-sided
        piece is reflected, there must be others that are what becomes of them, and none that looks
        like them with other places.
        """
        carried: Carried = {}
        for piece_class in self._max:
            copies, places = (
                frozenset(frozenset(cell_map[cell] for cell in place) for place in some)
                for some in (piece_class.copies, piece_class.places)
            )
            targets = [
                other
                for other in self._max
                if (other.copies, other.places) == (copies, places)
                and (self._min[other], self._max[other])
                == (self._min[piece_class], self._max[piece_class])
                and other not in carried.values()
            ]
            if places == piece_class.places:
                targets = [piece_class]
            elif self._has_lookalike(piece_class):
                targets = []
            if not targets:
                return None
            carried[piece_class] = targets[0]
        return carried

    def _has_lookalike(self, piece_class: PieceClass) -> bool:
        """Whether a class of pieces with the same copies and bounds has other places."""
        bounds = self._min[piece_class], self._max[piece_class]
        return any(
            other.copies == piece_class.copies
            and other.places != piece_class.places
            and (self._min[other], self._max[other]) == bounds
            for other in self._max
        )

    def _filled(
        self, cells: tuple[Cell, ...], placed: Packing, used: Counter[PieceClass]
    ) -> Iterator[Packing]:
        """The packings that fill what is left, cell by cell."""
        if not cells:
            if self._min <= used:
                yield placed
            return
        target, rest = cells[0], frozenset(cells)
        if target in self.puzzle.optional:
            yield from self._filled(cells[1:], placed, used)
        for piece_class, max_count in self._max.items():
            if used[piece_class] == max_count:
                continue
            for place in piece_class.places:
                if (
                    target in place
                    and place <= rest
                    and not self._crosses(place, (its for _, its in placed))
                ):
                    left = tuple(cell for cell in cells if cell not in place)
                    more = used + Counter([piece_class])
                    yield from self._filled(left, placed | {(piece_class, place)}, more)

    def _crosses(self, place: Place, others: Iterable[Place]) -> bool:
        """Whether a piece goes straight through a point that another one goes through."""
        crossings = set(self.puzzle.lattice.crossings(tuple(place)))
        return any(
            not crossings.isdisjoint(self.puzzle.lattice.crossings(tuple(other)))
            for other in others
        )


def _moved(packing: Packing, cell_map: CellMap, carried: dict[PieceClass, PieceClass]) -> Packing:
    return frozenset(
        (carried[piece_class], frozenset(cell_map[cell] for cell in place))
        for piece_class, place in packing
    )


def _key(corners: Points) -> frozenset[tuple[int, ...]]:
    """The corners of a cell, rounded."""
    return frozenset(tuple(corner) for corner in (corners / TINY).round().astype(int).tolist())
