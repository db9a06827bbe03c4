"""Searches of different seeds have nothing in common: their parts draw from disjoint streams."""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.backends.base import Budget
from dovetail.improvers import beam as beams
from dovetail.improvers import portfolio
from dovetail.improvers.breaks import improver as breaks
from dovetail.improvers.registry import improver_config, improver_named
from dovetail.improvers.repair.improver import Repair
from dovetail.improvers.shared.board import board_arrays
from dovetail.puzzles.edge_boards import random_board

PARTS = 30
BOARD = random_board(6, 6, 8, 1)


def record_parts(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[bytes]:
    """Note the random entries of what a function returns, each time it is called."""
    made: list[bytes] = []
    function = getattr(module, name)

    def recording(*arguments: Any) -> Any:
        lists = function(*arguments)
        made.append(lists.entries.tobytes())
        return lists

    monkeypatch.setattr(module, name, recording)
    return made


def test_restarts_of_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists in another order at each restart; no order occurs for both seeds."""
    made = record_parts(monkeypatch, breaks, "make_lists")
    board, config = board_arrays(BOARD), improver_config("breaks", {"restart_nodes": 10})
    for seed in (1, 2):
        search = improver_named("breaks").begin(board, config, seed, None)
        while len(made) < PARTS * seed:
            search.advance(Budget(10))
    assert len(set(made)) == len(made) == 2 * PARTS


@pytest.mark.parametrize(
    ("name", "config", "module", "part", "place"),
    [("beam", {"width": 1}, beams, "BeamFill", 5), ("portfolio", {}, Repair, "begin", 3)],
)
def test_seeds_of_parts(
    monkeypatch: pytest.MonkeyPatch, name: str, config: Any, module: Any, part: str, place: int
) -> None:
    """Those of beams and of turns of repair, as they are passed on."""
    monkeypatch.setattr(portfolio, "FIRST_TURN_S", 0.0)  # each slice is a turn
    seeds: list[int] = []
    begin = getattr(module, part)

    def recording(*arguments: Any) -> Any:
        seeds.append(arguments[place])
        return begin(*arguments)

    monkeypatch.setattr(module, part, recording)
    board = board_arrays(BOARD)
    for seed in (1, 2):
        search = improver_named(name).begin(board, improver_config(name, config), seed, None)
        while len(seeds) < PARTS * seed:
            search.advance(Budget(1_000))
    assert len(set(seeds)) == len(seeds)
