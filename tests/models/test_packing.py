"""Packing puzzles and cover problems say what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dovetail.errors import ConfigError, DovetailError, PuzzleError
from dovetail.models.cover import CoverProblem, cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.set_puzzles import in_box

DOMINO = ((0, 0), (1, 0))


def puzzle(**changes: Any) -> PackingPuzzle:
    """Two dominoes in a square, changed."""
    parts: dict[str, Any] = {
        "name": "square",
        "lattice": SquareLattice(2),
        "region": box(2, 2),
        "pieces": (Piece("A", DOMINO), Piece("B", DOMINO)),
    }
    return PackingPuzzle(**{**parts, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"region": box(2, 3)}, "the pieces fill 4 cells; expected 6"),
        ({"pieces": (Piece("A", DOMINO), Piece("A", DOMINO))}, "two pieces are called A"),
        ({"fixed": (FixedPiece("*", ((5, 5),)),)}, "outside the region or already taken"),
        ({"fixed": (FixedPiece("*", ()),)}, r"fixed piece \* has no cells"),
        (
            {"pieces": (Piece("A", DOMINO, placements=(((0, 0), (1, 1)),)), Piece("B", DOMINO))},
            "not congruent",
        ),
        (
            {"pieces": (Piece("A", DOMINO, placements=(((1, 0), (2, 0)),)), Piece("B", DOMINO))},
            "leaves the region",
        ),
    ],
)
def test_contradictions_are_named(changes: dict[str, Any], message: str) -> None:
    """Each contradiction has a message of its own."""
    with pytest.raises(PuzzleError, match=message):
        puzzle(**changes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("A", ((0, 0), (0, 0))), "one of its cells twice"),
        (("A", DOMINO, 2, 1), "min <= max"),
        (("A", DOMINO, 0, 2**40), "max <= 1,000,000"),
        (("A", DOMINO, 1, 1, "upside-down"), "valid: fixed, free, one-sided"),
    ],
)
def test_bad_pieces(arguments: tuple[Any, ...], message: str) -> None:
    """A piece checks itself."""
    with pytest.raises(DovetailError, match=message):
        Piece(*arguments)


def test_digest_is_of_the_content() -> None:
    """The name does not matter, the order in which cells are given does not, pieces do."""
    assert puzzle().digest == puzzle(name="other", region=box(2, 2)[::-1]).digest
    assert puzzle().digest != puzzle(pieces=(Piece("A", DOMINO, 2, 2),)).digest
    assert hash(puzzle()) == hash(puzzle())


def test_restricting_an_unknown_piece() -> None:
    """The valid names are listed."""
    with pytest.raises(ConfigError, match="unknown piece 'Q'; valid: F, I, L"):
        in_box("pentominoes-6x10", "pentominoes", (10, 6)).restricted("Q", ())


@pytest.mark.parametrize(
    ("primary", "options", "message"),
    [
        (["a"], [["b"]], "unknown item b"),
        (["a"], [[("s", 1)]], "no primary item"),
        (["a"], [[("a", 1)]], "cannot have a colour"),
        ([("a", 2, 1)], [], "bounds 2 to 1"),
    ],
)
def test_contradictions_of_covers_are_named(primary: Any, options: Any, message: str) -> None:
    """Each contradiction has a message of its own."""
    with pytest.raises(PuzzleError, match=message):
        cover(primary, options, secondary=["s"], name="bad")


@pytest.mark.parametrize("start", [[0, 2, 1, 3], [1, 3], []])
def test_the_members_of_options_follow_each_other(start: list[int]) -> None:
    """From the first member to the last."""
    good = cover(["a", "b", "c"], [["a"], ["b"], ["c"]])
    with pytest.raises(PuzzleError, match="start does not ascend from 0"):
        replace(good, start=np.array(start, dtype=np.int64), symmetries=np.empty((0, 0), np.int32))


def test_symmetries_are_permutations() -> None:
    """Anything else is refused."""
    for rows in ([[0, 1], [0, 0]], [[1, 0]]):
        with pytest.raises(PuzzleError, match="symmetry"):
            cover(["a"], [["a"], ["a"]], symmetries=np.array(rows, dtype=np.int32), name="bad")


def test_symmetries_are_automorphisms_that_form_a_group() -> None:
    """A cycle without its powers, and one that carries no items onto items."""
    three = [["a"], ["a"], ["a"]]
    cycle = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32)
    with pytest.raises(PuzzleError, match="not a group"):
        cover(["a"], three, symmetries=cycle, name="bad")
    swap = np.array([[0, 1, 2], [1, 0, 2]], dtype=np.int32)
    assert len(cover(["a"], three, symmetries=swap, name="good").symmetries) == 2
    with pytest.raises(PuzzleError, match="does not map items to items"):
        cover(["a", "b"], [["a", "b"], ["a"], ["b"]], symmetries=swap, name="bad")


def test_equality_is_of_the_content() -> None:
    """Problems are values: hashable, equal when their content is, and frozen."""

    def tiny(name: str) -> CoverProblem:
        return cover(["a"], [["a", ("s", 1)]], secondary=["s"], name=name)

    assert tiny("one") == tiny("two")
    assert len({tiny("one"), tiny("two")}) == 1
    assert tiny("one").members(0) == ("a", ("s", 1))
    with pytest.raises(ValueError, match="read-only"):
        tiny("one").item[0] = 1


def test_numbers_of_copies_may_be_numpy_integers() -> None:
    """Digests and files need Python integers."""
    square = ((0, 0), (0, 1), (1, 0), (1, 1))

    def digest(copies: int) -> str:
        piece = Piece("I", square[:2], copies, copies)
        return PackingPuzzle("square", SquareLattice(2), square, (piece,)).digest

    assert digest(np.int64(2)) == digest(2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weight": 10**30}, "piece A has weight 10+.*; expected -1,000,000 to 1,000,000"),
        ({"groups": ((1, 2), (10**30, 1))}, "the groups of piece A are .*; expected numbers from"),
        ({"groups": ((1, -1),)}, "expected numbers from 0 to 1,000,000"),
    ],
)
def test_weights_and_groups_are_bounded(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Piece("A", DOMINO, **fields)
