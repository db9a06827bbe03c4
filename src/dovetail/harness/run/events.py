"""The events of a run: compiling, started, chosen, found, best board, progress and finished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.plain_data import Count, Flag, Number, Seconds, Text, Whole
from dovetail.harness.run.best_board import BestBoard
from dovetail.models.outcome import Counters, Outcome, Status
from dovetail.models.solution import Solution
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import LoweredPuzzle


@dataclass(frozen=True)
class Compiling:
    """What only this task needs is compiled; while that is `under_way`, time does not count."""

    under_way: bool


@dataclass(frozen=True)
class Started:
    """The puzzle is read and everything compiled; from here on time and memory count.

    It comes again, and they count anew, when more had to be compiled for what was asked.

    `baseline_bytes` is the resident size by now: what Python, libraries and kernels take.
    """

    warm_up_s: float
    baseline_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """Solutions that the request asks for, as options, shape (n, k) padded with −1.

    `lowered` has what the options are; it does not travel between processes.
    """

    options: NDArray[np.int32]
    lowered: LoweredPuzzle | None = None

    def solutions(self) -> Iterator[Solution]:
        """The solutions in the puzzle's own terms."""
        assert self.lowered is not None, "the puzzle is lowered before its solutions are read"
        for options in self.options:
            yield self.lowered.solution(options[options >= 0].tolist())


@dataclass(frozen=True)
class Chosen:
    """Backend, config and all reductions that `auto` chose, and the reason."""

    backend: Text
    config: Mapping[str, object]
    reductions: tuple[Text, ...]
    why: Text
    """Sizes that led to the choice, and what was refused or left out."""
    forecast_s: Seconds | None = field(default=None, compare=False)
    """Expected processor seconds of the search, at the speed measured on this puzzle (of `frontier`
    by the number of its states); null where the search is short or its size is not known."""


@dataclass(frozen=True)
class RateInterval:
    """The 95 % confidence interval of a rate per second."""

    low: Number
    high: Number


@dataclass(frozen=True)
class Searched:
    """Totals of trials or restarts.

    The number of searches `begun`, of those `with_solutions`, and of all solutions `found`. A
    solution that several searches find counts for each, as in Busche's trials.
    """

    begun: Whole
    with_solutions: Whole
    found: Whole
    with_trigger: Mapping[Text, Whole] = field(default_factory=dict)
    """Searches in which a trigger removed a placement, by trigger."""
    cpu_s: Seconds | None = None
    """Processor time of preparing and solving, of the searches that have ended; lowering the puzzle
    is no part of it."""
    rate_interval: RateInterval | None = None
    """Solutions per second of `cpu_s`, by the spread of the trials; null for restarts, and if fewer
    than ten trials found any."""


@dataclass(frozen=True)
class PieceEstimate:
    """A sampled piece: the nodes made, and the estimated number of nodes of a whole search.

    `estimate` and its standard `error` are None if the search could not estimate the share of its
    tree that was done; the error is 0 if the search finished.
    """

    piece: Text
    nodes: Count
    estimate: Count | None
    error: Count | None


@dataclass(frozen=True)
class PieceSelection:
    """The sampled pieces in the puzzle's order, and the chosen one; None: no piece was chosen."""

    pieces: tuple[PieceEstimate, ...]
    chosen: Text | None


@dataclass(frozen=True)
class Parallel:
    """The workers of a run that was divided, and what became of its sub-problems."""

    workers: Whole
    """Number of worker processes; if it changed, the largest."""
    division: Text
    """Meaning of a sub-problem. `cut`: part of the search tree; `task`: the puzzle with options
    placed; `whole`: the whole search."""
    done: Whole = 0
    """Sub-problems searched to the end."""
    cut: Whole = 0
    """Sub-problems replaced by the parts that were left of them."""
    redone: Whole = 0
    """Repeated sub-problems, because their worker was lost."""
    audited: Whole = 0
    """Sub-problems searched again, with the same result."""
    sittings: Whole = 1
    """Number of commands that worked on the run; more than 1 if it was resumed."""
    same_nodes: Flag = True
    """Whether the nodes are those of one search. If not, they depend on where it was divided."""
    why_whole: Text | None = None
    """Reason the search was not divided; null if it was."""
    fewest_workers: Whole | None = None
    """Smallest number of worker processes, if it changed; null if it did not."""

    @property
    def workers_range(self) -> str:
        """The number of workers, or its range, such as `1 to 4`."""
        fewest = self.fewest_workers
        return str(self.workers) if fewest is None else f"{fewest} to {self.workers}"


