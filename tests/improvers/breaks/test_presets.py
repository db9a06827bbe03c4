"""Published schedules: order, colours, quotas, and the rule that mismatches do not touch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dovetail.improvers.breaks.improver import (
    PRESETS,
    Breaks,
    BreaksConfig,
    colours_first,
    colours_for_quota,
    empty_apart,
    empty_stack,
    make_lists,
    make_rules,
    order_of,
    schedule_of,
    sides_of_colours,
)
from dovetail.improvers.breaks.kernels import breaks as kernels
from dovetail.improvers.shared.board import board_arrays
from dovetail.kernels import layout as state_of
from dovetail.models.edges import Hint, turned
from dovetail.models.frame import frame_of
from dovetail.puzzles.edge_boards import random_board

BOARD = random_board(16, 16, 17, 1, 5)
CONFIG = BreaksConfig(schedule=("blackwood",))
PRESET = PRESETS["blackwood"]
NODES, DEPTH = 3_000_000, 190
begin: Any = kernels.begin
search: Any = kernels.search


def test_blackwoods_reaches_the_end_of_the_board() -> None:
    """Its quotas are met: within a few million nodes most tiles lie, and no mismatches touch."""
    board = board_arrays(BOARD)
    order = order_of(board, CONFIG)
    preferred = sides_of_colours(board, colours_first(board, CONFIG))
    schedule = schedule_of(board, order, preferred, CONFIG)
    assert schedule.restart_nodes == PRESET.restart_nodes
    lists = make_lists(board, order, preferred, seed=1)
    rules = make_rules(board, order, schedule)
    stack, apart = empty_stack(board, len(order)), empty_apart(board, len(order))
    colours = np.uint64(board.colours)
    begin(lists, rules, stack, colours)
    while stack.state[state_of.NODES] < NODES:
        stack.state[kernels.IMPROVED] = 0
        search(lists, rules, stack, apart, colours, np.uint64(NODES // 10))
    assert int(stack.state[kernels.BEST]) >= int(rules.joined[DEPTH - 1])
    depth = int(stack.state[state_of.LEVEL])
    reached = np.cumsum(preferred[stack.chosen[:depth]])
    assert (reached >= schedule.quota[:depth]).all()


def test_colours_that_can_meet_the_quota() -> None:
    """One along the frame and two elsewhere; the frame's is one that hints there do not show."""
    board = board_arrays(BOARD)
    first, *others = colours_for_quota(board, PRESET.max_quota)
    assert PRESET.max_quota == 119
    assert 1 <= first <= 5 < min(others)  # as `random_board` numbers them
    sides = sides_of_colours(board, [first, *others])
    assert sides[::4].sum() >= PRESET.max_quota
    assert not colours_for_quota(board, 1_000)
    corner = next(tile for tile in BOARD.tiles if tile.count(0) == 2 and first in tile)
    assert colours_for_quota(board_arrays(with_corner(corner)), PRESET.max_quota)[0] != first


def with_corner(corner: tuple[int, ...]) -> Any:
    """The board with a corner tile hinted at the top right."""
    tile = next(number for number, one in enumerate(BOARD.tiles) if one == corner)
    turns = (turn for turn in range(4) if frame_of(turned(BOARD.tiles[tile], turn))[:2] == (1, 1))
    return replace(BOARD, hints=(Hint(15, 15, tile, next(turns)),))


def test_the_order_begins_at_the_hint() -> None:
    """Rows from the corner nearest to it up to depth 180, then columns; its cell is left out."""
    puzzle = with_corner(next(tile for tile in BOARD.tiles if tile.count(0) == 2))
    board = board_arrays(puzzle)
    order = [puzzle.geometry.position(cell) for cell in order_of(board, CONFIG)]
    rows = [(15 - x, 15 - y) for y in range(16) for x in range(16)][:180]
    assert order[:179] == rows[1:]
    assert [x for x, _ in order[179:]] == sorted((x for x, _ in order[179:]), reverse=True)
    own = replace(CONFIG, order=("columns",))
    assert puzzle.geometry.position(order_of(board, own)[1]) == (0, 1)
    preferred = sides_of_colours(board, range(board.colours))
    quota = schedule_of(board, order_of(board, CONFIG), preferred, CONFIG).quota
    assert quota[155] == PRESET.quota(156) - 4  # of the hinted tile every side counts


@pytest.mark.parametrize("puzzle", [random_board(15, 16, 17, 1, 5), random_board(16, 16, 90, 1, 5)])
def test_boards_that_it_is_not_for(puzzle: Any) -> None:
    """Of another size, or without three colours that have enough sides."""
    assert "blackwood" in (Breaks().refuses(board_arrays(puzzle), CONFIG) or "")
