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
from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.listing import Listing, RowBuffer
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.frontier.unranking import Unranking
from dovetail.backends.frontier.ways import ways_of
from dovetail.backends.shared.memory_budget import MemoryBudget
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle

MAX_NUMBERED = 2_000
Rows = NDArray[np.int32]


def kept(problem: SweepProblem, memory_budget: MemoryBudget) -> Counting:
    """The counting of a problem, done, with all layers."""
    counting = Counting(problem, memory_budget)
    for _ in counting.expand():
        pass
    for _ in counting.meet(keep=True):
        pass
    return counting


def listed(
    counting: Counting, memory_budget: MemoryBudget, rows: int, at_once: int | None = None
) -> Rows:
    """All rows, taken from a buffer of so many whenever the listing pauses."""
    ways = ways_of(counting)
    buffer = RowBuffer(rows, ways.moves)
    buffer.open_for(at_once)
    taken = [buffer.rows[:0]]
    for _ in Listing(ways, counting.ended, memory_budget, buffer).steps():
        taken.append(buffer.take())
        assert at_once is None or len(taken[-1]) <= at_once
        buffer.open_for(at_once)
    taken.append(buffer.take())
    return np.concatenate(taken)


def numbering_of(counting: Counting) -> Unranking:
    """The solutions of a counted problem, numbered."""
    return Unranking(counting, ways_of(counting))


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
    found = Counter(map(moves_of, listed(counting, memory_budget, rows)))
    assert found == Counter(dict.fromkeys(times, 1))
    if counting.total > MAX_NUMBERED:
        return
    numbering = numbering_of(counting)
    unranked, images = numbering.unranked(range(numbering.total))
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
    whole = listed(counting, MemoryBudget(EVERYTHING), 1_000)
    assert len(whole) == 10
    for memory_budget in (MemoryBudget(EVERYTHING), MemoryBudget(work)):
        assert np.array_equal(
            listed(kept(problem, memory_budget), MemoryBudget(work), rows, at_once), whole
        )


def test_a_sample_is_spread_evenly() -> None:
    """As many solutions as are asked for, all of them different, or all that there are."""
    problem = problem_of(pentominoes_in_rectangle(5, 12), "redundancy")
    counting = kept(problem, MemoryBudget(EVERYTHING))
    every = set(map(moves_of, listed(counting, MemoryBudget(EVERYTHING), 10_000)))
    assert len(every) == 1010
    numbering = numbering_of(counting)
    some = numbering.sample(100)
    assert len(some) == 100
    assert set(map(moves_of, some)) < every
    assert set(map(moves_of, numbering.sample(4040))) == every  # each has four numbers


def test_a_sample_of_too_few() -> None:
    """All 40 are drawn, and none where there is none."""
    for letters, count in (("FLNPUY", 40), ("FLTUVX", 0)):
        problem = problem_of(pentominoes_in_rectangle(5, 6, letters))
        counting = kept(problem, MemoryBudget(EVERYTHING))
        assert counting.total == count
        if counting.layered_dp is not None:
            assert len(numbering_of(counting).sample(200)) == count


def test_rows_are_taken_once() -> None:
    """A buffer of rows is empty when they have been taken, and never holds more than it may."""
    buffer = RowBuffer(4, 2)
    buffer.open_for(3)
    assert buffer.limit == 3
    buffer.rows[:2], buffer.filled = 5, 2
    buffer.open_for(3)
    assert buffer.limit == 4
    assert buffer.take().tolist() == [[5, 5], [5, 5]]
    assert buffer.take().shape == (0, 2)
    buffer.open_for(None)
    assert buffer.limit == 4
