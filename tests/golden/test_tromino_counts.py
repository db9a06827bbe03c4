"""Trominoes in rectangles, counted cell by cell: a check of counts that no publication has."""

from __future__ import annotations

import pytest

from dovetail.puzzles.loading import load
from oracle.answers import counted

# A straight tromino lies in 2 ways and a bent one in 4; cells are (row, column), the first one
# in the order of filling is (0, 0).
PLACED = (
    ((0, 0), (0, 1), (0, 2)),
    ((0, 0), (1, 0), (2, 0)),
    ((0, 0), (0, 1), (1, 0)),
    ((0, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 0), (1, -1), (1, 0)),
)


def tilings(height: int, width: int) -> int:
    """Count tilings by a dynamic programme over broken profiles.

    A profile is the set of cells taken from the current one on, the lowest bit; `ways` has how
    many partial tilings lead to each. The first free cell is covered next.
    """
    ways = {0: 1}
    for place in range(height * width):
        row, column = divmod(place, width)
        moves = [
            sum(1 << (down * width + right) for down, right in cells)
            for cells in PLACED
            if all(row + down < height and 0 <= column + right < width for down, right in cells)
        ]
        after: dict[int, int] = {}
        for profile, count in ways.items():
            for move in [0] if profile & 1 else moves:
                if not profile & move:
                    filled = (profile | move) >> 1
                    after[filled] = after.get(filled, 0) + count
        ways = after
    return ways.get(0, 0)


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 5), (4, 6), (7, 6), (9, 9)])
def test_states_count_what_profiles_count(height: int, width: int) -> None:
    """Two methods that share nothing."""
    finished = counted(load(f"trominoes-{height}x{width}"), "zdd")
    assert finished.count == tilings(height, width)


@pytest.mark.parametrize(
    ("side", "count"),
    [
        (6, 80_092),
        (9, 928_789_262_080),
        pytest.param(12, 17_735_061_025_562_799_941_630, marks=pytest.mark.slow),
    ],
)
def test_counts_of_the_suite(side: int, count: int) -> None:
    """Those that `families` expects; 12x12 takes half a minute."""
    assert tilings(side, side) == count
