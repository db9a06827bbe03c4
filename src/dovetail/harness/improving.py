"""The best boards that an improver finds in a given time, verified as they are found.

Time counts from when everything is compiled, building tables included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from dovetail.backends.base import Budget, Config
from dovetail.backends.config import build_config, plain_values, settings_of
from dovetail.errors import BackendError, ConfigError, PuzzleError
from dovetail.harness.run.clock import Stopwatch
from dovetail.harness.run.interruption import Interruption
from dovetail.improvers import DEFAULT_IMPROVER
from dovetail.improvers.base import AnyImprover, Improvement, Lies
from dovetail.improvers.registry import improver_named
from dovetail.improvers.shared.board_arrays import BoardArrays, board_arrays
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, max_score, verified_score
from dovetail.models.task import Puzzle

# Both are compiled for whatever board there is.
SMALL_BOARD = EdgePuzzle("compiled", 2, 2, ((0, 1, 1, 0),) * 4)
COMPILED_NODES = 1
SLICE_S = 0.05
FIRST_WORK, MIN_WORK, MAX_WORK = 50_000, 100, 50_000_000


class Ending(StrEnum):
    """Why an improvement ended: with a solution, at a limit, by the user, with nothing to try."""

    SOLVED = "solved"
    TIME_LIMIT = "time-limit"
    NODE_LIMIT = "node-limit"
    INTERRUPTED = "interrupted"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True)
class ImprovementJob:
    """A board, who is to improve it, with which settings and seed, for how long.

    Without `nodes` only the time ends it. `start` is a board to improve.
    """

    puzzle: EdgePuzzle
    improver: str = DEFAULT_IMPROVER
    config: Mapping[str, object] = field(default_factory=dict)
    seed: int = 1
    time_s: float = 60.0
    nodes: int | None = None
    start: PartialBoard | None = None


@dataclass(frozen=True)
class Improved:
    """A better board than any before: its score, after how many seconds and nodes."""

    seconds: float
    nodes: int
    score: int


@dataclass(frozen=True)
class ImprovementResult:
    """The best board, its `score` (matched edges), and the `bound`, the score of a solution.

    `trace` has each improvement. Seconds are wall-clock, from `warm_up_s` (importing and compiling)
    on; `cpu_s` is the processor time of the search. `counters` are the improver's own.
    """

    job: ImprovementJob
    ending: Ending
    board: PartialBoard
    score: int
    bound: int
    trace: tuple[Improved, ...]
    nodes: int
    warm_up_s: float
    solve_s: float
    cpu_s: float
    counters: Mapping[str, int]

    @property
    def is_solution(self) -> bool:
        """Whether every edge matches."""
        return self.score == self.bound


def improve(
    job: ImprovementJob, interruption: Interruption | None = None
) -> Iterator[Improved | ImprovementResult]:
    """Yield each better board as it is found, and at last the result.

    Raises `ConfigError` for a name, setting or number that cannot be used, `PuzzleError` for a
    puzzle that is no board, cannot be filled or contradicts itself, and for a start that is not one
    of its boards, `BackendError` where the improver refuses it or reports a wrong board.
    """
    interruption = interruption or Interruption()
    improver, config, board, start = _checked(job)
    warming, solving = Stopwatch(), Stopwatch()
    with interruption.defer():
        with warming:
            _compile(improver)
        with solving:
            improvement = improver.begin(board, config, job.seed, start)
        trace: list[Improved] = []
        ending, work = None, FIRST_WORK
        while ending is None:
            before_s = solving.wall_s
            work = work if job.nodes is None else min(work, job.nodes - improvement.nodes)
            with solving:
                goes_on = improvement.advance(Budget(work, seconds=job.time_s - before_s))
            if improvement.score > (trace[-1].score if trace else -1):
                _verify(job, board, improvement)
                trace.append(Improved(solving.wall_s, improvement.nodes, improvement.score))
                yield trace[-1]
            ending = _ending(job, improvement, solving.wall_s, goes_on, interruption)
            factor = SLICE_S / max(solving.wall_s - before_s, 1e-6)
            work = min(MAX_WORK, max(MIN_WORK, int(work * min(2.0, max(0.25, factor)))))
    yield ImprovementResult(
        job=job,
        ending=ending,
        board=board.partial_board(improvement.best),
        score=max(0, improvement.score),
        bound=max_score(job.puzzle),
        trace=tuple(trace),
        nodes=improvement.nodes,
        warm_up_s=warming.wall_s,
        solve_s=solving.wall_s,
        cpu_s=solving.cpu_s,
        counters=improvement.counters,
    )


def improvement_fields(result: ImprovementResult) -> dict[str, Any]:
    """The fields of a result, as `--json` prints them."""
    job = result.job
    improver = improver_named(job.improver)
    keys = [setting.key for setting in settings_of(improver.config_type)]
    return {
        "puzzle": job.puzzle.name,
        "digest": job.puzzle.digest,
        "backend": job.improver,
        "config": plain_values(_config(improver, job), keys),
        "seed": job.seed,
        "status": str(result.ending),
        "score": result.score,
        "bound": result.bound,
        "nodes": result.nodes,
        "native": dict(result.counters),
        "trace": [asdict(one) for one in result.trace],
        "warm_up_s": result.warm_up_s,
        "solve_s": result.solve_s,
        "cpu_s": result.cpu_s,
        "cells": result.board.cells,
    }


def edge_puzzle(puzzle: Puzzle) -> EdgePuzzle:
    """The puzzle, which is one of edge matching; `ConfigError` for another."""
    if not isinstance(puzzle, EdgePuzzle):
        raise ConfigError(f"{puzzle.name} is not an edge-matching puzzle; only boards are improved")
    return puzzle


def _checked(job: ImprovementJob) -> tuple[AnyImprover, Config, BoardArrays, Lies | None]:
    if not isinstance(job.seed, int) or isinstance(job.seed, bool) or job.seed < 0:
        raise ConfigError(f"seed is {job.seed!r:.60}; expected a whole number of 0 or more")
    if job.nodes is not None and job.nodes < 1:
        raise ConfigError(f"node limit is {job.nodes}; expected a whole number of 1 or more")
    improver = improver_named(job.improver)
    config = _config(improver, job)
    board = board_arrays(job.puzzle)
    reason = improver.refuses(board, config)
    if reason is not None:
        raise BackendError(f"{job.puzzle.name}: {job.improver} refuses: {reason}")
    if job.start is None:
        return improver, config, board, None
    verified_score(job.puzzle, job.start)
    return improver, config, board, board.lies(job.start)


def _config(improver: AnyImprover, job: ImprovementJob) -> Config:
    config: Config = build_config(improver.config_type, job.config, f"improver {job.improver}")
    return config


def _compile(improver: AnyImprover) -> None:
    """Have everything compiled, on a small board of its own: that of a job is prepared in time."""
    board = board_arrays(SMALL_BOARD)
    improvement = improver.begin(board, improver.config_type(), 1, None)
    while improvement.nodes < COMPILED_NODES and improvement.advance(Budget(COMPILED_NODES)):
        pass


def _verify(job: ImprovementJob, board: BoardArrays, improvement: Improvement) -> None:
    """Raise `BackendError` unless the board is one and has the score."""
    try:
        score = verified_score(job.puzzle, board.partial_board(improvement.best))
    except PuzzleError as error:
        raise BackendError(f"{job.improver} reported a wrong board: {error}") from None
    if score != improvement.score:
        raise BackendError(
            f"{job.improver} reported a score of {improvement.score}; the board has {score}"
        )


def _ending(
    job: ImprovementJob,
    improvement: Improvement,
    solve_s: float,
    goes_on: bool,
    interruption: Interruption,
) -> Ending | None:
    """Why a search ends now, or None."""
    if improvement.score == max_score(job.puzzle):
        return Ending.SOLVED
    if not goes_on:
        return Ending.EXHAUSTED
    if interruption.requested:
        return Ending.INTERRUPTED
    if job.nodes is not None and improvement.nodes >= job.nodes:
        return Ending.NODE_LIMIT
    return Ending.TIME_LIMIT if solve_s >= job.time_s else None
