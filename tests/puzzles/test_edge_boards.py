"""Random boards: the same everywhere, and solvable."""

from __future__ import annotations

from collections import Counter

import pytest

from dovetail.models.edges import EdgePuzzle, turned
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream

# Content digests: a change here breaks every recorded result on these boards.
DIGESTS = {
    "edges-7-b6i6-1": "9d027add92e88153",
    "edges-8-9-1": "a8791484d6874e74",
    "edges-4x5-b3i4-1": "3ad469d7185a2d84",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_boards_never_change(name: str) -> None:
    """The content of a named board is part of its name."""
    assert load(name).digest == DIGESTS[name]


def test_splitmix64_reference_values() -> None:
    """The first outputs for seed 1234567, as published with the reference implementation."""
    stream = RandomStream(1234567)
    assert [stream.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_below_is_uniform() -> None:
    """Every value below the bound about equally often."""
    stream = RandomStream(5)
    counts = Counter(stream.below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(9_500 < count < 10_500 for count in counts.values())


def test_border_colours_are_their_own() -> None:
    """In b6i6 boards edges along the frame draw from 1 to 6, all others from 7 to 12."""
    board = random_board(7, 7, 6, seed=3, border_colours=6)
    for tile in board.tiles:
        zeros = tile.count(0)
        inner = [colour for colour in tile if colour > 6]
        assert len(inner) == {0: 4, 1: 1, 2: 0}[zeros]


def test_tiles_are_in_standard_form() -> None:
    """Sorted and turned to read least, so that they do not tell the solution."""
    board = load("edges-8-9-1")
    assert isinstance(board, EdgePuzzle)
    assert list(board.tiles) == sorted(board.tiles)
    assert all(tile == min(turned(tile, r) for r in range(4)) for tile in board.tiles)
    assert sum(tile.count(0) for tile in board.tiles) == 4 * 8
