"""The rules of the twin on states made by hand."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

import pytest

from backends.colorpair.board import pairs, ring_sides
from backends.colorpair.handmade import CORNER_PAIR, CORNERS, diagonal, made, sequence
from backends.colorpair.rules import (
    ContradictionError,
    apply_pairs,
    check_ring,
    check_shared_edges,
    max_shared_edges,
    preempt,
    propagate,
    seize,
)
from backends.colorpair.strategies import configured
from backends.colorpair.tallies import Ring, Shared, tally
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.board_geometry import BoardGeometry, Position, opposite
from dovetail.models.edges import Tile
from dovetail.models.frame import TileClass


def test_pairs_of_a_tile() -> None:
    """Clockwise, the last side before the first; opposite ones without an order; each once."""
    tile = dict(enumerate((3, 1, 2, 1)))
    clockwise = [("sequence", 3, 1), ("sequence", 1, 2), ("sequence", 2, 1), ("sequence", 1, 3)]
    assert pairs(tile, opposite=False) == clockwise
    assert pairs(tile, opposite=True) == [*clockwise, ("opposite", 2, 3), ("opposite", 1, 1)]
    assert pairs(dict(enumerate((4, 4, 4, 4))), opposite=True) == [
        ("sequence", 4, 4),
        ("opposite", 4, 4),
    ]
    assert pairs({0: 5, 2: 3}, opposite=True) == [("opposite", 3, 5)]
    assert pairs({3: 5, 0: 3}, opposite=True) == [("sequence", 5, 3)]


def test_a_cell_demands_a_pair_once() -> None:
    """Three sides 2, 2, 2 are one demand, which one tile can meet."""
    around = {(2, 3): (1, 2, 1, 1), (3, 2): (2, 1, 1, 1), (4, 3): (1, 1, 1, 2)}
    state = made(around, [*CORNERS, (2, 2, 2, 3)], side=7)
    cell = state.board.geometry.cell((3, 3))
    assert state.known(cell) == {1: 2, 2: 2, 3: 2}
    assert state.demand()[sequence(2, 2)] == [cell]
    config = ColorPairConfig(contradiction=False)
    apply_pairs(state, config)
    assert state.board.shown[state.laid[cell]] == (3, 2, 2, 2)


def test_contradiction_and_instantiation() -> None:
    """Two cells for one tile; one cell for one tile, and that turned in two ways."""
    two = diagonal(2, 2, (2, 3), (2, 3))
    one_tile = made(two, [*CORNERS, (2, 3, 4, 4)])
    with pytest.raises(ContradictionError):
        apply_pairs(one_tile, ColorPairConfig(instantiation=False))
    apply_pairs(one_tile, ColorPairConfig(instantiation=False, contradiction=False))
    assert len(one_tile.laid) == 2
    one = diagonal(2, 2, (2, 2), (4, 4))
    for tile, is_laid in (((2, 3, 4, 2), True), ((3, 2, 2, 2), False)):
        state = made(one, [*CORNERS, tile, (4, 4, 4, 4), (4, 4, 4, 4)])
        apply_pairs(state, ColorPairConfig())
        assert (state.board.geometry.cell((2, 2)) in state.laid) == is_laid


def test_no_turn_fits() -> None:
    """The only tile with 2, 3 shows 1 and not 5 on the third side that is known."""
    around = diagonal(3, 3, (2, 3), (4, 4)) | {(3, 2): (5, 1, 1, 1)}
    config = configured(contradiction=False)
    others = [*CORNERS, *[(3, 5, 1, 1)] * 2, *[(4, 4, 4, 4)] * 2]
    fits = made(around, [*others, (2, 3, 5, 1)], side=7)
    apply_pairs(fits, config)
    assert fits.board.geometry.cell((3, 3)) in fits.laid
    with pytest.raises(ContradictionError):
        apply_pairs(made(around, [*others, (2, 3, 1, 5)], side=7), config)


FIGURE_2 = diagonal(2, 2, (2, 3), (2, 3)) | diagonal(6, 6, (3, 4), (5, 5))
FIGURE_2_LEFT = [*CORNERS, (2, 3, 4, 1), (2, 3, 4, 5), (3, 4, 1, 5), *[(5, 5, 5, 5)] * 2]


def test_preemption() -> None:
    """The paper's figure 2, first case: two cells need both tiles with 2, 3, which have 3, 4 too.

    So the tile with 3, 4 that is left goes where 3, 4 is demanded.
    """
    config = ColorPairConfig(shared_edges=False)
    state = made(FIGURE_2, FIGURE_2_LEFT, side=10)
    cells = [state.board.geometry.cell((x, x)) for x in (2, 3, 6)]
    assert state.demand()[sequence(2, 3)] == cells[:2]
    assert state.demand()[sequence(3, 4)] == [cells[2]]
    propagate(state, replace(config, preemption=False))
    assert len(state.laid) == len(FIGURE_2)
    assert len(seize(state)[sequence(2, 3)]) == 2
    propagate(state, config)
    assert len(state.laid) == len(FIGURE_2) + 1
    assert state.board.shown[state.laid[cells[2]]] == (3, 4, 1, 5)


def test_no_preemption_beside_a_cell_with_three_sides() -> None:
    """It demands several pairs, so that one tile may meet the demands of several."""
    state = made(FIGURE_2 | {(8, 7): (1, 1, 1, 5)}, FIGURE_2_LEFT, side=10)
    assert not preempt(state, ColorPairConfig())
    assert len(state.laid) == len(FIGURE_2) + 1


def test_no_preemption_across_pairs() -> None:
    """The paper's figure 2, second case: two tiles for two cells, but each pair has both."""
    tiles = [*CORNERS, (2, 3, 4, 1), (2, 3, 4, 5)]
    state = made(diagonal(2, 2, (2, 3), (3, 4)), tiles)
    assert seize(state).keys() == {CORNER_PAIR}
    assert not preempt(state, ColorPairConfig())


