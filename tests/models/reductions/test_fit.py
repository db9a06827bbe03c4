"""The fit filter: published figures, the order of testing, and its twin in plain Python."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.rules import Rules
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.reductions.filters import fit_filter, volume_filter
from dovetail.models.reductions.redundancy import break_symmetry
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from oracle.answers import counted
from oracle.strategies import packing_puzzles


def placements_of(name: str, restricted: str | None = None) -> Placements:
    """The placements of a catalogue puzzle, one of its pieces restricted."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    table = bounded_placements(puzzle)
    if restricted is None:
        return table
    options = PackingOptions(puzzle, table)
    symmetry_breaking = break_symmetry(
        options.option_groups, options.symmetries(Symmetry.UNIQUE), restricted
    )
    assert symmetry_breaking is not None
    return table.subset(np.flatnonzero(symmetry_breaking.kept))


def test_published_figures() -> None:
    """144 of pentominoes-6x10, the 128 that the volume filter finds among them (Busche 2011)."""
    table = placements_of("pentominoes-6x10")
    dropped = ~fit_filter(table)
    by_volume = ~volume_filter(table)
    assert np.count_nonzero(dropped) == 144
    assert np.count_nonzero(by_volume) == 128
    assert not np.any(by_volume & ~dropped)


@pytest.mark.parametrize(("to_fixed_point", "dropped"), [(False, 227), (True, 235)])
def test_published_figures_with_x_restricted(to_fixed_point: bool, dropped: int) -> None:
    """227 in the first pass and 235 at the fixed point (Busche 2011)."""
    table = placements_of("pentominoes-6x10", "X")
    assert np.count_nonzero(~fit_filter(table, to_fixed_point=to_fixed_point)) == dropped


@pytest.mark.parametrize(
    ("order", "dropped"), [("last first", 227), ("first first", 203), ("X first", 235)]
)
def test_the_order_of_testing(order: str, dropped: int) -> None:
    """How many one pass drops hangs on it; last shape first is the article's."""
    table = placements_of("pentominoes-6x10", "X")
    numbers = np.arange(len(table))
    if order == "first first":  # the filter begins at the end
        numbers = numbers[::-1]
    elif order == "X first":
        x = next(n for n, shape in enumerate(table.shapes) if shape.name == "X")
        numbers = np.argsort(table.shape == x, kind="stable")
    assert np.count_nonzero(~fit_filter(table.subset(numbers))) == dropped


def test_the_box_in_a_diamond_is_fast() -> None:
    """Within 2 s; 45 s in the article."""
    table = placements_of("hexominoes-box-in-a-diamond")
    fit_filter(placements_of("soma-cube"))  # compiled
    begun = time.thread_time()
    dropped = np.count_nonzero(~fit_filter(table))
    assert time.thread_time() - begun < 2
    assert len(table) == 21_220
    assert dropped == 4_434


def twin(placements: Placements, *, to_fixed_point: bool) -> list[bool]:
    """What to keep: pass after pass from the last placement to the first."""
    rules, left, before = Rules(placements), list(range(len(placements))), -1
    while len(left) != before:
        before = len(left)
        left = rules.fitting([], left)
        if not to_fixed_point:
            break
    return [number in left for number in range(len(placements))]


@given(packing_puzzles(), st.data())
@settings(max_examples=20)
def test_the_twin_agrees(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles, with optional cells, pieces used a range of times, others missing."""
    optional = data.draw(st.sets(st.sampled_from(puzzle.region), max_size=2))
    pieces = tuple(replace(p, max_count=data.draw(st.integers(1, 2))) for p in puzzle.pieces)
    table = bounded_placements(replace(puzzle, pieces=pieces, optional=tuple(optional)))
    missing = data.draw(st.sets(st.integers(0, max(0, len(table) - 1)), max_size=3))
    table = table.subset(np.array(sorted(set(range(len(table))) - missing), dtype=np.int64))
    for to_fixed_point in (False, True):
        kept = fit_filter(table, to_fixed_point=to_fixed_point)
        assert kept.tolist() == twin(table, to_fixed_point=to_fixed_point)


@given(packing_puzzles(), st.data())
@settings(max_examples=15)
def test_the_answer_is_the_same(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """With any filters in any order, under every symmetry."""
    symmetry = data.draw(st.sampled_from(list(Symmetry)))
    fit = data.draw(st.sampled_from(["fit", "fit=fixed-point"]))
    words = data.draw(st.permutations(["redundancy", "parity", "volume", fit]))
    reduce = words[: data.draw(st.integers(1, 4))]
    plain = counted(puzzle, symmetry=symmetry)
    reduced = counted(puzzle, symmetry=symmetry, reduce=reduce)
    assert reduced.count == plain.count
    assert list(reduced.placements)[1:] == [word.partition("=")[0] for word in reduce]


def test_more_than_one_word() -> None:
    """Masks of 210 cells take four words: the twin on every 700th placement of the diamond."""
    table = placements_of("hexominoes-box-in-a-diamond")
    kept, rules = fit_filter(table), Rules(table)
    for number in range(0, len(table), 700):
        left = np.arange(len(table)) if kept[number] else np.flatnonzero(kept)
        assert rules.all_can_follow([number], left.tolist()) == kept[number]
