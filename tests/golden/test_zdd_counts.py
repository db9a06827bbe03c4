"""Published counts by `zdd`, among them those that a table of hashes gets wrong.

Sources: Bell numbers OEIS A000110; double factorials A001147; dominoes in squares A004003; Latin
squares A002860; Langford pairs A014552, twice; queens A000170; labelled Steiner triple systems
A030128, of which each on 9 points makes one Kirkman system, whose 4 days are in any order; packings
from Scott 1958 and Busche 2011. Trominoes: a count by profiles, `test_tromino_counts`.
"""

from __future__ import annotations

import pytest

from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load
from oracle.answers import counted, listed

COUNTS = {
    "bell-12": 4_213_597,
    "matchings-20": 654_729_075,
    "matchings-26": 7_905_853_580_625,
    "latin-4": 576,
    "latin-5": 161_280,
    "langford-8": 300,
    "queens-8": 92,
    "steiner-7": 30,
    "steiner-9": 840,
    "kirkman-9": 20_160,
    "dominoes-8x8": 12_988_816,
    "dominoes-10x10": 258_584_046_368,
    "dominoes-12x12": 53_060_477_521_960_000,
    "dominoes-16x16": 2_444_888_770_250_892_795_802_079_170_816,
    "trominoes-9x9": 928_789_262_080,
    "pentominoes-3x20": 8,
    "pentominoes-5x12": 4_040,
    "soma-cube": 11_520,
}

LONG = {
    "langford-12": 216_288,
    "queens-12": 14_200,
    "matchings-30": 6_190_283_353_629_375,
    "latin-6": 812_851_200,
    "trominoes-12x12": 17_735_061_025_562_799_941_630,
    "pentominoes-6x10": 9_356,
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    """Every solution, with up to 200 of them verified."""
    _known(name, COUNTS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_counts_that_take_longer(name: str) -> None:
    """Up to half a minute each."""
    _known(name, LONG[name])


@pytest.mark.parametrize(
    ("name", "symmetry", "count"),
    [
        ("dominoes-8x8", "unique", 1_629_189),
        ("soma-cube", "unique", 480),
        ("soma-cube", "mirror", 240),
        ("queens-8", "unique", 12),
        ("pentominoes-5x12", "unique", 1_010),
    ],
)
def test_counts_up_to_symmetry(name: str, symmetry: str, count: int) -> None:
    """Without listing them; that of dominoes is what `frontier` counts on folded boards."""
    finished = counted(load(name), "zdd", symmetry)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)


def test_listing() -> None:
    """As many different solutions, all of them verified."""
    finished, solutions = listed(load("pentominoes-5x12"), "zdd", "unique")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 1_010)
    assert len(solutions) == 1_010 <= finished.verified


def _known(name: str, count: int) -> None:
    finished = counted(load(name), "zdd")
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert 0 < finished.verified <= 200
