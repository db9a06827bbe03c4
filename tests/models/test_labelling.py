"""Boards up to symmetry, identical tiles alike or distinguished, a tile restricted or not."""

from __future__ import annotations

from math import factorial

import pytest

from dovetail.errors import ConfigError
from dovetail.harness.run.job import Limits
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import build_task
from dovetail.puzzles.edge_boards import random_board
from oracle.answers import counted, listed

# All tiles of a kind are alike: the board is one, and all its turns are the same.
ONE_COLOUR = random_board(4, 4, 1, seed=1)
LABELLINGS = factorial(4) * factorial(8) * factorial(4)


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


def test_tiles_that_cannot_be_restricted() -> None:
    """Twins, tiles that are not there, and reductions that boards do not have."""
    twins = ONE_COLOUR
    with pytest.raises(ConfigError, match="tile '3' cannot be restricted; expected one that is"):
        counted(twins, reduce=["redundancy=3"])
    with pytest.raises(ConfigError, match="unknown tile to restrict '16'; valid: "):
        counted(twins, reduce=["redundancy=16"])
    with pytest.raises(ConfigError, match="probe is for packing puzzles"):
        counted(twins, reduce=["probe"])
    assert counted(twins, symmetry="unique", reduce=["redundancy"]).count == 1


def test_hints_that_name_one_of_two_twins() -> None:
    """Boards allow the half turn that tiles by name do not."""
    tiles = ((1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0))
    puzzle = EdgePuzzle("twins", 2, 2, tiles, (Hint(0, 0, 0, 0), Hint(1, 1, 1, 2)))
    assert counted(puzzle, symmetry="unique").count == 1
    finished = counted(puzzle, symmetry="unique", labelled=True)
    assert (finished.count, finished.symmetry_expansion) == (2, "as found, labelled")
    assert len(build_task(puzzle, Request()).group) == 2
    assert len(build_task(puzzle, Request(labelled=True)).group) == 1


def test_counts_of_copies_cannot_be_labelled() -> None:
    """Unless no tile is used twice, and all tiles differ."""
    several = EdgePuzzle("Wang", 3, 2, ((1, 2, 1, 2),), unbounded=True, counts=((0, 9),))
    with pytest.raises(ConfigError, match="labelled: copies of a tile are interchangeable"):
        counted(several, labelled=True)
    tiles = ((0, 1, 0, 0), (0, 2, 0, 1), (0, 0, 0, 2))
    single = EdgePuzzle("row", 3, 1, tiles, counts=((0, 1),))
    assert counted(single, labelled=True).count == counted(single).count == 2


def test_a_reflection_that_moves_no_tile() -> None:
    """A row of tiles that are their own mirror images: the count is that of the listing."""
    puzzle = EdgePuzzle("row", 2, 1, ((1, 2, 1, 3),) * 2, unbounded=True, flippable=True)
    finished, solutions = listed(puzzle, symmetry="unique", labelled=True)
    assert len(solutions) == finished.count == 4
    assert counted(puzzle, symmetry="unique", labelled=True).count == 4
