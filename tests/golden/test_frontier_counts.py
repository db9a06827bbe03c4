"""Known solution counts by `frontier`, exact.

Source: `facts/counts.json` of the project, from Busche 2011 and 2018; Scott 1958; dominoes in
squares, OEIS A004003.
"""

from __future__ import annotations

import pytest

from dovetail.api import sample
from dovetail.errors import BackendError
from dovetail.harness.run.result import Result
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import counted, listed

# puzzle, all, unique, mirror
COUNTS = [
    ("pentominoes-3x20", 8, 2, 2),
    ("pentominoes-4x15", 1472, 368, 368),
    ("pentominoes-5x12", 4040, 1010, 1010),
    ("pentominoes-6x10", 9356, 2339, 2339),
    ("pentominoes-8x8-hole", 520, 65, 65),
    ("one-sided-pentominoes-3x30", 184, 46, 46),
    ("soma-cube", 11520, 480, 240),
]

# Dominoes in squares of side 2, 4, … 12: OEIS A004003.
DOMINOES = [2, 36, 6728, 12988816, 258584046368, 53060477521960000]


def known(finished: Result, count: int) -> None:
    """The search is done, has the count, and what it could draw of it is right."""
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert 0 < finished.verified <= max(count, 200)


@pytest.mark.parametrize(
    ("name", "symmetry", "count"),
    [
        (name, symmetry, count)
        for name, *counts in COUNTS
        for symmetry, count in zip(("all", "unique", "mirror"), counts, strict=True)
    ],
)
def test_counts(name: str, symmetry: str, count: int) -> None:
    """All solutions, up to rotations, up to reflections."""
    known(counted(load(name), "frontier", symmetry), count)


@pytest.mark.parametrize(("symmetry", "count"), [("all", 2_746_512), ("unique", 686_628)])
def test_one_sided_pentominoes_in_5x18(symmetry: str, count: int) -> None:
    """Published at 19 minutes (Busche 2018)."""
    finished = counted(load("one-sided-pentominoes-5x18"), "frontier", symmetry)
    known(finished, count)
    native = finished.counters.native
    assert native["piece_sets"] == 2**18
    placed = [native[f"states_{k}_placed"] for k in range(19) if f"states_{k}_placed" in native]
    assert native["states"] == sum(placed)


@pytest.mark.parametrize(
    ("symmetry", "count"),
    [("all", 204_736), pytest.param("unique", 51_184, marks=pytest.mark.slow)],
)
def test_diamond(symmetry: str, count: int) -> None:
    """12 pentominoes and 5 tetrominoes in a region that is no rectangle (Busche 2018, PT)."""
    known(counted(load("tetro-pentominoes-diamond-13"), "frontier", symmetry), count)


@pytest.mark.parametrize(
    ("name", "symmetry", "count"),
    [
        ("pentominoes-3x20", "all", 8),
        ("pentominoes-5x12", "all", 4040),
        ("pentominoes-6x10", "unique", 2339),
        ("pentominoes-8x8-hole", "unique", 65),
        ("one-sided-pentominoes-3x30", "unique", 46),
        ("soma-cube", "mirror", 240),
    ],
)
def test_listing(name: str, symmetry: str, count: int) -> None:
    """As many different solutions, all of them verified."""
    finished, solutions = listed(load(name), "frontier", symmetry)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert len(solutions) == count <= finished.verified


@pytest.mark.slow
def test_listing_5x18() -> None:
    """686,628 classes, all verified; about ten seconds."""
    finished, solutions = listed(load("one-sided-pentominoes-5x18"), "frontier", "unique")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 686_628)
    assert len(solutions) == 686_628 <= finished.verified


def dominoes(side: int) -> PackingPuzzle:
    """A square full of dominoes."""
    count = side * side // 2
    piece = Piece("A", ((0, 0), (1, 0)), min_count=count, max_count=count)
    return PackingPuzzle(f"dominoes-{side}", SquareLattice(2), box(side, side), (piece,))


def test_dominoes() -> None:
    """Up to 72 pieces of one shape, and numbers of 17 digits."""
    found = [counted(dominoes(side), "frontier").count for side in range(2, 13, 2)]
    assert found == DOMINOES


@pytest.mark.parametrize(
    ("symmetry", "count"),
    [
        ("all", 2_444_888_770_250_892_795_802_079_170_816),  # Kasteleyn 1961
        ("unique", 305_611_096_281_378_760_240_051_639_364),  # as `zdd` counts them
    ],
)
def test_numbers_beyond_the_words(symmetry: str, count: int) -> None:
    """16x16 is counted by several passes; nothing has a number, so that nothing is drawn."""
    finished = counted(dominoes(16), "frontier", symmetry)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert finished.verified == 0


def test_numbers_beyond_the_words_are_not_drawn() -> None:
    """Solutions are numbered by a word."""
    with pytest.raises(BackendError, match=r"there may be more ways to fill .* than 2\*\*63"):
        next(sample(dominoes(16), backend="frontier"))
