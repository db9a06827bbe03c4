"""The result of a run: workers send it, records contain its fields, reports print it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dovetail.harness.plain_data import Count, Flag, Number, Seconds, Text, Whole
from dovetail.harness.run.job import Job
from dovetail.models.outcome import Counters, Status
from dovetail.models.partial_board import PartialBoard
from dovetail.models.solution import Solution
from dovetail.models.sub_problem import SubProblem


@dataclass(frozen=True)
class Improved:
    """A better board than any before."""

    seconds: Seconds
    """Wall-clock seconds since the search began."""
    nodes: Whole
    """Placements made until then."""
    score: Whole
    """Matched edges of the board."""


@dataclass(frozen=True)
class BestBoard:
    """The best board so far, its score (matched edges), and the score of a solution, the `bound`.

    `trace` has all improvements, of which this board is the last.
    """

    board: PartialBoard
    score: int
    bound: int
    trace: tuple[Improved, ...]

    @property
    def is_solution(self) -> bool:
        """Whether every edge matches."""
        return self.score == self.bound


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
class Result:
    """The result of a run. Seconds are wall-clock unless said otherwise."""

    status: Status
    count: int | None = None
    """Number of solutions; a lower bound unless the status is `exhausted`; None if unknown. Of an
    improvement 1 if it solved the board, 0 if it tried all that can be solutions."""
    counters: Counters = field(default_factory=Counters)
    reason: str | None = None
    """Why the run was refused, stopped or wrong, or why no search was necessary."""
    verified: int = 0
    """Number of solutions checked against the puzzle."""
    placements: Mapping[str, int] = field(default_factory=dict)
    """Number of options `before` the reductions and after each reduction by its name."""
    symmetry_expansion: str | None = None
    """What was done with solutions after they were found: `as found`, `canonical forms` (one of
    each class was let through), `least forms` (the same, with the restricted piece where it is),
    `counted` (nothing: the search has counted what was asked for) or `images` (each represents all
    its images with a piece elsewhere)."""
    piece_selection: PieceSelection | None = None
    """How the piece that breaks symmetry was chosen by sampling; None without sampling."""
    searched: Searched | None = None
    """Totals of several searches; None for one search."""
    chosen: Chosen | None = None
    """What `auto` chose; None for other backends."""
    remaining: tuple[SubProblem, ...] | None = None
    """What a run within a part of the tree has left of it, in the order of the search: nothing if
    it is exhausted, None where it cannot be cut."""
    parallel: Parallel | None = None
    """How the search was divided; None for a run in one process."""
    warm_up_s: float = 0.0
    """Importing and compiling."""
    prepare_s: float = 0.0
    """Lowering the puzzle, reductions, and building the backend's tables."""
    solve_s: float = 0.0
    """Searching, and sorting solutions into symmetry classes; of all sittings if divided."""
    solve_cpu_s: float = 0.0
    """Processor time of the search: of the process, or of the thread of a search that cannot be
    sliced; of all workers if divided."""
    check_s: float = 0.0
    """Verifying solutions."""
    peak_bytes: int | None = None
    """Largest resident size of the process since it started to prepare."""
    baseline_bytes: int | None = None
    """Resident size when it started to prepare."""
    example: Solution | None = field(default=None, repr=False)
    """First solution that was verified, in the order of the search; None if none was, and if only
    workers verified solutions. Of an improvement the best board, None if a cell is empty."""
    program: Mapping[str, str] = field(default_factory=dict)
    """Version and digest of a program that searched."""
    best: BestBoard | None = None
    """Best board of an improvement."""
    job: Job | None = field(default=None, repr=False, compare=False)
    """What was asked; the Python API fills it in."""

    @property
    def nodes(self) -> int | None:
        """Nodes of the search; None where the backend does not count them."""
        return self.counters.nodes

    @property
    def answer(self) -> tuple[Status, int | None, Counters, str | None]:
        """What another run of the job finds again: status, count, counters and reason."""
        return self.status, self.count, self.counters, self.reason

    @property
    def board(self) -> PartialBoard | None:
        """Best board of an improvement."""
        return None if self.best is None else self.best.board

    @property
    def score(self) -> int | None:
        """Matched edges of the best board."""
        return None if self.best is None else self.best.score

    @property
    def bound(self) -> int | None:
        """Score of a solution."""
        return None if self.best is None else self.best.bound

    @property
    def trace(self) -> tuple[Improved, ...] | None:
        """Each board that was better than all before, in the order in which they were found."""
        return None if self.best is None else self.best.trace

    @property
    def total_s(self) -> float:
        """Prepare and solve together: neither warm-up nor dovetail's verification is part of it."""
        return self.prepare_s + self.solve_s
