"""Problems that are counted: small ones against their published numbers, by another search."""

from __future__ import annotations

import pytest

from dovetail.errors import ConfigError
from dovetail.puzzles.loading import load
from oracle.answers import counted

# OEIS A000110, A001147, A002860, A030128, A004003, and a Kirkman system of 3 girls on one day.
COUNTS = {
    "bell-1": 1,
    "bell-7": 877,
    "matchings-2": 1,
    "matchings-7": 0,
    "matchings-10": 945,
    "latin-1": 1,
    "latin-4": 576,
    "steiner-3": 1,
    "steiner-7": 30,
    "steiner-8": 0,
    "kirkman-3": 1,
    "kirkman-9": 20_160,
    "dominoes-6x6": 6_728,
    "dominoes-2x5": 8,
    "trominoes-2x3": 3,
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str) -> None:
    """All solutions, by sets of options."""
    assert counted(load(name), "bitset").count == COUNTS[name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bell-17", "17 elements; expected 1 to 16"),
        ("matchings-1", "1 points; expected 2 to 64"),
        ("latin-13", "13 symbols; expected 1 to 12"),
        ("steiner-65", "65 points; expected 3 to 64"),
        ("kirkman-7", "7 schoolgirls; expected 3, 9, 15 or 21"),
        ("dominoes-3x3", "a rectangle of 9 cells; expected a multiple of 2"),
        ("trominoes-65x3", "65 cells on a side; expected 1 to 64"),
    ],
)
def test_sizes_that_there_are_not(name: str, reason: str) -> None:
    """A clear error names the sizes that there are."""
    with pytest.raises(ConfigError, match=reason):
        load(name)
