"""The parity filter: published figures, and its twin in plain Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.reductions.filters import parity_filter
from dovetail.puzzles.loading import load
from oracle.strategies import packing_puzzles


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("pentominoes-6x10", 0),
        ("soma-cube", 72),
        ("hexominoes-box-in-a-diamond", 3_012),
        ("hexominoes-14x15", None),
    ],
)
def test_figures(name: str, dropped: int | None) -> None:
    """Roughly half the images of eleven pieces in the diamond (Busche 2011); all of an impossible
    puzzle's."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    table = bounded_placements(puzzle)
    kept = parity_filter(table)
    assert np.count_nonzero(~kept) == (len(table) if dropped is None else dropped)


def test_the_diamond_by_piece() -> None:
    """Its 3,012 are of the eleven pieces that show a parity, and each loses close to half."""
    puzzle = load("hexominoes-box-in-a-diamond")
    assert isinstance(puzzle, PackingPuzzle)
    table = bounded_placements(puzzle)
    before = np.bincount(table.shape, minlength=35)
    lost = np.bincount(table.shape[~parity_filter(table)], minlength=35)
    shares = (lost / before)[lost > 0]
    assert len(shares) == 11
    assert np.all((shares > 0.4) & (shares < 0.6))


def parity(placements: Placements, number: int) -> int:
    """Cells with an odd sum of coordinates less those with an even one."""
    return sum(1 if sum(cell) % 2 else -1 for cell in placements.cell_tuples(number))


def twin(placements: Placements) -> list[bool]:
    """What to keep, by trying every way the other pieces and the empty cells may show."""
    numbers = range(len(placements))
    shown = [
        {parity(placements, n) for n in numbers if placements.shape[n] == s}
        for s in range(len(placements.shapes))
    ]
    cells = placements.coordinates.tolist()
    total = sum(1 if sum(cell) % 2 else -1 for cell in cells)
    may_stay = [c for c, may in zip(cells, placements.optional, strict=True) if may]
    size = [0] * len(placements.shapes)
    for n in numbers:
        size[placements.shape[n]] = len(placements.cell_tuples(n))
    empty = len(cells) - sum(a * s.max_count for a, s in zip(size, placements.shapes, strict=True))
    bases = {
        sum(1 if sum(c) % 2 else -1 for c, stays in zip(may_stay, choice, strict=True) if stays)
        for choice in product((False, True), repeat=len(may_stay))
        if sum(choice) == empty
    }
    kept = []
    for n in numbers:
        copies = [
            s.max_count - (placements.shape[n] == at) for at, s in enumerate(placements.shapes)
        ]
        others = [shown[at] for at, count in enumerate(copies) for _ in range(count)]
        sums = {base + sum(chosen) for base in bases for chosen in product(*others)}
        kept.append(total - parity(placements, n) in sums)
    return kept


@given(packing_puzzles(), st.data())
@settings(max_examples=20)
def test_the_twin_agrees(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles: one piece may be gone, and as many cells as it had stay empty."""
    gone = data.draw(st.sampled_from([None, *puzzle.pieces]))
    if gone is not None:
        pieces = tuple(piece for piece in puzzle.pieces if piece.name != gone.name)
        more = data.draw(st.sets(st.sampled_from(puzzle.region), max_size=2))
        optional = tuple({*gone.cells, *more}.intersection(puzzle.region))
        puzzle = replace(puzzle, pieces=pieces, optional=optional)
    table = bounded_placements(puzzle)
    assert parity_filter(table).tolist() == twin(table)
