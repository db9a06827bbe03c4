"""Improvements: what is reported is verified, limits hold, the same seed gives the same boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

import dovetail
from dovetail.backends.base import Budget, Config
from dovetail.errors import BackendError, ConfigError, PuzzleError
from dovetail.harness.improving import edge_puzzle, improve, improving_job
from dovetail.harness.records.run_record import result_fields
from dovetail.harness.run import clock as clocks
from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import BestBoard, Result
from dovetail.improvers import registry
from dovetail.improvers.base import Improver, ImprovingSearch, Placed
from dovetail.improvers.breaks.improver import Breaks
from dovetail.improvers.shared.board import BoardArrays, fill
from dovetail.models.boards.edges import Hint
from dovetail.models.boards.partial_board import (
    Objective,
    PartialBoard,
    mismatched_edges,
    score,
    verified_score,
)
from dovetail.models.outcome import Status
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.edge_boards import random_board
from harness.known import known

BOARD = random_board(6, 6, 8, 1)


def run(job: Job, start: PartialBoard | None = None) -> Result:
    """The result; the events before it are its trace."""
    started, *before, result = improve(replace(job, start=start))
    assert isinstance(started, Started)
    assert isinstance(result, Result)
    assert tuple(best.trace[-1] for best in before if isinstance(best, BestBoard)) == result.trace
    return result


def best_of(result: Result) -> BestBoard:
    """The best board that a run has found."""
    return known(result.best)


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_traces_and_scores(name: str) -> None:
    """Scores ascend, nodes and seconds too; the last is that of the board."""
    job = improving_job(BOARD, name, limits=Limits(time_s=30.0, nodes=100_000))
    result = run(job)
    trace = best_of(result).trace
    assert trace
    for before, after in pairwise(trace):
        assert before.score < after.score
        assert before.nodes <= after.nodes
        assert before.seconds <= after.seconds
    assert verified_score(BOARD, best_of(result).board) == trace[-1].score == result.score
    assert result.bound == 60
    assert result.status in (Status.NODE_LIMIT, Status.SOLVED, Status.EXHAUSTED)
    fields = result_fields(job, result)
    assert fields["score"] == result.score
    assert fields["trace"][-1]["score"] == result.score


def test_tiles_without_a_mismatch() -> None:
    """The score is their number, a start loses its mismatches, and all cells filled are solved."""
    limits = Limits(time_s=30.0, nodes=3_000)
    edges = run(improving_job(BOARD, "beam", {"width": 8}, limits))
    job = improving_job(BOARD, "portfolio", limits=limits, objective="tiles")
    result = run(job, best_of(edges).board)
    board = best_of(result).board
    assert verified_score(BOARD, board, Objective.TILES) == len(board.laid) == result.score
    assert result.bound == 36
    first = known(result.trace)[0].score
    assert 36 - len(mismatched_edges(BOARD, best_of(edges).board)) <= first <= known(result.score)
    assert result_fields(job, result)["objective"] == "tiles"
    assert job.digest != improving_job(BOARD, "portfolio", limits=limits).digest
    small = improving_job(random_board(3, 3, 2, 4), limits=limits, objective="tiles")
    assert run(small).status == Status.SOLVED


def test_objectives_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown objective, and an improver that does not support one."""
    with pytest.raises(ConfigError, match=r"unknown objective 'tile'.*valid: edges, tiles"):
        improving_job(BOARD, objective="tile")
    monkeypatch.setattr(Breaks, "objectives", (Objective.EDGES,))
    message = "breaks refuses the objective tiles; improvers that support it: portfolio, beam, repa"
    with pytest.raises(BackendError, match=message):
        run(improving_job(BOARD, "breaks", objective="tiles"))


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_a_small_board_is_solved(name: str) -> None:
    """A score of the bound ends the run, and the board is a solution."""
    result = run(improving_job(random_board(3, 3, 2, 4), name, limits=Limits(time_s=20.0)))
    assert result.status == Status.SOLVED
    assert best_of(result).is_solution
    assert best_of(result).board.solution is not None


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_a_start_is_never_lost(name: str) -> None:
    """Whoever improves it, and however short the time: the result is no worse."""
    good = run(improving_job(BOARD, "beam", limits=Limits(nodes=100_000)))
    for time_s, nodes in ((0.0, None), (60.0, 1)):
        best = best_of(
            run(improving_job(BOARD, name, limits=Limits(time_s=time_s, nodes=nodes)), good.board)
        )
        assert best.score >= best_of(good).score
        assert best.score == verified_score(BOARD, best.board)


