"""Expected partial boards beside the mean over dealt colours, and beside published figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, turned
from dovetail.models.boards.expected_boards import expected_boards, filling_of
from dovetail.models.boards.geometry import Position
from dovetail.models.boards.orders import cells_in_order
from dovetail.puzzles.edge_boards import random_board
from golden.edge_boards import COMMUNITY, edge_puzzle, needs_community
from oracle.strategies import signed_twin


@pytest.mark.parametrize("allowed", [(0, 0, 0, 0, 0), (0, 1, 1, 2, 2)])
@pytest.mark.parametrize("hinted", [False, True])
def test_mismatches_are_the_mean_over_all_ways_to_deal(
    allowed: tuple[int, ...], hinted: bool
) -> None:
    """Of the colours inside, on a board of 3 x 3 filled from its middle; a hint may lie there.

    Its corners, which are filled last, are left out: their edges are the frame's.
    """
    order = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)]
    colours = (1, 1, 1, 2, 2, 2, 2, 1)
    hints = (Hint(1, 1, 8, 1),) if hinted else ()
    dealt = set(permutations(colours))
    totals = np.zeros(5)
    for sides in dealt:
        totals += boards_with_mismatches(sides, order, allowed, hinted=hinted)
    rim = [(BORDER, 3, side, 3) for side in colours[:4]]
    corners = [(BORDER, BORDER, 3, 3)] * 4
    puzzle = EdgePuzzle("dealt", 3, 3, (*corners, *rim, colours[4:]), hints)
    filling = filling_of(puzzle, order, hints_first=hinted)
    assert filling is not None
    assert np.exp(filling.logs(allowed)) == pytest.approx(totals / len(dealt))


def boards_with_mismatches(
    sides: tuple[int, ...], order: list[Position], allowed: tuple[int, ...], *, hinted: bool
) -> NDArray[np.float64]:
    """How many boards there are after each step, of four border tiles and the middle one.

    `sides` has the inner side of each border tile, and those of the middle tile.
    """
    found = np.zeros(5)
    at = {(1, 2): 0, (2, 1): 1, (1, 0): 2, (0, 1): 3}  # the side of the middle
    for rotation in (1,) if hinted else range(4):
        middle = [sides[4 + (side + rotation) % 4] for side in range(4)]
        found[0] += 1
        for chosen in range(1, 5):
            for tiles in permutations(range(4), chosen):
                missed, kept = 0, True
                for step, (cell, tile) in enumerate(zip(order[1:], tiles, strict=False), start=1):
                    missed += sides[tile] != middle[at[cell]]
                    kept &= missed <= allowed[step]
                found[chosen] += kept
    return found


def test_boards_that_are_alike_count_once() -> None:
    """Of inner tiles with copies, and some that look the same when turned."""
    inner = ((1, 1, 1, 1), (1, 2, 1, 2), (1, 2, 1, 2), (1, 1, 2, 2))
    border = tuple((BORDER, 3, side, 3) for side in (1, 1, 1, 1, 2, 2, 2, 2))
    corners = ((BORDER, BORDER, 3, 3),) * 4
    puzzle = EdgePuzzle("alike", 4, 4, (*corners, *border, *inner))
    # Cells that do not touch, so that nothing has to match: two inner ones and two corners.
    order = [(1, 1), (2, 2), (0, 0), (3, 3)]
    orientations = {
        (turned(inner[one], i), turned(inner[other], j))
        for one, other in permutations(range(4), 2)
        for i in range(4)
        for j in range(4)
    }
    labelled, distinct = (filling_of(puzzle, order, identical_once=once) for once in (False, True))
    assert labelled is not None
    assert distinct is not None
    assert np.exp(labelled.logs()) == pytest.approx([16, 192, 768, 2304])
    assert np.exp(distinct.logs()) == pytest.approx(
        [7, len(orientations), len(orientations), len(orientations)]
    )


@needs_community
def test_the_communitys_board() -> None:
    """45.8 million nodes and 145.5 boards, as J. Wortmann's documentation of the model has them."""
    puzzle = edge_puzzle(COMMUNITY)
    order = cells_in_order(("top-down",), 6, 6)
    boards = expected_boards(puzzle, order)
    assert boards is not None
    assert boards[-1] == pytest.approx(145.5, abs=0.1)
    assert sum(expected_boards(puzzle, order) or []) == pytest.approx(45.8e6, rel=0.001)


def test_what_it_does_not_describe() -> None:
    """Signed puzzles, strips, and tiles that fill no border."""
    order = [(x, y) for y in range(3) for x in range(3)]
    puzzle = random_board(3, 3, 2, seed=1)
    assert expected_boards(puzzle, order) is not None
    assert expected_boards(signed_twin(puzzle, 1), order) is None
    assert expected_boards(random_board(4, 1, 2, seed=1), [(x, 0) for x in range(4)]) is None
    missing = EdgePuzzle("no border", 3, 3, tuple((1, 1, 1, 1) for _ in range(9)))
    assert expected_boards(missing, order) is None


def test_many_hints_are_not_described() -> None:
    """Beyond a tenth of the cells tiles match more often than chance; improvers ask even so."""
    puzzle = random_board(6, 6, 8, 1)
    inner = [tile for tile in range(36) if BORDER not in puzzle.tiles[tile]]
    row = tuple(Hint(x, 1, tile, 0) for x, tile in zip(range(1, 5), inner, strict=False))
    few = replace(puzzle, hints=row)
    many = replace(puzzle, hints=(*row, Hint(1, 4, inner[4], 0)))
    order = list(puzzle.geometry.positions)
    assert expected_boards(few, order) is not None
    assert expected_boards(many, order) is None
    filling = filling_of(many, order, hints_first=True)
    plain = filling_of(puzzle, order)
    assert filling is not None
    assert plain is not None
    assert filling.steps[-1].inside == plain.steps[-1].inside - 3  # between the four in a row
