"""One search: slices, limits, the forecast, and the counters of states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from backends.frontier.problems import DOMINO, EVERYTHING, PUZZLES, packing, several, task_of
from dovetail.backends.base import Budget
from dovetail.backends.frontier.search import FrontierSearch
from dovetail.harness.run.job import Limits
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box, pentominoes_in_rectangle
from oracle.answers import solved

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
def test_no_count_until_the_end(work: int) -> None:
    """Then the total and a sample, once."""
    search = search_of(OPTIONAL)
    for status in slices(search, Budget(work)):
        if status is None and search.total is None:
            assert search.count is None
            assert len(search.take()) == 0
    assert (status, search.reason) == (Status.EXHAUSTED, None)
    assert search.total == search.count
    assert len(search.take()) == min(200, search.total or 0)
    assert len(search.take()) == 0


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


@pytest.mark.parametrize("max_count", [1, 7, 39, 40])
def test_a_limit_on_solutions_is_kept(max_count: int) -> None:
    """Exactly, where solutions are listed as they are found."""
    puzzle = pentominoes_in_rectangle(5, 6, "FLNPUY")
    request = Request(Symmetry.ALL, listing=True)
    config = {"break_symmetry": False}
    finished, found = solved(puzzle, request, "frontier", config, Limits(solutions=max_count))
    assert (finished.status, finished.count, len(found)) == (
        Status.SOLUTION_LIMIT,
        max_count,
        max_count,
    )
    finished, found = solved(puzzle, request, "frontier", config, Limits(solutions=41))
    assert (finished.status, finished.count, len(found)) == (Status.EXHAUSTED, 40, 40)


def test_states_are_counted_by_layer() -> None:
    """The most at once can be seen, and the forecast was of their size."""
    search = search_of(packing_called("pentominoes-6x10"))
    prepared = [search.prepared for _ in slices(search, Budget(50_000))]
    assert prepared == sorted(prepared)  # preparing comes first
    assert (prepared[0], prepared[-1]) == (False, True)
    native = search.counters.native
    layers = {k: n for k, n in native.items() if k.startswith("states_")}
    assert native["states"] == sum(layers.values())
    assert layers["states_0_placed"] == 1
    assert (native["piece_sets"], len(layers)) == (2**12, 13)
    assert search.counters.nodes is None
    assert search.forecast is not None
    assert 0.5 < search.forecast.states / native["states"] < 2


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


def test_solutions_are_options_of_the_task() -> None:
    """Each fills the square once, with −1 behind the last option where some are shorter."""
    square = packing("square", box(2, 2), several("A", DOMINO, 0, 2), several("B", box(1, 1), 0, 4))
    task = task_of(square)
    search = FrontierSearch(task, 1)
    assert list(slices(search, Budget(EVERYTHING)))[-1] == Status.EXHAUSTED
    rows = search.take()
    assert sorted(int(np.count_nonzero(row >= 0)) for row in rows) == [2, 2, 3, 3, 3, 3, 4]
    assert task.placements is not None
    for row in rows:
        count = int(np.count_nonzero(row >= 0))
        assert all(row[count:] == -1)
        cells = task.placements.cells[row[:count]]
        assert sorted(cells[cells >= 0].tolist()) == [0, 1, 2, 3]
