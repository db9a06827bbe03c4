"""The shaped regions: their outlines, and what is known of the pieces in them."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.errors import ConfigError
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import Motions, PackingPuzzle
from dovetail.models.placements import bounded_placements
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyforms import canonical_form
from dovetail.puzzles.polyominoes import PLANE, hexominoes_in_two_rectangles

# Solution 1 in comment 7 on Busche 2011.
TWO_RECTANGLES = """
    MMMMSSKKKLLL
    MFSSSKKKLLXL
    MFRSOOOXXXXU
    FFROOTTXUUUU
    FRRROZTTTPPU
    FR9ZZZZWTQPP
    6999ZWWWWQNP
    6969HWHQQQNP
    666HHHHQNNNN
    ************
    BBBBB8855577
    22EEB8885777
    22VEEEE8557D
    22VVVVYJJJJD
    444V3YYYJJDD
    441133YIIIID
    411333YIGGID
    11AAAAAAGGGG
"""

# puzzle, cells, pieces, extents along x and y, cells that are left out within
REGIONS = [
    ("pentominoes-8x8-hole", 60, 12, (8, 8), [(3, 3), (4, 4)]),
    ("tetro-pentominoes-diamond-13", 80, 17, (13, 13), [(4, 6), (8, 6), (0, 0)]),
    ("hexominoes-14x15", 210, 35, (15, 14), []),
    ("hexominoes-9x12-8x12-without-I", 204, 34, (12, 18), [(0, 8), (11, 8)]),
    ("hexominoes-9x12-8x12-without-C", 204, 34, (12, 18), [(0, 8), (11, 8)]),
    ("hexominoes-parallelogram-15x14", 210, 35, (28, 14), [(0, 1), (15, 0), (12, 13)]),
    ("hexominoes-box-in-a-diamond", 210, 35, (23, 23), [(6, 9), (16, 13), (1, 0)]),
    ("hexominoes-rifle", 210, 35, (56, 6), [(35, 2), (20, 3)]),
    ("heptominoes-33x23", 756, 108, (33, 23), [(5, 11), (16, 11), (27, 11)]),
]


@pytest.mark.parametrize(("name", "cells", "pieces", "extents", "left_out"), REGIONS)
def test_regions(
    name: str,
    cells: int,
    pieces: int,
    extents: tuple[int, int],
    left_out: list[tuple[int, int]],
) -> None:
    """As many cells as the pieces have, in the right outline."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    assert (len(puzzle.region), len(puzzle.pieces)) == (cells, pieces)
    assert sum(len(piece.cells) for piece in puzzle.pieces) == cells
    assert min(puzzle.region) >= (0, 0)
    assert tuple(max(along) + 1 for along in zip(*puzzle.region, strict=True)) == extents
    assert not set(left_out) & set(puzzle.region)


def test_the_two_rectangles_have_a_solution() -> None:
    """Without C: the first that Busche's answer prints, a row of `*` between the rectangles."""
    puzzle = load("hexominoes-9x12-8x12-without-C")
    assert isinstance(puzzle, PackingPuzzle)
    cells: dict[str, list[Cell]] = {}
    for y, line in enumerate(reversed(TWO_RECTANGLES.split())):
        for x, name in enumerate(line):
            cells.setdefault(name, []).append((x, y))
    del cells["*"]
    placed = tuple((name, tuple(sorted(found))) for name, found in cells.items())
    assert solution_error(puzzle, PackingSolution(placed)) is None


def test_a_hexomino_that_is_none() -> None:
    """Names go from 1 to 9 and from A to Z."""
    with pytest.raises(ConfigError, match="no puzzle is called 'hexominoes-9x12-8x12-without-0'"):
        load("hexominoes-9x12-8x12-without-0")
    with pytest.raises(ConfigError, match="unknown omitted hexomino 'AB'; valid: 1, 2"):
        hexominoes_in_two_rectangles("AB")


def test_places_of_the_doughnut() -> None:
    """The heptomino with a hole has 2520 of the heptominoes' placements: `facts/counts.json`."""
    puzzle = load("heptominoes-33x23")
    assert isinstance(puzzle, PackingPuzzle)
    ring = tuple((x, y) for x in range(3) for y in range(3) if (x, y) not in ((1, 1), (2, 2)))
    form = canonical_form(PLANE, ring, Motions.FREE)
    number = next(
        n
        for n, piece in enumerate(puzzle.pieces)
        if canonical_form(PLANE, piece.cells, Motions.FREE) == form
    )
    assert np.count_nonzero(bounded_placements(puzzle).shape == number) == 2520


def test_hexominoes_by_parity() -> None:
    """24 cover both colours alike, 11 two more of one: `facts/counts.json`."""
    puzzle = load("hexominoes-14x15")
    assert isinstance(puzzle, PackingPuzzle)
    parities = [abs(sum(1 - 2 * (sum(c) % 2) for c in piece.cells)) for piece in puzzle.pieces]
    assert (parities.count(0), parities.count(2), len(parities)) == (24, 11, 35)


def test_parity_of_the_box_in_a_diamond() -> None:
    """22, the most that 35 hexominoes can make up for (Busche 2011, Figure 11)."""
    puzzle = load("hexominoes-box-in-a-diamond")
    assert isinstance(puzzle, PackingPuzzle)
    assert abs(sum(1 - 2 * (sum(cell) % 2) for cell in puzzle.region)) == 22
