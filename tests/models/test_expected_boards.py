"""Expected partial boards beside the mean over dealt colours, and beside published figures."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from dovetail.models.board_geometry import Position
from dovetail.models.board_orders import cells_in_order
from dovetail.models.edges import BORDER, EdgePuzzle
from dovetail.models.expected_boards import expected_boards, expected_nodes
from dovetail.puzzles.edge_boards import random_board
from golden.edge_boards import COMMUNITY, edge_puzzle, needs_community
from oracle.strategies import signed_twin

SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]


def with_frame(left: tuple[int, ...], right: tuple[int, ...]) -> EdgePuzzle:
    """Four corner tiles, each with a left and a right side."""
    tiles = tuple((one, other, BORDER, BORDER) for one, other in zip(left, right, strict=True))
    return EdgePuzzle("frame", 2, 2, tiles)


def partial_boards(puzzle: EdgePuzzle, order: list[Position]) -> list[int]:
    """How many ways there are to lay corner tiles into the first cells of an order, by number."""
    found = []
    for count in range(1, len(order) + 1):
        ways = 0
        for chosen in permutations(range(4), count):
            at = dict(zip(order, chosen, strict=False))
            # tile (north, east, 0, 0) lies at the bottom left; others are turned from there
            turn = {(0, 0): 0, (0, 1): 1, (1, 1): 2, (1, 0): 3}
            sides = {
                cell: [puzzle.tiles[tile][(side - turn[cell]) % 4] for side in range(4)]
                for cell, tile in at.items()
            }
            ways += all(
                sides[x, y][side] == sides[x + dx, y + dy][(side + 2) % 4]
                for x, y in at
                for side, (dx, dy) in enumerate([(0, 1), (1, 0), (0, -1), (-1, 0)])
                if (x + dx, y + dy) in at
            )
        found.append(ways)
    return found


@pytest.mark.parametrize("colours", [(1, 1, 2, 2), (1, 1, 1, 2), (1, 2, 3, 4)])
def test_it_is_the_mean_over_all_ways_to_deal(colours: tuple[int, ...]) -> None:
    """Of the colours to left and to right sides, on a board of four corners."""
    dealt = list(permutations(colours))
    totals = Counter[int]()
    for left in dealt:
        for step, ways in enumerate(partial_boards(with_frame(left, colours), SQUARE)):
            totals[step] += ways
    means = [totals[step] / len(dealt) for step in range(4)]
    assert expected_boards(with_frame(colours, colours), SQUARE) == pytest.approx(means)


@needs_community
def test_the_communitys_board() -> None:
    """45.8 million nodes and 145.5 boards, as J. Wortmann's documentation of the model has them."""
    puzzle = edge_puzzle(COMMUNITY)
    order = cells_in_order(("top-down",), 6, 6)
    boards = expected_boards(puzzle, order)
    assert boards is not None
    assert boards[-1] == pytest.approx(145.5, abs=0.1)
    assert expected_nodes(puzzle, order) == pytest.approx(45.8e6, rel=0.001)


def test_what_it_does_not_describe() -> None:
    """Signed puzzles, strips, and tiles that fill no border."""
    order = [(x, y) for y in range(3) for x in range(3)]
    puzzle = random_board(3, 3, 2, seed=1)
    assert expected_boards(puzzle, order) is not None
    assert expected_boards(signed_twin(puzzle, 1), order) is None
    assert expected_boards(random_board(4, 1, 2, seed=1), [(x, 0) for x in range(4)]) is None
    missing = EdgePuzzle("no border", 3, 3, tuple((1, 1, 1, 1) for _ in range(9)))
    assert expected_nodes(missing, order) is None