@pytest.mark.parametrize("name", sorted(registry.improvers()))
@pytest.mark.parametrize("size", [(1, 5), (2, 3)])
def test_small_boards(name: str, size: tuple[int, int]) -> None:
    """Of a single cell or row, and with every cell hinted; boards with a solution are solved."""
    puzzle = random_board(*size, 2, 1)
    if name == "breaks" and min(size) == 1:
        with pytest.raises(BackendError, match="does not describe this board"):
            run(improving_job(puzzle, name))
        return
    result = run(improving_job(puzzle, name, limits=Limits(time_s=5.0)))
    assert result.status == Status.SOLVED
    hints = tuple(Hint(x, y, *laid) for (x, y), laid in best_of(result).board.laid.items())
    hinted = run(improving_job(replace(puzzle, hints=hints), name, limits=Limits(time_s=5.0)))
    assert hinted.score == result.score
    assert hinted.nodes == 0


class Scripted(Improver[Config]):
    """Begins the search that a test gives."""

    name, summary, config_type = "scripted", "does what a test says", Config

    def __init__(self, begin: Callable[[BoardArrays], ImprovingSearch]) -> None:
        self._begin = begin

    def begin(
        self, board: BoardArrays, config: Config, seed: int, start: Placed | None
    ) -> ImprovingSearch:
        return self._begin(board)


class Ticks(ImprovingSearch):
    """Spends a second in each slice with one placement, and keeps a board that may be spoiled."""

    def __init__(self, board: BoardArrays, now: list[float], lie: str = "") -> None:
        super().__init__(board)
        self.now, self.slices = now, 0
        placed = board.fixed.copy()
        score = fill(board, placed) + (lie != "")
        if lie == "tile":
            placed[0] = placed[1]
        self.keep(placed, score)

    @property
    def nodes(self) -> int:
        return self.slices

    @property
    def counters(self) -> dict[str, int]:
        return {"slices": self.slices}

    def advance(self, budget: Budget) -> bool:
        self.slices += 1
        self.now[0] += 1.0
        return True


def test_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """No slice begins once it has passed, by a clock that only slices advance."""
    now = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: now[0], process_time=lambda: now[0])
    monkeypatch.setattr(clocks, "time", clock)
    ticking = Scripted(lambda board: Ticks(board, now))
    monkeypatch.setitem(registry.improvers(), "scripted", ticking)
    result = run(improving_job(BOARD, "scripted", limits=Limits(time_s=2.5)))
    assert (result.status, result.solve_s) == (Status.TIME_LIMIT, 3.0)
    assert result.counters.native == {"slices": 3}
    result = run(improving_job(BOARD, "scripted", limits=Limits(time_s=9.0, nodes=4)))
    assert result.counters.native == {"slices": 4}


def test_a_limit_on_nodes_is_repeatable() -> None:
    """The same beams and refills, however fast the machine: no time is left to adapt to."""
    for name in ("beam", "breaks", "repair"):
        job = improving_job(BOARD, name, limits=Limits(time_s=30.0, nodes=150_000))
        first, again = run(job), run(replace(job, limits=Limits(time_s=60.0, nodes=150_000)))
        assert first.board == again.board


def test_bad_input() -> None:
    """Names, settings, numbers, and puzzles that are no boards."""
    for asked, error, message in (
        ({"backend": "brakes"}, ConfigError, "did you mean 'breaks'"),
        ({"config": {"width": 1}}, ConfigError, "no config key"),
        ({"seed": -1}, ConfigError, "seed"),
        ({"node_limit": 0}, ConfigError, "node limit"),
        ({"start": PartialBoard(((None,),))}, PuzzleError, "size of the board"),
        ({"start": 5}, ConfigError, "start is 5; expected a PartialBoard"),
    ):
        with pytest.raises(error, match=message):
            dovetail.improve(BOARD, **asked)
    with pytest.raises(ConfigError, match="only boards are improved"):
        edge_puzzle(catalogue_puzzle("pentominoes-3x20"))


@pytest.mark.parametrize(
    ("lie", "message"), [("score", "reported a score of"), ("tile", "reported a wrong board")]
)
def test_lies_are_found_out(monkeypatch: Any, lie: str, message: str) -> None:
    """By code that no improver shares."""
    liar = Scripted(lambda board: Ticks(board, [0.0], lie))
    monkeypatch.setitem(registry.improvers(), "scripted", liar)
    *_, result = improve(improving_job(BOARD, "scripted"))
    assert isinstance(result, Result)
    assert (result.status, best_of(result).score > 0) == (Status.WRONG, True)
    with pytest.raises(BackendError, match=message):
        dovetail.improve(BOARD, "scripted")
    assert score(BOARD, PartialBoard(((None,) * 6,) * 6)) == 0
