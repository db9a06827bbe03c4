"""`repair`: windows and refills against plain Python, and what repairs leave on a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations, product
from typing import Any, Literal, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import dovetail
from dovetail.backends.base import Budget
from dovetail.improvers.repair.fits import fitting_tiles
from dovetail.improvers.repair.improver import (
    DESTROY,
    FOR_TILES,
    RefillName,
    Repair,
    RepairConfig,
    board_of,
    rules_of,
    walk_of,
    window_of,
)
from dovetail.improvers.repair.kernels import refills as kernels
from dovetail.improvers.repair.kernels import windows
from dovetail.improvers.repair.kernels.windows import RepairBoard, RepairRules, Walk
from dovetail.improvers.shared.board import EMPTY, BoardArrays, board_arrays, fill, score
from dovetail.improvers.shared.mismatches import take_off_mismatches
from dovetail.models.boards.edges import Hint
from dovetail.models.boards.partial_board import (
    Objective,
    board_error,
    mismatched_edges,
    verified_score,
)
from dovetail.models.outcome import Status
from dovetail.models.solution import EdgeSolution
from dovetail.puzzles.edge_boards import random_board
from improvers import repair_twin as twin
from improvers.repair_twin import Chooser, Draws

Arrays = tuple[RepairBoard, RepairRules, Walk]
Placed = tuple[int, ...]


def filled(
    width: int, height: int, seed: int, colours: int = 9, hints: int = 0
) -> tuple[BoardArrays, NDArray[np.int32]]:
    """A board filled greedily, some of whose cells, no neighbours, are hinted as they lie."""
    board = board_arrays(random_board(width, height, colours, seed))
    placed = board.fixed.copy()
    fill(board, placed)
    if not hints:
        return board, placed
    apart: list[int] = []
    for cell in range(board.cells):
        if len(apart) < hints and not set(board.neighbours[cell].tolist()) & set(apart):
            apart.append(cell)
    hinted = [
        Hint(*board.puzzle.geometry.position(cell), *divmod(int(placed[cell]), 4)) for cell in apart
    ]
    return board_arrays(replace(board.puzzle, hints=tuple(hinted))), placed


def arrays(
    board: BoardArrays,
    placed: NDArray[np.int32],
    operator: int,
    settings: dict[int, int],
    seed: int,
) -> Arrays:
    """What the kernels take, with one operator of destruction."""
    return board_of(board), rules_of([operator], settings), walk_of(board, placed, seed)


choose: Any = windows.choose


@pytest.mark.parametrize("name", DESTROY)
@settings(max_examples=10)
@given(data=st.data())
def test_cells_of_windows(name: str, data: st.DataObject) -> None:
    """The same as in plain Python, draw by draw; no hint, and where asked for no neighbours."""
    width, height = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    seed, apart = data.draw(st.integers(0, 99)), data.draw(st.booleans())
    board, placed = filled(width, height, seed, hints=data.draw(st.integers(0, 3)))
    high = data.draw(st.integers(1, board.cells))
    low = data.draw(st.integers(1, high))
    sizes = {windows.LOW: low, windows.HIGH: high, windows.APART: int(apart)}
    taken = arrays(board, placed, DESTROY[name], sizes, seed)
    twin = Chooser(board, placed.tolist(), Draws(seed))
    for _ in range(3):
        cells = taken[2].cells[: choose(*taken)].tolist()
        assert cells == twin.choose(DESTROY[name], low, high, apart=apart)
        assert len(cells) <= high
        assert (board.fixed[cells] < 0).all()
        touching = set(board.neighbours[cells].ravel().tolist()) & set(cells)
        assert not (apart and touching)
        if name == "rectangle" and not apart and not (board.fixed >= 0).any():
            for axis in ({c // height for c in cells}, {c % height for c in cells}):
                assert all(after - before == 1 for before, after in pairwise(sorted(axis)))


fill_by_assignment: Any = kernels.fill_by_assignment
fill_exactly: Any = kernels.fill_exactly
fill_greedily: Any = kernels.fill_greedily
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


@pytest.mark.parametrize("refill", FOR_TILES)
def test_repairs_of_tiles(refill: RefillName) -> None:
    """More tiles than a greedy board has lie without a mismatch, hints among them."""
    if refill == "cpsat":
        pytest.importorskip("ortools")
    hinted, placed = filled(6, 6, 1, hints=2)
    board = board_arrays(hinted.puzzle, Objective.TILES)
    take_off_mismatches(board, placed)
    search = Repair().begin(board, RepairConfig(refill=refill, width=16), 1, placed)
    while search.score <= np.count_nonzero(placed >= 0):
        search.advance(Budget(1_000))
    lie = verified_score(board.puzzle, board.partial_board(search.best), Objective.TILES)
    assert search.score == lie


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 99))
def test_the_fewest_tiles_are_taken_off(seed: int) -> None:
    """As many as brute force takes off, and no hint among them."""
    hinted, placed = filled(3, 3, seed, 4, hints=2)
    board = board_arrays(hinted.puzzle, Objective.TILES)
    fewest = min(
        len(cells)
        for count in range(10)
        for cells in combinations(np.flatnonzero(board.fixed < 0).tolist(), count)
        if not mismatched_edges(board.puzzle, board.partial_board(without(placed, cells)))
    )
    take_off_mismatches(board, placed)
    assert verified_score(board.puzzle, board.partial_board(placed), Objective.TILES) == 9 - fewest


def without(placed: NDArray[np.int32], cells: Sequence[int]) -> NDArray[np.int32]:
    """A board with some cells emptied."""
    left = placed.copy()
    left[list(cells)] = EMPTY
    return left


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 99))
def test_cells_are_filled_without_a_mismatch(seed: int) -> None:
    """By `domains`, from more tiles than cells, where there is a way; by brute force elsewhere."""
    board = board_arrays(random_board(4, 4, 3, seed), Objective.TILES)
    placed = board.fixed.copy()
    fill(board, placed)
    cells = [5, 6, 9]
    placed[cells] = EMPTY
    filled_board, _ = fitting_tiles(board, placed, cells, board.free_tiles(placed))
    ways = fits(board, placed, cells)
    if filled_board is None:
        assert not ways
    else:
        assert tuple(filled_board[cells].tolist()) in ways
        assert (without(filled_board, cells) == placed).all()


def fits(board: BoardArrays, placed: NDArray[np.int32], cells: Sequence[int]) -> set[Placed]:
    """All orientations of cells, as `distinct` has them, without a mismatch."""
    free = [4 * tile + turn for tile in board.free_tiles(placed) for turn in range(4)]
    free = [one for one in free if board.distinct[one]]
    alone = [[one for one in free if is_sound(board, placed, [cell], [one])] for cell in cells]
    return {one for one in product(*alone) if is_sound(board, placed, cells, one)}


def is_sound(
    board: BoardArrays, placed: NDArray[np.int32], cells: Sequence[int], chosen: Sequence[int]
) -> bool:
    """Whether orientations in some cells keep all rules."""
    trial = placed.copy()
    trial[list(cells)] = chosen
    partial = board.partial_board(trial)
    broken = board_error(board.puzzle, partial)
    return broken is None and not mismatched_edges(board.puzzle, partial)


@pytest.mark.parametrize("refill", get_args(RefillName))
def test_repairs(refill: RefillName) -> None:
    """From a board filled greedily to a better one, the same whatever the slices."""
    slow = refill in ("cpsat", "domains")
    if refill == "cpsat":
        pytest.importorskip("ortools")
    board, placed = filled(6, 6, 1, hints=2)
    config = RepairConfig(tuple(DESTROY), refill, cells=6 if slow else 0, width=16)
    found = []
    for work in (300, 5_000):
        search = Repair().begin(board, config, 1, placed)
        while search.counters["repairs"] < 8:
            assert search.advance(Budget(work))
        while not slow and search.nodes < 9_000:
            search.advance(Budget(min(work, 9_000 - search.nodes)))
        assert search.score == score(board, search.best) >= score(board, placed)
        assert search.score > score(board, placed) or refill == "domains"  # few windows fit
        assert board_error(board.puzzle, board.partial_board(search.best)) is None
        found.append((search.nodes, search.score, search.best.tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize(("objective", "best"), [("edges", 20), ("tiles", 15)])
@pytest.mark.parametrize("refill", get_args(RefillName))
def test_windows_without_free_cells(
    refill: RefillName, objective: Literal["edges", "tiles"], best: int
) -> None:
    """On a board with hints in all cells but one, whose tile fits nowhere."""
    if objective == "tiles" and refill not in FOR_TILES:
        pytest.skip(f"refill={refill} is for edges")
    if refill == "cpsat":
        pytest.importorskip("ortools")
    board = random_board(4, 4, 3, seed=3)
    solution = next(iter(dovetail.solve(board, limit=1)))
    assert isinstance(solution, EdgeSolution)
    cells = {(x, y): cell for y, row in enumerate(solution.cells) for x, cell in enumerate(row)}
    laid = {place: cell for place, cell in cells.items() if cell is not None}
    misfit, _ = laid.pop((1, 1))
    hints = tuple(Hint(x, y, tile, turns) for (x, y), (tile, turns) in laid.items())
    tiles = tuple((9, 9, 9, 9) if n == misfit else tile for n, tile in enumerate(board.tiles))
    puzzle, config = replace(board, tiles=tiles, hints=hints), {"refill": refill}
    found = dovetail.improve(puzzle, "repair", config=config, node_limit=40, objective=objective)
    assert (found.status, found.score) == (Status.NODE_LIMIT, best)
