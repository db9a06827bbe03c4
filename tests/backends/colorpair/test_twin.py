"""The twin beside boards laid tile by tile; its switches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from backends.colorpair.board import Board
from backends.colorpair.handmade import CORNERS
from backends.colorpair.rules import ContradictionError, propagate, require
from backends.colorpair.state import State
from backends.colorpair.strategies import (
    CHOICES,
    PATTERNS,
    SHAVING,
    SMALL,
    configs,
    configured,
    puzzles,
)
from backends.colorpair.twin import Twin, shave, survivor
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.options.edges import edge_options
from dovetail.puzzles.edge_boards import random_board
from oracle.brute_force import boards


@given(puzzle=puzzles(SMALL), config=configs())
@settings(max_examples=140)
def test_every_board_once(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """The boards that laying tile after tile finds, whatever is switched off."""
    options = edge_options(puzzle)
    twin = Twin(options, config)
    found = [tuple(tuple(options.sides[o].tolist()) for o in row) for row in twin.solutions]
    assert len(found) == len(set(found))
    assert set(found) == boards(puzzle)


RULES = ("contradiction", "instantiation", "preemption", "shared_edges", "cycles")
NO_RULES = configured(**dict.fromkeys(RULES, False))


def test_tiles_that_have_no_place() -> None:
    """A board whose tiles do not fit its cells is not searched."""
    tiles = [*CORNERS, *[(0, 1, 1, 1)] * 4, (0, 1, 2, 1)]
    twin = Twin(edge_options(EdgePuzzle("no inner tile", 3, 3, tuple(tiles))), NO_RULES)
    assert (twin.solutions, twin.fits.total()) == ([], 0)


def test_hints_that_do_not_match() -> None:
    """Cells with one orientation each, side by side."""
    board = EdgePuzzle("2x2", 2, 2, ((0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 1, 2), (0, 0, 2, 1)))
    first = Hint(0, 0, 0, 2)  # 1 to the north
    for above, found in ((Hint(0, 1, 1, 1), 1), (Hint(0, 1, 2, 1), 0)):
        options = edge_options(replace(board, hints=(first, above)))
        assert len(Twin(options, NO_RULES).solutions) == found


def test_one_tile_for_two_cells() -> None:
    """Of cells that have one orientation each, the second goes without."""
    board = EdgePuzzle("2x2", 2, 2, ((0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 2, 1), (0, 0, 3, 3)))
    options = edge_options(board)
    kept = (options.tile_type == 0) | (options.cell == 1) | (options.cell == 2)
    assert Twin(options.subset(np.flatnonzero(kept)), NO_RULES).solutions == []


def test_shaving_goes_on_to_the_end() -> None:
    """Of a cell with few candidates at least two survive, one by one."""
    config = configured(shaving="3")
    shaved = 0
    for seed in range(12):
        state = State(Board(edge_options(random_board(4, 4, 3, seed))))
        try:
            for cell in range(4):
                require(bool(state.candidates(cell)))
                state.laid[cell] = state.candidates(cell)[0]
            propagate(state, config)
            before = len(state.laid)
            shave(state, config)
        except ContradictionError:
            continue
        shaved += len(state.laid) > before
        for cell in state.open_cells():
            candidates = state.candidates(cell)
            survivors = [
                orientation
                for orientation in candidates
                if survivor(state, config, cell, orientation)
            ]
            assert len(candidates) > 3 or len(survivors) >= 2
    assert shaved


def nodes(seed: int, config: ColorPairConfig) -> int:
    """Of a board of 4 x 4, whose boards are found anyway."""
    twin = Twin(edge_options(random_board(4, 4, 3, seed)), config)
    assert set(twin.solutions) == by_all_rules(seed)
    return twin.fits.total()


@cache
def by_all_rules(seed: int) -> set[tuple[int, ...]]:
    """The boards that the default config finds."""
    return set(Twin(edge_options(random_board(4, 4, 3, seed)), ColorPairConfig()).solutions)


@pytest.mark.parametrize(
    ("rule", "seed"),
    [
        ("contradiction", 1),
        ("instantiation", 1),
        ("opposite", 1),
        ("preemption", 1),
        ("shared_edges", 4),
        ("cycles", 5),
    ],
)
def test_every_rule_saves_nodes(rule: str, seed: int) -> None:
    """The same boards at more nodes without it."""
    assert nodes(seed, configured(**{rule: False})) > nodes(seed, ColorPairConfig())


def test_every_choice_differs() -> None:
    """Patterns, scores, shaving limits and seeds each make another tree of the same boards."""
    patterns = [("none",), *(tuple(one for one in PATTERNS if one != left) for left in PATTERNS)]
    by_patterns = {nodes(0, configured(patterns=names)) for names in patterns}
    assert len(by_patterns) == len(patterns)
    by_choice = {nodes(0, configured(patterns=("none",), choice=one)) for one in CHOICES}
    assert len(by_choice) == len(CHOICES)
    shaved = [configured(shaving=limit) for limit in SHAVING]
    by_limit = {(nodes(3, config), nodes(5, config)) for config in shaved}
    assert len(by_limit) == len(SHAVING)
    by_pair = configured(patterns=("none",))
    assert nodes(2, replace(by_pair, value_order="probability")) != nodes(2, by_pair)
    assert nodes(3, replace(by_pair, single_colours=True)) < nodes(3, by_pair)
    assert nodes(0, ColorPairConfig(seed=1)) != nodes(0, ColorPairConfig())
