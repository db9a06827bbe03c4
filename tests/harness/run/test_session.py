"""A session: begun, searched by whoever holds it, or run with a collector."""

from __future__ import annotations

import pytest

from dovetail.errors import BackendError, ConfigError
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Limits, Plan
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session, returned
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from harness.known import known

ALL = Request(Symmetry.ALL)


def test_a_plan_is_run() -> None:
    """Lowered, searched and checked, with no more than the plan."""
    with Session(Plan(load("queens-6"), Request(Symmetry.ALL, listing=True), "dlx")) as session:
        assert returned(session.begin()) is None
        collector = SolutionCollector(session.plan, session.task, session.limits, session.clock)
        events = list(session.search(collector))
    lists = [list(event.solutions()) for event in events if isinstance(event, Found)]
    finished = events[-1]
    assert isinstance(finished, Result)
    assert (finished.status, finished.count, finished.verified) == (Status.EXHAUSTED, 4, 4)
    assert sum(map(len, lists)) == 4


def test_those_who_search_themselves() -> None:
    """Prepare a search and advance it, within limits of their own."""
    with Session(Plan(load("queens-8"), ALL, "dlx")) as session:
        session.begun()
        search = session.prepare_search().search
        statuses = list(session.advance(search, Limits(nodes=10)))
        assert (statuses[-1], search.counters.nodes) == (Status.NODE_LIMIT, 10)
        assert session.next_search() is None


def test_what_cannot_be_searched() -> None:
    """Ends with a result, or with an error for those who take no events."""
    tee = ((0, 0), (1, 0), (2, 0), (1, 1))
    dominoes = Piece("A", ((0, 0), (1, 0)), min_count=2, max_count=2)
    hopeless = Plan(PackingPuzzle("odd", SquareLattice(2), tee, (dominoes,)), ALL, "dlx")
    finished = known(returned(Session(hopeless).begin()))
    assert (finished.status, finished.count, finished.nodes) == (Status.EXHAUSTED, 0, 0)
    with pytest.raises(ConfigError, match="odd has no solution, so there is nothing to search"):
        Session(hopeless).begun()
    refused = Plan(load("queens-6"), ALL, "rows")
    finished = known(returned(Session(refused).begin()))
    assert finished.status == Status.SKIPPED
    with pytest.raises(BackendError, match="queens-6: rows refuses: it supports edge-matching"):
        Session(refused).begun()
    with pytest.raises(ConfigError, match="unknown backend 'x'"):
        Session(Plan(load("queens-6"), ALL, "x"))
