"""What the twin of `colorpair` branches on, and what it tries there."""

from __future__ import annotations

from backends.colorpair.board import Board
from backends.colorpair.choice import Urgency, cells_of, choose
from backends.colorpair.handmade import CORNERS, diagonal, made, sequence
from backends.colorpair.state import State
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.options.edges import edge_options
from dovetail.puzzles.edge_boards import random_board
from dovetail.random_stream import RandomStream


def test_order_of_candidates() -> None:
    """The first turns of all types that fit the frame, then their second turns."""
    state = made({}, [*CORNERS, (3, 1, 2, 4), (1, 1, 2, 2), (1, 2, 1, 2)])
    inner, corner = (state.board.geometry.cell(position) for position in ((2, 2), (0, 0)))
    shown = [state.board.shown[orientation] for orientation in state.candidates(inner)]
    assert shown[:3] == [(1, 2, 4, 3), (1, 1, 2, 2), (1, 2, 1, 2)]
    assert shown[3:6] == [(2, 4, 3, 1), (1, 2, 2, 1), (2, 1, 2, 1)]
    assert shown[6:] == [(3, 1, 2, 4), (2, 1, 1, 2), (4, 3, 1, 2), (2, 2, 1, 1)]
    assert [state.board.shown[orientation] for orientation in state.candidates(corner)] == [
        (1, 1, 0, 0)
    ]


def test_patterns() -> None:
    """A 3 x 3 board, empty and then filled tile by tile."""
    options = edge_options(random_board(3, 3, 1, seed=1))
    state = State(Board(options))
    names = ("four", "three", "surrounded", "two-surrounded")
    assert [cells_of(state, name) for name in names] == [[], [], [], [0, 2, 6, 8]]
    state.laid[0] = state.candidates(0)[0]
    assert [cells_of(state, name) for name in names] == [[], [], [1, 2, 3, 6], [2, 6, 8]]
    state.laid[1] = state.candidates(1)[0]
    assert [cells_of(state, name) for name in names] == [[], [2], [3, 6], [2, 6, 8]]
    assert choose(state, ColorPairConfig(), RandomStream(0)).cell == 2
    assert choose(state, ColorPairConfig(patterns=("surrounded",)), RandomStream(0)).cell == 3
    state.laid[4] = state.candidates(4)[0]
    assert [cells_of(state, name) for name in names] == [[], [2, 3], [5, 6, 7, 8], []]
    for cell in (3, 5, 7):
        state.laid[cell] = state.candidates(cell)[0]
    assert [cells_of(state, name) for name in names] == [[2, 6, 8], [2, 6, 8], [], []]


def test_scores() -> None:
    """Of two tiles for 2, 3 one may be used for 4, 5 with one half."""
    tiles = [*CORNERS, (2, 3, 4, 5), (2, 3, 1, 1), (4, 5, 1, 1)]
    state = made(diagonal(2, 2, (2, 3), (4, 5)), tiles)
    urgency = Urgency(state.demand(), state.offer(), state.board.pairs_of_type)
    scores = {
        "min-offer": 2,
        "min-expected-offer": 1.5,
        "min-expected-gap": 0.5,
        "min-expected-ratio": 1.5,
        "max-expected-filtering": -0.5,
    }
    for choice, expected in scores.items():
        assert urgency.score(choice, sequence(2, 3)) == expected
    fewer = made(diagonal(2, 2, (2, 3), (4, 5)), tiles[:-1])
    urgency = Urgency(fewer.demand(), fewer.offer(), fewer.board.pairs_of_type)
    assert urgency.score("min-expected-offer", sequence(2, 3)) == 1  # the other is needed