def test_a_tile_needed_twice() -> None:
    """Each demand has an offer, and yet both cannot be met."""
    state = made(diagonal(2, 2, (2, 3), (3, 4)), [*CORNERS, (2, 3, 4, 1)])
    apply_pairs(state, ColorPairConfig(instantiation=False))
    with pytest.raises(ContradictionError):
        seize(state)


def test_most_shared_edges() -> None:
    """The values that the paper's formula must have, and the least perimeter of M squares."""
    assert list(map(max_shared_edges, range(10))) == [0, 0, 1, 2, 4, 5, 7, 8, 10, 12]
    for squares in range(1, 300):
        half_perimeter = isqrt(4 * squares - 1) + 1
        assert max_shared_edges(squares) == 2 * squares - half_perimeter


@pytest.mark.parametrize(
    ("laid", "left", "signed", "fails"),
    [
        ({}, [(0, 0, 1, 1)], False, True),  # a tile cannot touch itself
        ({(2, 2): (1, 2, 2, 2)}, [(0, 0, 1, 1)], False, True),
        ({(2, 2): (1, 1, 2, 2)}, [(0, 0, 1, 1)], False, False),
        ({}, [(0, 0, 1, 2)] * 2, False, False),
        ({}, [(0, 1, 1, 1)] * 2, False, True),  # they share one edge
        ({}, [(0, 0, 1, 2), (0, 0, -1, -2)], True, False),
        ({}, [(0, 0, 1, 2), (0, 0, 1, -2)], True, True),
    ],
)
def test_shared_edges(
    laid: dict[Position, Tile], left: list[Tile], signed: bool, fails: bool
) -> None:
    """Sides of one colour have to touch unless they are demanded."""
    state = made(laid, left, signed=signed)
    if fails:
        with pytest.raises(ContradictionError):
            check_shared_edges(state)
    else:
        check_shared_edges(state)


