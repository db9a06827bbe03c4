"""Sessions, and what is kept of a run that is cut from outside."""

from __future__ import annotations

import pytest

from dovetail.errors import BackendError, ConfigError
from dovetail.harness.run import events
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Compiling, Event, Found, Progress, RunSoFar, Started
from dovetail.harness.run.job import Chosen, Plan
from dovetail.harness.run.result import BestBoard, Improved
from dovetail.harness.run.session import Session, returned
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from harness.known import known

ALL = Request(Symmetry.ALL)


def test_a_plan_is_run() -> None:
    """Lowered, searched and checked, with no more than the plan."""
    with Session(Plan(load("queens-6"), Request(Symmetry.ALL, listing=True), "dlx")) as session:
        assert returned(session.begin()) is None
        collector = SolutionCollector(session.plan, session.task, session.limits, session.clock)
        events = list[Event]()
        finished = returned(session.search(collector), events.append)
    lists = [list(event.solutions()) for event in events if isinstance(event, Found)]
    assert (finished.status, finished.count, finished.verified) == (Status.EXHAUSTED, 4, 4)
    assert sum(map(len, lists)) == 4


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


class Clock:
    """Seconds that are set by hand."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that runs go by."""
    clock = Clock()
    monkeypatch.setattr(events, "time", clock)
    return clock


def after(clock: Clock, *events: tuple[float, Event]) -> RunSoFar:
    """A run, each of whose events comes so many seconds after the one before."""
    run = RunSoFar()
    for seconds, event in events:
        clock.now += seconds
        run.add(event)
    return run


def test_time_that_counts(clock: Clock) -> None:
    """All from the start, however often more is compiled, and nothing of that."""
    compiling, compiled = Compiling(under_way=True), Compiling(under_way=False)
    run = after(clock, (9, Started(9.0)), (4, compiling), (30, compiled), (2, compiling))
    assert (run.charged_s, run.is_ready) == (6, False)
    clock.now += 50
    assert run.charged_s == 6
    run.add(Started(80.0, 7))
    clock.now += 1
    assert (run.charged_s, run.is_ready) == (7, True)
    run.add(Started(81.0, 8))  # another backend after one that has given up
    clock.now += 1
    assert run.charged_s == 8
    assert run.finished(Status.TIME_LIMIT).baseline_bytes == 8


def test_the_best_board_is_kept(clock: Clock) -> None:
    """Of an improvement that is killed, with its trace and as an example."""
    board = PartialBoard((((0, 0), (1, 0)),))
    worse = BestBoard(PartialBoard((((0, 0), None),)), 0, 1, (Improved(1.0, 5, 0),))
    best = BestBoard(board, 1, 1, (*worse.trace, Improved(2.0, 9, 1)))
    run = after(clock, (0, Started(0.0)), (1, worse), (1, best))
    finished = run.finished(Status.MEMORY_LIMIT)
    assert (finished.best, finished.example) == (best, board.solution)


def test_a_run_that_ends_in_the_search_keeps_what_it_reported(clock: Clock) -> None:
    """The choice of `auto`, the lower bound and the seconds, with those that have passed since."""
    chosen = Chosen("dlx", {}, (), "it suits")
    known = Progress(4, 7, 0.5, prepare_s=2.5, solve_s=0.25, check_s=1.25)
    run = after(clock, (0, Started(0.0)), (1, chosen), (2, known))
    clock.now += 5
    finished = run.finished(Status.TIME_LIMIT, "why", 99)
    assert (finished.prepare_s, finished.solve_s, finished.check_s) == (2.5, 5.25, 1.25)
    assert (finished.count, finished.nodes, finished.reason) == (4, 7, "why")
    assert (finished.chosen, finished.peak_bytes) == (chosen, 99)
