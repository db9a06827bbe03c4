"""Orientations of tiles and constraint models beside the options that they are made from."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dovetail.backends.shared.tiles import NO_OPTION, tile_model, tile_orientations
from dovetail.models.edges import EAST, NORTH, EdgePuzzle
from dovetail.models.options.edges import edge_options
from oracle.strategies import edge_puzzles, hinted_boards, laid_boards


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


@given(hinted_boards() | laid_boards([(4, 3), (3, 5)]), st.data())
def test_rows_are_options(puzzle: EdgePuzzle, data: st.DataObject) -> None:
    """Every option that is left is a row of its cell; colours are equal where sides match."""
    options = edge_options(puzzle)
    kept = data.draw(st.sets(st.sampled_from(range(options.option_count))))
    options = options.subset(sorted(kept))  # type: ignore[arg-type]
    tiles = tile_model(options)
    assert sorted(o for cell in tiles.cells for o in cell.option.tolist()) == list(range(len(kept)))
    values = defaultdict[int, dict[int, set[int]]](lambda: defaultdict(set))
    for number, cell in enumerate(tiles.cells):
        sides = [side for side, _ in puzzle.geometry.neighbours(number)]
        for row, option in enumerate(cell.option.tolist()):
            assert options.cell[option] == number
            assert options.tile_type[option] == cell.tile_type[row]
            for place, side in enumerate(sides):
                shown = int(options.sides[option, side])
                outward = shown if side in (NORTH, EAST) else puzzle.mate(shown)
                values[cell.edges[place]][int(cell.colour[row, place])].add(outward)
    for by_colour in values.values():
        assert all(1 <= colour <= tiles.colour_count for colour in by_colour)
        assert all(len(shown) == 1 for shown in by_colour.values())
        assert len(set.union(*by_colour.values())) == len(by_colour)


@given(laid_boards([(1, 1), (1, 4), (3, 2), (4, 4)]))
def test_edges_lie_between_two_cells(puzzle: EdgePuzzle) -> None:
    """Each of them has the number of one side of either."""
    tiles = tile_model(edge_options(puzzle))
    geometry = puzzle.geometry
    beside = defaultdict[int, list[tuple[int, int]]](list)
    for number, cell in enumerate(tiles.cells):
        for edge, (_, beyond) in zip(cell.edges, geometry.neighbours(number), strict=True):
            beside[edge].append((number, beyond))
    assert sorted(beside) == list(range(tiles.edge_count))
    assert all(len(ends) == 2 and ends[0] == ends[1][::-1] for ends in beside.values())
    inner = sum(not on_frame for p in geometry.positions for on_frame in geometry.frame_at(p))
    assert tiles.edge_count == inner // 2
