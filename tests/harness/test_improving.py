"""Improvements: what is reported is verified, limits hold, the same seed gives the same boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

import dovetail
from dovetail.backends.base import Budget, Config
from dovetail.errors import BackendError, ConfigError, PuzzleError
from dovetail.harness.improving.improvement import (
    ImprovementJob,
    ImprovementResult,
    edge_puzzle,
    improvement_fields,
)
from dovetail.harness.improving.run import improve
from dovetail.harness.run import clock as clocks
from dovetail.harness.run.best_board import BestBoard
from dovetail.harness.run.events import Started
from dovetail.harness.run.interruption import Interruption
from dovetail.improvers import registry
from dovetail.improvers.base import Improver, ImprovingSearch, Placed
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.greedy import fill
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.outcome import Status
from dovetail.models.partial_board import PartialBoard, score, verified_score
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.edge_boards import random_board

BOARD = random_board(6, 6, 8, 1)


def run(job: ImprovementJob, interruption: Interruption | None = None) -> ImprovementResult:
    """The result; the events before it are its trace."""
    started, *before, result = improve(job, interruption)
    assert isinstance(started, Started)
    assert isinstance(result, ImprovementResult)
    assert tuple(best.trace[-1] for best in before if isinstance(best, BestBoard)) == result.trace
    return result


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_traces_and_scores(name: str) -> None:
    """Scores ascend, nodes and seconds too; the last is that of the board."""
    job = ImprovementJob(BOARD, name, nodes=100_000, time_s=30.0)
    result = run(job)
    trace = result.trace
    assert trace
    for before, after in pairwise(trace):
        assert before.score < after.score
        assert before.nodes <= after.nodes
        assert before.seconds <= after.seconds
    assert verified_score(BOARD, result.board) == trace[-1].score == result.score
    assert result.bound == 60
    assert result.status in (Status.NODE_LIMIT, Status.SOLVED, Status.EXHAUSTED)
    fields = improvement_fields(result)
    assert fields["score"] == result.score
    assert fields["trace"][-1]["score"] == result.score


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_a_small_board_is_solved(name: str) -> None:
    """A score of the bound ends the run, and the board is a solution."""
    result = run(ImprovementJob(random_board(3, 3, 2, 4), name, time_s=20.0))
    assert result.status == Status.SOLVED
    assert result.is_solution
    assert result.board.solution is not None


@pytest.mark.parametrize("name", sorted(registry.improvers()))
def test_a_start_is_never_lost(name: str) -> None:
    """Whoever improves it, and however short the time: the result is no worse."""
    good = run(ImprovementJob(BOARD, "beam", nodes=100_000))
    hurried = ImprovementJob(BOARD, name, start=good.board, time_s=0.0)
    for job in (hurried, replace(hurried, time_s=60.0, nodes=1)):
        result = run(job)
        assert result.score >= good.score
        assert result.score == verified_score(BOARD, result.board)


@pytest.mark.parametrize("name", sorted(registry.improvers()))
@pytest.mark.parametrize("size", [(1, 1), (1, 5), (2, 2), (2, 3)])
def test_small_boards(name: str, size: tuple[int, int]) -> None:
    """Of a single cell or row, and with every cell hinted; boards with a solution are solved."""
    puzzle = random_board(*size, 2, 1)
    if name == "breaks" and min(size) == 1:
        with pytest.raises(BackendError, match="does not describe this board"):
            run(ImprovementJob(puzzle, name))
        return
    result = run(ImprovementJob(puzzle, name, time_s=5.0))
    assert result.status == Status.SOLVED
    hints = tuple(Hint(x, y, *laid) for (x, y), laid in result.board.laid.items())
    hinted = run(ImprovementJob(replace(puzzle, hints=hints), name, time_s=5.0))
    assert hinted.score == result.score
    assert hinted.nodes == 0


def test_a_search_that_has_tried_all_boards_ends() -> None:
    """With colours that match nowhere."""
    tiles = ((0, 0, 1, 2), (0, 0, 3, 4), (0, 0, 5, 6), (0, 0, 7, 8))
    result = run(ImprovementJob(EdgePuzzle("spoiled", 2, 2, tiles), "breaks", time_s=20.0))
    assert (result.status, result.score) == (Status.EXHAUSTED, 0)


def test_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """No slice begins once it has passed, by a clock that only slices advance."""
    now = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: now[0], process_time=lambda: now[0])
    monkeypatch.setattr(clocks, "time", clock)
    monkeypatch.setitem(registry.improvers(), "ticking", Ticking(now))
    result = run(ImprovementJob(BOARD, "ticking", time_s=2.5))
    assert result.status == Status.TIME_LIMIT
    assert result.solve_s == 3.0
    assert result.counters == {"slices": 3}
    assert run(ImprovementJob(BOARD, "ticking", time_s=9.0, nodes=4)).counters == {"slices": 4}


class Ticking(Improver[Config]):
    """Spends a second in each slice, and makes a placement."""

    name, summary, config_type = "ticking", "spends time", Config

    def __init__(self, now: list[float]) -> None:
        self.now = now

    def begin(self, board: BoardArrays, config: Config, seed: int, start: Placed | None) -> Ticks:
        return Ticks(board, self.now)


class Ticks(ImprovingSearch):
    """Advances the clock, and keeps the first board."""

    def __init__(self, board: BoardArrays, now: list[float]) -> None:
        super().__init__(board)
        self.now, self.slices = now, 0
        self.first = board.fixed.copy()
        self.keep(self.first, fill(board, self.first))

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


def test_a_limit_on_nodes_is_repeatable() -> None:
    """The same beams and refills, however fast the machine: no time is left to adapt to."""
    for name in ("beam", "breaks", "repair"):
        job = ImprovementJob(BOARD, name, nodes=150_000, time_s=30.0)
        first, again = run(job), run(replace(job, time_s=60.0))
        assert first.board == again.board


def test_an_interruption_keeps_the_best_board() -> None:
    """Asked to stop after the first improvement, it reports what it has."""
    interruption = Interruption()
    events = improve(ImprovementJob(random_board(12, 12, 14, 1)), interruption)
    _, first = next(events), next(events)
    assert isinstance(first, BestBoard)
    interruption.request()
    *_, result = events
    assert isinstance(result, ImprovementResult)
    assert result.status == Status.INTERRUPTED
    assert result.score >= first.score


def test_bad_input() -> None:
    """Names, settings, numbers, and puzzles that are no boards."""
    for job, error, message in (
        (ImprovementJob(BOARD, "brakes"), ConfigError, "did you mean 'breaks'"),
        (replace(ImprovementJob(BOARD), config={"width": 1}), ConfigError, "no config key"),
        (replace(ImprovementJob(BOARD), seed=-1), ConfigError, "seed"),
        (replace(ImprovementJob(BOARD), nodes=0), ConfigError, "node limit"),
        (ImprovementJob(BOARD, start=PartialBoard(((None,),))), PuzzleError, "size of the board"),
    ):
        with pytest.raises(error, match=message):
            next(improve(job))
    with pytest.raises(ConfigError, match="only boards are improved"):
        edge_puzzle(catalogue_puzzle("pentominoes-3x20"))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"config": 5}, "config is 5; expected a mapping of keys to values"),
        ({"config": {5: 1}}, "config is {5: 1}; expected a mapping"),
        ({"config": []}, r"config is \[\]; expected a mapping"),
        ({"backend": 3}, "backend is 3; expected the name of an improver"),
        ({"board": 5}, "board is 5; expected a puzzle, a catalogue name or a file"),
    ],
)
def test_values_of_other_types(asked: dict[str, Any], message: str) -> None:
    """From Python, which does not go by annotations."""
    with pytest.raises(ConfigError, match=message):
        dovetail.improve(**{"board": BOARD, **asked})


class Liar(Improver[Config]):
    """Reports what it has not."""

    name, summary, config_type = "liar", "lies", Config

    def __init__(self, lie: str) -> None:
        self.lie = lie

    def begin(
        self, board: BoardArrays, config: Config, seed: int, start: Placed | None
    ) -> ImprovingSearch:
        return Lie(board, self.lie)


class Lie(ImprovingSearch):
    """A board filled greedily, with a score that it has not, or a tile twice."""

    nodes = 1

    def __init__(self, board: BoardArrays, lie: str) -> None:
        super().__init__(board)
        placed = board.fixed.copy()
        score = fill(board, placed) + 1
        if lie == "tile":
            placed[0] = placed[1]
        self.keep(placed, score)

    def advance(self, budget: Budget) -> bool:
        return True


@pytest.mark.parametrize(
    ("lie", "message"), [("score", "reported a score of"), ("tile", "reported a wrong board")]
)
def test_lies_are_found_out(monkeypatch: Any, lie: str, message: str) -> None:
    """By code that no improver shares."""
    monkeypatch.setitem(registry.improvers(), "liar", Liar(lie))
    with pytest.raises(BackendError, match=message):
        list(improve(ImprovementJob(BOARD, "liar")))
    assert score(BOARD, PartialBoard(((None,) * 6,) * 6)) == 0
