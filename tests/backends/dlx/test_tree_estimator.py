"""Random descents by dancing links beside their twin in plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backends.dlx.twin import Twin
from backends.searches import run_out
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.kernels.guide import RANDOM, descents
from dovetail.backends.shared.tree_estimator import (
    GuidedEstimator,
    GuidedTreeEstimator,
    Placed,
    random_state,
)
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.cover_classics import queens
from dovetail.random_stream import RandomStream
from oracle.strategies import cover_problems


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
    estimator = GuidedEstimator(DlxSearch(problem, None), None, random_state(seed))
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

    def placed_and_left(row: NDArray[np.int32]) -> Placed:
        return row.astype(np.int64), search.left

    estimator = GuidedEstimator(search, None, random_state(seed), placed_and_left)
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


def test_descents_that_are_abandoned() -> None:
    """The search is at its root again."""
    abandoned, other = (DlxSearch(queens(8), None, hand_over=3) for _ in range(2))
    paths = np.full((100, abandoned.levels), RANDOM)
    descending = abandoned.descend(descents(paths, random_state(1)))
    next(descending)
    del descending
    for search in (abandoned, other):
        run_out(search)
    assert abandoned.counters == other.counters


@given(cover_problems(), st.sampled_from([0, 1000]))
@settings(max_examples=35)
def test_a_wide_prefix_is_the_whole_tree(problem: CoverProblem, population: int) -> None:
    """Nodes by options taken, and solutions, are those of the search, and nothing is drawn."""
    whole = Twin(problem)
    estimator = GuidedTreeEstimator(DlxSearch(problem, None), None, 0, 1000, population)
    *nodes, solutions = estimator.levels(1)[0].tolist()
    assert nodes == [whole.nodes[depth] for depth in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(whole.solutions), 0)


def test_the_levels_of_the_prefix_are_exact() -> None:
    """Those with no more nodes than it may have; below them descents begin, one for each node."""
    whole = Twin(queens(8))
    estimator = GuidedTreeEstimator(DlxSearch(queens(8), None), None, 0, 100)
    rows = estimator.levels(3)
    assert [whole.nodes[depth] for depth in range(3)] == [8, 42, 138]
    assert rows[:, :3].tolist() == [[8, 42, 138]] * 3
    assert estimator.probes == 3 * 42
