"""A run of an improver: limits, interruption, and boards verified as they are found.

Time counts from when everything is compiled, building tables included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from dovetail.backends.base import Budget, Config
from dovetail.errors import BackendError, ConfigError, PuzzleError
from dovetail.harness.improving.improvement import (
    ImprovementJob,
    ImprovementResult,
)
from dovetail.harness.run.best_board import BestBoard, Improved
from dovetail.harness.run.clock import Stopwatch
from dovetail.harness.run.events import Started
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.slices import SliceWork
from dovetail.improvers.base import NO_SCORE, AnyImprover, ImprovingSearch, Placed
from dovetail.improvers.registry import improver_config, improver_named
from dovetail.improvers.shared.board_arrays import BoardArrays, board_arrays
from dovetail.improvers.shared.greedy import fill
from dovetail.models.outcome import Status
from dovetail.models.partial_board import PartialBoard, max_score, verified_score
from dovetail.platform.memory import resident_bytes

SLICE_S = 0.05
WORK = 50_000, 100, 50_000_000  # placements of a slice: at first, at least, at most


def improve(
    job: ImprovementJob, interruption: Interruption | None = None
) -> Iterator[Started | BestBoard | ImprovementResult]:
    """Yield when time begins to count, each better board as it is found, and at last the result.

    Raises `ConfigError` for a name, setting or number that cannot be used, `PuzzleError` for a
    puzzle that is no board, cannot be filled or contradicts itself, and for a start that is not one
    of its boards, `BackendError` where the improver refuses it or reports a wrong board.
    """
    interruption = interruption or Interruption()
    improver, config, board, start = _checked(job)
    warming = Stopwatch()
    with interruption.defer():
        with warming:
            improver.warm_up(config)
        yield Started(warming.wall_s, resident_bytes())
        run = _Run(job, board)
        yield from run.begin(start)
        if run.status is None:
            yield from run.improve(improver, config, start, interruption)
    yield run.result(warming.wall_s)


class _Run:
    """A run under way: the best board so far, verified, and the trace of its scores."""

    def __init__(self, job: ImprovementJob, board: BoardArrays) -> None:
        self.status: Status | None = None
        self._job, self._board, self._bound = job, board, max_score(job.puzzle)
        self._solving = Stopwatch()
        self._search: ImprovingSearch | None = None
        self._best, self._score = board.fixed, NO_SCORE
        self._trace: list[Improved] = []

    def begin(self, start: Placed | None) -> Iterator[BestBoard]:
        """Yield the first board: the start or the hints, filled greedily."""
        with self._solving:
            placed = (self._board.fixed if start is None else start).copy()
            fill(self._board, placed)
        yield from self._take(placed)
        if not np.any(self._board.fixed < 0):
            self.status = self.status or Status.EXHAUSTED

    def improve(
        self,
        improver: AnyImprover,
        config: Config,
        start: Placed | None,
        interruption: Interruption,
    ) -> Iterator[BestBoard]:
        """Yield each better board until the run ends."""
        job, solving, work = self._job, self._solving, SliceWork(SLICE_S, *WORK)
        with solving:
            search = improver.begin(self._board, config, job.seed, start)
        self._search = search
        while self.status is None:
            before_s = solving.wall_s
            if job.nodes is None:
                budget = Budget(work.now, seconds=job.time_s - before_s)
            else:  # what depends on the time left could not be repeated
                budget = Budget(min(work.now, job.nodes - search.nodes))
            with solving:
                goes_on = search.advance(budget)
            if search.score > self._score:
                yield from self._take(search.best)
                self._check_score(search.score)
            self.status = self.status or self._end(
                goes_on=goes_on, interrupted=interruption.requested
            )
            work.took(solving.wall_s - before_s)

    def result(self, warm_up_s: float) -> ImprovementResult:
        """What the run has found."""
        assert self.status is not None
        search = self._search
        return ImprovementResult(
            job=self._job,
            status=self.status,
            best=self._best_board,
            nodes=self._nodes,
            warm_up_s=warm_up_s,
            solve_s=self._solving.wall_s,
            cpu_s=self._solving.cpu_s,
            counters={} if search is None else search.counters,
        )

    @property
    def _best_board(self) -> BestBoard:
        board = self._board.partial_board(self._best)
        return BestBoard(board, self._score, self._bound, tuple(self._trace))

    @property
    def _nodes(self) -> int:
        return 0 if self._search is None else self._search.nodes

    def _take(self, placed: Placed) -> Iterator[BestBoard]:
        """Keep a better board, scored by code that no improver shares."""
        try:
            score = verified_score(self._job.puzzle, self._board.partial_board(placed))
        except PuzzleError as error:
            raise BackendError(f"{self._job.improver} reported a wrong board: {error}") from None
        self._best, self._score = placed, score
        self._trace.append(Improved(self._solving.wall_s, self._nodes, score))
        if score == self._bound:
            self.status = Status.SOLVED
        yield self._best_board

    def _check_score(self, reported: int) -> None:
        if reported != self._score:
            raise BackendError(
                f"{self._job.improver} reported a score of {reported}; the board has {self._score}"
            )

    def _end(self, *, goes_on: bool, interrupted: bool) -> Status | None:
        """Why a search that has found no solution ends now, or None."""
        if not goes_on:
            return Status.EXHAUSTED
        if interrupted:
            return Status.INTERRUPTED
        if self._job.nodes is not None and self._nodes >= self._job.nodes:
            return Status.NODE_LIMIT
        return Status.TIME_LIMIT if self._solving.wall_s >= self._job.time_s else None


def _checked(job: ImprovementJob) -> tuple[AnyImprover, Config, BoardArrays, Placed | None]:
    if not _is_whole(job.seed, 0):
        raise ConfigError(f"seed is {job.seed!r:.60}; expected a whole number of 0 or more")
    if job.nodes is not None and not _is_whole(job.nodes, 1):
        raise ConfigError(f"node limit is {job.nodes!r:.60}; expected a whole number of 1 or more")
    if not isinstance(job.start, PartialBoard | None):
        raise ConfigError(f"start is {job.start!r:.60}; expected a PartialBoard")
    if not isinstance(job.improver, str):
        raise ConfigError(f"backend is {job.improver!r:.60}; expected the name of an improver")
    if not isinstance(job.config, Mapping) or not all(isinstance(key, str) for key in job.config):
        raise ConfigError(f"config is {job.config!r:.60}; expected a mapping of keys to values")
    improver = improver_named(job.improver)
    config = improver_config(job.improver, job.config)
    board = board_arrays(job.puzzle)
    reason = improver.refuses(board, config)
    if reason is not None:
        raise BackendError(f"{job.puzzle.name}: {job.improver} refuses: {reason}")
    if job.start is None:
        return improver, config, board, None
    verified_score(job.puzzle, job.start)
    return improver, config, board, board.placed(job.start)


def _is_whole(value: object, min_value: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= min_value
