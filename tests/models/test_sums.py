"""What pieces add up to, against trying every choice."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.models.sums import Supply, Values, supply, table_of, too_large

Drawn = tuple[list[Values], list[int], Supply]


@st.composite
def supplies(draw: st.DrawFn) -> Drawn:
    """Up to four shapes of up to three copies, some with the same values, some without any."""
    value_sets = st.frozensets(st.integers(-3, 3), max_size=3)
    values = draw(st.lists(value_sets, min_size=1, max_size=4))
    copies = draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    base = draw(st.frozensets(st.integers(-1, 1), min_size=1))
    return values, copies, supply(values, copies, base, -40, 40)


def brute_force(values: list[Values], copies: list[int], base: Values) -> set[int]:
    """Every choice of a value for every copy."""
    every = [its for its, count in zip(values, copies, strict=True) for _ in range(count)]
    return {start + sum(chosen) for start in base for chosen in product(*every)}


def shown(sums: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], pieces: Supply) -> set[int]:
    """The sums that an array says are within reach."""
    return set((np.flatnonzero(sums) + pieces.min_sum).tolist())


@given(supplies())
@settings(max_examples=20)
def test_all_pieces_and_all_but_one(drawn: Drawn) -> None:
    """Exactly the sums that some choice has, also when one copy of a shape is gone."""
    values, copies, pieces = drawn
    assert shown(pieces.within_reach(), pieces) == brute_force(values, copies, pieces.base)
    for shape, count in enumerate(copies):
        if count:
            fewer = [c - (s == shape) for s, c in enumerate(copies)]
            sums = pieces.within_reach(without=int(pieces.class_of[shape]))
            assert shown(sums, pieces) == brute_force(values, fewer, pieces.base)


@given(supplies(), st.data())
@settings(max_examples=20)
def test_the_table(drawn: Drawn, data: st.DataObject) -> None:
    """Each set of pieces that can be left has its own row, found by stepping back."""
    values, copies, pieces = drawn
    table = table_of(pieces)
    left, at = list(copies), table.start
    for shape in data.draw(st.permutations([s for s, c in enumerate(copies) for _ in range(c)])):
        left[shape] -= 1
        at -= int(table.step[shape])
        row = table.reachable[at : at + table.width].astype(bool)
        assert shown(row, pieces) == brute_force(values, left, pieces.base)


def test_many_copies() -> None:
    """Sums that only go to and fro are known without adding every copy."""
    pieces = supply([frozenset((-1, 1))], [10_001], frozenset((0,)), -4, 4)
    assert shown(pieces.within_reach(), pieces) == {-3, -1, 1, 3}
    assert shown(pieces.within_reach(without=0), pieces) == {-4, -2, 0, 2, 4}


@given(
    st.lists(st.booleans(), min_size=1, max_size=12),
    st.integers(-5, 5),
    st.integers(0, 5),
    st.integers(1, 40),
)
@settings(max_examples=100)
def test_all_copies_at_once(first: list[bool], low: int, further: int, copies: int) -> None:
    """As one after another, where sums beyond the ends are lost."""
    further = min(further, len(first) - 1)
    values = frozenset((low, low + further))
    base = frozenset(np.flatnonzero(first).tolist())
    pieces = supply([values], [copies], base, 0, len(first) - 1)
    sums = {number for number, there in enumerate(first) if there}
    for _ in range(copies):
        sums = {s + value for s in sums for value in values}.intersection(range(len(first)))
    assert shown(pieces.within_reach(), pieces) == sums


def test_sums_beyond_the_ends_are_lost() -> None:
    """What leaves the range does not come back in."""
    pieces = supply([frozenset((3,)), frozenset((-3,))], [1, 1], frozenset((0,)), -2, 2)
    assert shown(pieces.within_reach(), pieces) == set()


def test_a_table_that_would_be_too_large() -> None:
    """A table that is too large is refused before it is built, with the reason."""
    values = [frozenset((1, n)) for n in range(2, 40)]
    pieces = supply(values, [3] * len(values), frozenset((0,)), 0, 100)
    assert (too_large(pieces, "volume") or "").startswith(
        "volume: the table of sums for 38 kinds of pieces "
    )
    assert too_large(supply([frozenset((1,))], [3], frozenset((0,)), 0, 100), "volume") is None
