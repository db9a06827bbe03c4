"""The catalogue: every example loads under its own name, wrong names are explained."""

from __future__ import annotations

import pytest

from dovetail.errors import ConfigError, DovetailError, PuzzleError
from dovetail.models.edges import EdgePuzzle
from dovetail.puzzles.catalogue import catalogue, catalogue_puzzle
from dovetail.puzzles.loading import load


@pytest.mark.parametrize("name", [name for entry in catalogue() for name in entry.examples])
def test_examples_load_under_their_names(name: str) -> None:
    """A puzzle is called what it was asked for."""
    assert catalogue_puzzle(name).name == name


def test_two_numbers_read_height_by_width() -> None:
    """`pentominoes-6x10` is 10 wide and 6 high."""
    puzzle = load("pentominoes-6x10")
    assert max(puzzle.region) == (9, 5)  # type: ignore[union-attr]
    board = load("edges-4x5-b3i4-1")
    assert isinstance(board, EdgePuzzle)
    assert (board.width, board.height) == (5, 4)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nonsense", "no puzzle is called 'nonsense'.*valid: pentominoes-HxW"),
        ("pentominoes-6x11", "fill 60 cells; expected 66"),
        ("pentominoes-5x5-ABCDE", "no pentomino 'A'"),
        ("pentominoes-2x5-LL", "two pieces are called L"),
        ("queens-0", "expected 1 to 64"),
        ("queens-65", "expected 1 to 64"),
        ("langford-0", "expected 1 to 64"),
        ("edges-0-3-1", "expected 1 to 64"),
        ("edges-4-0-1", "inner colours is 0"),
        ("missing.txt", "there is no file"),
        ("a" * 5000, "no puzzle is called"),
        ("\0", "no puzzle is called"),
    ],
)
def test_wrong_names_are_explained(name: str, message: str) -> None:
    """With the valid ones, in one short line."""
    with pytest.raises(DovetailError, match=message) as caught:
        load(name)
    assert isinstance(caught.value, ConfigError | PuzzleError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
