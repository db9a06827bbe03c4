"""All improvers: boards as arrays, extreme settings, seeds, and what is compiled beforehand."""

from __future__ import annotations

import re
import warnings
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.api import improve
from dovetail.backends.base import Budget
from dovetail.errors import BackendError, PuzzleError
from dovetail.harness import improving
from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.improvers import portfolio
from dovetail.improvers.base import NO_SCORE, ImprovingSearch, Placed
from dovetail.improvers.registry import improvers
from dovetail.improvers.repair.improver import Repair, RepairSearch
from dovetail.improvers.shared.board import board_arrays, fill, score
from dovetail.jit import bounds_check
from dovetail.models.boards.edges import EdgePuzzle, Hint, Tile, turned
from dovetail.models.boards.geometry import opposite
from dovetail.models.boards.partial_board import verified_score
from dovetail.puzzles.edge_boards import random_board
from dovetail.random_stream import random_words
from jit.loading import loaded_from_now
from oracle.strategies import hinted_boards

TILES = ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1))


@settings(deadline=None)
@given(hinted_boards())
def test_sides_are_equal_where_colours_match(puzzle: EdgePuzzle) -> None:
    """For all pairs of orientations and sides; and greedy boards are boards with their scores."""
    board = board_arrays(puzzle)
    for one in range(4 * board.cells):
        for other in range(4 * board.cells):
            first, second = (turned(puzzle.tiles[o // 4], o % 4) for o in (one, other))
            for side in range(2):
                matches = first[side] == puzzle.mate(second[opposite(side)])
                equal = board.sides[one, side] == board.sides[other, opposite(side)]
                assert matches == equal
    placed = board.fixed.copy()
    found = fill(board, placed)
    assert (placed >= 0).all()
    assert (placed[board.fixed >= 0] == board.fixed[board.fixed >= 0]).all()
    assert found == verified_score(puzzle, board.partial_board(placed)) == score(board, placed)


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (
            EdgePuzzle("frameless", 2, 2, ((1, 1, 1, 1),) * 4),
            "tile 0 (1 1 1 1) has the frame's colour 0 on no side; no cell of a 2 x 2 board has",
        ),
        (
            EdgePuzzle("apart", 2, 2, TILES, (Hint(0, 0, 2, 0), Hint(0, 1, 1, 1))),
            "apart: the hints for (0, 0) and (0, 1) do not match",
        ),
    ],
)
def test_what_cannot_be_filled(puzzle: EdgePuzzle, message: str) -> None:
    """Tiles that fit no frame, and hints that contradict it or one another."""
    with pytest.raises(PuzzleError, match=re.escape(message)):
        board_arrays(puzzle)


SIZES = [(1, 1), (1, 3), (4, 4)]
TIME_S = 0.05
SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("beam", {"weight": 1000.0, "softness": 1000.0}),
    ("beam", {"weight": 5e-324, "softness": 5e-324}),
    ("breaks", {"boards": 1.7e308}),
    ("breaks", {"boards": 5e-324, "restart_nodes": 1}),
    ("repair", {"temperature": 1.7e308, "cells": 10**400}),
    ("repair", {"temperature": 5e-324, "refill": "greedy", "noise": 1000.0}),
    ("portfolio", {}),
]


