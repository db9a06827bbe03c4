"""Placements: all ways to put the pieces of a puzzle into its region, as arrays.

Busche calls a placement that lies wholly inside the region a bounded image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.models.arrays import chosen_rows
from dovetail.models.cover import MAX_COVERED
from dovetail.models.lattices.cell_numbers import NO_NUMBER, CellNumbers, Keys
from dovetail.models.lattices.protocol import Cells, Lattice, Orientations
from dovetail.models.packings.colours import places
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.platform.resources import available_bytes

NO_CELL = NO_NUMBER

CANDIDATES_AT_ONCE = 1 << 20
NO_ORIENTATION = np.empty(0, dtype=np.int64)
BYTES_OF_ONE = 36  # bytes of a placement without its cells: shape, orientation, start, candidate
ALWAYS_FITS = 1 << 26  # bytes of placements up to which available memory is not checked


@dataclass(frozen=True)
class Shape:
    """Equal pieces, used `min_count` to `max_count` times in total."""

    pieces: tuple[str, ...]
    min_count: int
    max_count: int

    @property
    def name(self) -> str:
        """Name of the first piece of this shape."""
        return self.pieces[0]


@dataclass(frozen=True, eq=False)
class Placements:
    """Arrays over n placements in a region of c open cells.

    A placement has at most `largest` cells and k crossing places, and a cell at most `degree`
    neighbours. Cell masks have `words` words.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shape` | (n,) | int32 | index into `shapes` |
    | `orientation` | (n,) | int32 | equal only for placements that are translates of each other |
    | `start` | (n + 1,) | int64 | members of placement p: `start[p]` to `start[p + 1]` |
    | `member` | (members,) | int32 | cells of each placement, ascending |
    | `cells` | (n, largest) | int32 | cells of each placement as a row, padded with −1 in front |
    | `crossings` | (n, k) | int32 | indices into `crossing_places`, padded with −1 |
    | `masks` | (n, words) | uint64 | cell v is bit v % 64 of word v // 64 |
    | `coordinates` | (c, axes) | int64 | coordinates of each open cell, x slowest |
    | `positions` | (c, dimension) | float64 | position of each open cell in space |
    | `optional` | (c,) | bool | True for a cell that may stay empty |
    | `neighbours` | (c, degree) | int32 | cell numbers, −1 for none |
    | `colours` | (c,) | int64 | the lattice's colouring, or None; see `Lattice.colours` |

    At most one placement of a solution may take a crossing place: two pieces that take the same
    crossing place would pass through each other.
    """

    shapes: tuple[Shape, ...]
    shape: NDArray[np.int32]
    orientation: NDArray[np.int32]
    start: NDArray[np.int64]
    member: NDArray[np.int32]
    largest: int
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
    def sizes(self) -> NDArray[np.int64]:
        """Number of cells of each placement, shape (n,)."""
        return np.diff(self.start)

    @cached_property
    def cells(self) -> NDArray[np.int32]:
        cells = np.full((len(self), self.largest), NO_CELL, dtype=np.int32)
        cells[np.arange(self.largest) >= self.largest - self.sizes[:, None]] = self.member
        return cells

    @property
    def corners(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First corner and side lengths of each placement, both of shape (n, axes).

        Corners are relative to the least coordinates of the cells. All placements have to be boxes.
        Cells of a placement ascend, so that the first and the last cell are opposite corners.
        """
        cells = self.coordinates - self.coordinates.min(axis=0)
        first, last = cells[self.member[self.start[:-1]]], cells[self.member[self.start[1:] - 1]]
        return first, last - first + 1

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
        """True if there are crossing places, which placements may take."""
        return len(self.crossing_places) > 0

    def subset(self, chosen: NDArray[np.int64]) -> Placements:
        """Return the placements with these numbers, in the given order."""
        start, member = chosen_rows(self.start, self.member, chosen)
        return replace(
            self,
            shape=self.shape[chosen],
            orientation=self.orientation[chosen],
            start=start,
            member=member,
            crossings=self.crossings[chosen],
        )

    def cell_tuples(self, placement: int) -> Cells:
        """Return the coordinates of the cells of `placement`."""
        taken = self.member[self.start[placement] : self.start[placement + 1]]
        rows = self.coordinates[taken].tolist()
        return tuple(tuple(row) for row in rows)


def cell_masks(cells: NDArray[np.int32], cell_count: int) -> NDArray[np.uint64]:
    """Return the bit mask of each row of cell numbers, shape (n, ceil(cell_count / 64)), uint64.

    Rows are padded with −1.
    """
    masks = np.zeros((len(cells), -(-cell_count // 64)), dtype=np.uint64)
    rows = np.arange(len(cells))
    for column in cells.T:  # a row occurs at most once per column, so that no bit is lost
        row, cell = rows[column != NO_CELL], column[column != NO_CELL]
        masks[row, cell // 64] |= np.uint64(1) << (cell % 64).astype(np.uint64)
    return masks


def bounded_placements(
    puzzle: PackingPuzzle, *, labelled: bool = False, memory_bytes: int | None = None
) -> Placements:
    """Return all placements of the puzzle's pieces inside its open cells.

    Placements are ordered by shape, then orientation, then position (x slowest). Listed placements
    of a piece keep their order. Equal pieces share a shape if they are interchangeable; with
    `labelled` every copy of every piece has its own shape. Placements that cross a fixed piece are
    left out. Raises `PuzzleError` for placements that take more than 64 MiB and more than
    `memory_bytes`, by default the available memory of the machine. Raises `ConfigError` if
    `labelled` and a piece has several copies of which some need not be used.
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
    sizes = np.array([len(puzzle.pieces[number].cells) for _, number in shapes], dtype=np.int64)
    counts = np.array([laid[number].max_count for _, number in shapes], dtype=np.int64)
    _check_memory(int(counts.sum()), widest, memory_bytes)
    member, end = np.empty(int(counts @ sizes), dtype=np.int32), 0
    found = dict[int, _Placed]()
    for which, (_, number) in enumerate(shapes):
        rows = member[end : end + counts[which] * sizes[which]].reshape(-1, sizes[which])
        if number in found:
            rows[: len(found[number].cells)] = found[number].cells
        else:
            found[number] = laid[number].placed(numbers, rows)
        counts[which] = len(found[number].cells)
        end += counts[which] * sizes[which]
    first = np.cumsum([0, *(len(puzzle.orientations[number]) for _, number in shapes)])
    orientation = [
        found[number].orientation + begin for (_, number), begin in zip(shapes, first, strict=False)
    ]
    crossed = [places for _, number in shapes for places in found[number].crossed]
    optional = set(puzzle.optional)
    crossings, crossing_places = _crossings(crossed)
    placements = Placements(
        shapes=tuple(shape for shape, _ in shapes),
        shape=np.repeat(np.arange(len(shapes), dtype=np.int32), counts),
        orientation=np.concatenate([NO_ORIENTATION, *orientation]).astype(np.int32),
        start=np.concatenate([[0], np.cumsum(np.repeat(sizes, counts))]),
        member=member[:end],
        largest=widest,
        coordinates=coordinates,
        optional=np.array([cell in optional for cell in puzzle.open_cells], dtype=bool),
        neighbours=_neighbours(puzzle.lattice, numbers),
        lattice=puzzle.lattice,
        crossings=crossings,
        crossing_places=crossing_places,
    )
    return _not_across(puzzle.fixed, placements)


def _check_memory(count: int, widest: int, memory_bytes: int | None) -> None:
    """Raise `PuzzleError` if `count` placements of up to `widest` cells do not fit in memory."""
    needed = count * (widest * np.dtype(np.int32).itemsize + BYTES_OF_ONE)
    if needed <= ALWAYS_FITS:
        return
    limit = available_bytes() if memory_bytes is None else memory_bytes
    if limit is not None and needed > limit:
        raise PuzzleError(
            f"{count:,} placements of up to {how_many(widest, 'cell')} would take {needed:,} "
            f"bytes; the limit is {limit:,}"
        )


def _neighbours(lattice: Lattice, numbers: CellNumbers) -> NDArray[np.int32]:
    """Return the numbers of each cell's neighbours, shape (c, degree), −1 for none."""
    if lattice.wraps:
        around = [lattice.neighbours(tuple(cell)) for cell in numbers.coordinates.tolist()]
        widest = max(map(len, around), default=0)
        table = np.full((len(around), widest), NO_CELL, dtype=np.int32)
        for row, cells in enumerate(around):
            its = np.array(cells, dtype=np.int64).reshape(-1, len(lattice.axes))
            table[row, : len(cells)] = numbers.of(its)
        return table
    found = list[tuple[NDArray[np.int32], NDArray[np.int32]]]()
    for home in lattice.fundamental_cells:
        vectors = lattice.translations(home, numbers.coordinates)
        if len(vectors):
            beside = np.array(lattice.neighbours(home), dtype=np.int64)
            here = numbers.of(vectors + np.array(home))
            found.append((here, numbers.of(vectors[:, None, :] + beside)))
    degree = max((near.shape[1] for _, near in found), default=0)
    table = np.full((len(numbers.coordinates), degree), NO_CELL, dtype=np.int32)
    for here, near in found:
        table[here, : near.shape[1]] = near
    return table


# Crossing places of some placements, shape (placements, places, axes).
_Crossed = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Placed:
    """All m placements of a shape."""

    cells: NDArray[np.int32]
    """Cell numbers, shape (m, size)."""
    orientation: NDArray[np.int64]
    """Number of the piece's orientation, shape (m,)."""
    crossed: list[_Crossed]
    """Crossing places, in arrays whose concatenation follows the order of the placements."""


def _shapes(puzzle: PackingPuzzle, labelled: bool) -> Iterator[tuple[Shape, int]]:
    """Yield each shape with the number of a piece that has the placements of the shape."""
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
            max_count = min(sum(piece.max_count for piece in pieces), MAX_COVERED)
            yield Shape(tuple(piece.name for piece in pieces), min_count, max_count), number


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Candidates for placements of a piece, in some of its orientations.

    `orientation` and `keys` have a row for each of these orientations. Candidate c has the row
    `piece[c]`. Its cells have the keys of this row, moved by `step[c]`.
    """

    orientation: NDArray[np.int64]
    keys: Keys
    piece: NDArray[np.int64]
    step: Keys


class _Laid:
    """A piece and its possible places, from its orientations or from its listed placements."""

    def __init__(
        self, lattice: Lattice, piece: Piece, orientations: Orientations, numbers: CellNumbers
    ) -> None:
        self._lattice, self._piece, self._orientations = lattice, piece, orientations
        self._wrapped = None
        if lattice.wraps and piece.placements is None:
            self._wrapped = _wrapped(lattice, piece, orientations, numbers)
        plain = piece.placements is None and self._wrapped is None
        self._candidates = list(self._laid(numbers)) if plain else []

    @property
    def max_count(self) -> int:
        """Upper bound on the number of placements, exact if the region fills its box."""
        if self._wrapped is not None:
            return len(self._wrapped.cells)
        listed = self._piece.placements
        return sum(len(some.piece) for some in self._candidates) if listed is None else len(listed)

    def placed(self, numbers: CellNumbers, out: NDArray[np.int32]) -> _Placed:
        """Write the cells of the placements to the first rows of `out`; return the placements."""
        lattice, axes, size = self._lattice, len(self._lattice.axes), len(self._piece.cells)
        listed = self._piece.placements
        if self._wrapped is not None:
            out[:] = self._wrapped.cells
            return self._wrapped
        if listed is not None:
            taken = np.array(listed, dtype=np.int64).reshape(-1, size, axes)
            every = (np.array(lattice.crossings(cells), dtype=np.int64) for cells in listed)
            crossed = [crossings.reshape(1, -1, axes) for crossings in every]
            out[:] = np.sort(numbers.of(taken), axis=1)
            return _Placed(out, self._orientations.find(taken), crossed)
        orientation, end = [NO_ORIENTATION], 0
        for some in self._candidates:
            inside = numbers.place(some.keys, some.piece, some.step, out[end:])
            orientation.append(some.orientation[some.piece[inside]])
            end += len(orientation[-1])
        found, cells = np.concatenate(orientation), out[:end]
        return _Placed(cells, found, self._crossed(numbers.coordinates[cells[:, 0]], found))

    def _laid(self, numbers: CellNumbers) -> Iterator[_Candidates]:
        """Yield batches of candidates in the order of orientations.

        Consecutive orientations with the same box share batches.
        """
        home, extent, keys = self._orientations.outlines
        offsets = self._orientations.outlines.offsets()
        if numbers.fills_its_box and len(self._lattice.fundamental_cells) == 1:
            offsets[:] = 0  # every place in the box is a cell, so corners may be anywhere
        rows = np.hstack([home, extent, offsets])
        changes = np.flatnonzero(np.any(rows[1:] != rows[:-1], axis=1)) + 1
        for same in np.split(np.arange(len(rows)), changes):
            example = same[0]
            source, sides = tuple(home[example].tolist()), extent[example]
            vectors = self._lattice.translations(source, numbers.coordinates)
            steps = numbers.steps(vectors + source - offsets[example], sides)
            if not len(steps):
                continue
            at_once = max(1, CANDIDATES_AT_ONCE // max(len(steps), keys.shape[1]))
            for begin in range(0, len(same), at_once):
                some = same[begin : begin + at_once]
                its = numbers.relative_keys(keys[some], sides)
                yield _Candidates(some, its, *numbers.candidates(its, steps))

    def _crossed(
        self, first_cell: NDArray[np.int64], orientation: NDArray[np.int64]
    ) -> list[_Crossed]:
        """Return the crossing places of placements, given by first cell and orientation.

        Either all orientations of a piece have crossing places or none has.
        """
        if not self._lattice.crossings(self._orientations[0]):
            return [np.empty((len(first_cell), 0, first_cell.shape[1]), dtype=np.int64)]
        crossed = list[_Crossed]()
        for number, cells in enumerate(self._orientations):
            vectors = first_cell[orientation == number] - np.array(cells[0])
            places = np.array(self._lattice.crossings(cells), dtype=np.int64)
            places = places.reshape(-1, first_cell.shape[1])
            crossed.append(places + vectors[:, None])
        return crossed


def _wrapped(
    lattice: Lattice, piece: Piece, orientations: Orientations, numbers: CellNumbers
) -> _Placed:
    """Return the placements of a piece on a lattice that wraps."""
    size, axes = len(piece.cells), len(lattice.axes)
    every = piece.motions.isometries(lattice)
    rows = np.concatenate([*places(lattice, numbers, piece.cells, every)])
    cells = np.unique(np.sort(rows, axis=1), axis=0).astype(np.int32).reshape(-1, size)
    orientation = orientations.find(numbers.coordinates[cells])
    order = np.argsort(orientation, kind="stable")
    return _Placed(cells[order], orientation[order], [np.empty((len(cells), 0, axes), np.int64)])


def _crossings(crossed: Sequence[_Crossed]) -> tuple[NDArray[np.int32], Cells]:
    """Return the indices of the crossings of each placement, padded with −1, and all crossings."""
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
    """Return the placements that do not cross a fixed piece."""
    if not placements.may_cross:
        return placements
    crossed = {place for piece in fixed for place in placements.lattice.crossings(piece.cells)}
    barred = np.array([place in crossed for place in placements.crossing_places] + [False])
    return placements.subset(np.flatnonzero(~barred[placements.crossings].any(axis=1)))
