"""The kernel and random descents beside their twin, node for node, from any depth on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backends.dlx.twin import Twin
from backends.searches import run_out
from dovetail.backends.base import Budget
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.kernels.layout import ITEM_HEURISTICS
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.dlx.tables import build_links
from dovetail.backends.shared.segments import Position
from dovetail.backends.shared.tree_estimator import (
    GuidedEstimator,
    GuidedTreeEstimator,
    random_state,
)
from dovetail.harness.run.searches import shuffled
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell
from dovetail.models.options.base import Options
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.polyominoes import box
from dovetail.random_stream import RandomStream
from oracle.strategies import cover_problems, edge_puzzles, packing_puzzles


def outside_in(cells: Sequence[Cell]) -> Callable[[Cell], int]:
    """Greatest distance from the centre first."""
    spans = [(min(axis), max(axis)) for axis in zip(*cells, strict=True)]
    return lambda cell: -sum((2 * c - a - b) ** 2 for c, (a, b) in zip(cell, spans, strict=True))


class CellTwin(Twin):
    """Picks items by a heuristic for every number of options taken."""

    def __init__(
        self, options: Options, heuristics: Sequence[str], hand_over: int | None = None
    ) -> None:
        assert options.cells is not None
        places = map(tuple, options.cells.positions.tolist())
        self.lies = dict(zip(options.cells.item.tolist(), places, strict=True))
        self.heuristics = heuristics
        super().__init__(options.cover, hand_over=hand_over)

    def target(self, choices: dict[int, int], taken: list[int]) -> int:
        cells = [i for i in choices if i in self.lies]
        heuristic = self.heuristics[min(len(taken), len(self.heuristics) - 1)]
        if heuristic == "s" or not cells:
            return super().target(choices, taken)
        forced = cells if heuristic in "ef" else list(choices)
        if any(choices[i] <= 1 for i in forced):
            return min(forced, key=lambda i: choices[i])
        rank = self.rank(heuristic, taken)
        return min(cells, key=lambda i: (rank(self.lies[i]), choices[i]))

    def rank(self, heuristic: str, taken: list[int]) -> Callable[[Cell], int]:
        """The least comes first."""
        everywhere = sorted(self.lies.values())
        covered = {i for option in taken for i in self.members[option]}
        free = {cell for i, cell in self.lies.items() if i not in covered}
        return {
            "e": lambda cell: sum(
                sum(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1 for other in free
            ),
            "f": everywhere.index,
            "x": lambda cell: cell[0],
            "X": lambda cell: -cell[0],
            "R": outside_in(everywhere),
            "r": lambda cell: -outside_in(everywhere)(cell),
        }[heuristic]


def searched(
    options: Options, stages: Sequence[str], hand_over: int | None = None, work: int = 10**6
) -> tuple[DlxSearch, list[list[int]], list[list[int]]]:
    """A search run to its end, what it yielded, and what was left below each."""
    schedule = DlxConfig(tuple(stages)).schedule().stages
    pieces = options.placements_per_solution
    search = DlxSearch(options.cover, pieces, schedule, options.cells, hand_over)
    yielded, left = list[list[int]](), list[list[int]]()
    status = None
    while status is None:
        status = search.advance(Budget(work))
        for row in search.take().tolist():
            yielded.append([o for o in row if o >= 0])
            left.append([] if hand_over is None else search.left.tolist())
    assert status == Status.EXHAUSTED
    return search, yielded, left


@st.composite
def schedules(draw: st.DrawFn, pieces: int) -> tuple[list[str], list[str]]:
    """Words for up to three stages, and the heuristic for every number of options taken."""
    heuristic = st.sampled_from([*ITEM_HEURISTICS, "e", "f", "x", "X", "R", "r"])
    words = [draw(heuristic)]
    by_taken = [words[0]] * (pieces + 1)
    later = draw(st.sets(st.integers(1, pieces - 1), max_size=2)) if pieces > 1 else set()
    for begins in sorted(later, reverse=True):
        chosen = draw(heuristic)
        words.append(f"{chosen}@{begins}")
        by_taken[pieces - begins :] = [chosen] * (begins + 1)
    return words, by_taken


def assert_equal_to_twin(options: Options, data: st.DataObject) -> None:
    """Whatever the stages, run to the end, or to be handed over from a depth on."""
    pieces = options.placements_per_solution
    assert pieces is not None
    words, by_taken = data.draw(schedules(pieces))
    hand_over = data.draw(st.none() | st.integers(1, pieces))
    work = data.draw(st.sampled_from([1, 10**6]))
    twin = CellTwin(options, by_taken, hand_over)
    search, yielded, left = searched(options, words, hand_over, work)
    assert yielded == twin.solutions
    assert hand_over is None or left == twin.left
    fits = search.counters.fits_by_remaining
    assert fits == {r: twin.nodes[pieces - r] for r in range(pieces, 0, -1)}


@given(packing_puzzles(), st.data())
@settings(max_examples=50)
def test_packings_equal_the_twin(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """Nodes by pieces remaining and solutions in order; some cells may stay empty."""
    optional = tuple(data.draw(st.sets(st.sampled_from(puzzle.region), max_size=4)))
    *others, last = puzzle.pieces
    if others and len(last.cells) <= len(optional):
        puzzle = replace(puzzle, pieces=tuple(others), optional=optional)
    else:
        puzzle = replace(puzzle, optional=optional)
    assert_equal_to_twin(build_task(puzzle, Request(Symmetry.ALL)).options, data)


@given(edge_puzzles(), st.data())
@settings(max_examples=20)
def test_boards_equal_the_twin(puzzle: Puzzle, data: st.DataObject) -> None:
    """The same for tiles, equal ones among them."""
    assert_equal_to_twin(build_task(puzzle, Request(Symmetry.ALL)).options, data)


@given(cover_problems())
@settings(max_examples=40)
def test_what_is_left_with_bounds_and_colours(problem: CoverProblem) -> None:
    """Each option once, however many of its items are open."""
    assume(problem.option_count)
    twin = Twin(problem, hand_over=1)
    search = DlxSearch(problem, None, hand_over=1)
    left = list[list[int]]()
    while search.advance(Budget(10**6)) is None:
        search.take()
        left.append(search.left.tolist())
    assert left == twin.left


@pytest.mark.parametrize("stages", [["f"], ["e"], ["x"]])
def test_a_range_of_copies_takes_one_stage(stages: list[str]) -> None:
    """Where solutions differ in size, one heuristic goes all the way."""
    pieces = (
        Piece("I", ((0, 0), (0, 1)), min_count=0, max_count=6),
        Piece("M", ((0, 0),), min_count=0, max_count=4),
    )
    puzzle = PackingPuzzle("ranges", SquareLattice(2), box(3, 3), pieces)
    task = build_task(puzzle, Request(Symmetry.ALL))
    _, expected, _ = searched(task.options, ["s"])
    twin = CellTwin(task.options, [stages[0]] * 12)
    _, solutions, _ = searched(task.options, stages)
    assert solutions == twin.solutions
    assert sorted(map(sorted, solutions)) == sorted(map(sorted, expected))
    assert refusal(task, *stages, "s@3") is not None


def refusal(task: Task, *stages: str) -> str | None:
    """Why `dlx` does not take a task."""
    return Dlx().refuses(task, DlxConfig(stages))


@given(cover_problems())
@settings(max_examples=100)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, and the same number of nodes at every depth."""
    twin = Twin(problem)
    search = DlxSearch(problem, None)
    assert run_out(search) == twin.solutions
    depths = np.flatnonzero(search._fits)
    assert {int(d): int(search._fits[d]) for d in depths} == dict(twin.nodes)


