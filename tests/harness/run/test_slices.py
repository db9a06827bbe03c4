"""The loop that advances searches: limits are exact; what ends a run from outside comes first."""

from __future__ import annotations

import pytest

from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Limits
from dovetail.harness.run.searches import run_sliced
from dovetail.models.outcome import Status
from harness.run.scripted import SOLUTIONS, STEPS, search_of


@pytest.mark.parametrize(
    ("limits", "status", "nodes", "count"),
    [
        (Limits(), Status.EXHAUSTED, 4, 2),
        (Limits(nodes=0), Status.NODE_LIMIT, 0, 0),
        (Limits(nodes=3), Status.NODE_LIMIT, 3, 1),
        (Limits(solutions=1), Status.SOLUTION_LIMIT, 2, 1),
        (Limits(nodes=9, solutions=9), Status.EXHAUSTED, 4, 2),
    ],
)
def test_limits_are_exact(limits: Limits, status: Status, nodes: int, count: int) -> None:
    """However many slices it takes."""
    search = search_of(STEPS)
    *_, last = run_sliced(search, limits, RunClock())
    assert (last, search.counters.nodes, search.count) == (status, nodes, count)


def test_what_ends_a_run_from_outside() -> None:
    """An interruption or the deadline, before the search is advanced at all."""
    clock = RunClock(time_s=0)
    clock.start()
    search = search_of(STEPS)
    assert list(run_sliced(search, Limits(), clock)) == [Status.TIME_LIMIT]
    clock.interruption.request()
    assert list(run_sliced(search, Limits(), clock)) == [Status.INTERRUPTED]
    assert (search.counters.nodes, search.count) == (0, 0)


def test_solutions_wait_to_be_taken() -> None:
    """A search written as a generator goes on only when its buffer is emptied."""
    search = search_of([SOLUTIONS[0], (1, 2)] * 600)
    statuses = run_sliced(search, Limits(), RunClock())
    taken = 0
    for _ in statuses:
        assert search.count - taken <= 1_000
        rows = search.take()
        found = {tuple(one for one in row if one >= 0) for row in rows.tolist()}
        assert found <= {SOLUTIONS[0], (1, 2)}
        taken += len(rows)
    assert taken == search.count == 1_200
