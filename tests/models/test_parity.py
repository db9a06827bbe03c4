"""Parity of regions and pieces: published figures."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.sums import cell_colours, parity_supply, placement_parities, shape_parities
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import packing_puzzles


def placements_of(name: str) -> Placements:
    """The placements of a catalogue puzzle."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return bounded_placements(puzzle)


@pytest.mark.parametrize(
    ("name", "region", "classes"),
    [
        ("tetris-cube", 0, {0: 1, 1: 8, 2: 3}),
        ("hexominoes-14x15", 0, {0: 24, 2: 11}),
        ("hexominoes-box-in-a-diamond", 22, {0: 24, 2: 11}),
    ],
)
def test_published_figures(name: str, region: int, classes: dict[int, int]) -> None:
    """The region's parity, and how many pieces show which (Busche 2011)."""
    table = placements_of(name)
    assert abs(int(cell_colours(table).sum())) == region
    assert Counter(max(map(abs, values)) for values in shape_parities(table)) == classes


@given(packing_puzzles())
@settings(max_examples=15)
def test_from_the_definition(puzzle: PackingPuzzle) -> None:
    """Neighbours differ in colour, and a placement's parity is the sum of its cells' colours."""
    table = bounded_placements(puzzle)
    colours = cell_colours(table)
    for cell, near in enumerate(table.neighbours):
        assert np.all(colours[near[near >= 0]] == -colours[cell])
    shown = placement_parities(table).tolist()
    by_cell = dict(zip(map(tuple, table.coordinates.tolist()), colours.tolist(), strict=True))
    twin = [sum(by_cell[cell] for cell in table.cell_tuples(n)) for n in range(len(table))]
    assert shown == twin


@pytest.mark.parametrize("least", [2, 3])
def test_parities_of_empty_cells(least: int) -> None:
    """Any number of black and of white cells, as many together as the pieces leave."""
    region = box(5, 3)
    pieces = (Piece("A", ((0, 0), (1, 0), (2, 0)), least, 3),)
    puzzle = PackingPuzzle("p", SquareLattice(2), region, pieces, optional=region[:11])
    table = bounded_placements(puzzle)
    colours = cell_colours(table)[table.optional].tolist()
    every = product(range(colours.count(1) + 1), range(colours.count(-1) + 1))
    expected = {b - w for b, w in every if least < 3 or b + w == len(region) - 9}
    assert parity_supply(table).base == expected
