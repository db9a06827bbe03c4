"""Is this a packing? Every piece in its place, every cell covered as it has to be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import shorten
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
            frozenset(
                puzzle.lattice.orientations(piece.cells, piece.motions.isometries(puzzle.lattice))
            )
            for piece in puzzle.pieces
        ]
        self._kind = self._kinds()
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
        width = max((len(cells) for _, cells in table), default=1)
        nowhere = len(self._number)
        taken = np.full((len(table) + 1, width), nowhere)
        for line, (_, cells) in enumerate(table):
            taken[line, : len(cells)] = [self._number[cell] for cell in cells]
        covered = _count_per_row(
            taken[rows].reshape(len(rows), rows.shape[1] * width), nowhere + 1
        )[:, :nowhere]
        bad_cell = (covered > 1) | (self._must_fill & (covered == 0))
        if bad_cell.any():
            row, cell = (int(x) for x in np.argwhere(bad_cell)[0])
            times = int(covered[row, cell])
            where = self._puzzle.open_cells[cell]
            return f"cell {where} is covered {times} times" if times else f"cell {where} is empty"
        return self._usage_error(table, rows, by_name)

    def _usage_error(
        self, table: list[Placed], rows: NDArray[np.int32], by_name: bool
    ) -> str | None:
        pieces = self._puzzle.pieces
        group = np.arange(len(pieces)) if by_name else self._kind
        least, most = np.zeros(len(pieces), int), np.zeros(len(pieces), int)
        np.add.at(least, group, [piece.least for piece in pieces])
        np.add.at(most, group, [piece.most for piece in pieces])
        group_of_line = np.array([*(group[self._pieces[name]] for name, _ in table), len(pieces)])
        used = _count_per_row(group_of_line[rows], len(pieces) + 1)[:, : len(pieces)]
        bad = (used < least) | (used > most)
        if bad.any():
            row, g = (int(x) for x in np.argwhere(bad)[0])
            name = pieces[int(np.flatnonzero(group == g)[0])].name if g in group else str(g)
            return (
                f"piece {shorten(name)} is used {int(used[row, g])} times; "
                f"expected {least[g]} to {most[g]}"
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
            return f"piece {shorten(name)} cannot lie on the cells {shorten(str(cells))}"
        self._sound.add(key)
        return None

    def _fits(self, number: int, cells: Cells) -> bool:
        listed = self._puzzle.pieces[number].placements
        if listed is not None:
            return tuple(sorted(cells)) in listed
        return self._puzzle.lattice.normalise(cells) in self._orientations[number]

    def _kinds(self) -> NDArray[np.int64]:
        """For each piece the first piece that it cannot be told from."""
        first: dict[object, int] = {}
        kinds = []
        for p, (piece, looks) in enumerate(
            zip(self._puzzle.pieces, self._orientations, strict=True)
        ):
            listed = None if piece.placements is None else frozenset(piece.placements)
            kinds.append(first.setdefault((looks, listed), p))
        return np.array(kinds, dtype=np.int64)


def _count_per_row(values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each value below `size` occurs in each row, shape (rows, size)."""
    offsets = np.arange(len(values))[:, None] * size
    counts = np.bincount((values + offsets).ravel(), minlength=len(values) * size)
    return counts.reshape(len(values), size)
