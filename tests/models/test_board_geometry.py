"""Cells of a board, their numbers, neighbours and sides on the frame, against a drawing."""

from __future__ import annotations

from itertools import product

import pytest

from dovetail.models.edges import EAST, NORTH, SOUTH, STEPS, WEST, BoardGeometry, beyond, opposite

DRAWN = ["258B", "147A", "0369"]  # numbers of the cells, the top row first


def test_as_drawn() -> None:
    """Numbers go up the columns from the bottom left; sides lead to what is drawn beside."""
    geometry = BoardGeometry(4, 3)
    drawn = {(x, 2 - row): int(c, 16) for row, line in enumerate(DRAWN) for x, c in enumerate(line)}
    assert [drawn[position] for position in geometry.positions] == list(range(12))
    for position, cell in drawn.items():
        assert geometry.cell(position) == cell
        assert geometry.position(cell) == position
    assert list(geometry.neighbours(4)) == [(NORTH, 5), (EAST, 7), (SOUTH, 3), (WEST, 1)]
    assert list(geometry.neighbours(0)) == [(NORTH, 1), (EAST, 3)]
    assert list(geometry.neighbours(11)) == [(SOUTH, 10), (WEST, 8)]


@pytest.mark.parametrize(("width", "height"), list(product(range(1, 5), repeat=2)))
def test_frame(width: int, height: int) -> None:
    """A side lies on the frame or has a neighbour, whose opposite side leads back."""
    geometry = BoardGeometry(width, height)
    for cell, (x, y) in enumerate(geometry.positions):
        frame = geometry.frame_at((x, y))
        assert frame == (y == height - 1, x == width - 1, y == 0, x == 0)
        neighbours = dict(geometry.neighbours(cell))
        assert set(neighbours) == {side for side in range(4) if not frame[side]}
        for side, near in neighbours.items():
            assert dict(geometry.neighbours(near))[opposite(side)] == cell


def test_outside() -> None:
    """One step beyond each side of a lone cell."""
    geometry = BoardGeometry(1, 1)
    assert (0, 0) in geometry
    for side, step in enumerate(STEPS):
        assert beyond((0, 0), side) == step
        assert step not in geometry
