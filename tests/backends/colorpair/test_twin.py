"""The twin: its rules on states made by hand, and its boards beside boards laid tile by tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import isqrt

import pytest
from hypothesis import given, settings

from backends.colorpair.strategies import (
    CHOICES,
    PATTERNS,
    SHAVING,
    SMALL,
    configs,
    configured,
    puzzles,
)
from backends.colorpair.twin import (
    Board,
    ContradictionError,
    State,
    Twin,
    apply_pairs,
    check_ring,
    check_shared_edges,
    max_shared_edges,
    propagate,
    seize,
)
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.board_geometry import Position
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.models.frame import TileClass
from dovetail.models.options.edges import edge_options
from dovetail.puzzles.edge_boards import random_board
from oracle.brute_force import boards

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


@given(puzzle=puzzles(SMALL), config=configs())
@settings(max_examples=140)
def test_every_board_once(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """The boards that laying tile after tile finds, whatever is switched off."""
    options = edge_options(puzzle)
    twin = Twin(options, config)
    found = [tuple(tuple(options.sides[o].tolist()) for o in row) for row in twin.solutions]
    assert len(found) == len(set(found))
    assert set(found) == boards(puzzle)


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


def test_every_choice_differs() -> None:
    """Patterns, scores, shaving limits and seeds each make another tree of the same boards."""
    patterns = [("none",), *(tuple(one for one in PATTERNS if one != left) for left in PATTERNS)]
    by_patterns = {nodes(0, configured(patterns=names)) for names in patterns}
    assert len(by_patterns) == len(patterns)
    by_choice = {nodes(0, configured(patterns=("none",), choice=one)) for one in CHOICES}
    assert len(by_choice) == len(CHOICES)
    shaved = [configured(shaving=limit) for limit in SHAVING]
    by_limit = {(nodes(3, config), nodes(5, config)) for config in shaved}
    assert len(by_limit) == len(SHAVING)
    by_pair = configured(patterns=("none",))
    assert nodes(2, replace(by_pair, value_order="probability")) != nodes(2, by_pair)
    assert nodes(3, replace(by_pair, single_colours=True)) < nodes(3, by_pair)
    assert nodes(0, ColorPairConfig(seed=1)) != nodes(0, ColorPairConfig())
