"""The beam search against plain Python: all states of a level, their colours, worth and values."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.improvers.shared.beam import (
    BeamFill,
    FillPlan,
    empty_candidates,
    max_sides,
    pairing_potential,
)
from dovetail.improvers.shared.board import EMPTY, BoardArrays, board_arrays, fill, score
from dovetail.improvers.shared.kernels import beam as kernels
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import Objective, verified_score
from dovetail.puzzles.edge_boards import random_board

WEIGHT, SOFTNESS = 0.3, 0.8
HOLE = -2  # a cell that stays empty
BY_CANDIDATE = ("parent", "orientation", "rank", "hash")
expand: Any = kernels.expand
keep: Any = kernels.keep

Placed = tuple[int, ...]
State = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]


def pairings(sides: int, facing: int) -> float:
    """The logarithm of the ways to find partners for open sides and to pair up the others."""
    found = 0.0
    for partner in range(facing):
        found += log(max(0, sides - partner) + SOFTNESS)
    rest = sides - facing
    while rest > 1:
        found += log(rest - 1 + SOFTNESS)
        rest -= 2
    return WEIGHT * found


class Twin:
    """What follows from the tiles that lie on a board."""

    def __init__(self, board: BoardArrays) -> None:
        self.board = board

    def open_sides(self, placed: Placed) -> list[tuple[int, int, int]]:
        """Cells, sides and colours of the tiles beside empty cells."""
        return [
            (cell, side, int(self.board.sides[orientation, side]))
            for cell, orientation in enumerate(placed)
            for side in range(4)
            if orientation >= 0
            and (other := int(self.board.neighbours[cell, side])) >= 0
            and placed[other] == EMPTY
        ]

    def state(self, placed: Placed) -> State:
        """What makes two boards the same to a beam."""
        used = tuple(sorted(orientation // 4 for orientation in placed if orientation >= 0))
        return used, tuple(sorted(self.open_sides(placed)))

    def worth(self, placed: Placed) -> float:
        """The potential of the colours that are left."""
        used = set(self.state(placed)[0])
        left = [self.board.sides[4 * t] for t in range(self.board.cells) if t not in used]
        colours = [colour for tile in left for colour in tile.tolist()]
        facing = [colour for _, _, colour in self.open_sides(placed)]
        every = range(1, self.board.colours)
        return sum(pairings(colours.count(c), facing.count(c)) for c in every)

    def score(self, placed: Placed) -> int:
        """Matched edges, or tiles."""
        return score(self.board, np.array(placed, dtype=np.int32))

    def children(self, placed: Placed, cell: int, mismatches: int) -> list[Placed]:
        """Every board with one tile more that has no more mismatches at the cell, and a hole."""
        used = set(self.state(placed)[0])
        found = []
        if self.board.objective is Objective.TILES:
            found, mismatches = [(*placed[:cell], HOLE, *placed[cell + 1 :])], 0
        for orientation in range(4 * self.board.cells):
            fits = self.board.frame[orientation] == self.board.cell_frame[cell]
            if not fits or orientation // 4 in used or not self.board.distinct[orientation]:
                continue
            missed = 0
            for side in range(4):
                other = int(self.board.neighbours[cell, side])
                if other >= 0 and placed[other] >= 0:
                    facing = self.board.sides[placed[other], (side + 2) % 4]
                    missed += int(self.board.sides[orientation, side] != facing)
            if missed <= mismatches:
                found.append((*placed[:cell], orientation, *placed[cell + 1 :]))
        return found


def small_board(data: st.DataObject) -> EdgePuzzle:
    """Of up to 3 x 3 cells."""
    height, colours = data.draw(st.integers(2, 3)), data.draw(st.integers(1, 3))
    return random_board(3, height, colours, data.draw(st.integers(0, 99)))


@pytest.mark.parametrize("objective", Objective)
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_every_state_of_each_level(data: st.DataObject, objective: Objective) -> None:
    """With a beam wider than there are states, from a board on which some tiles lie."""
    board = board_arrays(small_board(data), objective)
    twin = Twin(board)
    full = board.fixed.copy()
    fill(board, full)
    order = data.draw(st.permutations(range(board.cells)))[: data.draw(st.integers(1, 6))]
    first = full.copy()
    first[order] = -1
    potential = pairing_potential(max_sides(board), WEIGHT, SOFTNESS)
    beam = BeamFill(board, first, order, potential, 3000, seed=1)
    marked = np.where(full < 0, HOLE, full)
    marked[order] = EMPTY
    level = {twin.state(tuple(marked.tolist())): tuple(marked.tolist())}
    for cell in order:
        mismatches = int(beam.candidates.progress[kernels.MISMATCHES])
        children = [
            child for placed in level.values() for child in twin.children(placed, cell, mismatches)
        ]
        children.sort(key=twin.score)  # of boards that look the same the best is the last
        if not children:
            return  # it tries again with more mismatches
        beam.advance(10**6)
        level = {twin.state(child): child for child in children}
        states = beam.states
        assert beam.count == len(level)
        used = [
            tuple(t for t in range(board.cells) if int(words[t // 64]) >> t % 64 & 1)
            for words in states.used[: beam.count]
        ]
        assert sorted(used) == sorted(one for one, _ in level)
        assert sorted(states.worth[: beam.count]) == pytest.approx(
            sorted(twin.worth(placed) for placed in level.values())
        )
    assert beam.done
    assert score(board, beam.placed) <= max(map(twin.score, level.values()))
    assert twin.state(tuple(np.where(beam.placed < 0, HOLE, beam.placed).tolist())) in level
    verified_score(board.puzzle, board.partial_board(beam.placed), objective)


@pytest.mark.parametrize("objective", Objective)
def test_no_child_above_the_bar_is_left_out(objective: Objective) -> None:
    """The bar keeps the same children as a sort of all of them."""
    board = board_arrays(random_board(6, 6, 4, 2), objective)
    potential, order = pairing_potential(max_sides(board)), range(36)
    tiles = FillPlan(board, board.fixed, order, potential).tiles
    beam = BeamFill(board, board.fixed.copy(), order, potential, 40, seed=1)
    raised = 0
    for step in order:
        found = []
        for wanted in (20, 10**9):
            candidates = empty_candidates(5000, board.colours)
            progress = candidates.progress
            progress[kernels.WANTED] = wanted
            progress[kernels.MISMATCHES] = beam.candidates.progress[kernels.MISMATCHES]
            expand(tiles, beam.states, candidates, step, 0, beam.count, 0.0, np.uint64(3))
            rows = np.array((candidates.parent, candidates.orientation, candidates.rank))
            found.append(rows[:, : progress[kernels.COUNT]].T.tolist())
            raised += int(progress[kernels.BAR]) > 0
        *_, bar = sorted((rank for *_, rank in found[1]), reverse=True)[:20]
        above = [sorted(child for child in its if child[2] > bar) for its in found]
        assert above[0] == above[1]
        nodes = beam.nodes
        while beam.nodes == nodes:
            beam.advance(10**6)
    assert raised > 20


@settings(deadline=None, max_examples=10)
@given(st.data())
def test_narrow_beams_fill_boards(data: st.DataObject) -> None:
    """Whatever the slices: each tile once, and the tiles that lay before where they were."""
    puzzle = random_board(5, 4, data.draw(st.integers(1, 5)), data.draw(st.integers(0, 99)))
    board = board_arrays(puzzle)
    width, seed = data.draw(st.integers(1, 40)), data.draw(st.integers(0, 5))
    order = data.draw(st.permutations(range(20)))
    potential = pairing_potential(max_sides(board))
    found = []
    for states in (1, 7, 1000):
        beam = BeamFill(board, board.fixed.copy(), order, potential, width, seed)
        while not beam.done:
            beam.advance(states)
            assert beam.count <= width
        assert sorted(beam.placed // 4) == list(range(20))
        assert (board.frame[beam.placed] == board.cell_frame).all()
        found.append(beam.placed.tolist())
    assert found[0] == found[1] == found[2]


@settings(deadline=None, max_examples=15)
@given(ranks=st.lists(st.integers(0, 3), min_size=1, max_size=60), wanted=st.integers(1, 6))
def test_ties_make_way_for_better_candidates(ranks: list[int], wanted: int) -> None:
    """However many ties there are: the highest ranks of those wanted are kept, the first of them.

    With a buffer of eight.
    """
    empty = empty_candidates(1, 2)
    candidates = empty._replace(**{name: getattr(empty, name)[:8] for name in BY_CANDIDATE})
    progress = candidates.progress
    progress[kernels.WANTED] = wanted
    for number, one in enumerate(ranks):
        if one >= progress[kernels.BAR]:
            keep(candidates, number, 0, one, np.uint64(number))
    kept = range(int(progress[kernels.COUNT]))
    found = [(-int(candidates.rank[at]), int(candidates.parent[at])) for at in kept]
    best = sorted((-one, number) for number, one in enumerate(ranks))
    assert sorted(found)[:wanted] == best[:wanted]
