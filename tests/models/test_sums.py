"""What pieces add up to, against trying every choice; the parity of regions and pieces."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.models.sums import (
    Supply,
    Values,
    cell_colours,
    shape_parities,
    supply,
    table_of,
    too_large,
)
from oracle.answers import placements_of

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


@given(
    st.lists(st.booleans(), min_size=1, max_size=12),
    st.integers(-5, 5),
    st.integers(0, 5),
    st.integers(1, 40),
)
@settings(max_examples=40)
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


def test_a_table_that_would_be_too_large() -> None:
    """A table that is too large is refused before it is built, with the reason."""
    values = [frozenset((1, n)) for n in range(2, 40)]
    pieces = supply(values, [3] * len(values), frozenset((0,)), 0, 100)
    assert (too_large(pieces, "volume") or "").startswith(
        "volume: the table of sums for 38 kinds of pieces "
    )
    assert too_large(supply([frozenset((1,))], [3], frozenset((0,)), 0, 100), "volume") is None


@pytest.mark.parametrize(
    ("name", "region", "classes"),
    [("tetris-cube", 0, {0: 1, 1: 8, 2: 3}), ("hexominoes-box-in-a-diamond", 22, {0: 24, 2: 11})],
)
def test_published_figures(name: str, region: int, classes: dict[int, int]) -> None:
    """The region's parity, and how many pieces show which (Busche 2011)."""
    table = placements_of(name)
    assert abs(int(cell_colours(table).sum())) == region
    assert Counter(max(map(abs, values)) for values in shape_parities(table)) == classes
