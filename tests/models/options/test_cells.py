"""Which items are cells, and where they lie, beside the names of items."""

from __future__ import annotations

import pytest

from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box

OPTIONAL = PackingPuzzle(
    "optional",
    SquareLattice(2),
    box(3, 2),
    (Piece("D", ((0, 0), (0, 1)), min_count=1, max_count=3),),
    optional=((0, 1), (2, 0)),
)


@pytest.mark.parametrize(
    "puzzle", [load("soma-cube"), OPTIONAL, random_board(3, 2, 2, 1)], ids=lambda p: p.name
)
def test_cells_are_items(puzzle: Puzzle) -> None:
    """Items are named after the cells that they are; those to be filled are the first.

    Neighbours come in the lattice's order, −1 where there is no cell.
    """
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    cells, cover = options.cells, options.cover
    assert cells is not None
    places = [tuple(cell) for cell in cells.positions.astype(int).tolist()]
    names = [",".join(map(str, cell)) for cell in places]
    assert [cover.item_names[item] for item in cells.item] == names
    required = [item for item in cells.item.tolist() if item < cover.primary_count]
    assert required == list(range(cells.required))
    lattice = SquareLattice(len(places[0]))
    for place, near in zip(places, cells.neighbours.tolist(), strict=True):
        expected = lattice.neighbours(place)
        assert near == [places.index(n) if n in places else -1 for n in expected]


def test_a_bare_cover_problem_has_no_cells() -> None:
    """Nothing is known of its geometry."""
    assert build_task(queens(6), Request()).options.cells is None
