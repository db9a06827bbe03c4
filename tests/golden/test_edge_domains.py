"""Boards of the ground truth by `domains`, counted by an independent backtracker.

Its counts are up to rotation, identical tiles once. Here a corner tile that has no twin is given
its place at (0, 0), which leaves one of four rotations.

The boards lie beside the project, not in it; without them the tests are skipped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.models.edges import EdgePuzzle, Hint, Tile, turned
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load
from golden.test_edge_groundtruth import FOLDER, truth
from oracle.answers import counted, listed

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the boards are not at {FOLDER}")

FAST = [
    "E_10_2.b13i13.txt",
    "E_10_1.b13i13.txt",
    "E_7_1.b6i6.txt",
    "E_7_3.b6i6.txt",
    "E_7_5.b6i6.txt",
    "E_7_6.b6i6.txt",
    "E_7_9.b6i6.txt",
    "E_8_1.9.txt",
    "E_8_1.b8i8.txt",
    "E_8_2.b10i8.txt",
    "E_8_2.b8i8.txt",
    "E_9_1.11.txt",
]


def edge_puzzle(path: Path) -> EdgePuzzle:
    """A board from a file."""
    puzzle = load(path)
    assert isinstance(puzzle, EdgePuzzle)
    return puzzle


def with_corner(puzzle: EdgePuzzle) -> EdgePuzzle:
    """The first corner tile that has no twin is given its place at (0, 0)."""
    kinds = Counter(map(_least_turn, puzzle.tiles))
    tile = next(
        number
        for number, sides in enumerate(puzzle.tiles)
        if sides.count(0) == 2 and kinds[_least_turn(sides)] == 1
    )
    turns = (turn for turn in range(4) if turned(puzzle.tiles[tile], turn)[2:] == (0, 0))
    return replace(puzzle, hints=(Hint(0, 0, tile, next(turns)),))


def _least_turn(sides: Tile) -> Tile:
    return min(turned(sides, turn) for turn in range(4))


@pytest.mark.parametrize("file", [*FAST, pytest.param("G_8_3.b8i7.txt", marks=pytest.mark.slow)])
def test_boards(file: str) -> None:
    """As many as were published beside the board, identical tiles once."""
    finished = counted(with_corner(edge_puzzle(FOLDER / file)), "domains")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, int(truth(file)["boards"]))


@pytest.mark.parametrize("file", ["E_7_5.b6i6.txt", "E_8_2.b10i8.txt", "E_9_1.11.txt"])
def test_unique(file: str) -> None:
    """Up to rotation, with no corner given; every board that is listed is right."""
    finished, solutions = listed(load(FOLDER / file), "domains", "unique")
    boards = int(truth(file)["boards"])
    assert (finished.status, finished.count, finished.verified) == (
        Status.EXHAUSTED,
        boards,
        4 * boards,
    )
    assert len(solutions) == boards


COMMUNITY = FOLDER.parent / "community" / "brendan-06x06.txt"


def test_community_board() -> None:
    """The 6x6 of the puzzle's community."""
    assert counted(with_corner(edge_puzzle(COMMUNITY)), "domains").count == 65


@pytest.mark.slow
def test_community_board_and_its_rotations() -> None:
    """With no corner given."""
    puzzle = edge_puzzle(COMMUNITY)
    assert counted(puzzle, "domains", "unique").count == 65
    assert counted(puzzle, "domains").count == 260
