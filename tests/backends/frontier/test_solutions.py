"""Solutions from counts: listed, numbered and drawn, beside those that the twin walks through."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backends.frontier.problems import EVERYTHING, FIXED, problem_of, problems
from backends.frontier.twin import Twin
from dovetail.backends.base import Budget
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.search import FrontierSearch, Solutions, SweepCounting
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.backends.shared.state_search import MemoryBudget
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle

MAX_NUMBERED = 2_000
Rows = NDArray[np.int32]


def kept(problem: SweepProblem, memory_budget: MemoryBudget) -> SweepCounting:
    """The counting of a problem, done, with all layers."""
    counting = SweepCounting(problem, memory_budget)
    for _ in counting.expand():
        pass
    for _ in counting.meet(0):
        pass
    return counting


def listed(counting: SweepCounting, work: int, max_rows: int, at_once: int | None = None) -> Rows:
    """All rows, taken from a buffer of at most so many whenever the listing pauses."""
    solutions = Solutions(counting)
    buffer = SolutionBuffer(solutions.moves, np.int32, solutions.state, max_rows)
    budget, taken, is_done = Budget(work, solutions=at_once), list[Rows](), False
    while not is_done:
        rows = buffer.open_for(budget)
        assert rows is not None
        is_done = solutions.all_into(rows, work)
        taken.append(buffer.take())
        assert at_once is None or len(taken[-1]) <= at_once
    return np.concatenate(taken)


def moves_of(row: NDArray[np.int32]) -> tuple[int, ...]:
    """The moves of a row, in their order on the board; −1 lies behind the last of them."""
    moves = row.tolist()
    count = sum(move >= 0 for move in moves)
    assert all(move == -1 for move in moves[count:])
    assert count == len(set(moves[:count]))
    return tuple(sorted(moves[:count]))


def compare(problem: SweepProblem, work: int = EVERYTHING, rows: int = 1_000) -> None:
    """Every solution is listed once; it has as many numbers as its weights say, each its own."""
    twin, memory_budget = Twin(problem), MemoryBudget(work)
    counting = kept(problem, memory_budget)
    times = {tuple(sorted(moves)): twin.times(moves) for moves in twin.solutions()}
    assert counting.total == sum(times.values())
    if counting.layered_dp is None:
        return
    found = Counter(map(moves_of, listed(counting, work, rows)))
    assert found == Counter(dict.fromkeys(times, 1))
    if counting.total > MAX_NUMBERED:
        return
    unranked, images = Solutions(counting).numbered(range(counting.total))
    numbered = Counter(zip(map(moves_of, unranked), images.tolist(), strict=True))
    assert numbered == Counter(
        {(m, image): 1 for m, all_ in times.items() for image in range(all_)}
    )


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_the_twin_agrees(problem: SweepProblem) -> None:
    """Solutions of several lengths, with weights, and those that are symmetric."""
    compare(problem)


@given(problems(), st.sampled_from([1, 100, EVERYTHING]), st.sampled_from([1, 7, 1_000]))
@settings(max_examples=15)
def test_the_twin_agrees_at_random(problem: SweepProblem, work: int, rows: int) -> None:
    """In slices of any work, into buffers of any size."""
    compare(problem, work, rows)


@pytest.mark.parametrize(
    ("work", "rows", "at_once"), [(3, 1_000, None), (EVERYTHING, 5, None), (500, 100, 3)]
)
def test_slices_make_no_difference(work: int, rows: int, at_once: int | None) -> None:
    """The same rows in the same order, whatever is done and taken at once."""
    problem = problem_of(pentominoes_in_rectangle(5, 6, "FLNPUY"), "redundancy")
    counting = kept(problem, MemoryBudget(EVERYTHING))
    whole = listed(counting, EVERYTHING, 1_000)
    assert len(whole) == 10
    for memory_budget in (MemoryBudget(EVERYTHING), MemoryBudget(work)):
        assert np.array_equal(listed(kept(problem, memory_budget), work, rows, at_once), whole)


@pytest.mark.parametrize(
    ("letters", "reduction", "count"),
    [("FILNPTUVWXYZ", "redundancy", 1010), ("FLNPUY", "redundancy", 10), ("FLTUVX", None, 0)],
)
def test_a_sample_is_spread_evenly(letters: str, reduction: str | None, count: int) -> None:
    """200 solutions, all of them different, or all that there are."""
    puzzle = pentominoes_in_rectangle(5, len(letters), letters)
    reductions = () if reduction is None else (Reduction.parse(reduction),)
    taken = []
    for listing in (False, True):
        request = Request(Symmetry.ALL, reductions=reductions, listing=listing)
        search, status = FrontierSearch(build_task(puzzle, request)), None
        while status is None:
            status = search.advance(Budget(EVERYTHING))
        taken.append({tuple(sorted(row)) for row in search.take().tolist()})
    sample, every = taken
    assert len(every) == count
    assert (len(sample), sample <= every) == (min(200, count), True)
