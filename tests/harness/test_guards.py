"""Guards, which give up a search of `auto` so that another backend can be chosen."""

from __future__ import annotations

import pytest

from dovetail.backends.base import Search
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.stepwise import StepwiseSearch
from dovetail.harness.planning.boards import NodeGuard
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Job, Limits, Plan
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import Guard, run_sliced
from dovetail.harness.run.session import Session
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from oracle.answers import counted


def six() -> DlxSearch:
    """Return a search of 1,240 nodes."""
    options = build_task(load("pentominoes-5x6-FLNPUY"), Request(Symmetry.ALL)).options
    return DlxSearch(options.cover, options.placements_per_solution)


class WorkGuard(Guard):
    """Gives up after an amount of work, and notes the work at each decision."""

    def __init__(self, max_work: int, work: int = 0) -> None:
        super().__init__()
        self.work, self._max_work = work, max_work
        self.seen = list[int]()

    def problem(self, search: Search) -> str | None:
        self.seen.append(self.work)
        return "too long" if self.work >= self._max_work else None


def test_a_guard_that_does_not_give_up() -> None:
    """The search is as without a guard."""
    plain, guarded, guard = six(), six(), WorkGuard(10**12)
    for search, its_guard in ((plain, None), (guarded, guard)):
        statuses = list(run_sliced(search, Limits(), RunClock(), 1_000, its_guard))
        assert statuses[-1] == Status.EXHAUSTED
    assert guarded.take().tolist() == plain.take().tolist()
    assert (guarded.counters, guarded.count) == (plain.counters, plain.count)
    assert guard.reason is None


@pytest.mark.parametrize("spent", [0, 3_000])
def test_a_guard_that_gives_up(spent: int) -> None:
    """Work of an earlier trial counts; the search is skipped, with the reason."""
    guard = WorkGuard(5_000, spent)
    *_, status = run_sliced(six(), Limits(), RunClock(), 1_000, guard)
    assert (status, guard.reason) == (Status.SKIPPED, "too long")
    assert guard.seen == list(range(spent + 1_000, 5_001, 1_000))


class Reporting(StepwiseSearch):
    """A search that reports a number of nodes and a share."""

    def __init__(self, nodes: int, share: float | None) -> None:
        super().__init__(iter(()))
        self.nodes, self.share = nodes, share

    @property
    def counters(self) -> Counters:
        return Counters(self.nodes)

    def progress(self) -> float | None:
        return self.share


@pytest.mark.parametrize(
    ("share", "limit"),
    [(None, None), (0.0, None), (0.5, None), (0.8, 1250), (0.95, 1250), (1.0, 1250)],
)
def test_nodes_left_are_compared_with_the_rival(share: float | None, limit: int | None) -> None:
    """At a share of 0.8, 1,000 nodes leave 250, as many as the rival would need."""
    guard = NodeGuard(max_nodes=1000, rival_nodes=250)
    assert guard.problem(Reporting(999, share)) is None
    problem = guard.problem(Reporting(1000, share))
    if limit is None:
        assert problem == "not finished after 1,000 nodes, more than were expected"
    else:
        assert (problem, guard.max_nodes) == (None, limit)


@pytest.mark.parametrize(
    ("rival_nodes", "status"), [(0, Status.SKIPPED), (10**6, Status.EXHAUSTED)]
)
def test_a_guarded_session(rival_nodes: int, status: Status) -> None:
    """The search ends exactly at the node, or goes on to the end and finds each solution once."""
    puzzle = load("edges-5-b3i3-1")
    plan = Plan.of(Job(puzzle, Request(Symmetry.ALL), "rows"))
    *_, result = Session(plan, guard=NodeGuard(100_000, rival_nodes)).run()
    assert isinstance(result, Result)
    assert result.status == status
    whole = counted(puzzle, "rows")
    if status == Status.SKIPPED:
        assert result.nodes == 100_000
        assert result.reason == "not finished after 100,000 nodes, more than were expected"
    else:
        assert (result.count, result.nodes) == (whole.count, whole.nodes)
