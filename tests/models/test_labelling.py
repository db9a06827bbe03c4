"""Boards up to symmetry, identical tiles interchangeable or told apart, a tile confined or not."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.errors import ConfigError
from dovetail.harness.job import Limits
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.symmetry import canonical_forms
from dovetail.models.task import lower
from dovetail.puzzles.edge_boards import random_board
from oracle.answers import counted, listed
from oracle.brute_force import boards, labelled_boards
from oracle.strategies import hinted_boards

# All tiles of a kind are alike: the board is one, and all its turns are the same.
ONE_COLOUR = random_board(4, 4, 1, seed=1)
LABELLINGS = factorial(4) * factorial(8) * factorial(4)


Board = tuple[tuple[int, tuple[int, ...]], ...]  # tile and sides of each cell, x slowest


def turned_clockwise(board: Board, side: int) -> Board:
    """A square board after a quarter turn."""
    turned = dict[int, tuple[int, tuple[int, ...]]]()
    for number, (tile, sides) in enumerate(board):
        x, y = divmod(number, side)
        turned[y * side + side - 1 - x] = (tile, (sides[3], *sides[:3]))
    return tuple(turned[cell] for cell in range(side**2))


def half_turned(board: Board) -> Board:
    """Any board after a half turn."""
    return tuple((tile, (*sides[2:], *sides[:2])) for tile, sides in reversed(board))


def classes(puzzle: EdgePuzzle, labelled: bool) -> int:
    """How many boards there are up to turns, by brute force; of puzzles without hints."""
    found: set[Board] = labelled_boards(puzzle)
    if not labelled:
        found = {tuple((0, sides) for sides in board) for board in boards(puzzle)}
    least = set()
    for board in found:
        turns = [board, half_turned(board)]
        if puzzle.width == puzzle.height:
            turns += [turned_clockwise(one, puzzle.width) for one in turns]
        assert found.issuperset(turns)
        least.add(min(turns))
    return len(least)


@given(hinted_boards(), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_all_boards(puzzle: EdgePuzzle, labelled: bool, confined: bool) -> None:
    """Counted and listed, signed and hinted."""
    reduce = ["redundancy"] if confined else []
    expected = len(labelled_boards(puzzle) if labelled else boards(puzzle))
    finished = counted(puzzle, labelled=labelled, reduce=reduce)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)
    finished, solutions = listed(puzzle, labelled=labelled, reduce=reduce)
    assert finished.count == finished.verified == len(solutions) == expected


@given(hinted_boards(), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_boards_up_to_turns(puzzle: EdgePuzzle, labelled: bool, confined: bool) -> None:
    """The classes of all boards under the turns that the hints allow."""
    group = lower(puzzle, Request(Symmetry.UNIQUE, labelled)).group
    _, every = listed(puzzle, labelled=labelled)
    rows = canonical_forms(np_rows(every), group)
    expected = len({row.tobytes() for row in rows})
    if not puzzle.hints:
        assert expected == classes(puzzle, labelled)
    reduce = ["redundancy"] if confined else []
    for symmetry in ("unique", "mirror"):
        finished = counted(puzzle, symmetry=symmetry, labelled=labelled, reduce=reduce)
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)
    finished, solutions = listed(puzzle, symmetry="unique", labelled=labelled, reduce=reduce)
    assert finished.count == len(solutions) == expected
    forms = canonical_forms(np_rows(solutions), group)
    assert len({form.tobytes() for form in forms}) == expected


def np_rows(solutions: set[tuple[int, ...]]) -> NDArray[np.int32]:
    """Solutions as an array."""
    return np.array(sorted(solutions), dtype=np.int32)


def test_a_board_of_one_colour() -> None:
    """One board; 23 million labelled ones, a quarter of them up to turns; limits hold."""
    assert counted(ONE_COLOUR).count == 1
    assert counted(ONE_COLOUR, labelled=True).count == LABELLINGS
    assert counted(ONE_COLOUR, symmetry="unique", labelled=True).count == LABELLINGS // 4
    for symmetry in ("all", "unique"):
        finished, solutions = listed(
            ONE_COLOUR, symmetry=symmetry, labelled=True, limits=Limits(solutions=5)
        )
        assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, 5)
        assert len(solutions) == 5 <= finished.verified


def test_listing_can_be_cut() -> None:
    """One board stands for more than can be listed in the time."""
    finished, solutions = listed(ONE_COLOUR, labelled=True, limits=Limits(time_s=0.5))
    assert finished.status == Status.TIME_LIMIT
    assert finished.count == len(solutions)
    assert 0 < len(solutions) < LABELLINGS


def test_what_was_done_is_told() -> None:
    """Completed by images or canonical forms, and labelled."""
    board = random_board(3, 3, 2, seed=1)
    assert len(lower(board, Request()).edges.types) < 9  # type: ignore[union-attr]
    told = {
        (symmetry, labelled): counted(
            board, symmetry=symmetry, labelled=labelled, reduce=["redundancy"]
        ).completion
        for symmetry, labelled in product(("all", "unique"), (False, True))
    }
    assert told == {
        ("all", False): "images",
        ("all", True): "images, labelled",
        ("unique", False): "as found",
        ("unique", True): "as found, labelled",
    }


def test_a_corner_tile_has_its_corner_alone() -> None:
    """A quarter of the work: no other tile is tried in the corner."""
    board = random_board(4, 4, 3, seed=3, border_colours=3)
    plain, confined = (
        counted(board, reduce=reduce, symmetry="unique") for reduce in ([], ["redundancy"])
    )
    assert confined.count == plain.count
    task = lower(board, Request(reductions=(Reduction.parse("redundancy"),)))
    edges = task.edges
    assert edges is not None
    assert edges.tile_type[edges.cell == 0].size == 1  # bottom left, where rows begin
    assert plain.nodes is not None
    assert confined.nodes is not None
    assert 0 < confined.nodes <= plain.nodes / 3


def test_tiles_that_cannot_be_confined() -> None:
    """Twins, tiles that are not there, and reductions that boards do not have."""
    twins = ONE_COLOUR
    with pytest.raises(ConfigError, match="tile '3' cannot be confined; expected one that is"):
        counted(twins, reduce=["redundancy=3"])
    with pytest.raises(ConfigError, match="unknown tile to confine '16'; valid: "):
        counted(twins, reduce=["redundancy=16"])
    with pytest.raises(ConfigError, match="volume is for packing puzzles; of an edge-matching"):
        counted(twins, reduce=["volume"])
    with pytest.raises(ConfigError, match="probe is for packing puzzles"):
        counted(twins, reduce=["probe"])
    assert counted(twins, symmetry="unique", reduce=["redundancy"]).count == 1


def test_hints_that_name_one_of_two_twins() -> None:
    """Boards allow the half turn that tiles by name do not."""
    tiles = ((1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0))
    puzzle = EdgePuzzle("twins", 2, 2, tiles, (Hint(0, 0, 0, 0), Hint(1, 1, 1, 2)))
    assert counted(puzzle, symmetry="unique").count == 1
    assert counted(puzzle, symmetry="unique", labelled=True).count == 2
    assert len(lower(puzzle, Request()).group) == 2 or len(lower(puzzle, Request()).group) == 4
    assert len(lower(puzzle, Request(labelled=True)).group) == 1