def board(width: int, height: int, *, matching: bool) -> EdgePuzzle:
    """A board of one inner colour, or of as many as there are sides, so that none match."""
    colours = iter(range(1, 5 * width * height))

    def colour(on_frame: bool) -> int:
        return 0 if on_frame else 1 if matching else next(colours)

    tiles: list[Tile] = [
        (colour(y == height - 1), colour(x == width - 1), colour(y == 0), colour(x == 0))
        for x in range(width)
        for y in range(height)
    ]
    return EdgePuzzle(f"{width} x {height}", width, height, tuple(tiles))


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
@pytest.mark.parametrize("matching", [True, False])
def test_no_number_overflows(name: str, settings: dict[str, object], matching: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for size in SIZES:
            puzzle = board(*size, matching=matching)
            try:
                result = improve(puzzle, name, config=settings, time_limit=TIME_S)
            except BackendError:
                assert name == "breaks"
                assert 1 in size
            else:
                assert result.best is not None
                assert result.best.score <= result.best.bound
                assert result.solve_s < 20 * TIME_S


LARGE = random_board(10, 10, 7, 1)
REFILLS = ("greedy", "assignment", "exact")
NODES = 100_000
TURN_S = 1e-3


@pytest.mark.parametrize("name", ["beam", "breaks"])
def test_an_order_that_lists_all_cells(name: str) -> None:
    """Cells of the given board, which the small board of the warm-up does not have."""
    order = ["1.2", "0.2", "0.1", "1.1", "1.0", "0.0"]
    found = improve(board(2, 3, matching=False), name, config={"order": order}, node_limit=50)
    assert found.best is not None


@pytest.mark.skipif(bounds_check(), reason="numba runs the kernels")
@pytest.mark.parametrize(
    ("name", "config"),
    [
        *((name, {}) for name in improvers()),
        *(("repair", {"refill": refill}) for refill in REFILLS),
        ("breaks", {"schedule": ("60", "80"), "restart_nodes": 20_000}),
    ],
)
def test_nothing_is_compiled_in_the_time_of_a_search(
    monkeypatch: pytest.MonkeyPatch, name: str, config: dict[str, Any]
) -> None:
    """No kernel is loaded or compiled once the search begins, whichever others have run before."""
    monkeypatch.setattr(improving, "WORK", (50_000,) * 3)
    clock = SimpleNamespace(perf_counter=count(step=TURN_S / 100).__next__)
    monkeypatch.setattr(portfolio, "time", clock)  # a turn is of so many slices
    monkeypatch.setattr(portfolio, "FIRST_TURN_S", TURN_S)
    loaded = loaded_from_now(monkeypatch)
    events = improving.improve(
        improving.improving_job(LARGE, name, config, limits=Limits(time_s=60.0, nodes=NODES))
    )
    assert isinstance(next(events), Started)
    before = list(loaded)
    assert before
    *_, result = events
    assert loaded == before
    assert isinstance(result, Result)
    if name == "portfolio":
        assert result.counters.native["repairs"] > 0


def in_place(side: int, colours: int) -> EdgePuzzle:
    """A square board on which each tile lies unturned in the cell with its number."""
    drawn = 1 + random_words(1, 0, 2 * side**2).reshape(2, side, side) % np.uint64(colours)
    east, north = drawn.astype(np.int64)
    east[-1], north[:, -1] = 0, 0
    south, west = np.roll(north, 1, axis=1), np.roll(east, 1, axis=0)
    tiles = np.stack([north, east, south, west], axis=-1).reshape(-1, 4).tolist()
    return EdgePuzzle("in place", side, side, tuple(tuple(tile) for tile in tiles))


@pytest.mark.parametrize("name", sorted(improvers()))
@pytest.mark.parametrize("slices", [0, 300])
def test_a_search_goes_on_from_an_accepted_board(
    monkeypatch: pytest.MonkeyPatch, name: str, slices: int
) -> None:
    """Whenever it is accepted: nothing is lost, and a repair begins with this board."""
    begun: list[Placed | None] = []

    class Watched(Repair):
        def begin(self, *arguments: Any) -> RepairSearch:
            begun.append(arguments[-1])
            return super().begin(*arguments)

    monkeypatch.setattr(portfolio, "Repair", Watched)
    arrays = board_arrays(in_place(10, 7))
    near = np.arange(0, 4 * arrays.cells, 4, dtype=np.int32)
    assert score(arrays, near) == 180
    inner = np.flatnonzero(arrays.cell_frame == 0)[:2]
    near[inner] = near[inner[::-1]]
    improver = improvers()[name]
    search = improver.begin(arrays, improver.config_type(), 1, None)
    for _ in range(slices):
        search.advance(Budget(20_000))
    turns = len(begun)
    while name == "portfolio" and slices and len(begun) == turns:
        search.advance(Budget(20_000))
    before = search.score, search.nodes
    assert before[0] < 180
    search.accept(near)
    assert before[0] <= search.score
    assert before[1] <= search.nodes
    assert name != "portfolio" or not slices or begun[-1] is near
    for _ in range(400 if name == "repair" else 40):
        search.advance(Budget(50_000))
    assert search.score in (NO_SCORE, score(arrays, search.best))
    assert search.nodes > before[1]
    assert name != "repair" or search.score > score(arrays, near)
    assert name != "portfolio" or search.score >= score(arrays, near)


class Keeping(ImprovingSearch):
    """Keeps the boards that it is given."""

    @property
    def nodes(self) -> int:
        return 0

    def advance(self, budget: Budget) -> bool:
        return False


def test_the_other_board_is_good_and_most_different() -> None:
    """Of the boards that a search has seen, among those with hardly fewer matched edges."""
    arrays = board_arrays(in_place(5, 3))
    best = np.arange(0, 4 * arrays.cells, 4, dtype=np.int32)

    def changed(cells: int) -> Placed:
        inner = np.flatnonzero(arrays.cell_frame == 0)[:cells]
        board = best.copy()
        board[inner] = np.roll(board[inner], 1)
        return board

    search = Keeping(arrays)
    for cells, worth in ((2, 1_985), (4, 1_981), (3, 1_990)):
        search.keep(changed(cells), worth)
    search.keep(best, 2_000)
    assert (search.best == best).all()
    assert search.other is not None
    assert (search.other[0] == changed(4)).all()
    assert search.other[1] == 1_981
    search.keep(best, 2_100)
    assert search.other is None
