"""The sides of cells against the lattices of packing puzzles, and regions by name or drawn."""

from __future__ import annotations

import re
from functools import partial
from itertools import product

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.geometry import (
    SIDE_NAMES,
    STEPS,
    BoardGeometry,
    board_region,
    cell_positions,
    lattice_cells,
    lattice_of_board,
)
from dovetail.puzzles.statements import board


def geometry_of(lattice: str, region: str) -> BoardGeometry:
    """The geometry of a board with this region."""
    width, height, holes = board_region(lattice, region)
    return BoardGeometry(width, height, frozenset(holes), lattice)


@pytest.mark.parametrize("name", list(STEPS))
def test_the_sides_of_a_cell(name: str) -> None:
    """They lead clockwise to the lattice's neighbours; each edge has two sides and one owner."""
    geometry, lattice = BoardGeometry(5, 4, lattice=name), lattice_of_board(name)
    sides = range(len(SIDE_NAMES[name]))
    assert geometry.side_count == len(sides)
    for cell, place in enumerate(geometry.positions):
        at, *around = lattice_cells(
            name, np.array([place, *(geometry.beyond(place, side) for side in sides)])
        )
        assert {tuple(one.tolist()) for one in around} == set(
            lattice.neighbours(tuple(at.tolist()))
        )
        assert tuple(cell_positions(name, at[None])[0]) == place
        steps = lattice.positions(np.array(around)) - lattice.positions(at[None])
        bearing = np.degrees(np.arctan2(steps[:, 0], steps[:, 1]))  # clockwise from the top
        assert np.allclose(np.diff(bearing) % 360, 360 / len(sides))
        for side, other in geometry.neighbours(cell):
            back = geometry.opposite(side)
            assert dict(geometry.neighbours(other))[back] == cell
            assert geometry.owns(cell, side) != geometry.owns(other, back)
            assert geometry.edge_numbers[cell, side] == geometry.edge_numbers[other, back]


@pytest.mark.parametrize(
    ("lattice", "region", "cells", "motions"),
    [
        ("hexagonal", "hexagon-3", 19, 12),
        ("hexagonal", ".o./o.o", 3, 6),
        ("hexagonal", " o o\no o o\n o o\n", 7, 12),
        ("triangular", "hexagon-2", 24, 12),
        ("triangular", "triangle-3", 9, 6),
        ("square", "oo/oo", 4, 8),
    ],
)
def test_regions(lattice: str, region: str, cells: int, motions: int) -> None:
    """The motions map cells to cells, and neighbours at a side to neighbours at its image."""
    geometry = geometry_of(lattice, region)
    assert len(geometry.positions) == cells
    assert len(geometry.motions) == motions
    assert geometry.motions[0].image.tolist() == list(range(cells))
    assert [motion.is_reflection for motion in geometry.motions].count(True) == motions // 2
    for motion, cell in product(geometry.motions, range(cells)):
        after = dict(geometry.neighbours(int(motion.image[cell])))
        for side, other in geometry.neighbours(cell):
            assert after[motion.sides.index(side)] == motion.image[other]


@pytest.mark.parametrize(
    ("lattice", "region", "message"),
    [
        ("octagonal", "hexagon-2", "valid: square, hexagonal, triangular"),
        ("hexagonal", "oo", "'oo'; expected a drawing of cells of the hexagonal lattice"),
        ("hexagonal", "hexagon-100000", "expected a side of 1 to 128"),
    ],
)
def test_wrong_regions(lattice: str, region: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        board([(1,) * 6] * 7, lattice=lattice, region=region, unbounded=True)


def test_statements() -> None:
    """A region excludes a size; a tile has a colour for each side."""
    tiles = [(1,) * 3] * 4
    stated = board(tiles, lattice="triangular", region="triangle-2", unbounded=True)
    assert stated == board(
        "unbounded lattice=triangular region=triangle-2\n" + "1 1 1\n" * 4, name="board"
    )
    text = "1 1 1\n" * 4
    assert stated == board(text, lattice="triangular", region="triangle-2", unbounded=True)
    triangles = partial(board, tiles, unbounded=True)
    for message, wrong in {
        "both region and a size": partial(triangles, lattice="triangular", region="oo", width=2),
        "3 colours; expected 6: top ri": partial(triangles, lattice="hexagonal", region="o.o"),
        "lattice 'hex'; valid: square": partial(board, text, lattice="hex"),
        "the region is 3; expected text": partial(triangles, lattice="triangular", region=3),
    }.items():
        with pytest.raises(PuzzleError, match=message):
            wrong()
    for message, head in {
        "expected a region, or width, height and holes": "region=triangle-2 2 2",
        "expected three: right bottom left": "region=triangle-2",
    }.items():
        with pytest.raises(PuzzleError, match=message):
            board(f"unbounded lattice=triangular {head}\n1 1 1 1 1")


@pytest.mark.parametrize("wrong", [2.0, "2", True, None])
def test_sides_of_a_board_are_whole_numbers(wrong: object) -> None:
    """Also those of numpy; nothing else is rounded or taken for one."""
    tiles = ((0, 0, 1, 0), (0, 1, 0, 0))
    with pytest.raises(PuzzleError, match=re.escape(f"height is {wrong!r}; expected a whole")):
        EdgePuzzle("pair", 2, wrong, tiles)  # type: ignore[arg-type]
    of_numpy = EdgePuzzle("pair", np.int64(2), 1, tiles)  # type: ignore[arg-type]
    assert type(of_numpy.width) is int
