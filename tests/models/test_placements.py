"""Placements: how many, in which order, as which bits."""

from __future__ import annotations

from itertools import product
from operator import add
from random import Random

import numpy as np
import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.models.lattices.cell_numbers import CellNumbers
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import NO_CELL, bounded_placements
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box

# Source: Busche 2011 and 2018; shared facts of the project.
PLACEMENTS = {
    "pentominoes-6x10": 2056,
    "pentominoes-3x20": 1236,
    "one-sided-pentominoes-3x30": 1936,
}


@pytest.mark.parametrize("name", PLACEMENTS)
def test_published_numbers_of_placements(name: str) -> None:
    """As many bounded placements as the articles have."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    assert len(bounded_placements(puzzle)) == PLACEMENTS[name]


def test_masks_are_the_cells() -> None:
    """Bit v % 64 of word v // 64 is cell v, on a region of more than one word."""
    pieces = (Piece("A", ((0, 0), (1, 0)), 42, 42),)
    puzzle = PackingPuzzle("84 cells", SquareLattice(2), box(12, 7), pieces)
    placements = bounded_placements(puzzle)
    assert placements.masks.shape == (len(placements), 2)
    for mask, cells in zip(placements.masks.tolist(), placements.cells.tolist(), strict=True):
        bits = mask[0] | mask[1] << 64
        assert bits == sum(1 << cell for cell in cells if cell != NO_CELL)


def test_neighbours_follow_the_lattice() -> None:
    """Cell numbers of the neighbours; −1 beyond the region."""
    puzzle = PackingPuzzle("row", SquareLattice(2), box(3, 1), (Piece("A", box(3, 1)),))
    neighbours = bounded_placements(puzzle).neighbours
    assert neighbours.tolist() == [[-1, -1, 1, -1], [0, -1, 2, -1], [1, -1, -1, -1]]


def test_congruent_pieces_make_one_shape() -> None:
    """Unless they are labelled."""
    pieces = (Piece("A", ((0, 0), (1, 0))), Piece("B", ((3, 3), (3, 4))))
    puzzle = PackingPuzzle("square", SquareLattice(2), box(2, 2), pieces)
    (shape,) = bounded_placements(puzzle).shapes
    assert (shape.pieces, shape.min_count, shape.max_count) == (("A", "B"), 2, 2)
    labelled = bounded_placements(puzzle, labelled=True)
    assert [shape.pieces for shape in labelled.shapes] == [("A",), ("B",)]
    assert np.array_equal(labelled.cells[labelled.shape == 0], labelled.cells[labelled.shape == 1])


def test_labelled_copies_need_a_fixed_number() -> None:
    """How many labelled solutions "up to three copies" has is a matter of opinion."""
    pieces = (Piece("A", ((0, 0),), 0, 4),)
    puzzle = PackingPuzzle("square", SquareLattice(2), box(2, 2), pieces)
    with pytest.raises(ConfigError, match="needs a fixed number of copies"):
        bounded_placements(puzzle, labelled=True)


def grown(lattice: Lattice, size: int, random: Random) -> Cells:
    """So many cells of a lattice that hang together."""
    found = [lattice.fundamental_cells[0]]
    while len(found) < size:
        near = sorted(set(lattice.neighbours(random.choice(found))) - set(found))
        found += random.sample(near, min(1, len(near)))
    return lattice.normalise(found)


@pytest.mark.parametrize("name", lattice_names())
@pytest.mark.parametrize("far", [0, 30_000])
def test_the_twin_of_placements(name: str, far: int) -> None:
    """Every piece laid everywhere, cell by cell: the same placements in the same order.

    Regions have gaps; with a part that lies `far` away, their box is much larger than they are.
    """
    lattice, random = lattice_named(name), Random(name)
    region = grown(lattice, 30, random)
    if far:
        shift = next(
            vector
            for step in range(1, 100)
            for vector in product((0, far * step), repeat=len(lattice.axes))
            if any(vector)
            and len(lattice.translations(region[0], np.array([region[0]]) + np.array(vector)))
        )
        region += tuple(tuple(map(add, cell, shift)) for cell in region)
    pieces = tuple(Piece(f"P{n}", grown(lattice, n, random), 0, 9) for n in range(1, 5))
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
    monkeypatch.setattr("dovetail.models.placements.ALWAYS_FITS", 0)
    assert len(bounded_placements(puzzle, memory_bytes=60 * count)) == count
    monkeypatch.setattr(CellNumbers, "place", None)
    message = f"{count} placements of up to 6 cells would take {60 * count:,} bytes; the limit is"
    with pytest.raises(PuzzleError, match=f"{message} 4,000$"):
        bounded_placements(puzzle, memory_bytes=4000)
