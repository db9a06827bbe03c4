"""The refills of small windows against plain Python, and what repairs leave on a board."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dovetail.improvers.repair.improver import window_of
from dovetail.improvers.repair.kernels import refills as kernels
from dovetail.improvers.repair.kernels import windows
from dovetail.improvers.shared.board import BoardArrays, score
from improvers.repair import twin
from improvers.repair.boards import arrays, filled

assign: Any = kernels.assign
fill_by_assignment: Any = kernels.fill_by_assignment
fill_exactly: Any = kernels.fill_exactly
fill_greedily: Any = kernels.fill_greedily
rounds: Any = kernels.rounds
settle: Any = kernels.settle


def refills(board: BoardArrays, placed: NDArray[np.int32], cells: list[int]) -> list[int]:
    """The scores of all boards that have the same tiles elsewhere."""
    found = []
    for tiles in permutations([int(placed[cell]) // 4 for cell in cells]):
        turned = [
            [
                one
                for one in range(4 * tile, 4 * tile + 4)
                if board.frame[one] == board.cell_frame[c]
            ]
            for tile, c in zip(tiles, cells, strict=True)
        ]
        for laid in product(*turned):
            changed = placed.copy()
            changed[cells] = laid
            found.append(score(board, changed))
    return found


def emptied(
    data: st.DataObject, *, apart: bool, max_cells: int
) -> tuple[BoardArrays, NDArray[np.int32], list[int]]:
    """A full board and some of its cells."""
    board, placed = filled(4, 4, data.draw(st.integers(0, 99)), data.draw(st.integers(1, 5)))
    cells: list[int] = []
    for cell in data.draw(st.permutations(range(16))):
        touches = apart and set(board.neighbours[cell].tolist()) & set(cells)
        if len(cells) < max_cells and not touches:
            cells.append(cell)
    return board, placed, cells


def taken_off(
    board: BoardArrays, placed: NDArray[np.int32], cells: list[int], noise: int, seed: int
) -> tuple[tuple[Any, Any, Any, Any], int]:
    """What the kernels take once the cells are empty, and how many edges matched there."""
    entries = {windows.NOISE: noise, windows.MAX_PLACEMENTS: 10**6}
    taken = *arrays(board, placed, 0, entries, seed), window_of(board.cells, len(cells))
    walk, window = taken[2:]
    walk.trial[:] = placed
    walk.trial[cells] = -1
    walk.cells[: len(cells)] = cells
    window.tiles[:] = placed[cells] // 4
    return taken, score(board, placed) - score(board, walk.trial)


@settings(max_examples=15)
@given(st.data())
def test_greedily(data: st.DataObject) -> None:
    """The same cells, tiles and draws."""
    board, placed, cells = emptied(data, apart=False, max_cells=data.draw(st.integers(1, 8)))
    noise, seed = data.draw(st.integers(0, 2000)), data.draw(st.integers(0, 99))
    taken, _ = taken_off(board, placed, cells, noise, seed)
    trial, tiles = taken[2].trial.tolist(), taken[3].tiles.tolist()
    matched = fill_greedily(*taken, len(cells))
    assert matched == twin.greedy(board, trial, cells, tiles, noise, twin.Draws(seed))
    assert taken[2].trial.tolist() == trial


@settings(max_examples=15)
@given(st.data())
def test_assignments(data: st.DataObject) -> None:
    """Worth as much as the best of all permutations; negative worths among them."""
    count = data.draw(st.integers(1, 5))
    row = st.lists(st.integers(-9, 9), min_size=count, max_size=count)
    worth = np.array(data.draw(st.lists(row, min_size=count, max_size=count)))
    window = window_of(9, 6)
    window.worth[:count, :count] = worth
    assign(window, count)
    held = window.held[1 : count + 1] - 1
    assert sorted(held) == list(range(count))
    every = permutations(range(count))
    assert worth[held, range(count)].sum() == max(
        sum(worth[place, number] for number, place in enumerate(one)) for one in every
    )


@settings(max_examples=10)
@given(st.data())
def test_by_assignment(data: st.DataObject) -> None:
    """Without noise the best refill of all, corners, borders and inner cells together."""
    board, placed, cells = emptied(data, apart=True, max_cells=data.draw(st.integers(1, 4)))
    taken, before = taken_off(board, placed, cells, 0, 1)
    after = fill_by_assignment(*taken, len(cells))
    assert score(board, taken[2].trial) == score(board, placed) + after - before
    assert score(board, taken[2].trial) == max(refills(board, placed, cells))


@settings(max_examples=10)
@given(st.data())
def test_exactly(data: st.DataObject) -> None:
    """The best refill of all; with few placements one that is no worse, or none."""
    board, placed, cells = emptied(data, apart=False, max_cells=data.draw(st.integers(1, 4)))
    taken, before = taken_off(board, placed, cells, 0, data.draw(st.integers(0, 99)))
    _, rules, walk, window = taken
    after = fill_exactly(*taken, len(cells), before)
    assert score(board, walk.trial) == score(board, placed) + after - before
    assert score(board, walk.trial) == max(refills(board, placed, cells))
    assert walk.progress[windows.PROVED] == 1
    assert not window.used.any()
    rules.settings[windows.MAX_PLACEMENTS] = data.draw(st.integers(1, 6))
    walk.trial[:] = placed
    walk.trial[cells] = -1
    after = fill_exactly(*taken, len(cells), before)
    assert not window.used.any()
    if after >= 0:
        assert score(board, walk.trial) == score(board, placed) + after - before
        assert after >= before


@pytest.mark.parametrize("refill", [windows.GREEDY, windows.ASSIGNMENT, windows.EXACT])
def test_rounds(refill: int) -> None:
    """Every board has each tile once, hints where they were, and the score that is counted."""
    board, placed = filled(7, 6, 3, hints=3)
    entries = {
        windows.LOW: 2,
        windows.HIGH: 6,
        windows.APART: int(refill == windows.ASSIGNMENT),
        windows.NOISE: 900,
        windows.MAX_PLACEMENTS: 50,
    }
    for operator in range(4):
        taken = arrays(board, placed, operator, entries, seed=operator)
        _, rules, walk = taken
        rules.acceptance[:] = 0.25
        for _ in range(40):
            rounds(*taken, window_of(board.cells, 6), refill, 20)
            assert sorted(walk.placed // 4) == list(range(42))
            assert (board.frame[walk.placed] == board.cell_frame).all()
            assert (walk.placed[board.fixed >= 0] == board.fixed[board.fixed >= 0]).all()
            assert walk.progress[windows.SCORE] == score(board, walk.placed)
            assert walk.progress[windows.BEST] == score(board, walk.best)
        assert walk.progress[windows.BEST] > score(board, placed)
        assert walk.progress[windows.REPAIRS] >= walk.progress[windows.ACCEPTED] > 0


def test_acceptance() -> None:
    """What is no worse is accepted; what is worse with its chance, and never beyond the table."""
    board, placed = filled(4, 4, 1)
    _, rules, walk = arrays(board, placed, 0, {}, seed=1)
    rules.acceptance[:3] = 1.0, 0.3, 0.0
    at = int(walk.progress[windows.SCORE])
    for worse, share in ((0, 1.0), (1, 0.3), (2, 0.0), (20, 0.0)):
        before = int(walk.progress[windows.ACCEPTED])
        for _ in range(400):
            walk.progress[windows.SCORE] = at
            settle(rules, walk, at - worse)
        accepted = int(walk.progress[windows.ACCEPTED]) - before
        assert accepted == pytest.approx(400 * share, abs=40 if share == 0.3 else 0)
