"""The events of a run, and the state of a run according to its events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.job import Chosen
from dovetail.harness.run.result import BestBoard, Parallel, Result, Searched
from dovetail.models.outcome import Counters, Status
from dovetail.models.solution import Solution
from dovetail.models.task import LoweredPuzzle


@dataclass(frozen=True)
class Compiling:
    """The compilation of kernels starts (`under_way`) or has ended; its time does not count."""

    under_way: bool


@dataclass(frozen=True)
class Started:
    """The kernels are compiled; time and memory are measured from this event on.

    The event is sent again after a later compilation, with a new `baseline_bytes`. The time that
    was measured before that compilation still counts.
    """

    warm_up_s: float
    # Resident size of Python, the libraries and the kernels; None if it is unknown.
    baseline_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """New solutions; a run whose request does not list solutions may also report some.

    Examples are searches that end at their first solution, and parallel runs with a limit on
    solutions.
    """

    # Option numbers of n solutions, shape (n, k), padded with −1.
    options: NDArray[np.int32]
    # The puzzle that defines the options; None in messages between processes.
    lowered: LoweredPuzzle | None = None

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions as objects of the puzzle's solution class."""
        assert self.lowered is not None, "the puzzle is lowered before its solutions are read"
        for options in self.options:
            yield self.lowered.solution(options[options >= 0].tolist())


@dataclass(frozen=True)
class WorkerProgress:
    """The progress of a worker on its sub-problem."""

    name: str
    # Readable key of the sub-problem; see `base.show_key`.
    key: str
    # Seconds since the sub-problem was assigned to the worker.
    since_s: float
    nodes: int


@dataclass(frozen=True)
class ParallelProgress:
    """The progress of a run on several workers."""

    # Totals of the sub-problems so far.
    totals: Parallel
    # Number of sub-problems that wait for a worker, including audits.
    waiting: int
    running: tuple[WorkerProgress, ...]
    # Nodes searched by earlier commands that worked on the run.
    nodes_before: int = 0
    # Range of the remaining seconds; None if unknown.
    left_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class WorkerReplaced:
    """A worker process has ended too early, and another process has taken its place."""

    name: str
    reason: str


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    # Number of solutions so far, a lower bound of the count; None if it is not known yet.
    count: int | None
    nodes: int | None
    # Share from 0 to 1 of the search tree or of the trials that is done; None if unknown.
    share: float | None
    # Totals of the restarts or trials so far; None for a single search.
    searched: Searched | None = None
    # False while the search builds its tables.
    prepared: bool = True
    # Seconds of preparing, solving and verifying so far.
    prepare_s: float = 0.0
    solve_s: float = 0.0
    check_s: float = 0.0
    # Expected processor seconds of the whole search; None if the search has no forecast so far.
    forecast_s: float | None = None
    parallel: ParallelProgress | None = None


@dataclass(frozen=True)
class AssembliesSoFar:
    """The progress of taking assemblies apart."""

    assemblies: int
    # Number of assemblies that come apart.
    solutions: int


Event = (
    Compiling
    | Started
    | Chosen
    | Found
    | BestBoard
    | Progress
    | AssembliesSoFar
    | WorkerReplaced
    | Result
)


class RunSoFar:
    """The state of a run according to its events.

    Time is charged from `Started` to `Result`, except during compilation. `clock` returns monotonic
    seconds.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or time.monotonic
        self._silent_s = 0.0  # seconds charged between the last progress and `_since`
        self._since: float | None = None  # time of the clock; None while no time is charged
        self._baseline: int | None = None
        self.known = Progress(None, None, None)  # last progress; unknown values are None
        self._chosen: Chosen | None = None
        self._best: BestBoard | None = None
        self.searches = False  # True after the first progress

    @property
    def is_ready(self) -> bool:
        """Whether time is charged at present."""
        return self._since is not None

    @property
    def charged_s(self) -> float:
        """Charged seconds: preparing and solving in the last progress, and the time since then."""
        return self.known.prepare_s + self.known.solve_s + self._unreported_s

    def add(self, event: Event) -> None:
        """Update the state with an event of the run."""
        match event:
            case Started():
                self._silent_s, self._since = self._unreported_s, self._clock()
                self._baseline = event.baseline_bytes
            case Compiling():
                self._silent_s = self._unreported_s
                self._since = None if event.under_way else self._clock()
            case Chosen():
                self._chosen = event
            case BestBoard():
                self._best = event
            case Progress():
                self.known, self.searches = event, True
                self._silent_s, self._since = 0.0, self._clock()
            case Result():
                known = self.known
                self.known = replace(known, prepare_s=event.prepare_s, solve_s=event.solve_s)
                self._silent_s, self._since = 0.0, None

    def finished(
        self, status: Status, reason: str | None = None, peak_bytes: int | None = None
    ) -> Result:
        """Return the result of a run that is ended now, with its progress and times so far."""
        known, silent_s = self.known, self._unreported_s
        searched_s = silent_s if self.searches and known.prepared else 0.0
        return Result(
            status,
            known.count,
            Counters(nodes=known.nodes),
            reason,
            searched=known.searched,
            chosen=self._chosen,
            **({} if self._best is None else vars(self._best)),
            example=None if self._best is None else self._best.board.solution,
            prepare_s=known.prepare_s + silent_s - searched_s,
            solve_s=known.solve_s + searched_s,
            check_s=known.check_s,
            peak_bytes=peak_bytes,
            baseline_bytes=self._baseline,
        )

    @property
    def _unreported_s(self) -> float:
        """Seconds that were charged since the last progress."""
        return self._silent_s + (0.0 if self._since is None else self._clock() - self._since)
