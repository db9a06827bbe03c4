"""The best boards that an improver finds in a given time, verified as they are found.

Time counts from when everything is compiled, building tables included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from dovetail.backends.base import Budget, Config
from dovetail.backends.config import build_config, plain_values, settings_of
from dovetail.errors import BackendError, ConfigError, PuzzleError
from dovetail.harness.run.clock import Stopwatch
from dovetail.harness.run.interruption import Interruption
from dovetail.improvers import DEFAULT_IMPROVER
from dovetail.improvers.base import AnyImprover, Improvement, Lies
from dovetail.improvers.registry import improver_named
from dovetail.improvers.shared.board_arrays import BoardArrays, board_arrays
from dovetail.improvers.shared.greedy import fill
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard, max_score, verified_score
from dovetail.models.task import Puzzle

# What is compiled for it serves every board.
SMALL_BOARD = EdgePuzzle("compiled", 2, 2, ((0, 1, 1, 0),) * 4)
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
    warming = Stopwatch()
    with interruption.defer():
        with warming:
            _compile(improver)
        run = _Run(job, board)
        yield from run.begin(start)
        if run.ending is None:
            yield from run.improve(improver, config, start, interruption)
    yield run.result(warming.wall_s)


class _Run:
    """A run under way: the best board so far, verified, and the trace of its scores."""

    def __init__(self, job: ImprovementJob, board: BoardArrays) -> None:
        self.ending: Ending | None = None
        self._job, self._board, self._bound = job, board, max_score(job.puzzle)
        self._solving = Stopwatch()
        self._improvement: Improvement | None = None
        self._best, self._score = board.fixed, -1
        self._trace: list[Improved] = []

    def begin(self, start: Lies | None) -> Iterator[Improved]:
        """Yield the first board: the start or the hints, filled greedily."""
        with self._solving:
            lies = (self._board.fixed if start is None else start).copy()
            fill(self._board, lies)
        yield from self._take(lies)
        if not np.any(self._board.fixed < 0):
            self.ending = self.ending or Ending.EXHAUSTED

    def improve(
        self,
        improver: AnyImprover,
        config: Config,
        start: Lies | None,
        interruption: Interruption,
    ) -> Iterator[Improved]:
        """Yield each better board until the run ends."""
        job, solving, work = self._job, self._solving, FIRST_WORK
        with solving:
            improvement = improver.begin(self._board, config, job.seed, start)
        self._improvement = improvement
        while self.ending is None:
            before_s = solving.wall_s
            work = work if job.nodes is None else min(work, job.nodes - improvement.nodes)
            with solving:
                goes_on = improvement.advance(Budget(work, seconds=job.time_s - before_s))
            if improvement.score > self._score:
                yield from self._take(improvement.best)
                self._check_score(improvement.score)
            self.ending = self.ending or self._ending(
                goes_on=goes_on, interrupted=interruption.requested
            )
            factor = SLICE_S / max(solving.wall_s - before_s, 1e-6)
            work = min(MAX_WORK, max(MIN_WORK, int(work * min(2.0, max(0.25, factor)))))

    def result(self, warm_up_s: float) -> ImprovementResult:
        """What the run has found."""
        assert self.ending is not None
        improvement = self._improvement
        return ImprovementResult(
            job=self._job,
            ending=self.ending,
            board=self._board.partial_board(self._best),
            score=self._score,
            bound=self._bound,
            trace=tuple(self._trace),
            nodes=self._nodes,
            warm_up_s=warm_up_s,
            solve_s=self._solving.wall_s,
            cpu_s=self._solving.cpu_s,
            counters={} if improvement is None else improvement.counters,
        )

    @property
    def _nodes(self) -> int:
        return 0 if self._improvement is None else self._improvement.nodes

    def _take(self, lies: Lies) -> Iterator[Improved]:
        """Keep a better board, scored by code that no improver shares."""
        try:
            score = verified_score(self._job.puzzle, self._board.partial_board(lies))
        except PuzzleError as error:
            raise BackendError(f"{self._job.improver} reported a wrong board: {error}") from None
        self._best, self._score = lies, score
        self._trace.append(Improved(self._solving.wall_s, self._nodes, score))
        if score == self._bound:
            self.ending = Ending.SOLVED
        yield self._trace[-1]

    def _check_score(self, reported: int) -> None:
        if reported != self._score:
            raise BackendError(
                f"{self._job.improver} reported a score of {reported}; the board has {self._score}"
            )

    def _ending(self, *, goes_on: bool, interrupted: bool) -> Ending | None:
        """Why a search that has found no solution ends now, or None."""
        if not goes_on:
            return Ending.EXHAUSTED
        if interrupted:
            return Ending.INTERRUPTED
        if self._job.nodes is not None and self._nodes >= self._job.nodes:
            return Ending.NODE_LIMIT
        return Ending.TIME_LIMIT if self._solving.wall_s >= self._job.time_s else None


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
    if not _is_whole(job.seed, 0):
        raise ConfigError(f"seed is {job.seed!r:.60}; expected a whole number of 0 or more")
    if job.nodes is not None and not _is_whole(job.nodes, 1):
        raise ConfigError(f"node limit is {job.nodes!r:.60}; expected a whole number of 1 or more")
    if not isinstance(job.start, PartialBoard | None):
        raise ConfigError(f"start is {job.start!r:.60}; expected a PartialBoard")
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


def _is_whole(value: object, min_value: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= min_value


def _config(improver: AnyImprover, job: ImprovementJob) -> Config:
    config: Config = build_config(improver.config_type, job.config, f"improver {job.improver}")
    return config


def _compile(improver: AnyImprover) -> None:
    """Have everything compiled, on a small board of its own: that of a job is prepared in time."""
    board = board_arrays(SMALL_BOARD)
    fill(board, board.fixed.copy())
    improvement = improver.begin(board, improver.config_type(), 1, None)
    while improvement.score < 0 and improvement.advance(Budget(FIRST_WORK)):
        pass