@dataclass(frozen=True)
class WorkerProgress:
    """A worker: the sub-problem it searches, since when, and the nodes it has made."""

    name: str
    key: str
    since_s: float
    nodes: int


@dataclass(frozen=True)
class ParallelProgress:
    """How far the sub-problems of a run are: those of `totals`, waiting, and of each worker.

    `nodes_before` are those of earlier commands that worked on the run, `left_s` the range of the
    seconds left, None while nothing is known.
    """

    totals: Parallel
    waiting: int
    running: tuple[WorkerProgress, ...]
    nodes_before: int = 0
    left_s: tuple[float, float] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of a run: a lower bound, the nodes made, the share of the tree done.

    Of trials, the share that have ended. And what became of several searches so far, where there
    are to be several. A search that still builds its tables is not `prepared`. `prepare_s`,
    `solve_s` and `check_s` are how long preparing, solving and verifying have taken so far.
    """

    count: int | None
    nodes: int | None
    share: float | None
    searched: Searched | None = None
    prepared: bool = True
    prepare_s: float = 0.0
    solve_s: float = 0.0
    check_s: float = 0.0
    parallel: ParallelProgress | None = None


@dataclass(frozen=True)
class Finished:
    """The result of a run.

    Seconds are wall-clock: `warm_up_s` importing and compiling, `prepare_s` lowering the puzzle and
    building the backend's tables, `solve_s` searching and, for counts up to symmetry, sorting
    solutions into classes, `check_s` verifying. `solve_cpu_s` is the processor time of the search:
    that of the process, or of the thread of a search that cannot be sliced. `peak_bytes` is
    the largest resident size of the process since it started to prepare, and `baseline_bytes` the
    size it had then. `verified` is how many solutions were checked against the puzzle.
    `placements` is how many options there were `before`, and after each
    reduction by its name. `symmetry_expansion` is what was done with solutions after they were
    found: `as found`, `canonical forms` (one of each class was let through), `least forms` (the
    same, with the restricted piece where it is), `counted` (nothing: the search has counted what
    was asked for) or `images` (each represents all its images with a piece elsewhere).
    `piece_selection` is how the piece that breaks the symmetry was chosen by sampling, if it was,
    `searched` the totals of several searches, if there were several, and `chosen` what `auto`
    chose. `remaining` is what a run within a sub-problem that was cut from a search has left of it,
    in the order of the search: nothing if it is exhausted, None where it could not be cut.
    `parallel` says how it was divided, if it was; then `solve_s` is the time of all sittings, and
    `solve_cpu_s` that of all workers. `example` is the first solution that was verified, in the
    order of the search; None if none was, and if only workers verified solutions. `program` tells
    a program that searched from others of its name. `best` is the best board of an improvement;
    then `example` is that board, whose edges need not match, or None if a cell is empty.
    """

    outcome: Outcome
    verified: int = 0
    placements: Mapping[str, int] = field(default_factory=dict)
    symmetry_expansion: str | None = None
    piece_selection: PieceSelection | None = None
    searched: Searched | None = None
    chosen: Chosen | None = None
    remaining: tuple[SubProblem, ...] | None = None
    parallel: Parallel | None = None
    warm_up_s: float = 0.0
    prepare_s: float = 0.0
    solve_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int | None = None
    baseline_bytes: int | None = None
    example: Solution | None = field(default=None, repr=False)
    program: Mapping[str, str] = field(default_factory=dict)
    best: BestBoard | None = None

    @property
    def status(self) -> Status:
        """What was proved."""
        return self.outcome.status

    @property
    def count(self) -> int | None:
        """Solutions; a lower bound unless exhausted."""
        return self.outcome.count

    @property
    def nodes(self) -> int | None:
        """Placements made, None where the backend does not count them."""
        return self.outcome.counters.nodes

    @property
    def reason(self) -> str | None:
        """Why the run was refused, cut or wrong."""
        return self.outcome.reason

    @property
    def total_s(self) -> float:
        """Prepare and solve together: neither warm-up nor dovetail's verification is part of it."""
        return self.prepare_s + self.solve_s


Event = Compiling | Started | Chosen | Found | BestBoard | Progress | Finished


def ended(status: Status, reason: str, *, prepare_s: float = 0.0, solve_s: float = 0.0) -> Finished:
    """A run that ended without a search to ask: skipped, failed or killed."""
    outcome = Outcome(status, None, Counters(), reason)
    return Finished(outcome, prepare_s=prepare_s, solve_s=solve_s)
