"""Filters before a search: published figures, the order of testing, and twins in plain Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.rules import Rules
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import Placements, bounded_placements
from dovetail.models.reductions.filters import fit_filter, parity_filter, volume_filter
from dovetail.models.reductions.redundancy import break_symmetry
from dovetail.models.request import Symmetry
from oracle.answers import packing, placements_of
from oracle.strategies import packing_puzzles


def x_restricted() -> Placements:
    """The placements of pentominoes-6x10 with X restricted."""
    table = placements_of("pentominoes-6x10")
    options = PackingOptions(packing("pentominoes-6x10"), table)
    broken = break_symmetry(options.option_groups, options.symmetries(Symmetry.UNIQUE), "X")
    assert broken is not None
    return table.subset(np.flatnonzero(broken.kept))


@pytest.mark.parametrize(
    ("name", "placements", "parity", "volume"),
    [
        ("pentominoes-6x10", 2056, 0, 128),
        ("one-sided-pentominoes-3x30", 1936, 0, 776),
        ("soma-cube", 688, 72, 0),
        ("hexominoes-14x15", 31_934, 31_934, None),  # all: the puzzle is impossible
    ],
)
def test_published_figures(name: str, placements: int, parity: int, volume: int | None) -> None:
    """How many placements leave a parity or cut off what cannot be filled (Busche 2011)."""
    table = placements_of(name)
    assert len(table) == placements
    assert np.count_nonzero(~parity_filter(table)) == parity
    assert volume is None or np.count_nonzero(~volume_filter(table)) == volume


def test_fit_drops_what_volume_drops_and_more() -> None:
    """144 of pentominoes-6x10, the 128 that the volume filter finds among them (Busche 2011)."""
    table = placements_of("pentominoes-6x10")
    dropped = ~fit_filter(table)
    assert np.count_nonzero(dropped) == 144
    assert not np.any(~volume_filter(table) & ~dropped)


@pytest.mark.parametrize(
    ("order", "to_fixed_point", "dropped"),
    [
        ("last first", False, 227),  # the article's, in the first pass and at the fixed point
        ("X first", False, 235),
    ],
)
def test_the_order_of_testing(order: str, to_fixed_point: bool, dropped: int) -> None:
    """How many one pass drops depends on the order (Busche 2011)."""
    table = x_restricted()
    numbers = np.arange(len(table))
    if order == "X first":
        x = next(n for n, shape in enumerate(table.shapes) if shape.name == "X")
        numbers = np.argsort(table.shape == x, kind="stable")
    kept = fit_filter(table.subset(numbers), to_fixed_point=to_fixed_point)
    assert np.count_nonzero(~kept) == dropped


def test_the_box_in_a_diamond() -> None:
    """Masks of 210 cells take four words.

    By parity 3,012 images of the eleven pieces that show one, each loses close to half.
    """
    table = placements_of("hexominoes-box-in-a-diamond")
    kept = fit_filter(table)
    assert len(table) == 21_220
    assert np.count_nonzero(~kept) == 4_434
    rules = Rules(table)
    for number in range(0, len(table), 3000):
        left = np.arange(len(table)) if kept[number] else np.flatnonzero(kept)
        assert rules.all_can_follow([number], left.tolist()) == kept[number]
    dropped = ~parity_filter(table)
    lost = np.bincount(table.shape[dropped], minlength=35) / np.bincount(table.shape)
    assert np.count_nonzero(dropped) == 3_012
    assert np.count_nonzero(lost) == np.count_nonzero((lost > 0.4) & (lost < 0.6)) == 11


def fit_twin(rules: Rules, *, to_fixed_point: bool) -> list[bool]:
    """What to keep: pass after pass from the last placement to the first."""
    left, before = list(range(len(rules.p))), -1
    while len(left) != before:
        before = len(left)
        left = rules.fitting([], left)
        if not to_fixed_point:
            break
    return [number in left for number in range(len(rules.p))]


@given(packing_puzzles(), st.data())
@settings(max_examples=20)
def test_fit_equals_its_twin(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles, with optional cells, pieces used a range of times, others missing."""
    optional = data.draw(st.sets(st.sampled_from(puzzle.region), max_size=2))
    pieces = tuple(replace(p, max_count=data.draw(st.integers(1, 2))) for p in puzzle.pieces)
    table = bounded_placements(replace(puzzle, pieces=pieces, optional=tuple(optional)))
    missing = data.draw(st.sets(st.integers(0, max(0, len(table) - 1)), max_size=3))
    table = table.subset(np.array(sorted(set(range(len(table))) - missing), dtype=np.int64))
    for to_fixed_point in (False, True):
        kept = fit_filter(table, to_fixed_point=to_fixed_point)
        assert kept.tolist() == fit_twin(Rules(table), to_fixed_point=to_fixed_point)


@given(packing_puzzles(), st.data())
@settings(max_examples=30)
def test_parity_and_volume_equal_their_twins(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles: one piece may be gone, and as many cells as it had stay empty."""
    gone = data.draw(st.sampled_from([None, *puzzle.pieces]))
    optional = data.draw(st.sets(st.sampled_from(puzzle.region), max_size=2))
    pieces = tuple(piece for piece in puzzle.pieces if piece != gone)
    if gone is not None:
        optional = {*gone.cells, *optional}.intersection(puzzle.region)
    table = bounded_placements(replace(puzzle, pieces=pieces, optional=tuple(optional)))
    rules, numbers = Rules(table), range(len(table))
    assert parity_filter(table).tolist() == [rules.parity_holds([n]) for n in numbers]
    assert volume_filter(table).tolist() == [rules.volumes_hold([n]) for n in numbers]
