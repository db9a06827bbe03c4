"""The orientations of tiles say the same as the options they are made of."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from dovetail.backends.shared.tiles import NO_OPTION, tile_orientations
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.edges import edge_options
from oracle.strategies import edge_puzzles


@given(puzzle=edge_puzzles())
def test_every_option_has_its_orientation(puzzle: EdgePuzzle) -> None:
    """Type, sides and cell come back, and colours that face one another mate."""
    options = edge_options(puzzle)
    orientations = tile_orientations(options)
    sign = -1 if puzzle.signed else 1
    cells, numbers = np.nonzero(orientations.option != NO_OPTION)
    assert sorted(orientations.option[cells, numbers]) == list(range(options.option_count))
    colour = dict[int, int]()
    for cell, orientation in zip(cells, numbers, strict=True):
        option = orientations.option[cell, orientation]
        assert options.cell[option] == cell
        assert options.tile_type[option] == orientations.tile_type[orientation]
        for value, one in zip(options.sides[option], orientations.shown[orientation], strict=True):
            assert colour.setdefault(int(one), int(value)) == value
    assert colour.get(0, 0) == 0
    assert len(set(colour.values())) == len(colour)
    for one, value in colour.items():
        mate = int(orientations.mate[one])
        assert orientations.mate[mate] == one
        assert colour.get(mate, sign * value) == sign * value
    assert np.all(np.diff(orientations.tile_type) >= 0)
    assert orientations.copies.sum() == len(puzzle.tiles)
