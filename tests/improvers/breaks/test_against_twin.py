"""The kernel of `breaks` against its twin: nodes, records and boards, in slices of any length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.errors import PuzzleError
from dovetail.improvers.breaks.improver import (
    Breaks,
    BreaksConfig,
    MismatchSchedule,
    empty_apart,
    empty_stack,
    make_lists,
    make_rules,
)
from dovetail.improvers.breaks.kernels import breaks as kernels
from dovetail.improvers.shared.board import BoardArrays, board_arrays
from dovetail.kernels import layout as state_of
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED
from dovetail.models.edges import EdgePuzzle, Hint, turned
from dovetail.models.frame import frame_of
from dovetail.puzzles.edge_boards import random_board
from dovetail.random_stream import random_words
from improvers.breaks.twin import Twin
from oracle.strategies import edge_puzzles, signed_twin

MAX_NODES = 3_000
begin: Any = kernels.begin
search: Any = kernels.search


def ranks(board: BoardArrays, preferred: Sequence[int], order: Sequence[int]) -> list[list[int]]:
    """For each cell the orientations of its frame: those with most preferred sides first.

    Ties are left to the lists, which order them at random.
    """
    return [
        sorted(
            np.flatnonzero(board.frame == board.cell_frame[cell]).tolist(),
            key=lambda one: -preferred[one],
        )
        for cell in order
    ]


@st.composite
def boards(draw: st.DrawFn) -> EdgePuzzle:
    """Up to 3 x 3, some of them signed; up to two tiles lie where their frame does."""
    puzzle = random_board(
        3, draw(st.integers(2, 3)), draw(st.integers(1, 4)), draw(st.integers(0, 99))
    )
    if draw(st.booleans()):
        puzzle = signed_twin(puzzle, 1)
    hints: list[Hint] = []
    for number in draw(st.lists(st.integers(0, 8), max_size=2, unique=True)):
        tile = number % len(puzzle.tiles)
        places = [
            Hint(x, y, tile, rotation)
            for x, y in puzzle.geometry.positions
            for rotation in range(4)
            if frame_of(turned(puzzle.tiles[tile], rotation)) == puzzle.geometry.frame_at((x, y))
        ]
        hints.append(draw(st.sampled_from(places)))
    try:
        hinted = replace(puzzle, hints=tuple(hints))
        board_arrays(hinted)
    except PuzzleError:
        return puzzle
    return hinted


@settings(deadline=None, max_examples=20)
@given(st.data())
def test_nodes_and_records(data: st.DataObject) -> None:
    """Small boards, signed ones and hinted ones among them, in any order of cells.

    With every orientation preferred differently, nothing is left to chance.
    """
    puzzle = data.draw(st.one_of(edge_puzzles(), boards()))
    if len(puzzle.tiles) > 9:
        return
    board = board_arrays(puzzle)
    free = [cell for cell in range(board.cells) if board.fixed[cell] < 0]
    order = data.draw(st.permutations(free))
    depth = st.integers(0, len(order))
    unlocked = data.draw(st.lists(depth, max_size=3))
    allowed = [sum(one <= step for one in unlocked) for step in range(len(order))]
    quota = [0] * len(order)
    if data.draw(st.booleans()):
        quota[len(order) // 2 :] = [1] * (len(order) - len(order) // 2)
    preferred = np.argsort(random_words(data.draw(st.integers(0, 99)), 0, 4 * board.cells))
    lists = make_lists(board, order, preferred.astype(np.uint32), seed=1)
    ones = np.ones(4 * board.cells, dtype=np.uint32)
    lists = lists._replace(preferred=ones)
    apart = data.draw(st.booleans())
    ranked = ranks(board, preferred.tolist(), order)
    twin = Twin(board, order, allowed, quota, ones.tolist(), ranked, apart=apart)
    if twin.nodes > MAX_NODES:
        return
    rules = make_rules(board, order, MismatchSchedule(allowed, quota, 1))
    stack = empty_stack(board, len(order))
    colours, touched = np.uint64(board.colours), empty_apart(board, len(order)) if apart else None
    begin(lists, rules, stack, colours)
    records = []
    slice_nodes = data.draw(st.integers(1, 50))
    for _ in range(2 * MAX_NODES):
        ended = search(lists, rules, stack, touched, colours, np.uint64(slice_nodes))
        filled = int(stack.state[kernels.IMPROVED])
        if filled:
            placed = board.fixed.copy()
            placed[np.array(order[:filled])] = stack.record[:filled]
            records.append((int(stack.state[kernels.BEST]), placed.tolist()))
            stack.state[kernels.IMPROVED] = 0
        if ended == EXHAUSTED:
            break
    assert int(stack.state[state_of.NODES]) == twin.nodes
    if slice_nodes == 1:
        assert records == [(score, placed) for _, score, placed in twin.records]
    elif twin.records:
        assert records[-1] == (twin.records[-1][1], twin.records[-1][2])
    else:
        assert not records


def test_slices_change_nothing() -> None:
    """After so many nodes, restarts among them, the best board is the same."""
    board = board_arrays(random_board(10, 10, 6, 3))
    config = BreaksConfig(restart_nodes=700, boards=10.0)
    found = []
    for work in (7, 500, 10**6):
        search = Breaks().begin(board, config, 1, None)
        while search.nodes < 3_000:
            search.advance(Budget(min(work, 3_000 - search.nodes)))
        found.append((search.nodes, search.score, search.best.tolist()))
    assert found[0] == found[1] == found[2]
    assert found[0][1] > 0


def test_lists_of_a_hinted_cell_have_its_neighbours() -> None:
    """A cell between hints must match them, or use a mismatch for each it does not match."""
    tiles = ((0, 1, 0, 0), (0, 2, 0, 1), (0, 0, 0, 2))
    puzzle = EdgePuzzle("row", 3, 1, tiles, (Hint(0, 0, 0, 0), Hint(2, 0, 2, 0)))
    board = board_arrays(puzzle)
    lists = make_lists(board, [1], np.zeros(12, dtype=np.uint32), seed=1)
    stack = empty_stack(board, 1)
    rules = make_rules(board, [1], MismatchSchedule([0], [0], 1))
    begin(lists, rules, stack, np.uint64(board.colours))
    for expected in (BUFFER_FULL, EXHAUSTED):
        ended = search(lists, rules, stack, None, np.uint64(board.colours), np.uint64(10))
        assert ended == expected
        stack.state[kernels.IMPROVED] = 0
    assert int(stack.state[state_of.NODES]) == 1
    assert int(stack.state[kernels.BEST]) == 2


@pytest.mark.parametrize("seed", [1, 2])
def test_ties_are_broken_by_the_seed(seed: int) -> None:
    """The same seed makes the same lists, another one other lists of the same entries."""
    board = board_arrays(random_board(4, 4, 2, 1))
    plain = np.zeros(4 * board.cells, dtype=np.uint32)
    one, same, other = (make_lists(board, range(16), plain, s) for s in (seed, seed, seed + 1))
    assert (one.entries == same.entries).all()
    assert (one.entries != other.entries).any()
    assert (one.begin == other.begin).all()
    assert sorted(one.entries) == sorted(other.entries)
