"""What searches find, as it was asked for: checked, one of each class, up to the limit."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.job import Limits, RandomOrder
from dovetail.models.solution import CoverSolution
from harness.run.scripted import SOLUTIONS, collector_of, plan_of

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
