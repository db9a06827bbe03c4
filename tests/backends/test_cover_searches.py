"""What the searches for bare cover problems that are written here have in common."""

from __future__ import annotations

import pytest

from backends.cover_searches import SEARCHES, CoverSearch, searched
from dovetail.backends.base import Budget
from dovetail.backends.shared import kernel_search
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.puzzles.cover_classics import langford, queens

each_search = pytest.mark.parametrize("kind", SEARCHES, ids=lambda kind: kind.__name__)


@each_search
@pytest.mark.parametrize("work", [1, 7, 70, 1000])
@pytest.mark.parametrize("problem", [langford(7), queens(6)], ids=lambda problem: problem.name)
def test_slices_change_nothing(kind: CoverSearch, problem: CoverProblem, work: int) -> None:
    """A search cut into small slices makes the same nodes and solutions."""
    whole, solutions = searched(kind(problem, None))
    sliced, same = searched(kind(problem, None), work)
    assert same == solutions
    assert sliced.counters == whole.counters


@each_search
def test_node_limit_is_exact_and_resumable(kind: CoverSearch) -> None:
    """The search stops at the node asked for, and goes on from there as if it had not."""
    search = kind(queens(8), None)
    assert search.advance(Budget(10**6, nodes=100)) == Status.NODE_LIMIT
    assert search.counters.nodes == 100
    assert search.advance(Budget(10**6, nodes=0)) == Status.NODE_LIMIT
    assert search.counters.nodes == 100
    assert search.advance(Budget(10**6)) == Status.EXHAUSTED
    assert (search.counters.nodes, search.count) == (1198, 92)


@each_search
def test_solution_limit_is_exact(kind: CoverSearch) -> None:
    """No solution more than asked for is found."""
    search = kind(queens(8), None)
    assert search.advance(Budget(10**6, solutions=0)) == Status.SOLUTION_LIMIT
    assert search.advance(Budget(10**6, solutions=5)) == Status.SOLUTION_LIMIT
    assert search.count == len(search.take()) == 5


@each_search
def test_a_full_buffer_ends_the_slice(kind: CoverSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions beyond the buffer wait until it is emptied; none is lost."""
    monkeypatch.setattr(kernel_search, "BUFFERED_PLACEMENTS", 200)
    search = kind(queens(10), None)
    taken, status = 0, None
    while status is None:
        status = search.advance(Budget(10**9))
        if status is None:
            assert search.advance(Budget(10**9)) is None, "nothing happens until it is emptied"
        taken += len(search.take())
    assert taken == search.count == 724


@each_search
def test_progress_grows_to_the_end(kind: CoverSearch) -> None:
    """The share of the tree done never falls, and is 1 at the end."""
    search = kind(langford(7), None)
    shares = [search.progress() or 0.0]
    while search.advance(Budget(200)) is None:
        search.take()
        shares.append(search.progress() or 0.0)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[1] < 0.2
    assert shares[-1] > 0.8
    assert search.progress() == pytest.approx(1)
