"""Placements: how many, in which order, as which bits."""

from __future__ import annotations

from itertools import product
from operator import add

import numpy as np
import pytest

from dovetail.api import count
from dovetail.errors import ConfigError, PuzzleError
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import NO_CELL, bounded_placements
from dovetail.puzzles.polyominoes import box
from lattices.grown import grown


def test_congruent_pieces_make_one_shape() -> None:
    """Unless they are labelled."""
    pieces = (Piece("A", ((0, 0), (1, 0))), Piece("B", ((3, 3), (3, 4))))
    puzzle = PackingPuzzle("square", SquareLattice(2), box(2, 2), pieces)
    (shape,) = bounded_placements(puzzle).shapes
    assert (shape.pieces, shape.min_count, shape.max_count) == (("A", "B"), 2, 2)
    labelled = bounded_placements(puzzle, labelled=True)
    assert [shape.pieces for shape in labelled.shapes] == [("A",), ("B",)]
    assert np.array_equal(labelled.cells[labelled.shape == 0], labelled.cells[labelled.shape == 1])


def test_equal_pieces_may_have_any_number_of_copies_in_total() -> None:
    """Such as more than 32 bits can count."""
    pieces = tuple(Piece(f"p{n}", ((0, 0),), 0, 1_000_000) for n in range(2_148))
    puzzle = PackingPuzzle("cells", SquareLattice(2), box(2, 1), pieces)
    assert count(puzzle).count == 1


def test_labelled_copies_need_a_fixed_number() -> None:
    """How many labelled solutions "up to three copies" has is a matter of opinion."""
    pieces = (Piece("A", ((0, 0),), 0, 4),)
    puzzle = PackingPuzzle("square", SquareLattice(2), box(2, 2), pieces)
    with pytest.raises(ConfigError, match="needs a fixed number of copies"):
        bounded_placements(puzzle, labelled=True)


@pytest.mark.parametrize("name", lattice_names())
@pytest.mark.parametrize("far", [0, 30_000])
def test_the_twin_of_placements(name: str, far: int) -> None:
    """Every piece laid everywhere, cell by cell: the same placements in the same order.

    Regions have gaps; with a part that lies `far` away, their box is much larger than they are.
    """
    lattice = lattice_named(name)
    region = grown(lattice, 0, pieces=1, size=30)[0]
    if far:
        shift = next(
            vector
            for step in range(1, 100)
            for vector in product((0, far * step), repeat=len(lattice.axes))
            if any(vector)
            and len(lattice.translations(region[0], np.array([region[0]]) + np.array(vector)))
        )
        region += tuple(tuple(map(add, cell, shift)) for cell in region)
    pieces = tuple(
        Piece(f"P{n}", grown(lattice, n, pieces=1, size=n)[0], 0, 9) for n in range(1, 5)
    )
    puzzle = PackingPuzzle("p", lattice, region, pieces, optional=region)
    placements = bounded_placements(puzzle)
    number = {cell: n for n, cell in enumerate(puzzle.open_cells)}
    target = np.array(puzzle.open_cells)
    twins = [
        [number[cell] for cell in moved]
        for piece in pieces
        for orientation in piece.motions.orientations(lattice, piece.cells)
        for vector in lattice.translations(orientation[0], target).tolist()
        if set(moved := [tuple(map(add, cell, vector)) for cell in orientation]) <= set(number)
    ]
    assert [[n for n in row if n != NO_CELL] for row in placements.cells.tolist()] == [
        sorted(row) for row in twins
    ]
    near = [[n for n in row if n != NO_CELL] for row in placements.neighbours.tolist()]
    assert near == [
        [number[other] for other in lattice.neighbours(cell) if other in number]
        for cell in puzzle.open_cells
    ]


def test_placements_that_exceed_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused before there are any, with their number and the limit."""
    pieces = (Piece("A", box(3, 2), 0, 9), Piece("B", box(1, 1), 0, 99))
    puzzle = PackingPuzzle("squares", SquareLattice(2), box(9, 9), pieces, optional=box(9, 9))
    count = 2 * 7 * 8 + 81
    monkeypatch.setattr("dovetail.models.packings.placements.ALWAYS_FITS", 0)
    assert len(bounded_placements(puzzle, memory_bytes=60 * count)) == count
    monkeypatch.setattr(CellNumbers, "place", None)
    message = f"{count} placements of up to 6 cells would take {60 * count:,} bytes; the limit is"
    with pytest.raises(PuzzleError, match=f"{message} 4,000$"):
        bounded_placements(puzzle, memory_bytes=4000)
