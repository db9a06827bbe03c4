"""Placements: every way to put one piece into the region, as arrays.

Busche calls a placement that lies wholly inside the region a bounded image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.models.lattices.cell_numbers import NO_NUMBER, CellNumbers
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.platform.memory import available_bytes

NO_CELL = NO_NUMBER

ALWAYS_FITS = 1 << 26  # bytes of placements for which nobody asks how much memory is left


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


def bounded_placements(
    puzzle: PackingPuzzle, *, labelled: bool = False, memory_bytes: int | None = None
) -> Placements:
    """All placements of the puzzle's pieces inside its open cells.

    Ordered by shape, then orientation, then position (x slowest). Equal pieces make one shape if
    they are interchangeable; with `labelled` every copy of every piece is a shape of its own. A
    placement that would cross a fixed piece is none. Raises `PuzzleError` for placements that take
    more than `memory_bytes`, by default the memory that the machine has left.
    """
    coordinates = np.array(puzzle.open_cells, dtype=np.int64)
    coordinates = coordinates.reshape(-1, len(puzzle.lattice.axes))
    numbers = CellNumbers(coordinates)
    widest = max((len(piece.cells) for piece in puzzle.pieces), default=1)
    shapes = list(_shapes(puzzle, labelled))
    laid = {
        number: _Laid(puzzle.lattice, puzzle.pieces[number], puzzle.orientations[number], numbers)
        for number in dict.fromkeys(number for _, number in shapes)
    }
    _check_memory(sum(laid[number].max_count for _, number in shapes), widest, memory_bytes)
    found = {number: one.placed(numbers) for number, one in laid.items()}
    total = sum(len(found[number].cells) for _, number in shapes)
    shape = np.empty(total, dtype=np.int32)
    cells = np.full((total, widest), NO_CELL, dtype=np.int32)
    crossed = list[_Crossed]()
    begin = 0
    for which, (_, number) in enumerate(shapes):
        own = found[number].cells
        end = begin + len(own)
        shape[begin:end] = which
        cells[begin:end, widest - own.shape[1] :] = own
        crossed += found[number].crossed
        begin = end
    optional = set(puzzle.optional)
    crossings, crossing_places = _crossings(crossed)
    placements = Placements(
        shapes=tuple(one for one, _ in shapes),
        shape=shape,
        cells=cells,
        coordinates=coordinates,
        optional=np.array([cell in optional for cell in puzzle.open_cells], dtype=bool),
        neighbours=_neighbours(puzzle.lattice, numbers),
        lattice=puzzle.lattice,
        crossings=crossings,
        crossing_places=crossing_places,
    )
    return _not_across(puzzle.fixed, placements)


def _check_memory(count: int, widest: int, memory_bytes: int | None) -> None:
    """Raise `PuzzleError` for so many placements of so many cells that they do not fit."""
    needed = count * widest * np.dtype(np.int32).itemsize
    if needed <= ALWAYS_FITS:
        return
    limit = available_bytes() if memory_bytes is None else memory_bytes
    if limit is not None and needed > limit:
        raise PuzzleError(
            f"{count:,} placements of up to {how_many(widest, 'cell')} would take {needed:,} "
            f"bytes; the limit is {limit:,}"
        )


def _neighbours(lattice: Lattice, numbers: CellNumbers) -> NDArray[np.int32]:
    """The numbers of each cell's neighbours, shape (c, degree), −1 where there is none."""
    found = list[tuple[NDArray[np.int32], NDArray[np.int32]]]()
    for home in lattice.fundamental_cells:
        vectors = lattice.translations(home, numbers.coordinates)
        if len(vectors):
            around = np.array(lattice.neighbours(home), dtype=np.int64)
            own = numbers.of(vectors + np.array(home))
            found.append((own, numbers.of(vectors[:, None, :] + around)))
    degree = max((near.shape[1] for _, near in found), default=0)
    table = np.full((len(numbers.coordinates), degree), NO_CELL, dtype=np.int32)
    for own, near in found:
        table[own, : near.shape[1]] = near
    return table


# Crossing places that each of some placements takes, shape (placements, places, axes).
_Crossed = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Placed:
    """The placements of a shape: their cells' numbers, shape (m, size), and what they cross.

    The arrays in `crossed` follow one another in the order of the placements.
    """

    cells: NDArray[np.int32]
    crossed: list[_Crossed]


def _shapes(puzzle: PackingPuzzle, labelled: bool) -> Iterator[tuple[Shape, int]]:
    """Each shape with the number of a piece that has its placements."""
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
        if labelled:
            for piece in pieces:
                for _ in range(piece.max_count):
                    yield Shape((piece.name,), min(piece.min_count, 1), 1), number
        else:
            min_count = sum(piece.min_count for piece in pieces)
            max_count = sum(piece.max_count for piece in pieces)
            yield Shape(tuple(piece.name for piece in pieces), min_count, max_count), number


class _Laid:
    """A piece that is used in some orientations, or in listed places, and where it may lie."""

    def __init__(
        self, lattice: Lattice, piece: Piece, orientations: Sequence[Cells], numbers: CellNumbers
    ) -> None:
        self._lattice, self._piece, self._orientations = lattice, piece, orientations
        self._vectors = list[NDArray[np.int64]]()
        if piece.placements is None:
            self._vectors = [
                numbers.candidates(
                    np.array(cells, dtype=np.int64),
                    lattice.translations(cells[0], numbers.coordinates),
                )
                for cells in orientations
            ]

    @property
    def max_count(self) -> int:
        """Bound on the number of placements, exact where the region fills its box."""
        listed = self._piece.placements
        return sum(map(len, self._vectors)) if listed is None else len(listed)

    def placed(self, numbers: CellNumbers) -> _Placed:
        """Return the placements."""
        lattice, axes, size = self._lattice, len(self._lattice.axes), len(self._piece.cells)
        listed = self._piece.placements
        if listed is not None:
            places = np.array(listed, dtype=np.int64).reshape(-1, size, axes)
            every = (np.array(lattice.crossings(cells), dtype=np.int64) for cells in listed)
            crossed = [places.reshape(1, -1, axes) for places in every]
            return _Placed(np.sort(numbers.of(places), axis=1), crossed)
        found, crossed = list[NDArray[np.int32]](), list[_Crossed]()
        for cells, vectors in zip(self._orientations, self._vectors, strict=True):
            inside, own = numbers.translated(np.array(cells, dtype=np.int64), vectors)
            found.append(own)  # ascending, as the cells of an orientation are
            crossed.append(_crossed(lattice, cells, vectors, inside))
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
