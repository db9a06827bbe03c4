"""The looks of tiles say the same as the options they are made of."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from dovetail.backends.looks import NO_OPTION, looks_of
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.edges import edge_options
from oracle.strategies import edge_puzzles


@given(puzzle=edge_puzzles())
def test_every_option_has_its_look(puzzle: EdgePuzzle) -> None:
    """Type, sides and cell come back, and colours that face one another mate."""
    options = edge_options(puzzle)
    looks = looks_of(options)
    sign = -1 if puzzle.signed else 1
    cells, numbers = np.nonzero(looks.option != NO_OPTION)
    assert sorted(looks.option[cells, numbers]) == list(range(options.option_count))
    colour = dict[int, int]()
    for cell, look in zip(cells, numbers, strict=True):
        option = looks.option[cell, look]
        assert options.cell[option] == cell
        assert options.tile_type[option] == looks.tile_type[look]
        for value, one in zip(options.sides[option], looks.shown[look], strict=True):
            assert colour.setdefault(int(one), int(value)) == value
    assert colour.get(0, 0) == 0
    assert len(set(colour.values())) == len(colour)
    for one, value in colour.items():
        mate = int(looks.mate[one])
        assert looks.mate[mate] == one
        assert colour.get(mate, sign * value) == sign * value
    assert np.all(np.diff(looks.tile_type) >= 0)
    assert looks.copies.sum() == len(puzzle.tiles)
