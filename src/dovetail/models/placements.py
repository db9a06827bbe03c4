"""Placements: every way to put one piece into the region, as arrays.

Busche calls a placement that lies wholly inside the region a bounded image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, shorten
from dovetail.models.lattice import Cells, SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece

NO_CELL = -1


@dataclass(frozen=True)
class Shape:
    """Pieces that nothing tells apart, used `least` to `most` times together."""

    pieces: tuple[str, ...]
    least: int
    most: int

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
    | `masks` | (n, words) | uint64 | cell v is bit v % 64 of word v // 64 |
    | `coordinates` | (c, dimension) | int64 | of each open cell, x slowest |
    | `optional` | (c,) | bool | whether the cell may stay empty |
    | `neighbours` | (c, degree) | int32 | cell numbers, −1 where there is none |
    """

    shapes: tuple[Shape, ...]
    shape: NDArray[np.int32]
    cells: NDArray[np.int32]
    coordinates: NDArray[np.int64]
    optional: NDArray[np.bool_]
    neighbours: NDArray[np.int32]
    lattice: SquareLattice

    def __len__(self) -> int:
        return len(self.shape)

    @property
    def cell_count(self) -> int:
        return len(self.coordinates)

    @cached_property
    def masks(self) -> NDArray[np.uint64]:
        return cell_masks(self.cells, self.cell_count)

    def subset(self, chosen: NDArray[np.int64]) -> Placements:
        """The placements with these numbers, in the given order."""
        return replace(self, shape=self.shape[chosen], cells=self.cells[chosen])

    def cell_tuples(self, placement: int) -> Cells:
        """The coordinates of the cells that `placement` takes."""
        taken = self.cells[placement]
        rows = self.coordinates[taken[taken != NO_CELL]].tolist()
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

    Ordered by shape, then orientation, then position (x slowest). Pieces with the same
    orientations, and the same explicit placements if any, make one shape; with `labelled`
    every copy of every piece is a shape of its own.
    """
    coordinates = np.array(puzzle.open_cells, dtype=np.int64)
    coordinates = coordinates.reshape(-1, puzzle.lattice.dimension)
    numbers = _CellNumbers(coordinates)
    widest = max((len(piece.cells) for piece in puzzle.pieces), default=1)
    shapes, shape, cells = list[Shape](), list[NDArray[np.int32]](), list[NDArray[np.int32]]()
    for pieces, placed in _shapes(puzzle, labelled, coordinates, numbers):
        padded = np.full((len(placed), widest), NO_CELL, dtype=np.int32)
        padded[:, widest - placed.shape[1] :] = np.sort(placed, axis=1)
        shape.append(np.full(len(placed), len(shapes), dtype=np.int32))
        cells.append(padded)
        shapes.append(pieces)
    optional = set(puzzle.optional)
    return Placements(
        shapes=tuple(shapes),
        shape=np.concatenate([np.empty(0, np.int32), *shape]),
        cells=np.concatenate([np.empty((0, widest), np.int32), *cells]),
        coordinates=coordinates,
        optional=np.array([cell in optional for cell in puzzle.open_cells], dtype=bool),
        neighbours=_neighbours(puzzle, numbers),
        lattice=puzzle.lattice,
    )


def _neighbours(puzzle: PackingPuzzle, numbers: _CellNumbers) -> NDArray[np.int32]:
    """The numbers of each open cell's neighbours, shape (c, degree), −1 where there is none."""
    lattice = puzzle.lattice
    degree = len(lattice.neighbours((0,) * lattice.dimension))
    near = np.array([lattice.neighbours(cell) for cell in puzzle.open_cells], dtype=np.int64)
    return numbers.of(near.reshape(-1, degree, lattice.dimension)).astype(np.int32)


def _shapes(
    puzzle: PackingPuzzle,
    labelled: bool,
    coordinates: NDArray[np.int64],
    numbers: _CellNumbers,
) -> Iterator[tuple[Shape, NDArray[np.int64]]]:
    """Each shape with its placements as cell numbers, shape (placements, size)."""
    groups: dict[object, list[Piece]] = {}
    for piece in puzzle.pieces:
        turned = puzzle.lattice.orientations(piece.cells, piece.motions.isometries(puzzle.lattice))
        listed = None if piece.placements is None else frozenset(piece.placements)
        groups.setdefault((frozenset(turned), listed), []).append(piece)
        if labelled and piece.least < piece.most > 1:
            raise ConfigError(
                f"piece {shorten(piece.name)} is used {piece.least} to {piece.most} times; "
                "labelled counting takes a fixed number of copies"
            )
    for pieces in groups.values():
        placed = _placed(puzzle, pieces[0], coordinates, numbers)
        if labelled:
            for piece in pieces:
                for _ in range(piece.most):
                    yield Shape((piece.name,), min(piece.least, 1), 1), placed
        else:
            least = sum(piece.least for piece in pieces)
            most = sum(piece.most for piece in pieces)
            yield Shape(tuple(piece.name for piece in pieces), least, most), placed


def _placed(
    puzzle: PackingPuzzle,
    piece: Piece,
    coordinates: NDArray[np.int64],
    numbers: _CellNumbers,
) -> NDArray[np.int64]:
    size = len(piece.cells)
    if piece.placements is not None:
        listed = np.array(piece.placements, dtype=np.int64)
        return numbers.of(listed.reshape(-1, size, puzzle.lattice.dimension))
    found = []
    isometries = piece.motions.isometries(puzzle.lattice)
    for orientation in puzzle.lattice.orientations(piece.cells, isometries):
        vectors = puzzle.lattice.translations(orientation[0], coordinates)
        moved = np.array(orientation, dtype=np.int64)[None, :, :] + vectors[:, None, :]
        cells = numbers.of(moved)
        found.append(cells[np.all(cells != NO_CELL, axis=1)])
    return np.concatenate(found)


class _CellNumbers:
    """Turns coordinates into cell numbers, many at a time."""

    def __init__(self, coordinates: NDArray[np.int64]) -> None:
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