def test_the_way_round() -> None:
    """Where the ring goes on from a cell is where it comes from in the next one."""
    for width, height in ((2, 2), (2, 5), (4, 3), (5, 5)):
        geometry = BoardGeometry(width, height)
        cell, met = 0, list[int]()
        while cell not in met:
            met.append(cell)
            sides = ring_sides(geometry.frame_at(geometry.position(cell)))
            assert sides is not None
            following = dict(geometry.neighbours(cell))[sides[0]]
            there = ring_sides(geometry.frame_at(geometry.position(following)))
            assert there is not None
            assert there[1] == opposite(sides[0])
            cell = following
        assert cell == 0
        assert len(met) == 2 * (width + height) - 4
        assert met[1] == 1  # clockwise from the bottom left: north
    assert ring_sides((False, False, False, False)) is None


GOES_ON_WITH_2 = (0, 2, 1, 3)  # and comes from 3
GOES_ON_WITH_3 = (0, 3, 1, 2)


@pytest.mark.parametrize(
    ("laid", "left", "side", "fails"),
    [
        ({}, [GOES_ON_WITH_2, GOES_ON_WITH_3], 6, True),
        ({}, [GOES_ON_WITH_2, (0, 4, 1, 2)], 6, False),  # a chain that is open
        ({}, [GOES_ON_WITH_2, GOES_ON_WITH_3, (0, 2, 1, 4)], 6, False),  # two go on with 2
        ({}, [(0, 2, 1, 2)], 6, True),  # a tile that would have to follow itself
        ({(2, 5): (0, 4, 1, 2)}, [GOES_ON_WITH_2, GOES_ON_WITH_3], 6, False),  # one goes there
        ({(2, 5): (0, 2, 1, 4)}, [GOES_ON_WITH_2, GOES_ON_WITH_3], 6, False),
        ({(2, 4): (2, 2, 2, 2)}, [GOES_ON_WITH_2, GOES_ON_WITH_3], 6, True),  # below the ring
        ({}, [(0, 0, 1, 2), (0, 0, 2, 3), (0, 0, 3, 4), (0, 0, 4, 1)], 2, False),  # all round
        ({}, [(0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 3, 4), (0, 0, 4, 3)], 2, True),
    ],
)
def test_ring(laid: dict[Position, Tile], left: list[Tile], side: int, fails: bool) -> None:
    """Tiles of which each has to follow another close no circle before the board is round."""
    state = made(laid, left, side)
    if fails:
        with pytest.raises(ContradictionError):
            check_ring(state)
    else:
        check_ring(state)


def test_tally() -> None:
    """All that an incremental search keeps, of a board with a tile in its first corner."""
    state = made({(0, 0): (1, 2, 0, 0)}, [(0, 0, 1, 2), (0, 0, 1, 1), (0, 0, 2, 2)], side=2)
    found = tally(state)
    demand = {
        ("sequence", 0, 0): [1, 2, 3],
        ("sequence", 1, 0): [1],
        ("opposite", 0, 1): [1],
        ("sequence", 0, 2): [2],
        ("opposite", 0, 2): [2],
    }
    offer = {("sequence", 0, 0): 3, ("opposite", 0, 1): 2, ("opposite", 0, 2): 2}
    offer |= {("sequence", 0, 1): 2, ("sequence", 1, 2): 1, ("sequence", 2, 0): 2}
    offer |= {("sequence", 1, 1): 1, ("sequence", 1, 0): 1}
    offer |= {("sequence", 0, 2): 1, ("sequence", 2, 2): 1}
    assert found.demand == {(TileClass.CORNER, pair): cells for pair, cells in demand.items()}
    assert found.offer == {(TileClass.CORNER, pair): tiles for pair, tiles in offer.items()}
    assert found.known == {1: {0: 0, 2: 1, 3: 0}, 2: {1: 0, 2: 0, 3: 2}, 3: {0: 0, 1: 0}}
    assert found.shared == {1: Shared(3, 1, 2), 2: Shared(3, 1, 2)}
    assert found.ring == {1: Ring([0, 1], [1], [], [1]), 2: Ring([2], [0, 2], [2], [])}
