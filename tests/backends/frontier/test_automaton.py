"""The automaton of frontier shapes beside its twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings

from backends.frontier.problems import (
    EVERYTHING,
    FIXED,
    bits,
    built,
    problem_of,
    problems,
)
from backends.frontier.twin import SweepBoard, Twin
from dovetail.backends.frontier.automaton import Automaton, AutomatonBuilder, shape_bits
from dovetail.backends.frontier.kernels import automaton as automaton_kernels
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.shared.state_search import MemoryBudget, MemoryBudgetExceededError
from dovetail.harness.run.session import returned
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle


def boards_of(automaton: Automaton, twin: Twin) -> list[SweepBoard]:
    """The board of each node, by the moves on the ways to it, which all have to give the same."""
    found: dict[int, SweepBoard] = {0: frozenset()} if automaton.node_count else {}
    for node in range(automaton.node_count):
        for edge in range(automaton.nodes.first_edge[node], automaton.nodes.first_edge[node + 1]):
            reached = twin.settled(found[node], int(automaton.nodes.move[edge]))
            assert found.setdefault(int(automaton.nodes.to[edge]), reached) == reached
    return [found[node] for node in range(automaton.node_count)]


def compare(problem: SweepProblem) -> None:
    """The nodes, their edges, and what is said of them."""
    twin, automaton = Twin(problem), built(problem)
    boards = boards_of(automaton, twin)
    assert len(set(boards)) == len(boards)
    assert set(boards) == set(twin.edges)
    assert [len(board) for board in boards] == sorted(map(len, boards))
    for node, board in enumerate(boards):
        leaving = range(automaton.nodes.first_edge[node], automaton.nodes.first_edge[node + 1])
        edges = [(int(automaton.nodes.move[e]), boards[automaton.nodes.to[e]]) for e in leaving]
        assert Counter(edges) == Counter(twin.edges[board])
        assert bool(automaton.nodes.accepting[node]) == (board in twin.accepting)
        assert bits(automaton.nodes.before[node]) == twin.before[board]
        assert bits(automaton.nodes.behind[node]) == twin.behind[board]


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_the_twin_agrees(problem: SweepProblem) -> None:
    """Boards from which the region can be filled, edges, shapes before and behind them."""
    compare(problem)


@given(problems())
@settings(max_examples=15)
def test_the_twin_agrees_at_random(problem: SweepProblem) -> None:
    """Holes, optional cells, several parts, one to four dimensions."""
    compare(problem)


def test_slices_make_no_difference() -> None:
    """Nor does it matter that the arrays are full several times on the way."""
    problem = problem_of(pentominoes_in_rectangle(6, 10))
    whole, sliced = built(problem), built(problem, 10_000)
    assert whole.node_count > 6_000  # nodes and edges did not fit at first
    for name, array in whole.nodes._asdict().items():
        assert np.array_equal(array, getattr(sliced.nodes, name)), name


def test_slices_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No range that a kernel goes through has more nodes than there is work for."""
    sizes: dict[str, list[int]] = {}

    def spied(name: str) -> Callable[..., None]:
        kernel = getattr(automaton_kernels, name)

        def spy(first: int, last: int, *arrays: object) -> None:
            sizes.setdefault(name, []).append(last - first)
            kernel(first, last, *arrays)

        return spy

    ranges = ("enter", "number_useful", "compress", "behind_by_node")
    for name in ranges:
        monkeypatch.setattr(automaton_kernels, name, spied(name))
    built(problem_of(pentominoes_in_rectangle(6, 10)), 10_000)
    assert sizes.keys() == set(ranges)
    assert all(len(each) > 1 and max(each) <= 1_000 for each in sizes.values())


def test_an_island_that_no_pieces_fill() -> None:
    """Dominoes cannot fill a single cell: boards with one closed off are not gone on with."""
    problem = FIXED[0][1]
    assert problem.fillable.tolist() == [n % 2 == 0 for n in range(17)]
    pruned = AutomatonBuilder(problem, MemoryBudget(EVERYTHING))
    blind = AutomatonBuilder(without_islands(problem), MemoryBudget(EVERYTHING))
    for builder in (pruned, blind):
        for _ in builder.expand():
            pass
    assert pruned.nodes < blind.nodes
    assert (
        returned(pruned.finish()).node_count == returned(blind.finish()).node_count
    )  # none of them was of use


def without_islands(problem: SweepProblem) -> SweepProblem:
    """The problem as if pieces had any volume."""
    return SweepProblem(**{**vars(problem), "fillable": np.ones_like(problem.fillable)})


def test_shapes_beyond_the_word() -> None:
    """Shapes as bits: the first 64 of them."""
    uses = np.eye(66, dtype=np.int64)[[0, 63, 64, 65]]
    uses[3, 1] = 2
    assert [bits(word) for word in shape_bits(uses)] == [{0}, {63}, set(), {1}]


def test_too_little_memory() -> None:
    """Ends the building before more is taken, with how far it has come."""
    memory_budget = MemoryBudget(EVERYTHING, 2**20)
    builder = AutomatonBuilder(problem_of(pentominoes_in_rectangle(6, 10)), memory_budget)
    message = r"^more than [\d,]+ frontier shapes, for \d+% of the board, would take [\d,]+ bytes; "
    with pytest.raises(MemoryBudgetExceededError, match=message + "1,048,576 are left"):
        list(builder.expand())
    assert builder.held_bytes <= 2**20
