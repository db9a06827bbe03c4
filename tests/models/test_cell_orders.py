"""Orders of cells by name, in a box and on a board, and what is refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.backends.rows.backend import RowsConfig
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.boards.orders import NAMES, cells_in_order, named_orders
from dovetail.models.lattices.cell_orders import cell_ranks, check_order
from dovetail.models.outcome import Status
from dovetail.puzzles.edge_boards import random_board


def box(*sides: int) -> NDArray[np.float64]:
    """The cells of a box, x slowest."""
    return np.indices(sides).reshape(len(sides), -1).T.astype(np.float64)


# By cell: (0, 0) (0, 1) (0, 2) (1, 0) (1, 1) (1, 2) (2, 0) (2, 1) (2, 2).
BOARD = [
    ("f", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ("y", [0, 1, 2, 0, 1, 2, 0, 1, 2]),
    ("R", [0, 1, 0, 1, 2, 1, 0, 1, 0]),
    # the centre, then east, north-east, north, north-west, west, south-west, south, south-east
    ("a@0", [6, 5, 4, 7, 0, 3, 8, 1, 2]),
    # the same wheel, begun at north; then a little after it, where north comes last
    ("a@90", [4, 3, 2, 5, 0, 1, 6, 7, 8]),
    ("a@90.5", [3, 2, 1, 4, 0, 8, 5, 6, 7]),
    ("[8 7 6 5 4 3 2 1 0]", [8, 7, 6, 5, 4, 3, 2, 1, 0]),
    ("[ 1 2  3 4 5 6 7 8 0 ]", [8, 0, 1, 2, 3, 4, 5, 6, 7]),
]


@pytest.mark.parametrize(("name", "ranks"), BOARD)
def test_ranks_on_a_board(name: str, ranks: list[int]) -> None:
    """Every order on 3x3 cells."""
    assert cell_ranks(name, box(3, 3)).tolist() == ranks


@given(st.sampled_from(["f", "x", "Y", "R", "r", "a@160"]), st.integers(1, 5), st.integers(1, 5))
def test_ranks_are_dense_and_follow_translations(name: str, width: int, height: int) -> None:
    """All numbers from 0 up to the greatest rank occur; where the region lies does not matter."""
    cells = box(width, height)
    ranks = cell_ranks(name, cells)
    assert set(ranks.tolist()) == set(range(int(ranks.max()) + 1))
    assert (cell_ranks(name, cells + np.array([7, -3])) == ranks).all()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "valid: f, x, y, z, w, X, Y, Z, W, R, r, a@DEG, [CELLS]"),
        ("q", "unknown cell order 'q'; valid: f, x"),
        ("a@360", "degrees from 0 and below 360"),
        ("[0 1 1]", "each once"),
        ("[0 1", "as in [3 0 1 2]"),
        (f"[{'9' * 5000}]", "…"),
    ],
)
def test_what_names_no_order(name: str, expected: str) -> None:
    """An unknown order is one short line, without a puzzle."""
    with pytest.raises(ConfigError) as caught:
        check_order(name)
    assert expected in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("name", "dimension", "expected"),
    [
        ("y", 1, "cells of dimension 1 have no order y; valid: f, x, X, R, r, [CELLS]"),
        ("Z", 2, "no order Z; valid: f, x, y, X, Y, R, r, a@DEG, [CELLS]"),
        ("[1 0]", 3, "names 2 cells; expected all 8"),
    ],
)
def test_orders_that_cells_do_not_have(name: str, dimension: int, expected: str) -> None:
    """The message names those they have."""
    check_order(name)
    with pytest.raises(ConfigError) as caught:
        cell_ranks(name, box(*[2] * dimension))
    assert expected in str(caught.value)


DRAWN = {
    "top-down": ["0123", "4567", "89AB"],
    "bottom-up": ["89AB", "4567", "0123"],
    "columns": ["258B", "147A", "0369"],
    "spiral": ["8765", "9AB4", "0123"],
    "bottom-up@1": ["579B", "468A", "0123"],
    "bottom-up@2": ["89AB", "4567", "0123"],
}


@pytest.mark.parametrize("name", DRAWN)
def test_orders_as_drawn(name: str) -> None:
    """A board of 4 x 3, its cells numbered in the order of filling, the top row first."""
    place = {c: (x, 2 - row) for row, line in enumerate(DRAWN[name]) for x, c in enumerate(line)}
    assert cells_in_order([name], 4, 3) == [place[c] for c in "0123456789AB"]


def test_every_cell_once() -> None:
    """In all orders, on boards of all shapes; a strip may be higher than the board."""
    for width, height in product(range(1, 6), repeat=2):
        names = named_orders(height)
        assert set(NAMES) < {*names, "bottom-up@9"}
        for name in (*names, "bottom-up@9"):
            cells = cells_in_order([name], width, height)
            assert sorted(cells) == list(product(range(width), range(height)))


@pytest.mark.parametrize("order", [("diagonal",), ("top-down", "columns"), ("0.0", "-1.0")])
def test_words_that_are_no_order(order: tuple[str, ...]) -> None:
    """The message lists the valid names and the form of a list, before there is a board."""
    with pytest.raises(ConfigError, match="valid: bottom-up, top-down, columns, spiral"):
        RowsConfig(order)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("0.0,0.1,1.0,1.1,0.1", "lists cells twice: 0.1"),
        ("0.0,0.1,1.0,2.1", "lists cells outside the board: 2.1"),
    ],
)
def test_lists_of_another_board(order: str, message: str) -> None:
    """What is wrong with them is the reason for which the task is refused."""
    finished = finish(
        execute(Job(random_board(2, 2, 1, 1), backend="rows", config={"order": order}))
    )
    assert finished.status == Status.SKIPPED
    assert finished.reason == f"order {message}; expected each cell of the 2 x 2 board once"