class ProbingTwin(Twin):
    """One descent; `choose` draws a number below a bound.

    `met` are the nodes by options taken before, `reached` the weight of the end, 0 for a dead
    end, with the options taken in `made`, and those left in `rest`.
    """

    def __init__(
        self, problem: CoverProblem, choose: Callable[[int], int], hand_over: int | None = None
    ) -> None:
        self.choose = choose
        self.met: dict[int, int] = {}
        self.weight, self.reached = 1, 0
        self.made, self.rest = list[int](), list[int]()
        super().__init__(problem, hand_over=hand_over)

    def search(
        self, options: list[int], open_items: dict[int, tuple[int, int]], taken: list[int]
    ) -> None:
        """Follow one branch of those that the whole search follows one after another."""
        if not open_items:
            self.reached, self.made, self.rest = self.weight, taken, options
            return
        users = {i: [o for o in options if i in self.members[o]] for i in open_items}
        choices = {i: len(users[i]) + 1 - max(0, low) for i, (low, _) in open_items.items()}
        item = self.target(choices, taken)
        branches = choices[item]
        if branches <= 0:
            return
        if len(taken) >= self.hand_over and branches > 1:
            self.reached, self.made, self.rest = self.weight, taken, options
            return
        nodes = branches - 1 if open_items[item][0] <= 0 else branches
        self.met[len(taken)] = self.met.get(len(taken), 0) + self.weight * nodes
        self.weight *= branches
        chosen = self.choose(branches)
        if self.problem.upper[item] > 1 or self.problem.lower[item] == 0:
            options = [o for o in options if o not in users[item][:chosen]]
        if chosen < nodes:
            self.take(users[item][chosen], options, open_items, taken)
        else:
            rest = {i: bounds for i, bounds in open_items.items() if i != item}
            self.search([o for o in options if item not in self.members[o]], rest, taken)


