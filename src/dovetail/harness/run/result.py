"""The result of a run, which workers send, records contain and reports print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.run.job import Chosen, Job, PieceSelection
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.outcome import Counters, Status
from dovetail.models.solution import Solution
from dovetail.models.sub_problem import SubProblem
from dovetail.plain_data import LARGEST, Bytes, Count, Flag, Mark, Number, Seconds, Text, Whole
from dovetail.printable import Reported


@dataclass(frozen=True)
class Improved:
    """An improvement: a board that is better than all earlier boards."""

    seconds: Seconds
    """Wall-clock seconds of searching before the board was found."""
    nodes: Whole
    """Number of placements made before the board was found."""
    score: Whole
    """Score of the board."""


@dataclass(frozen=True)
class BestBoard:
    """The best board so far."""

    board: PartialBoard
    # Score by the objective of the job.
    score: int
    # Score of a solution.
    bound: int
    # All improvements; the last improvement is this board.
    trace: tuple[Improved, ...]

    @property
    def is_solution(self) -> bool:
        """Whether every edge matches and no cell is empty."""
        return self.score == self.bound


@dataclass(frozen=True)
class RateInterval:
    """The 95 % confidence interval of a rate per second."""

    low: Number
    """Lower end."""
    high: Number
    """Upper end."""


@dataclass(frozen=True)
class Searched:
    """Totals and rates of trials or restarts.

    `found` counts a solution once for each search that finds it, as in Busche's trials.
    """

    begun: Whole
    """Number of searches."""
    with_solutions: Whole
    """Number of searches with a solution."""
    found: Whole
    """Sum of the numbers of solutions of all searches."""
    with_trigger: Mapping[Text, Whole] = field(default_factory=dict)
    """Number of searches in which a trigger removed a placement, by trigger."""
    cpu_s: Seconds | None = None
    """Processor time of preparing and solving for the searches that have ended, without lowering
    the puzzle."""
    rate_interval: RateInterval | None = None
    """Confidence interval of `per_cpu_s` from the spread of the trials; null for restarts, and if
    fewer than ten trials found a solution."""
    per_solve_s: Number | None = field(default=None, compare=False)
    """Solutions per second of `solve_s`."""
    per_prepare_and_solve_s: Number | None = field(default=None, compare=False)
    """Solutions per second of `total_s`."""
    per_cpu_s: Number | None = field(default=None, compare=False)
    """Solutions per second of `cpu_s`."""

    def with_rates(self, solve_s: float, total_s: float) -> Searched:
        """Return the totals with the rates of a run that took these times."""

        def rate(seconds: float | None) -> float | None:
            per_s = self.found / seconds if seconds else LARGEST
            return per_s if per_s < LARGEST else None  # a larger number is not valid in a record

        return replace(
            self,
            per_solve_s=rate(solve_s),
            per_prepare_and_solve_s=rate(total_s),
            per_cpu_s=rate(self.cpu_s),
        )


@dataclass(frozen=True)
class Parallel:
    """The number of workers of a divided run, and the numbers of its sub-problems."""

    workers: Whole
    """Number of worker processes; if this number changed, its maximum."""
    division: Text
    """Meaning of a sub-problem. `cut`: part of the search tree; `task`: the puzzle with some
    options placed; `trials`: a trial; `whole`: the whole search; `islands`: searches that improve
    boards."""
    done: Whole = 0
    """Number of sub-problems that were searched to the end."""
    cut: Whole = 0
    """Number of sub-problems that were replaced by their unexplored parts."""
    redone: Whole = 0
    """Number of sub-problems that were repeated because their worker was lost."""
    audited: Whole = 0
    """Number of sub-problems that were searched again with the same result."""
    sittings: Whole = 1
    """Number of commands that worked on the run; more than 1 if it was resumed."""
    same_nodes: Flag = True
    """Whether the number of nodes is the same as without division. If not, the number of nodes
    depends on the points at which the search was divided."""
    why_whole: Text | None = None
    """Reason why the search was not divided; null if it was divided."""
    fewest_workers: Whole | None = None
    """Minimum number of worker processes; null if the number did not change."""

    @property
    def workers_range(self) -> str:
        """Number of workers, or its range, such as `1 to 4`."""
        fewest = self.fewest_workers
        return str(self.workers) if fewest is None else f"{fewest} to {self.workers}"


@dataclass(frozen=True)
class Disassembled:
    """Totals of taking apart the assemblies that a run found."""

    assemblies: Whole
    """Number of assemblies."""
    solutions: Whole
    """Number of assemblies that come apart."""
    locked: Whole
    """Number of assemblies that do not come apart."""
    undecided: Whole
    """Number of undecided assemblies, for example because of a limit; they may come apart."""
    reason: Text | None
    """Reason why the first undecided assembly is undecided; null if all are decided."""
    holes: Whole
    """Largest number of cells that an assembly leaves empty in the region."""
    first_numbers: Mapping[Text, Whole]
    """Number of solutions by the first number of their level (moves to the first separation)."""
    level: Text
    """Highest level, such as `4.9.3`; empty if no assembly comes apart."""
    moves: Whole
    """Number of all moves of the plan with the highest level."""
    removed: tuple[Whole, ...]
    """Number of pieces that come off at each separation of the plan with the highest level."""
    states: Whole
    """Number of positions of the pieces that the searches visited."""
    seconds: Seconds = field(default=0.0, compare=False)
    """Time of taking apart, which is not part of `solve_s`; with `--jobs`, mainly the time after
    the end of the search for assemblies."""

    @property
    def first_range(self) -> tuple[int, int] | None:
        """Smallest and largest key of `first_numbers`; None if no assembly comes apart."""
        numbers = list(map(int, self.first_numbers))
        return (min(numbers), max(numbers)) if numbers else None


@dataclass(frozen=True, repr=False)
class Result(Reported):
    """The result of a run: status, count, work and costs.

    Seconds are wall-clock times unless stated otherwise.

    >>> result = count("queens-6", symmetry="all")
    >>> result.count, str(result.status), result.job.backend
    (4, 'exhausted', 'auto')
    """

    status: Status
    """Status with which the run ended."""
    count: Count | None = None
    """Number of solutions; a lower bound unless the status is `exhausted`; null if unknown. For an
    improvement, 1 if the board was solved, and 0 if all boards that can be solutions were tried."""
    counters: Annotated[Counters, Mark.PART] = field(default_factory=Counters)
    reason: Text | None = None
    """Reason why the run was refused, stopped or wrong, or why no search was necessary."""
    score: Whole | None = None
    """Score of the best board of an improvement. For the objective `edges`, the number of inner
    edges between two tiles whose colours match; for `tiles`, the number of placed tiles. `score`,
    `bound` and `trace` are null for runs that count, and if no board was found."""
    bound: Whole | None = None
    """Score of a solution: the number of all inner edges or of all tiles."""
    trace: tuple[Improved, ...] | None = None
    """Improvements: the boards that were better than all earlier boards, in the order of the
    search."""
    board: Annotated[PartialBoard | None, Mark.UNRECORDED] = None
    """Best board of an improvement."""
    searched: Searched | None = None
    """Totals of several searches; null for a single search."""
    placements: Mapping[Text, Whole] = field(default_factory=dict)
    """Number of options `before` the reductions and after each reduction."""
    other_counts: Mapping[Text, Count] = field(default_factory=dict)
    """Number of solutions by another symmetry, if the same search determines it: by `all` for a
    count up to symmetry, and by `unique` or `mirror` for all solutions. Empty unless the status is
    `exhausted`."""
    symmetry_expansion: Text | None = None
    """Derivation of the solutions from the solutions that the search finds. `as found`: unchanged.
    `canonical forms`: one solution of each symmetry class is kept. `least forms`: the same, without
    symmetries that move the piece that breaks symmetry. `images`: each solution represents its
    images, in which this piece is elsewhere. `least images`: each solution that is the least of its
    images is kept, or represents its images. `counted`: the search counts the classes. `…,
    labelled`: each solution also represents all labellings of its identical tiles."""
    piece_selection: PieceSelection | None = None
    """Selection of the piece that breaks symmetry by sampling; null without sampling."""
    chosen: Chosen | None = None
    """Choice of `auto`; null for other backends."""
    parallel: Parallel | None = None
    """Worker processes and sub-problems of a run with `--jobs`, `--cluster` or `--checkpoint`; null
    for a run in a single process."""
    disassembled: Disassembled | None = None
    """Results of taking the assemblies apart; null if this was not requested."""
    program: Mapping[Text, Text] = field(default_factory=dict)
    """For a program that was run by its command: the `version` that it prints, and a digest
    (`sha256`) of the files that the command names. For a backend in a file: `file`, `class` and
    `sha256`."""
    remaining: Annotated[tuple[SubProblem, ...] | None, Mark.UNRECORDED] = None
    """Unexplored subtrees of a run on a part of the tree, in the order of the search; empty if the
    part is exhausted. None for a run on the whole tree, and if the subtrees are unknown."""
    rows: Annotated[NDArray[np.int32] | None, Mark.UNRECORDED] = field(
        default=None, repr=False, compare=False
    )
    """Options of the solutions that a part lists, int32 array of shape (n, k) padded with −1, in
    the order of the search."""
    warm_up_s: Seconds = 0.0
    """Time of importing and compiling, which is not part of any other figure."""
    prepare_s: Seconds = 0.0
    """Time of generating and reducing the options, of planning, and of building tables."""
    solve_s: Seconds = 0.0
    """Time of the search, and of sorting the solutions into symmetry classes if requested. For a
    divided run, the sum over all commands that worked on the run."""
    solve_cpu_s: Seconds | None = None
    """Processor time of the search, summed over all threads of the process, or of the searching
    thread if the backend cannot be sliced and uses a single thread. For a divided run, the sum over
    all workers. Null if it was not measured."""
    check_s: Seconds = 0.0
    """Time of verifying solutions, which is not part of the total."""
    total_s: Seconds = field(init=False)
    """Sum of `prepare_s` and `solve_s`."""
    peak_bytes: Bytes | None = None
    """Largest resident size: VmHWM of the searching process, or the largest observed sum over all
    processes if that is larger. For a child process, measured after importing and compiling."""
    baseline_bytes: Bytes | None = None
    """Resident size after importing and compiling."""
    verified: Whole = 0
    """Number of solutions verified against the puzzle."""
    example: Annotated[Solution | None, Mark.UNRECORDED] = field(default=None, repr=False)
    """First solution that was verified, in the order of the search; None if no solution was
    verified in this process. For an improvement, the best board, or None if a cell is empty."""
    job: Annotated[Job | None, Mark.UNRECORDED] = field(default=None, repr=False, compare=False)
    """The job, filled in by the Python API."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "total_s", self.prepare_s + self.solve_s)
        if self.searched is not None:
            rated = self.searched.with_rates(self.solve_s, self.total_s)
            object.__setattr__(self, "searched", rated)

    @property
    def nodes(self) -> int | None:
        """Number of nodes of the search; None if the backend does not count nodes."""
        return self.counters.nodes

    @property
    def answer(self) -> tuple[Status, int | None, Counters, str | None]:
        """Status, count, counters and reason: the result without the costs of the run."""
        return self.status, self.count, self.counters, self.reason

    @property
    def is_finished(self) -> bool:
        """Whether the whole tree was searched, so that the count is exact."""
        return self.status is Status.EXHAUSTED

    @property
    def is_answered(self) -> bool:
        """Whether the run answered the question.

        A run that counts answers the question if it found every solution, or as many solutions as
        its limit. An improvement answers the question if it found a solution, or tried all boards
        that can be solutions.
        """
        return self.status in (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.SOLVED)

    @property
    def workers(self) -> str:
        """Number of processes that searched, or the range of this number, such as `1 to 4`."""
        return "1" if self.parallel is None else self.parallel.workers_range

    @property
    def best(self) -> BestBoard | None:
        """Best board of an improvement, with its score; None if no board was found."""
        if self.board is None or self.score is None or self.bound is None:
            return None
        return BestBoard(self.board, self.score, self.bound, self.trace or ())
