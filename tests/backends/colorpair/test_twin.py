"""The twin: its rules on states made by hand, and its boards beside boards laid tile by tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache

import pytest

from backends.colorpair.strategies import (
    configured,
)
from backends.colorpair.twin import (
    Board,
    ContradictionError,
    State,
    Twin,
    apply_pairs,
    check_ring,
    check_shared_edges,
    propagate,
    seize,
)
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.edges import EdgePuzzle, Position, Tile, TileClass
from dovetail.models.options.edges import edge_options
from dovetail.puzzles.edge_boards import random_board

NOWHERE = (0, 0, 0, 0)  # a tile that fits no cell of a board of several
CORNERS = [(0, 0, 1, 1)] * 4


def made(
    laid: Mapping[Position, Tile], left: Sequence[Tile], side: int = 6, *, signed: bool = False
) -> State:
    """A square board with tiles that show these sides, matching or not, and some tiles left."""
    tiles = [*laid.values(), *left]
    tiles += [NOWHERE] * (side * side - len(tiles))
    board = Board(edge_options(EdgePuzzle("made", side, side, tuple(tiles), signed=signed)))
    state = State(board)
    for position, shown in laid.items():
        cell = board.geometry.cell(position)
        colours = tuple(board.colours[colour] for colour in shown)
        state.laid[cell] = next(
            orientation
            for orientation in board.orientations_in_order[cell]
            if board.shown[orientation] == colours
        )
    return state


def diagonal(
    x: int, y: int, below: tuple[int, int], above: tuple[int, int]
) -> dict[Position, Tile]:
    """Two tiles between which (x, y) must show `below` to the north and east.

    And (x + 1, y + 1) must show `above` to the south and west.
    """
    return {(x, y + 1): (1, above[1], below[0], 1), (x + 1, y): (above[0], 1, 1, below[1])}


def sequence(first: int, second: int) -> tuple[TileClass, tuple[str, int, int]]:
    """A pair of inner cells."""
    return TileClass.INNER, ("sequence", first, second)


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


GOES_ON_WITH_2 = (0, 2, 1, 3)  # and comes from 3
GOES_ON_WITH_3 = (0, 3, 1, 2)
BOTH = [GOES_ON_WITH_2, GOES_ON_WITH_3]


@pytest.mark.parametrize(
    ("laid", "left", "fails"),
    [
        ({}, [(0, 0, 1, 1)], True),  # a tile cannot touch itself
        ({(2, 2): (1, 2, 2, 2)}, [(0, 0, 1, 1)], True),
        ({(2, 2): (1, 1, 2, 2)}, [(0, 0, 1, 1)], False),
        ({}, [(0, 0, 1, 2)] * 2, False),
        ({}, [(0, 1, 1, 1)] * 2, True),  # they share one edge
        ({}, [(0, 0, 1, 2), (0, 0, -1, -2)], False),
        ({}, [(0, 0, 1, 2), (0, 0, 1, -2)], True),
    ],
)
def test_shared_edges(laid: dict[Position, Tile], left: list[Tile], fails: bool) -> None:
    """Sides of one colour have to touch unless they are demanded."""
    signed = any(min(tile) < 0 for tile in left)
    with pytest.raises(ContradictionError) if fails else nullcontext():
        check_shared_edges(made(laid, left, signed=signed))


@pytest.mark.parametrize(
    ("laid", "left", "side", "fails"),
    [
        ({}, BOTH, 6, True),
        ({}, [GOES_ON_WITH_2, (0, 4, 1, 2)], 6, False),  # a chain that is open
        ({}, [*BOTH, (0, 2, 1, 4)], 6, False),  # two go on with 2
        ({}, [(0, 2, 1, 2)], 6, True),  # a tile that would have to follow itself
        ({(2, 5): (0, 4, 1, 2)}, BOTH, 6, False),  # one goes there
        ({(2, 4): (2, 2, 2, 2)}, BOTH, 6, True),  # below the ring
        ({}, [(0, 0, 1, 2), (0, 0, 2, 3), (0, 0, 3, 4), (0, 0, 4, 1)], 2, False),  # all round
        ({}, [(0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 3, 4), (0, 0, 4, 3)], 2, True),
    ],
)
def test_ring(laid: dict[Position, Tile], left: list[Tile], side: int, fails: bool) -> None:
    """Tiles of which each has to follow another close no circle before the board is round."""
    with pytest.raises(ContradictionError) if fails else nullcontext():
        check_ring(made(laid, left, side))


def nodes(seed: int, config: ColorPairConfig) -> int:
    """Of a board of 4 x 4, whose boards are found anyway."""
    twin = Twin(edge_options(random_board(4, 4, 3, seed)), config)
    assert set(twin.solutions) == by_all_rules(seed)
    return twin.fits.total()


@cache
def by_all_rules(seed: int) -> set[tuple[int, ...]]:
    """The boards that the default config finds."""
    return set(Twin(edge_options(random_board(4, 4, 3, seed)), ColorPairConfig()).solutions)


@pytest.mark.parametrize(
    ("rule", "seed"),
    [
        ("contradiction", 1),
        ("instantiation", 1),
        ("opposite", 1),
        ("preemption", 1),
        ("shared_edges", 4),
        ("cycles", 5),
    ],
)
def test_every_rule_saves_nodes(rule: str, seed: int) -> None:
    """The same boards at more nodes without it."""
    assert nodes(seed, configured(**{rule: False})) > nodes(seed, ColorPairConfig())
