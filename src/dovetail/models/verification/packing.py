"""Is this a packing? Every piece in its place, every cell covered as it has to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many, shorten
from dovetail.models.lattice import Cell, Cells
from dovetail.models.packing import PackingPuzzle

Placed = tuple[str, Cells]


class PackingVerifier:
    """Knows a packing puzzle, and remembers which placements it has already found sound."""

    def __init__(self, puzzle: PackingPuzzle) -> None:
        self._puzzle = puzzle
        self._number: dict[Cell, int] = {cell: v for v, cell in enumerate(puzzle.open_cells)}
        optional = set(puzzle.optional)
        self._must_fill = np.array([cell not in optional for cell in puzzle.open_cells], bool)
        self._pieces = {piece.name: p for p, piece in enumerate(puzzle.pieces)}
        self._orientations = [
            frozenset(piece.motions.orientations(puzzle.lattice, piece.cells))
            for piece in puzzle.pieces
        ]
        fixed = (puzzle.lattice.crossings(piece.cells) for piece in puzzle.fixed)
        self._crossed = frozenset(chain.from_iterable(fixed))
        self._piece_class = self._piece_classes()
        self._sound: set[tuple[str, frozenset[Cell]]] = set()

    def check(self, table: list[Placed], rows: NDArray[np.int32], *, by_name: bool) -> str | None:
        """What is wrong with the first bad row, or None.

        `rows` (n, k) are line numbers into `table`, padded with −1. Pieces that nothing
        tells apart may stand for one another unless `by_name`.
        """
        for name, cells in table:
            error = self._placement_error(name, cells)
            if error is not None:
                return error
        covered = _times_covered([cells for _, cells in table], self._number, rows)
        bad_cell = (covered > 1) | (self._must_fill & (covered == 0))
        if bad_cell.any():
            row, cell = (int(x) for x in np.argwhere(bad_cell)[0])
            times = int(covered[row, cell])
            where = self._puzzle.open_cells[cell]
            return f"cell {where} is covered {times} times" if times else (f"cell {where} is empty")
        return self._crossing_error(table, rows) or self._usage_error(table, rows, by_name)

    def _crossing_error(self, table: list[Placed], rows: NDArray[np.int32]) -> str | None:
        """Where pieces cross each other; fixed ones have been checked placement by placement."""
        crossed = [self._puzzle.lattice.crossings(cells) for _, cells in table]
        places = sorted(set(chain.from_iterable(crossed)))
        if not places:
            return None
        number = {place: n for n, place in enumerate(places)}
        times = _times_covered(crossed, number, rows)
        bad = np.argwhere(times > 1)
        return f"pieces cross at {places[int(bad[0, 1])]}" if len(bad) else None

    def _usage_error(
        self, table: list[Placed], rows: NDArray[np.int32], by_name: bool
    ) -> str | None:
        pieces = self._puzzle.pieces
        group = np.arange(len(pieces)) if by_name else self._piece_class
        min_count, max_count = np.zeros(len(pieces), int), np.zeros(len(pieces), int)
        np.add.at(min_count, group, [piece.min_count for piece in pieces])
        np.add.at(max_count, group, [piece.max_count for piece in pieces])
        group_of_line = np.array([*(group[self._pieces[name]] for name, _ in table), len(pieces)])
        used = _count_per_row(group_of_line[rows], len(pieces) + 1)[:, : len(pieces)]
        bad = (used < min_count) | (used > max_count)
        if bad.any():
            row, g = (int(x) for x in np.argwhere(bad)[0])
            name = pieces[int(np.flatnonzero(group == g)[0])].name if g in group else str(g)
            return (
                f"piece {shorten(name)} is used {how_many(int(used[row, g]), 'time')}; expected "
                f"{min_count[g]} to {max_count[g]}"
            )
        return None

    def _placement_error(self, name: str, cells: Cells) -> str | None:
        key = (name, frozenset(cells))
        if key in self._sound:
            return None
        if name not in self._pieces:
            return f"there is no piece {shorten(name)!r}"
        number = self._pieces[name]
        for cell in cells:
            if cell not in self._number:
                return f"piece {shorten(name)} takes cell {cell}, which is not an open cell"
        size = len(self._puzzle.pieces[number].cells)
        if not len(cells) == len(set(cells)) == size or not self._fits(number, cells):
            return f"piece {shorten(name)} cannot be placed on the cells {shorten(str(cells))}"
        if not self._crossed.isdisjoint(self._puzzle.lattice.crossings(cells)):
            return f"piece {shorten(name)} crosses a fixed piece"
        self._sound.add(key)
        return None

    def _fits(self, number: int, cells: Cells) -> bool:
        listed = self._puzzle.pieces[number].placements
        if listed is not None:
            return tuple(sorted(cells)) in listed
        return self._puzzle.lattice.normalise(cells) in self._orientations[number]

    def _piece_classes(self) -> NDArray[np.int64]:
        """For each piece the first piece that is interchangeable with it."""
        first: dict[object, int] = {}
        classes = []
        for p, (piece, orientations) in enumerate(
            zip(self._puzzle.pieces, self._orientations, strict=True)
        ):
            listed = None if piece.placements is None else frozenset(piece.placements)
            classes.append(first.setdefault((orientations, listed), p))
        return np.array(classes, dtype=np.int64)


def _times_covered(
    table: Sequence[Cells], number: Mapping[Cell, int], rows: NDArray[np.int32]
) -> NDArray[np.int64]:
    """How often each row covers what its lines of `table` name, shape (rows, numbers)."""
    width, nowhere = max(map(len, table), default=0), len(number)
    taken = np.full((len(table) + 1, width), nowhere)
    for line, cells in enumerate(table):
        taken[line, : len(cells)] = [number[cell] for cell in cells]
    covered = taken[rows].reshape(len(rows), rows.shape[1] * width)
    return _count_per_row(covered, nowhere + 1)[:, :nowhere]


def _count_per_row(values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each value below `size` occurs in each row, shape (rows, size)."""
    offsets = np.arange(len(values))[:, None] * size
    counts = np.bincount((values + offsets).ravel(), minlength=len(values) * size)
    return counts.reshape(len(values), size)
