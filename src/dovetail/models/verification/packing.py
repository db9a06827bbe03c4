"""Verification of packings: every piece in an allowed place, every cell covered as required."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many, shorten, span
from dovetail.models.arrays import PADDING, LineTable
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.packings.packing import PackingPuzzle

Placed = tuple[str, Cells]


class PackingVerifier:
    """Verifier of solutions of a packing puzzle, with a table of valid placements."""

    def __init__(self, puzzle: PackingPuzzle) -> None:
        self._puzzle = puzzle
        self._number: dict[Cell, int] = {cell: v for v, cell in enumerate(puzzle.open_cells)}
        optional = set(puzzle.optional)
        self._must_fill = np.array([cell not in optional for cell in puzzle.open_cells], bool)
        self._pieces = {piece.name: p for p, piece in enumerate(puzzle.pieces)}
        self._orientations = [
            piece.motions.orientations(puzzle.lattice, piece.cells) for piece in puzzle.pieces
        ]
        fixed = (puzzle.lattice.crossings(piece.cells) for piece in puzzle.fixed)
        self._crossed = frozenset(chain.from_iterable(fixed))
        self._piece_class = self._piece_classes()
        self._place_number: dict[Cell, int] = {}  # numbers of the crossing places in the table
        self._piece, self._cells, self._places = LineTable(), LineTable(), LineTable()

    def add(self, placed: Sequence[Placed]) -> str | None:
        """Append lines to the table; return the error of the first bad line, or None.

        If a line is bad, no line is appended.
        """
        for name, cells in placed:
            error = self._placement_error(name, cells)
            if error is not None:
                return error
        crossed = [self._puzzle.lattice.crossings(cells) for _, cells in placed]
        for place in chain.from_iterable(crossed):
            self._place_number.setdefault(place, len(self._place_number))
        self._piece.add([(self._pieces[name],) for name, _ in placed])
        self._cells.add([[self._number[cell] for cell in cells] for _, cells in placed])
        self._places.add([[self._place_number[place] for place in places] for places in crossed])
        return None

    def check(self, rows: NDArray[np.int32], *, by_name: bool) -> str | None:
        """Return an error in `rows`, or None if all rows are solutions.

        `rows`, shape (n, k), hold line numbers of the table, padded with −1. Unless `by_name`,
        interchangeable pieces may replace each other.
        """
        covered = _count_per_row(self._cells[rows], len(self._number))
        bad_cell = (covered > 1) | (self._must_fill & (covered == 0))
        if bad_cell.any():
            row, cell = (int(x) for x in np.argwhere(bad_cell)[0])
            times = int(covered[row, cell])
            where = self._puzzle.open_cells[cell]
            return f"cell {where} is covered {times} times" if times else (f"cell {where} is empty")
        return self._crossing_error(rows) or self._usage_error(rows, by_name)

    def _crossing_error(self, rows: NDArray[np.int32]) -> str | None:
        """Return where pieces cross each other, or None; `add` has checked fixed pieces."""
        if not self._place_number:
            return None
        crossed = _count_per_row(self._places[rows], len(self._place_number)) > 1
        if not crossed.any():
            return None
        first = crossed[int(np.argmax(crossed.any(axis=1)))]
        place = min(place for place, number in self._place_number.items() if first[number])
        return f"pieces cross at {place}"

    def _usage_error(self, rows: NDArray[np.int32], by_name: bool) -> str | None:
        pieces = self._puzzle.pieces
        group = np.arange(len(pieces)) if by_name else self._piece_class
        min_count, max_count = np.zeros(len(pieces), int), np.zeros(len(pieces), int)
        np.add.at(min_count, group, [piece.min_count for piece in pieces])
        np.add.at(max_count, group, [piece.max_count for piece in pieces])
        used = _count_per_row(np.append(group, PADDING)[self._piece[rows]], len(pieces))
        bad = (used < min_count) | (used > max_count)
        if bad.any():
            row, g = (int(x) for x in np.argwhere(bad)[0])
            name = pieces[int(np.flatnonzero(group == g)[0])].name if g in group else str(g)
            times, bounds = how_many(int(used[row, g]), "time"), span(min_count[g], max_count[g])
            return f"piece {shorten(name)} is used {times}; expected {bounds}"
        return None

    def _placement_error(self, name: str, cells: Cells) -> str | None:
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
        return None

    def _fits(self, number: int, cells: Cells) -> bool:
        listed = self._puzzle.pieces[number].placements
        if listed is not None:
            return tuple(sorted(cells)) in listed
        return cells in self._orientations[number]

    def _piece_classes(self) -> NDArray[np.int64]:
        """Return for each piece the first piece that is interchangeable with it."""
        pieces = self._puzzle.pieces
        equal = self._puzzle.equal_pieces if self._puzzle.interchangeable else range(len(pieces))
        return np.array(equal, dtype=np.int64)


def _count_per_row(values: NDArray[np.integer[Any]], size: int) -> NDArray[np.int64]:
    """Return how often each value below `size` occurs in each row, shape (rows, size).

    `values` has shape (rows, …); −1 is ignored.
    """
    flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
    numbers = flat + 1 + np.arange(len(flat))[:, None] * (size + 1)
    counts = np.bincount(numbers.ravel(), minlength=len(flat) * (size + 1))
    return counts.reshape(len(flat), size + 1)[:, 1:]
