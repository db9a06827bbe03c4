"""Cover problems check themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem, cover_problem


@pytest.mark.parametrize(
    ("primary", "options", "message"),
    [
        (["a", "a"], [], "the same name"),
        (["a"], [["b"]], "unknown item b"),
        (["a"], [["a", "a"]], "the same item twice"),
        (["a"], [[("s", 1)]], "no primary item"),
        (["a"], [[]], "no primary item"),
        (["a"], [[("a", 1)]], "cannot have a colour"),
        (["a"], [["a", ("s", -1)]], "a colour is negative"),
        ([("a", 2, 1)], [], "bounds 2 to 1"),
        ([("a", 0, 0)], [], "upper >= 1"),
    ],
)
def test_contradictions_are_named(primary: Any, options: Any, message: str) -> None:
    """Each contradiction has a message of its own."""
    with pytest.raises(PuzzleError, match=message):
        cover_problem("bad", primary, options, secondary=["s"])


def test_symmetries_are_permutations() -> None:
    """Anything else is refused."""
    for rows in ([[0, 1], [0, 0]], [[1, 0]]):
        with pytest.raises(PuzzleError, match="symmetry"):
            cover_problem("bad", ["a"], [["a"], ["a"]], symmetries=np.array(rows, dtype=np.int32))


def test_symmetries_are_automorphisms_that_form_a_group() -> None:
    """A cycle without its powers, and one that carries no items onto items."""
    three = [["a"], ["a"], ["a"]]
    cycle = np.array([[0, 1, 2], [1, 2, 0]], dtype=np.int32)
    with pytest.raises(PuzzleError, match="not a group"):
        cover_problem("bad", ["a"], three, symmetries=cycle)
    swap = np.array([[0, 1, 2], [1, 0, 2]], dtype=np.int32)
    assert len(cover_problem("good", ["a"], three, symmetries=swap).symmetries) == 2
    with pytest.raises(PuzzleError, match="does not map items to items"):
        cover_problem("bad", ["a", "b"], [["a", "b"], ["a"], ["b"]], symmetries=swap)


def test_equality_is_of_the_content() -> None:
    """Problems are values: hashable, equal when their content is, and frozen."""

    def tiny(name: str) -> CoverProblem:
        return cover_problem(name, ["a"], [["a", ("s", 1)]], secondary=["s"])

    assert tiny("one") == tiny("two")
    assert len({tiny("one"), tiny("two")}) == 1
    assert tiny("one").members(0) == ("a", ("s", 1))
    with pytest.raises(ValueError, match="read-only"):
        tiny("one").item[0] = 1
