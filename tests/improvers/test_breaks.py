"""The kernel of `breaks` against its twin, and published schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.improvers.base import NO_SCORE
from dovetail.improvers.breaks.holes import empty_stack as empty_holes_stack
from dovetail.improvers.breaks.holes import make_lists as make_holes_lists
from dovetail.improvers.breaks.improver import (
    PRESETS,
    Breaks,
    BreaksConfig,
    MismatchSchedule,
    empty_apart,
    empty_stack,
    make_lists,
    make_rules,
    order_of,
    schedule_of,
    sides_of_colours,
)
from dovetail.improvers.breaks.kernels import breaks as kernels
from dovetail.improvers.breaks.kernels import holes
from dovetail.improvers.breaks.kernels.holes import HolesLists
from dovetail.improvers.shared.board import BoardArrays, board_arrays, fill_order
from dovetail.kernels import layout as state_of
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, WORK_SPENT
from dovetail.models.boards.edges import EdgePuzzle, Hint, frame_of, turned
from dovetail.models.boards.partial_board import Objective
from dovetail.puzzles.edge_boards import random_board
from dovetail.random_stream import random_words
from oracle.strategies import hinted_boards

MAX_NODES = 3_000
begin: Any = kernels.begin
search: Any = kernels.search
open_step: Any = holes.open_step
search_holes: Any = holes.search


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


@settings(deadline=None, max_examples=20)
@given(st.data())
def test_nodes_and_records(data: st.DataObject) -> None:
    """Small boards, signed ones and hinted ones among them, in any order of cells.

    With every orientation preferred differently, nothing is left to chance.
    """
    puzzle = data.draw(hinted_boards())
    board = board_arrays(puzzle)
    free = [cell for cell in range(board.cells) if board.fixed[cell] < 0]
    assume(free)
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


BOARD = random_board(16, 16, 17, 1, 5)
CONFIG = BreaksConfig(schedule=("blackwood",))
PRESET = PRESETS["blackwood"]


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


@pytest.mark.parametrize("objective", Objective)
def test_slices_change_nothing(objective: Objective) -> None:
    """After so many nodes, restarts among them, the best board is the same.

    Of tiles each better board is reported long before its search ends.
    """
    edges, found = objective is Objective.EDGES, []
    nodes = 3_000 if edges else 20_000
    board = board_arrays(random_board(10, 10, 6, 3) if edges else BOARD, objective)
    restart = 700 if edges else 10**9
    config = BreaksConfig(restart_nodes=restart, boards=10.0)
    for work in (13, 500, 10**6):
        search, scores = Breaks().begin(board, config, 1, None), set()
        while search.nodes < nodes:
            search.advance(Budget(min(work, nodes - search.nodes)))
            scores.add(search.score)
        told = set() if edges else scores - {NO_SCORE}
        found.append((told, search.nodes, search.score, search.best.tolist()))
    assert found[0] == found[1] == found[2]
    assert edges or len(found[0][0]) > 1


BY_COLOUR = 2


class Twin:
    """Goes through candidates in the order of their entries in the lists, given as `ranks`.

    Keeps the number of nodes and each better partial board, as (nodes, score, orientations).
    """

    def __init__(
        self,
        board: BoardArrays,
        order: Sequence[int],
        allowed: Sequence[int],
        quota: Sequence[int],
        preferred: Sequence[int],
        ranks: Sequence[Sequence[int]],
        *,
        apart: bool = False,
    ) -> None:
        self.board, self.order = board, order
        self.allowed, self.quota, self.preferred, self.ranks = allowed, quota, preferred, ranks
        self.apart, self.placed = apart, board.fixed.tolist()
        self.nodes, self.best = 0, 0
        self.records: list[tuple[int, int, list[int]]] = []
        self.solve(0, 0, 0)

    def mismatches(self, cell: int, orientation: int) -> list[bool]:
        """For each side beyond which a tile lies, west and south first: whether it differs."""
        found = []
        for side in (3, 2, 1, 0):
            other = self.board.neighbours[cell, side]
            if other >= 0 and self.placed[other] >= 0:
                facing = self.board.sides[self.placed[other], (side + 2) % 4]
                found.append(bool(self.board.sides[orientation, side] != facing))
        return found

    def touching(self) -> bool:
        """Whether a tile has two sides that do not match."""
        lying = [(cell, one) for cell, one in enumerate(self.placed) if one >= 0]
        return any(sum(self.mismatches(*each)) > 1 for each in lying)

    def joined(self) -> int:
        """Edges between tiles, those between hints left out."""
        edges = 0
        for cell, orientation in enumerate(self.placed):
            for side in (0, 1):
                other = self.board.neighbours[cell, side]
                if other >= 0 and orientation >= 0 and self.placed[other] >= 0:
                    edges += self.board.fixed[cell] < 0 or self.board.fixed[other] < 0
        return edges

    def solve(self, depth: int, missed: int, reached: int) -> None:
        """Try what the rules allow in the next cell: what matches first."""
        if depth == len(self.order):
            return
        cell = self.order[depth]
        used = {orientation // 4 for orientation in self.placed if orientation >= 0}
        held = {orientation // 4 for orientation in self.board.fixed.tolist() if orientation >= 0}
        candidates = []
        for rank, orientation in enumerate(self.ranks[depth]):
            if orientation // 4 in held or not self.board.distinct[orientation]:
                continue
            differs = self.mismatches(cell, orientation)
            if sum(differs[:BY_COLOUR]) <= 1:
                candidates.append((sum(differs[:BY_COLOUR]), rank, orientation, sum(differs)))
        for by_colour, _, orientation, differing in sorted(candidates):
            if by_colour and missed >= self.allowed[depth]:
                break
            if orientation // 4 in used:
                continue
            reaches = reached + self.preferred[orientation]
            # what its list matches may be laid with no more than were missed before
            further = differing > by_colour or len(self.mismatches(cell, orientation)) > BY_COLOUR
            if further and missed + differing > self.allowed[depth]:
                continue
            if reaches < self.quota[depth]:
                continue
            self.placed[cell] = orientation
            if self.apart and self.touching():
                self.placed[cell] = -1
                continue
            self.nodes += 1
            score = self.joined() - missed - differing
            if score > self.best:
                self.best = score
                self.records.append((self.nodes, score, list(self.placed)))
            self.solve(depth + 1, missed + differing, reaches)
            self.placed[cell] = -1


def filled_or_skipped(
    board: BoardArrays, lists: HolesLists, allowed: list[int], max_nodes: int
) -> list[tuple[int, ...]]:
    """All partial boards in the order of a depth-first search, by orientations; -1 is a hole."""
    found: list[tuple[int, ...]] = []
    steps = lists.steps.tolist()

    def place(chosen: tuple[int, ...], placed: dict[int, int]) -> None:
        depth = len(chosen)
        if depth == len(steps):
            return
        cell, known = steps[depth][0], [0, 0, 0, 0]
        for side in range(4):
            other = int(board.neighbours[cell, side])
            if other in placed:
                known[side] = int(board.sides[placed[other], (side + 2) % 4])
        first, second = (known[steps[depth][at]] for at in (6, 7))
        which = steps[depth][5] + first * board.colours + second
        for one in lists.entries[lists.begin[which] : lists.begin[which + 1]].tolist():
            shown = board.sides[one].tolist()
            fits = all(want in (0, has) for want, has in zip(known, shown, strict=True))
            if fits and one // 4 not in {other // 4 for other in placed.values()}:
                visit((*chosen, one), {**placed, cell: one})
        if chosen.count(-1) < allowed[depth]:
            visit((*chosen, -1), placed)

    def visit(chosen: tuple[int, ...], placed: dict[int, int]) -> None:
        if len(found) < max_nodes:
            found.append(chosen)
            place(chosen, placed)

    hints = {int(cell): int(board.fixed[cell]) for cell in np.flatnonzero(board.fixed >= 0)}
    place((), hints)
    return found


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 99), st.integers(1, 5), st.integers(0, 3))
def test_holes_and_records(seed: int, colours: int, unlocked: int) -> None:
    """The boards of the kernel: its nodes, visits and the first board with most tiles."""
    puzzle = random_board(4, 3, colours, seed)
    board = board_arrays(replace(puzzle, hints=()), Objective.TILES)
    order = fill_order(board, ("bottom-up",), turn=seed % 8)
    lists, stack = make_holes_lists(board, order, seed), empty_holes_stack(board, len(order))
    allowed = [min(unlocked, step // 3) for step in range(len(order))]
    boards = filled_or_skipped(board, lists, allowed, 3_000)
    open_step(lists, stack, board.colours, 0, 0)
    limits = np.array(allowed, dtype=np.int64)
    ended, records = WORK_SPENT, []
    while ended != EXHAUSTED and (left := 3_000 - int(stack.state[holes.NODES])) > 0:
        ended = search_holes(lists, stack, board.colours, limits, min(left, 7))
        if ended == BUFFER_FULL or left <= 7:
            records.append(tuple(stack.record[: stack.state[holes.IMPROVED]].tolist()))
            stack.state[holes.IMPROVED] = 0
    assert stack.state[holes.NODES] == len(boards)
    assert stack.visits[1:].tolist() == [
        sum(len(chosen) == depth for chosen in boards) for depth in range(1, len(order) + 1)
    ]
    best = max((len(chosen) - chosen.count(-1) for chosen in boards), default=0)
    first = next((c for c in boards if len(c) - c.count(-1) == best), ())
    assert int(stack.state[holes.BEST]) == best
    assert next((record for record in reversed(records) if record), ()) == first


def test_a_board_that_hints_fill_has_a_score() -> None:
    """Nothing is placed, and the tiles of the hints count."""
    tiles = ((0, 1, 1, 0), (0, 0, 1, 1), (1, 1, 0, 0), (1, 0, 0, 1))
    hints = tuple(Hint(n % 2, 1 - n // 2, n, 0) for n in range(4))
    board = board_arrays(EdgePuzzle("hinted", 2, 2, tiles, hints), Objective.TILES)
    search = Breaks().begin(board, BreaksConfig(), 1, None)
    search.advance(Budget(10))
    assert search.score == 4


def test_tiles_refuse_settings_without_effect() -> None:
    board = board_arrays(BOARD, Objective.TILES)
    assert Breaks().refuses(board, BreaksConfig(restart_nodes=1)) is None
    for config, named in (
        (BreaksConfig(schedule=("201", "206")), "schedule"),
        (BreaksConfig(colours_first=3), "colours_first"),
    ):
        assert named in str(Breaks().refuses(board, config))


def test_a_late_schedule_does_not_hide_boards() -> None:
    """A search ends only when every step may have as many mismatches as it has edges.

    The best board of these tiles has its mismatch in the middle.
    """
    tiles = ((0, 3, 0, 0), (0, 1, 0, 2), (0, 3, 0, 3), (0, 0, 0, 2))
    board = board_arrays(EdgePuzzle("row", 4, 1, tiles))
    config = BreaksConfig(order=("bottom-up",), schedule=("4", "4", "4"))
    run = Breaks().begin(board, config, seed=1, start=None)
    for _ in range(100):
        if not run.advance(Budget(100)):
            break
    assert run.score == 2
