"""Parity of regions and pieces: published figures."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.models.packing import PackingPuzzle
from dovetail.models.parity import cell_colours, placement_parities, shape_parities
from dovetail.models.placements import Placements, bounded_placements
from dovetail.puzzles.loading import load
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
