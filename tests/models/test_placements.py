"""Placements: how many, in which order, as which bits."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.errors import ConfigError
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
