"""Placements: every way to put one piece into the region, as arrays.

Busche calls a placement that lies wholly inside the region a bounded image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece

NO_CELL = -1


@dataclass(frozen=True)
class Shape:
    """Pieces that nothing tells apart, used `min_count` to `max_count` times together."""

    pieces: tuple[str, ...]
    min_count: int
    max_count: int

    @property
    def name(self) -> str:
        """The name of the first piece of this shape."""
        return self.pieces[0]


@dataclass(frozen=True, eq=False)
class Placements:
    """Struct of arrays over n placements in a region of c open cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shape` | (n,) | int32 | which of `shapes` is placed |
    | `cells` | (n, largest) | int32 | the cells it takes, ascending, padded with −1 in front |
    | `crossings` | (n, max_count) | int32 | which of `crossing_places` it takes, padded with −1 |
    | `masks` | (n, words) | uint64 | cell v is bit v % 64 of word v // 64 |
    | `coordinates` | (c, axes) | int64 | of each open cell, x slowest |
    | `positions` | (c, dimension) | float64 | where each open cell lies in space |
    | `optional` | (c,) | bool | whether the cell may stay empty |
    | `neighbours` | (c, degree) | int32 | cell numbers, −1 where there is none |
    | `colours` | (c,) | int64 | the lattice's colouring, or None; see `Lattice.colours` |

    At most one placement may take a crossing place: there pieces would pass through one another.
    """

    shapes: tuple[Shape, ...]
    shape: NDArray[np.int32]
    cells: NDArray[np.int32]
    coordinates: NDArray[np.int64]
    optional: NDArray[np.bool_]
    neighbours: NDArray[np.int32]
    lattice: Lattice
    crossings: NDArray[np.int32]
    crossing_places: Cells

    def __len__(self) -> int:
        return len(self.shape)

    @property
    def cell_count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        return cell_masks(self.cells, self.cell_count)

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        return self.lattice.positions(self.coordinates)

    @cached_property
    def colours(self) -> NDArray[np.int64] | None:
        return self.lattice.colours(self.coordinates, self.neighbours)

    @property
    def may_cross(self) -> bool:
        """Whether any placement takes a crossing place."""
        return len(self.crossing_places) > 0

    def subset(self, chosen: NDArray[np.int64]) -> Placements:
        """The placements with these numbers, in the given order."""
        return replace(
            self,
            shape=self.shape[chosen],
            cells=self.cells[chosen],
            crossings=self.crossings[chosen],
        )

    def cell_tuples(self, placement: int) -> Cells:
        """The coordinates of the cells that `placement` takes."""
        return self.cell_coordinates(self.cells[placement])

    def cell_coordinates(self, numbers: NDArray[np.int32]) -> Cells:
        """The coordinates of the cells with these `numbers`, of which −1 is none."""
        rows = self.coordinates[numbers[numbers != NO_CELL]].tolist()
        return tuple(tuple(row) for row in rows)


def cell_masks(cells: NDArray[np.int32], cell_count: int) -> NDArray[np.uint64]:
    """Rows of cell numbers, padded with −1, as bits of ceil(cell_count / 64) words."""
    masks = np.zeros((len(cells), -(-cell_count // 64)), dtype=np.uint64)
    rows = np.arange(len(cells))
    for column in cells.T:  # a row once in each, so that no bit is lost
        row, cell = rows[column != NO_CELL], column[column != NO_CELL]
        masks[row, cell // 64] |= np.uint64(1) << (cell % 64).astype(np.uint64)
    return masks


def bounded_placements(puzzle: PackingPuzzle, *, labelled: bool = False) -> Placements:
    """All placements of the puzzle's pieces inside its open cells.

    Ordered by shape, then orientation, then position (x slowest). Equal pieces make one shape if
    they are interchangeable; with `labelled` every copy of every piece is a shape of its own. A
    placement that would cross a fixed piece is none.
    """
    coordinates = np.array(puzzle.open_cells, dtype=np.int64)
    coordinates = coordinates.reshape(-1, len(puzzle.lattice.axes))
    numbers = _CellNumbers(coordinates)
    widest = max((len(piece.cells) for piece in puzzle.pieces), default=1)
    shapes, shape, cells = list[Shape](), list[NDArray[np.int32]](), list[NDArray[np.int32]]()
    crossed = list[_Crossed]()
    for pieces, placed in _shapes(puzzle, labelled, numbers):
        padded = np.full((len(placed.cells), widest), NO_CELL, dtype=np.int32)
        padded[:, widest - placed.cells.shape[1] :] = np.sort(placed.cells, axis=1)
        shape.append(np.full(len(placed.cells), len(shapes), dtype=np.int32))
        cells.append(padded)
        shapes.append(pieces)
        crossed += placed.crossed
    optional = set(puzzle.optional)
    crossings, crossing_places = _crossings(crossed)
    placements = Placements(
        shapes=tuple(shapes),
        shape=np.concatenate([np.empty(0, np.int32), *shape]),
        cells=np.concatenate([np.empty((0, widest), np.int32), *cells]),
        coordinates=coordinates,
        optional=np.array([cell in optional for cell in puzzle.open_cells], dtype=bool),
        neighbours=_neighbours(puzzle, numbers),
        lattice=puzzle.lattice,
        crossings=crossings,
        crossing_places=crossing_places,
    )
    return _not_across(puzzle.fixed, placements)


def _neighbours(puzzle: PackingPuzzle, numbers: _CellNumbers) -> NDArray[np.int32]:
    """The numbers of each open cell's neighbours, shape (c, degree), −1 where there is none."""
    near = [puzzle.lattice.neighbours(cell) for cell in puzzle.open_cells]
    degrees = np.array([len(cells) for cells in near], dtype=np.int64)
    table = np.full((len(near), degrees.max(initial=0)), NO_CELL, dtype=np.int32)
    flat = np.array([cell for cells in near for cell in cells], dtype=np.int64)
    table[np.arange(table.shape[1]) < degrees[:, None]] = numbers.of(
        flat.reshape(-1, len(puzzle.lattice.axes))
    )
    return table


# Crossing places that each of some placements takes, shape (placements, places, axes).
_Crossed = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Placed:
    """The placements of a shape: their cells' numbers, shape (m, size), and what they cross.

    The arrays in `crossed` follow one another in the order of the placements.
    """

    cells: NDArray[np.int64]
    crossed: list[_Crossed]


def _shapes(
    puzzle: PackingPuzzle, labelled: bool, numbers: _CellNumbers
) -> Iterator[tuple[Shape, _Placed]]:
    """Each shape with its placements."""
    groups: dict[int, list[Piece]] = {}
    first = puzzle.equal_pieces if puzzle.interchangeable else range(len(puzzle.pieces))
    for number, piece in zip(first, puzzle.pieces, strict=True):
        groups.setdefault(number, []).append(piece)
        if labelled and piece.min_count < piece.max_count > 1:
            raise ConfigError(
                f"piece {shorten(piece.name)} is used "
                f"{piece.min_count} to {piece.max_count} times; "
                "labelled counting needs a fixed number of copies"
            )
    for number, pieces in groups.items():
        placed = _placed(puzzle.lattice, pieces[0], puzzle.orientations[number], numbers)
        if labelled:
            for piece in pieces:
                for _ in range(piece.max_count):
                    yield Shape((piece.name,), min(piece.min_count, 1), 1), placed
        else:
            min_count = sum(piece.min_count for piece in pieces)
            max_count = sum(piece.max_count for piece in pieces)
            yield Shape(tuple(piece.name for piece in pieces), min_count, max_count), placed


def _placed(
    lattice: Lattice, piece: Piece, orientations: Sequence[Cells], numbers: _CellNumbers
) -> _Placed:
    """The placements of a piece that is used in some orientations, or in listed places."""
    size, axes = len(piece.cells), len(lattice.axes)
    if piece.placements is not None:
        listed = np.array(piece.placements, dtype=np.int64).reshape(-1, size, axes)
        every = (np.array(lattice.crossings(cells), dtype=np.int64) for cells in piece.placements)
        return _Placed(numbers.of(listed), [places.reshape(1, -1, axes) for places in every])
    found, crossed = list[NDArray[np.int64]](), list[_Crossed]()
    for orientation in orientations:
        vectors = lattice.translations(orientation[0], numbers.coordinates)
        cells = numbers.of(np.array(orientation, dtype=np.int64) + vectors[:, None, :])
        inside = np.all(cells != NO_CELL, axis=1)
        found.append(cells[inside])
        crossed.append(_crossed(lattice, orientation, vectors, inside))
    return _Placed(np.concatenate(found), crossed)


def _crossed(
    lattice: Lattice, cells: Cells, vectors: NDArray[np.int64], inside: NDArray[np.bool_]
) -> _Crossed:
    """What `cells` cross when translated by those of `vectors` that are `inside`."""
    places = lattice.crossings(cells)
    if not places:
        return np.empty((np.count_nonzero(inside), 0, len(lattice.axes)), dtype=np.int64)
    moved: _Crossed = np.array(places, dtype=np.int64) + vectors[inside, None, :]
    return moved


def _crossings(crossed: Sequence[_Crossed]) -> tuple[NDArray[np.int32], Cells]:
    """The crossing places of all placements, by numbers and padded with −1, and their names."""
    max_count = max((places.shape[1] for places in crossed), default=0)
    table = np.full((sum(map(len, crossed)), max_count), NO_CELL, dtype=np.int32)
    if max_count == 0:
        return table, ()
    flat = np.concatenate([places.reshape(-1, places.shape[2]) for places in crossed])
    distinct, number = np.unique(flat, axis=0, return_inverse=True)
    taken = np.concatenate([np.full(len(places), places.shape[1]) for places in crossed])
    table[np.arange(max_count) < taken[:, None]] = number.ravel()
    return table, tuple(map(tuple, distinct.tolist()))


def _not_across(fixed: Sequence[FixedPiece], placements: Placements) -> Placements:
    """The placements that do not cross a fixed piece."""
    if not placements.may_cross:
        return placements
    crossed = {place for piece in fixed for place in placements.lattice.crossings(piece.cells)}
    barred = np.array([place in crossed for place in placements.crossing_places] + [False])
    return placements.subset(np.flatnonzero(~barred[placements.crossings].any(axis=1)))


class _CellNumbers:
    """Turns coordinates into cell numbers, many at a time."""

    def __init__(self, coordinates: NDArray[np.int64]) -> None:
        self.coordinates = coordinates
        self._origin = coordinates.min(axis=0, initial=0)
        self._extent = coordinates.max(axis=0, initial=0) - self._origin + 1
        if float(np.prod(self._extent.astype(np.float64))) >= 2.0**62:
            raise PuzzleError("the region's bounding box has more than 2**62 cells")
        self._keys = self._key(coordinates)  # ascending: cells are sorted, x slowest

    def of(self, coordinates: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of each cell, −1 outside; shape (…, dimension) becomes (…)."""
        relative = coordinates - self._origin
        inside = np.all((relative >= 0) & (relative < self._extent), axis=-1)
        keys = self._key(coordinates)
        if len(self._keys) == 0:
            return np.full(keys.shape, NO_CELL, dtype=np.int64)
        position = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(inside & (self._keys[position] == keys), position, NO_CELL)

    def _key(self, coordinates: NDArray[np.int64]) -> NDArray[np.int64]:
        key = np.zeros(coordinates.shape[:-1], dtype=np.int64)
        for axis, extent in enumerate(self._extent):
            key = key * extent + (coordinates[..., axis] - self._origin[axis])
        return key