@given(cover_problems(), st.integers(0, 2**64 - 1))
@settings(max_examples=70)
def test_descents_equal_those_of_the_twin(problem: CoverProblem, seed: int) -> None:
    """From one random stream, one after another: nodes, and what they reach."""
    descents = 5
    stream = RandomStream(seed)
    twins = [ProbingTwin(problem, stream.below) for _ in range(descents)]
    estimator = GuidedEstimator(DlxSearch(problem, None), random_state(seed))
    probed = estimator.probe(descents, prefix_width=1)
    assert probed.reached.tolist() == [twin.reached for twin in twins]
    rows = [{d: n for d, n in enumerate(row) if n} for row in probed.nodes.tolist()]
    assert rows == [{d: n for d, n in twin.met.items() if n} for twin in twins]


@given(cover_problems(), st.integers(1, 3), st.integers(0, 2**64 - 1))
@settings(max_examples=70)
def test_probes_that_end_a_segment(problem: CoverProblem, hand_over: int, seed: int) -> None:
    """The options made, and those that may complete them: of the same sets as the twin's."""
    if hand_over >= len(DlxSearch(problem, None)._rules.heuristic):
        return
    search = DlxSearch(problem, None, hand_over=hand_over)

    def placed_and_left(row: NDArray[np.int32]) -> Position:
        return Position(row.astype(np.int64), search.left)

    estimator = GuidedEstimator(search, random_state(seed), placed_and_left)
    probed, stream = estimator.probe(5, prefix_width=1), RandomStream(seed)
    ends = {int(end.rows[0]): end for end in probed.ends}
    for number in range(5):
        twin = ProbingTwin(problem, stream.below, hand_over)
        assert (number in ends) == (twin.reached > 0)
        if number in ends:
            end = ends[number]
            assert (end.weights.tolist(), end.placed.tolist()) == ([twin.reached], twin.made)
            # Options of closed items alone cannot be met any more, and are not listed.
            assert end.left is not None
            assert set(end.left.tolist()) <= set(twin.rest)


def test_options_lie_by_piece_and_first_cell_in_whatever_order_they_are_tried() -> None:
    task = build_task(catalogue_puzzle("pentominoes-3x20"), Request())
    cover = shuffled(task, seed=1).cover
    matrix, _ = build_links(cover)
    in_memory = list(dict.fromkeys(matrix.option[matrix.option >= 0].tolist()))
    assert in_memory != sorted(in_memory)
    members = [cover.item[begin:end].tolist() for begin, end in pairwise(cover.start)]
    places = [(members[option][-1], members[option][0]) for option in in_memory]
    assert places == sorted(places)
    assert len(places) == task.options.option_count


@given(cover_problems(), st.sampled_from([0, 1000]))
@settings(max_examples=35)
def test_a_wide_prefix_is_the_whole_tree(problem: CoverProblem, population: int) -> None:
    """Nodes by options taken, and solutions, are those of the search, and nothing is drawn."""
    whole = Twin(problem)
    estimator = GuidedTreeEstimator(DlxSearch(problem, None), 0, 1000, population)
    *nodes, solutions = estimator.levels(1)[0].tolist()
    assert nodes == [whole.nodes[depth] for depth in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(whole.solutions), 0)


def test_the_levels_of_the_prefix_are_exact() -> None:
    """Those with no more nodes than it may have; below them descents begin, one for each node."""
    whole = Twin(queens(8))
    estimator = GuidedTreeEstimator(DlxSearch(queens(8), None), 0, 100)
    rows = estimator.levels(3)
    assert [whole.nodes[depth] for depth in range(3)] == [8, 42, 138]
    assert rows[:, :3].tolist() == [[8, 42, 138]] * 3
    assert estimator.probes == 3 * 42
