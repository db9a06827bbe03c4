"""When a search goes on that has made more nodes than were expected."""

from __future__ import annotations

import pytest

from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.job import Job, Plan
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import NodeGuard, Session
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from oracle.answers import counted


@pytest.mark.parametrize(
    ("share", "limit"),
    [(None, None), (0.0, None), (0.5, None), (0.8, 1250), (0.95, 1250), (1.0, 1250)],
)
def test_what_is_left_is_compared_with_the_rival(share: float | None, limit: int | None) -> None:
    """At 0.8 of a thousand nodes 250 are left, which the rival would need as well."""
    assert NodeGuard(max_nodes=1000, rival_nodes=250).next_limit(1000, share) == limit


@pytest.mark.parametrize(
    ("rival_nodes", "status"), [(0, Status.NODE_LIMIT), (10**6, Status.EXHAUSTED)]
)
def test_a_guarded_search(rival_nodes: int, status: Status) -> None:
    """It ends at the node, or goes on to all that there is, found once."""
    puzzle = load("edges-5-b3i3-1")
    plan = Plan.of(Job(puzzle, Request(Symmetry.ALL), "rows"))
    session = Session(plan, guard=NodeGuard(100_000, rival_nodes))
    session.begin_quietly()
    collector = SolutionCollector(plan, session.task, session.limits, session.clock, as_found=False)
    *_, finished = session.run(collector)
    assert isinstance(finished, Result)
    assert finished.status == status
    whole = counted(puzzle, "rows")
    if status == Status.NODE_LIMIT:
        assert finished.nodes == 100_000
    else:
        assert (finished.count, finished.nodes) == (whole.count, whole.nodes)
