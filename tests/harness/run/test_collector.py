"""The collector: solutions that searches find, and totals over searches."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.backends.stepwise import StepwiseSearch
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector, Tally
from dovetail.harness.run.job import Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.searches import run_sliced
from dovetail.models.outcome import Status
from dovetail.models.solution import CoverSolution
from harness.run.scripted import SOLUTIONS, STEPS, collector_of, plan_of, prepared, search_of

FOUND = np.array(SOLUTIONS, dtype=np.int32)


def listed(collector: SolutionCollector, found: np.ndarray) -> list[tuple[int, ...]]:
    """What is to be listed of solutions found."""
    return [tuple(row) for batch in collector.add(found, lambda: False) for row in batch.tolist()]


@pytest.mark.parametrize(("symmetry", "expected"), [("all", 4), ("unique", 1)])
def test_one_of_each_class(symmetry: str, expected: int) -> None:
    """Of all that a search finds, however it is cut into batches."""
    collector = collector_of(plan_of(symmetry))
    collector.begin_search()
    rows = [row for half in (FOUND[:1], FOUND[1:]) for row in listed(collector, half)]
    assert len(rows) == collector.count == expected
    assert set(rows) <= set(SOLUTIONS)
    assert collector.example == CoverSolution(SOLUTIONS[0])
    assert (collector.found, collector.verified, collector.error) == (4, 4, None)


def test_a_limit_on_solutions() -> None:
    """No more are listed, and the collector is complete."""
    collector = collector_of(plan_of("all"), Limits(solutions=3))
    collector.begin_search()
    assert len(listed(collector, FOUND[:2])) == 2
    assert not collector.complete
    assert len(listed(collector, FOUND[2:])) == 1
    assert (collector.complete, collector.count) == (True, 3)


def test_a_wrong_solution() -> None:
    """Is an error, and nothing is listed any more."""
    collector = collector_of(plan_of("all"))
    collector.begin_search()
    wrong = FOUND[:1].copy()
    wrong[0, 0] = wrong[0, 1]
    assert listed(collector, wrong) == []
    assert collector.error is not None
    assert collector.example is None
    assert listed(collector, FOUND[1:2]) == []


def test_what_an_earlier_search_has_found() -> None:
    """Restarts come upon the same solutions; within one search each is new."""
    collector = collector_of(plan_of("all", RandomOrder(1, restarts=True)))
    collector.begin_search()
    assert len(listed(collector, FOUND[:2])) == 2
    collector.begin_search()
    assert len(listed(collector, FOUND[1:3])) == 1
    assert (collector.count, collector.found) == (3, 2)


def test_whoever_reads_may_stop() -> None:
    """Between two batches; that more were found is remembered only if there were."""
    collector = collector_of(plan_of("all"))
    collector.begin_search()
    assert [len(batch) for batch in collector.add(FOUND, lambda: True)] == [4]
    assert not collector.cut_short


TRIALS = Trials(3, 2, seed=1)


def tallied(plan: Plan, *searches: StepwiseSearch, limits: Limits | None = None) -> Tally:
    """The tally of a plan after some searches, each run to its end."""
    tally = Tally(plan, collector_of(plan, limits))
    for search in searches:
        tally.begin()
        begun = prepared(search)
        for status in run_sliced(search, tally.limits_of(begun), RunClock()):
            for _ in tally.collect(begun, search.take, lambda: False):
                pass
            tally.update(search, status)
        tally.end(search, cpu_s=0.0)
    return tally


def test_several_searches_add_up() -> None:
    """Nodes of all, solutions that differ, and what became of each."""
    again = [None, SOLUTIONS[1], SOLUTIONS[2]]
    tally = tallied(plan_of("all", TRIALS), search_of(STEPS), search_of([None]), search_of(again))
    assert (tally.count, tally.counters.nodes) == (3, 6)
    assert tally.searched is not None
    assert (tally.searched.begun, tally.searched.with_solutions, tally.searched.found) == (3, 2, 4)
    assert tally.share(None) == 1.0


@pytest.mark.parametrize(
    ("status", "nodes", "over"),
    [
        (Status.EXHAUSTED, 4, True),
        (Status.REMAINING_LIMIT, 4, False),  # the end of a trial
        (Status.NODE_LIMIT, 4, False),  # that of a restart: the session's is 10
        (Status.NODE_LIMIT, 10, True),
        (Status.TIME_LIMIT, 4, True),
    ],
)
def test_the_end_of_one_search_and_of_all(status: Status, nodes: int, over: bool) -> None:
    """A trial or a restart that ends is followed by the next."""
    plan = plan_of("all", RandomOrder(1, restarts=True))
    tally = Tally(plan, collector_of(plan, Limits(nodes=10)))
    tally.begin()
    search = search_of([None] * nodes)
    assert list(run_sliced(search, Limits(), RunClock()))[-1] == Status.EXHAUSTED
    tally.update(search, status)
    assert tally.is_over == over
    left = tally.limits_of(prepared(search, nodes=5)).nodes
    assert left == min(5, 10 - nodes)
