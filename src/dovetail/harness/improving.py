"""Runs that improve a board within limits; every better board is verified.

The time of a run includes building tables, but not compiling. The status is `exhausted` if the
improver has tried all boards that it can build. These boards include all solutions, so the puzzle
then has no solution. A higher score may still be possible, because the improver `breaks` does not
place a tile that matches neither of the two neighbours placed before.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

import numpy as np

from dovetail.backends.base import Budget, Config
from dovetail.errors import BackendError, ConfigError, PuzzleError, WorkersError, unknown_name
from dovetail.harness.run.clock import Interruption, Stopwatch
from dovetail.harness.run.events import Event, Progress, Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import BestBoard, Improved, Result
from dovetail.harness.run.searches import SliceWork
from dovetail.improvers import DEFAULT_IMPROVER, DEFAULT_TIME_S
from dovetail.improvers.base import NO_SCORE, AnyImprover, ImprovingSearch, Placed
from dovetail.improvers.registry import improver_config, improver_named, improvers
from dovetail.improvers.shared.board import BoardArrays, board_arrays, fill
from dovetail.improvers.shared.mismatches import take_off_mismatches
from dovetail.models.boards.edges import VARIANTS, EdgePuzzle
from dovetail.models.boards.partial_board import Objective, PartialBoard, max_score, verified_score
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.platform.resources import peak_bytes, resident_bytes

# Target duration of a slice in seconds.
SLICE_S = 0.05
# Number of placements in a slice: in the first slice, minimum and maximum.
WORK = 50_000, 100, 50_000_000


def improving_job(
    puzzle: Puzzle,
    improver: str = DEFAULT_IMPROVER,
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    *,
    seed: int = 1,
    cold_start: bool = False,
    start: PartialBoard | None = None,
    objective: str = Objective.EDGES,
) -> Job:
    """Return the job that improves a board; raise `ConfigError` for invalid arguments.

    The default time limit is `DEFAULT_TIME_S`. The run checks the improver's name and the config.
    """
    limits = limits or Limits()
    if limits.nodes == 0:
        raise ConfigError("node limit is 0; expected a whole number of 1 or more")
    if limits.time_s is None:
        limits = replace(limits, time_s=DEFAULT_TIME_S)
    if not isinstance(improver, str):
        raise ConfigError(f"backend is {improver!r:.60}; expected the name of an improver")
    if objective not in list(Objective):
        raise unknown_name("objective", f"{objective}", Objective)
    return Job(
        edge_puzzle(puzzle),
        Request(Symmetry.ALL),
        improver,
        {} if config is None else config,
        limits,
        seed,
        cold_start=cold_start,
        improves=True,
        objective=Objective(objective),
        start=start,
    )


def edge_puzzle(puzzle: Puzzle) -> EdgePuzzle:
    """Return `puzzle` if it is an edge-matching puzzle without variants.

    Raises `ConfigError` for any other value.
    """
    if not isinstance(puzzle, Puzzle):
        raise ConfigError(f"board is {puzzle!r:.60}; expected a puzzle, a catalogue name or a file")
    if not isinstance(puzzle, EdgePuzzle):
        raise ConfigError(f"{puzzle.name} is not an edge-matching puzzle; only boards are improved")
    if puzzle.variants:
        raise ConfigError(
            f"{puzzle.name} cannot be improved: improvers do not support "
            f"{VARIANTS[puzzle.variants[0]]}"
        )
    return puzzle


def improve(
    job: Job, interruption: Interruption | None = None, run: ImprovingRun | None = None
) -> Iterator[Event]:
    """Yield the events of a run: its start, each better board, its progress, and the result.

    The default time limit is `DEFAULT_TIME_S`. With a limit on nodes, the search does not adapt to
    the remaining time. If a board of the improver fails verification, the status is `wrong` and the
    result has the best verified board. By default, `run` is an `ImprovingRun` of the job.

    Raises `ConfigError` for an unknown name or setting, `PuzzleError` for an invalid puzzle and for
    a start that is not a board of the puzzle, and `BackendError` if the improver refuses the puzzle
    or the objective.
    """
    interruption = interruption or Interruption()
    run = run or ImprovingRun(job)
    warming = Stopwatch()
    with interruption.defer():
        with warming:
            run.warm_up()
        baseline_bytes = resident_bytes()
        yield Started(warming.wall_s, baseline_bytes)
        yield Progress(None, run.nodes, None)
        try:
            yield from run.begin()
            if run.status is None:
                yield from run.improve(interruption)
        except WorkersError:
            raise
        except BackendError as error:
            run.status, run.reason = Status.WRONG, str(error)
        except MemoryError:
            if run.reason is None:  # not a limit of the run: this process is out of memory
                raise
            run.status = Status.MEMORY_LIMIT
        run.end()
    yield run.result(warming.wall_s, baseline_bytes)


class ImprovingRun:
    """State of a run: the best verified board so far, and the trace of scores.

    Raises the errors of `improve` for the job.
    """

    def __init__(self, job: Job) -> None:
        self.status: Status | None = None
        self.reason: str | None = None
        self._improver, self._config, board = checked(job)
        self._job, self._puzzle, self._board = job, board.puzzle, board
        self._start = None if job.start is None else self._placed(job.start)
        limit_s, self._max_nodes = job.limits.time_s, job.limits.nodes
        self._time_s = DEFAULT_TIME_S if limit_s is None else limit_s
        self._bound = max_score(self._puzzle, job.objective)
        self._solving, self._before_s = Stopwatch(), 0.0  # seconds of earlier commands
        self._search: ImprovingSearch | None = None
        self._best, self._score = board.fixed, NO_SCORE
        self._trace: list[Improved] = []

    def warm_up(self) -> None:
        """Compile the kernels of the improver."""
        self._improver.warm_up(self._config)

    def begin(self) -> Iterator[Event]:
        """Yield the events of the first board: the start or the hints, completed greedily.

        Sets `status` if the first board is a solution or if the hints fill the board.
        """
        with self._solving:
            placed = (self._board.fixed if self._start is None else self._start).copy()
            fill(self._board, placed)
        yield from self._take(placed)
        if not np.any(self._board.fixed < 0):
            self.status = self.status or Status.EXHAUSTED

    def improve(self, interruption: Interruption) -> Iterator[Event]:
        """Search until a status ends the run, and yield the events of each better board."""
        solving, work = self._solving, SliceWork(SLICE_S, *WORK)
        with solving:
            search = self._improver.begin(self._board, self._config, self._job.seed, self._start)
        self._search = search
        while self.status is None:
            before_s = solving.wall_s
            if self._max_nodes is None:
                budget = Budget(work.now, seconds=self._time_s - before_s)
            else:  # adapting to the remaining time would make runs differ
                budget = Budget(min(work.now, self._max_nodes - search.nodes))
            with solving:
                continues = search.advance(budget)
            yield from self._take_better(search.best, search.score)
            self.status = self.status or self._ended(
                continues=continues, interrupted=interruption.requested
            )
            work.took(solving.wall_s - before_s)

    def end(self) -> None:
        """Finish the run after its status is final; does nothing by default."""

    def result(self, warm_up_s: float, baseline_bytes: int | None) -> Result:
        """Return the result of the run; its count is 1 if solved, 0 if exhausted, and else None."""
        assert self.status is not None
        best, native = self._best_board, {} if self._search is None else self._search.counters
        return Result(
            self.status,
            {Status.SOLVED: 1, Status.EXHAUSTED: 0}.get(self.status),
            Counters(nodes=self.nodes, native=native),
            self.reason,
            verified=int(best.is_solution),
            warm_up_s=warm_up_s,
            solve_s=self._solving.wall_s,
            solve_cpu_s=self._solving.cpu_s,
            peak_bytes=peak_bytes(),
            baseline_bytes=baseline_bytes,
            example=best.board.solution,
            **vars(best),
        )

    @property
    def _best_board(self) -> BestBoard:
        board = self._board.partial_board(self._best)
        return BestBoard(board, self._score, self._bound, tuple(self._trace))

    @property
    def nodes(self) -> int:
        """Number of nodes so far, including those of earlier commands."""
        return 0 if self._search is None else self._search.nodes

    def _placed(self, board: PartialBoard) -> Placed:
        """Return a board as arrays; for the objective `tiles`, take off tiles with a mismatch.

        Raises `ConfigError` if `board` is not a `PartialBoard`, and `PuzzleError` if it is not a
        board of the puzzle.
        """
        if not isinstance(board, PartialBoard):
            raise ConfigError(f"start is {board!r:.60}; expected a PartialBoard")
        verified_score(self._puzzle, board)
        placed = self._board.placed(board)
        if self._job.objective is Objective.TILES:
            take_off_mismatches(self._board, placed)
        return placed

    def _take_better(self, placed: Placed, score: int) -> Iterator[Event]:
        """Take a board if the reported `score` is better, and yield its events.

        Raises `BackendError` if the board is wrong or has another score.
        """
        if score <= self._score:
            return
        verified = yield from self._take(placed)
        if score != verified:
            raise BackendError(
                f"{self._job.backend} reported a score of {score}; its board has {verified}"
            )

    def _take(self, placed: Placed) -> Generator[Event, None, int]:
        """Verify a board and return its score; if it is the best board, keep it and yield events.

        A board with the highest possible score sets the status `solved`. Raises `BackendError` if
        the board is wrong.
        """
        try:
            score = self._verified(placed)
        except PuzzleError as error:
            raise BackendError(f"{self._job.backend} reported a wrong board: {error}") from None
        if score <= self._score:
            return score
        self._best, self._score = placed, score
        last = Improved(self._solving.wall_s, self.nodes, score)
        self._trace.append(last)
        if score == self._bound:
            self.status = Status.SOLVED
        yield self._best_board
        yield Progress(None, last.nodes, None, solve_s=last.seconds - self._before_s)
        return score

    def _verified(self, placed: Placed) -> int:
        """Return the score of a board; raise `PuzzleError` for a wrong board."""
        board = self._board.partial_board(placed)
        return verified_score(self._puzzle, board, self._job.objective)

    def _ended(self, *, continues: bool, interrupted: bool) -> Status | None:
        """Return the status if a search without a solution has to end now, or None.

        `continues` is False if the search has tried all boards that it can build.
        """
        if not continues:
            return Status.EXHAUSTED
        if interrupted:
            return Status.INTERRUPTED
        if self._max_nodes is not None and self.nodes >= self._max_nodes:
            return Status.NODE_LIMIT
        return Status.TIME_LIMIT if self._solving.wall_s >= self._time_s else None


def checked(job: Job) -> tuple[AnyImprover, Config, BoardArrays]:
    """Return the improver, its config and the board of a job; raise the errors of `improve`."""
    puzzle, improver = edge_puzzle(job.puzzle), improver_named(job.backend)
    config = improver_config(job.backend, job.config)
    if job.objective not in improver.objectives:
        able = [other.name for other in improvers().values() if job.objective in other.objectives]
        raise BackendError(
            f"{job.backend} refuses the objective {job.objective}; improvers that support it: "
            f"{', '.join(able)}"
        )
    board = board_arrays(puzzle, job.objective)
    reason = improver.refuses(board, config)
    if reason is not None:
        raise BackendError(f"{puzzle.name}: {job.backend} refuses: {reason}")
    return improver, config, board
