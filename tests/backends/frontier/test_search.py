"""One search: slices, limits, forecast, counters; the problem of a puzzle, and its quotients."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from backends.frontier.problems import DOMINO, EVERYTHING, PUZZLES, packing, several, task_of
from backends.frontier.twin import Twin
from dovetail.backends.base import Budget
from dovetail.backends.frontier import layers
from dovetail.backends.frontier.problem import fixed_problem, packing_problem
from dovetail.backends.frontier.search import FrontierSearch, SweepCounting
from dovetail.backends.shared.state_search import MemoryBudget, RepresentationLimitError
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import loose_packings, packing_puzzles

OPTIONAL = PUZZLES[2]


def packing_called(name: str) -> PackingPuzzle:
    """A packing puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


def search_of(puzzle: PackingPuzzle, *, listing: bool = False) -> FrontierSearch:
    """The search for all solutions of a puzzle."""
    return FrontierSearch(build_task(puzzle, Request(Symmetry.ALL, listing=listing)), 1)


def slices(search: FrontierSearch, budget: Budget) -> Iterator[Status | None]:
    """What each slice of so much work ends with."""
    status = None
    while status is None:
        status = search.advance(budget)
        yield status


@pytest.mark.parametrize("work", [1, 1_000, EVERYTHING])
def test_what_is_found_is_counted_as_it_is_taken(work: int) -> None:
    """Also when nobody takes it for a while."""
    search, taken = search_of(OPTIONAL, listing=True), 0
    for number, _ in enumerate(slices(search, Budget(work))):
        if number % 3 == 0:
            taken += len(search.take())
            assert search.count == taken
    taken += len(search.take())
    assert search.total is None
    whole = search_of(OPTIONAL)
    assert list(slices(whole, Budget(EVERYTHING)))[-1] == Status.EXHAUSTED
    assert taken == search.count == whole.total


def test_more_solutions_than_a_word_can_count_are_listed() -> None:
    """Each side of the square in the middle has 2**33 ways; the product is a multiple of 2**64."""
    shifted = [3 * block + 5 * (block >= 33) for block in range(66)]
    blocks = [(x + left, y) for left in shifted for x, y in box(2, 2)]
    cells = (*blocks, *((99 + x, y) for x, y in box(4, 4)))
    search = search_of(packing("blocks", cells, several("A", DOMINO, 140)), listing=True)
    assert list(slices(search, Budget(EVERYTHING, solutions=3)))[-1] == Status.SOLUTION_LIMIT
    assert len(search.take()) == 3


def test_memory_that_will_not_do() -> None:
    """The forecast reports it before any layer is gathered."""
    free = search_of(packing_called("one-sided-pentominoes-5x18"))
    while not free.prepared:
        assert free.advance(Budget(EVERYTHING)) is None
    assert free.forecast is not None
    needed = free.forecast.memory_bytes
    search = search_of(packing_called("one-sided-pentominoes-5x18"))
    budget = Budget(EVERYTHING, memory_bytes=needed - 1)
    assert list(slices(search, budget))[-1] == Status.MEMORY_LIMIT
    assert search.reason is not None
    message = f"about {free.forecast.states:,} states would take {needed:,} bytes; "
    assert search.reason.startswith(f"{message}{needed - 1:,} are left")
    assert (search.prepared, search.count) == (False, None)
    assert "states" not in search.counters.native


# All four quarter turns leave a solution as it is.
WINDMILL = packing(
    "windmill-5x5", tuple(cell for cell in box(5, 5) if cell != (2, 2)), several("A", box(2, 3), 4)
)


def compare(puzzle: PackingPuzzle) -> list[int]:
    """The numbers of solutions that the symmetries leave as they are, each counted both ways."""
    task = task_of(puzzle)
    options = task.options
    assert isinstance(options, PackingOptions)
    problem = packing_problem(task)
    solutions = {
        frozenset(problem.option[list(moves)].tolist()) for moves in Twin(problem).solutions()
    }
    found = []
    for symmetry in options.symmetries(Symmetry.MIRROR):
        images = ({int(symmetry[option]) for option in one} for one in solutions)
        unchanged = sum(image == one for image, one in zip(images, solutions, strict=True))
        counting = SweepCounting(fixed_problem(options, symmetry), MemoryBudget(EVERYTHING))
        for step in (counting.expand, counting.meet):
            for _ in step():
                pass
        assert counting.total == unchanged
        found.append(unchanged)
    return found


@pytest.mark.parametrize("puzzle", [WINDMILL, *PUZZLES], ids=lambda puzzle: puzzle.name)
def test_all_symmetries(puzzle: PackingPuzzle) -> None:
    """Rotations and reflections in two and three dimensions."""
    compare(puzzle)


@given(packing_puzzles() | loose_packings())
@settings(max_examples=15)
def test_random_puzzles(puzzle: PackingPuzzle) -> None:
    """Holes, optional cells, repeats and ranges of copies, in one to four dimensions."""
    compare(puzzle)


def test_a_window_too_wide() -> None:
    """Two placements that lie far apart, and are one move: it spans what no window holds."""
    long = packing("strip", box(130, 1), several("A", DOMINO, 65))
    options = task_of(long).options
    assert isinstance(options, PackingOptions)
    for symmetry in options.symmetries(Symmetry.MIRROR)[1:]:
        problem = fixed_problem(options, symmetry)  # folded, it is half as long
        assert problem.cell_count <= 65
    moved = np.arange(options.option_count, dtype=np.int32)
    moved[[0, 100]] = 100, 0
    with pytest.raises(
        RepresentationLimitError, match=r"needs a window of 1[0-9][0-9] cells; the limit is 64"
    ):
        fixed_problem(options, moved)


def test_the_first_layer_of_a_side_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where cells may stay empty, the board may be left in many ways."""
    monkeypatch.setattr(layers, "LARGE", 1)
    assert list(slices(search_of(OPTIONAL), Budget(EVERYTHING)))[-1] == Status.EXHAUSTED
