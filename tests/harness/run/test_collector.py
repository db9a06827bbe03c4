"""Searches advanced in slices, the collector of their solutions, totals, and wrong results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dovetail.api import solve
from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.stepwise import StepwiseSearch
from dovetail.errors import BackendError
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import CHECKED_FIRST, SolutionChecker, SolutionCollector, Tally
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job, Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.searches import PreparedSearch, run_sliced
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import CoverSolution
from dovetail.models.task import Task, build_task, lower
from dovetail.models.verification.dispatch import verifier_for
from dovetail.puzzles.loading import load
from harness.known import known

QUEENS = load("queens-6")
# Four in all, of which one is unique.
SOLUTIONS = sorted(
    tuple(sorted(row))
    for event in execute(Job(QUEENS, Request.named("all", False, [])).listed())
    if isinstance(event, Found)
    for row in event.options.tolist()
)
STEPS = [None, None, SOLUTIONS[0], None, SOLUTIONS[1], None]  # four nodes, two solutions


def plan_of(symmetry: str, order: RandomOrder | Trials | None = None) -> Plan:
    """A plan that lists solutions of six queens."""
    request = replace(Request.named(symmetry, False, []), listing=True)
    return Plan(QUEENS, request, "dlx", order=order)


def collector_of(plan: Plan, limits: Limits | None = None) -> SolutionCollector:
    """What collects for a plan."""
    return SolutionCollector(plan, task_of(plan), limits or Limits(), RunClock())


def task_of(plan: Plan) -> Task:
    """The task of a plan."""
    return lower(plan.puzzle).task(plan.request)


def search_of(steps: Sequence[tuple[int, ...] | None]) -> StepwiseSearch:
    """A search that makes a node at each None and finds the others."""
    return StepwiseSearch(_each(steps))


def prepared(search: StepwiseSearch, nodes: int | None = None) -> PreparedSearch:
    """A search that can begin, whose options are those of the puzzle."""
    return PreparedSearch(search, lambda found: found, nodes)


def _each(steps: Sequence[tuple[int, ...] | None]) -> Iterator[Sequence[int] | None]:
    yield from steps


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


def test_what_an_earlier_search_has_found() -> None:
    """Restarts come upon the same solutions; within one search each is new."""
    collector = collector_of(plan_of("all", RandomOrder(1, restarts=True)))
    collector.begin_search()
    assert len(listed(collector, FOUND[:2])) == 2
    collector.begin_search()
    assert len(listed(collector, FOUND[1:3])) == 1
    assert (collector.count, collector.found) == (3, 2)


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
        (Status.REMAINING_LIMIT, 4, False),
        (Status.NODE_LIMIT, 10, True),
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


@pytest.mark.parametrize(
    ("limits", "status", "nodes", "count"),
    [
        (Limits(), Status.EXHAUSTED, 4, 2),
        (Limits(nodes=3), Status.NODE_LIMIT, 3, 1),
        (Limits(solutions=1), Status.SOLUTION_LIMIT, 2, 1),
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


ALL = Request(Symmetry.ALL)


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda rows: np.concatenate([rows, rows[:1]]), "was found before"),
        (np.zeros_like, "chosen twice"),
        (lambda rows: rows[1:], "counted 4 and listed 3 solutions"),
    ],
)
def test_a_lying_backend_is_wrong(monkeypatch: Any, tamper: Any, reason: str) -> None:
    """Duplicates, non-solutions, and solutions counted but not listed."""
    take = DlxSearch.take
    monkeypatch.setattr(DlxSearch, "take", lambda search: tamper(take(search)))
    finished = finish(execute(Job(load("queens-6"), ALL, "dlx")))
    assert finished.status == Status.WRONG
    assert reason in known(finished.reason)


def test_what_is_wrong_is_not_handed_out(monkeypatch: Any) -> None:
    """A listing ends with an error before the solution that is none."""
    take = DlxSearch.take
    monkeypatch.setattr(DlxSearch, "take", lambda search: np.zeros_like(take(search)))
    with pytest.raises(BackendError, match="chosen twice"):
        next(solve("queens-6", "dlx", symmetry="all"))


def test_the_sample_does_not_depend_on_slices() -> None:
    """The first thousand and the same few of the rest, however the stream is cut."""
    task = build_task(load("queens-8"), ALL)
    whole, cut = SolutionChecker(task, seed=3), SolutionChecker(task, seed=3)
    whole_choice = whole._sampled(0, 10_000)
    pieces = [cut._sampled(first, 100) for first in range(0, 10_000, 100)]
    assert np.array_equal(whole_choice, np.concatenate(pieces))
    assert whole_choice[:CHECKED_FIRST].all()
    assert 80 < int(whole_choice[CHECKED_FIRST:].sum()) < 210
    other = SolutionChecker(task, seed=4)._sampled(0, 10_000)
    assert not np.array_equal(whole_choice, other)


def test_the_first_that_is_verified_is_kept() -> None:
    """Of one search and not of its parts; an error leaves nothing."""
    task = build_task(load("queens-6"), ALL)
    events = execute(Job(task.puzzle, ALL, "dlx").listed())
    rows = np.concatenate([event.options for event in events if isinstance(event, Found)])
    checker, part = SolutionChecker(task, 0), SolutionChecker(task, 0, verifier_for(task))
    for one in (checker, part):
        one.check(rows[:0])
        assert one.first_row is None
        one.check(rows[:2])
        one.check(rows[2:])
        assert one.error is None
    assert known(checker.first_row).tolist() == rows[0].tolist()
    assert part.first_row is None
    wrong = SolutionChecker(task, 0)
    wrong.check(np.zeros_like(rows))
    wrong.check(rows)
    assert (wrong.first_row, wrong.verified) == (None, 0)


@pytest.mark.parametrize("step", ["abc", 3, [2**40]])
def test_steps_that_are_no_options(step: Any) -> None:
    search = StepwiseSearch(iter([None, [0, 1], step]))
    assert search.advance(Budget(work=10**6)) == Status.EXHAUSTED
    message = f"a search has yielded {step!r}; expected None or numbers of options"
    with pytest.raises(BackendError, match=re.escape(message)):
        search.take()


def test_all_that_is_listed_is_verified() -> None:
    """Counting verifies a part, listing everything."""
    puzzle = load("soma-cube")
    listing = Request(Symmetry.ALL, listing=True)
    counted = finish(execute(Job(puzzle, ALL, "dlx")))
    listed = finish(execute(Job(puzzle, listing, "dlx")))
    assert CHECKED_FIRST <= counted.verified < 11_520 == listed.verified
