"""The orders of filling, and what is said of a list that is none."""

from __future__ import annotations

from itertools import product

import pytest

from dovetail.backends.config import build_config
from dovetail.backends.rows.backend import RowsConfig
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.edges import NAMES, cells_in_order, named_orders
from dovetail.models.outcome import Status
from dovetail.puzzles.edge_boards import random_board

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


def test_a_list_is_kept() -> None:
    """As text with commas, the way the command gives it."""
    config = build_config(RowsConfig, {"order": "1.0,0.1,0.0,1.1"}, "rows")
    assert cells_in_order(config.order, 2, 2) == [(1, 0), (0, 1), (0, 0), (1, 1)]


@pytest.mark.parametrize(
    "order", [("diagonal",), ("top-down", "columns"), ("0.0", "1"), ("0.0", "-1.0"), ()]
)
def test_words_that_are_no_order(order: tuple[str, ...]) -> None:
    """The message lists the valid names and the form of a list, before there is a board."""
    with pytest.raises(ConfigError, match="valid: bottom-up, top-down, columns, spiral"):
        RowsConfig(order)


def test_the_best_order_is_chosen_by_the_model() -> None:
    """It is accepted as a setting, and has no cells by itself."""
    assert RowsConfig(("best",)).order == ("best",)
    with pytest.raises(ConfigError, match="order best has no cells by itself"):
        cells_in_order(("best",), 4, 4)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("0.0,0.1,1.0", "1.1 missing"),
        ("0.0", "0.1, 1.0, 1.1 missing"),
        ("0.0,0.1,1.0,1.1,0.1", "0.1 listed twice"),
        ("0.0,0.1,1.0,2.1", "2.1 outside the board"),
    ],
)
def test_lists_of_another_board(order: str, message: str) -> None:
    """What is wrong with them is the reason for which the task is refused."""
    finished = finish(
        execute(Job(random_board(2, 2, 1, 1), backend="rows", config={"order": order}))
    )
    assert finished.status == Status.SKIPPED
    assert finished.reason == f"order: {message}; expected each cell of the 2 x 2 board once"
