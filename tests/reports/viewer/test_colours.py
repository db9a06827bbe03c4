"""Colours of pieces that touch."""

from __future__ import annotations

from dovetail.models.lattice import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.viewer.colours import COLOURS, colours

ROW = tuple((x, 0) for x in range(12))


def row(order: list[int]) -> list[int]:
    """The colours of twelve pieces of one cell each, laid in this order from left to right."""
    pieces = tuple(Piece(f"p{number}", ((0, 0),)) for number in range(12))
    puzzle = PackingPuzzle("row", SquareLattice(2), ROW, pieces)
    placed = tuple((f"p{number}", (ROW[x],)) for x, number in enumerate(order))
    return colours(puzzle, PackingSolution(placed))


def test_pieces_keep_their_colour() -> None:
    """Where no neighbour has it: piece 8 begins again with the first."""
    assert row(list(range(12))) == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3]
    assert row(list(reversed(range(12)))) == [3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0]


def test_neighbours_differ() -> None:
    """The later one takes the next colour."""
    assert row([0, 8, 1, 9, 2, 3, 4, 5, 6, 7, 10, 11]) == [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 2, 3]


def test_more_neighbours_than_colours() -> None:
    """A piece that touches pieces of every colour has its own."""
    ring = tuple((x, 1) for x in range(COLOURS))
    long = tuple((x, 0) for x in range(COLOURS))
    pieces = tuple(Piece(f"p{x}", ((0, 0),)) for x in range(COLOURS))
    puzzle = PackingPuzzle("ring", SquareLattice(2), ring + long, (*pieces, Piece("long", long)))
    placed = (*((f"p{x}", (ring[x],)) for x in range(COLOURS)), ("long", long))
    assert colours(puzzle, PackingSolution(placed)) == [*range(COLOURS), 0]
