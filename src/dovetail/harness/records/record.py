"""A run record: the job, its result, its costs and its environment.

A record is one run of one job. Each repeat of a job has a record; `summary` combines them, and
`crosscheck` decides whether a count is right. A line of a file has the fields of `RunRecord` in
their order; `--json` prints those of `ResultFields`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from dovetail.harness.plain_data import (
    Bytes,
    Count,
    Flag,
    Number,
    Positive,
    PositiveSeconds,
    Seconds,
    Setting,
    Settings,
    Text,
    Whole,
    plain,
)
from dovetail.harness.records.fields import context, identity, measurement, result
from dovetail.harness.records.outline import BoardOutline, Example, LatticeOutline
from dovetail.harness.run.job import Limits, RandomOrder, Trials
from dovetail.harness.run.result import Chosen, Improved, Parallel, PieceSelection, Searched
from dovetail.models.outcome import Status


@dataclass(frozen=True)
class RemainingCounts:
    """Attempts and fits with a given number of pieces left to place."""

    remaining: Whole
    """Pieces left; for `domains`, cells with several candidates left."""
    attempts: Whole | None
    fits: Whole


@dataclass(frozen=True)
class TriggerCount:
    """Number of placements that a trigger removed."""

    remaining: Whole
    """Pieces left to place while the placement was there."""
    count: Whole


@dataclass(frozen=True)
class SearchTotals(Searched):
    """Totals and rates of trials or restarts."""

    per_solve_s: Number | None = None
    """Solutions per second of `solve_s`."""
    per_prepare_and_solve_s: Number | None = None
    """Solutions per second of `total_s`."""
    per_cpu_s: Number | None = None
    """Solutions per second of `cpu_s`."""


@dataclass(frozen=True)
class Published:
    """Published figures for a run; null if not published."""

    fits: Whole | None = None
    no_fits: Whole | None = None
    """Attempts that did not fit."""
    seconds: PositiveSeconds | None = None
    attempts: Whole | None = None
    solutions: Whole | None = None
    """Solutions found, if the run did not search for all."""
    rate: Positive | None = None
    """Solutions found per second, if the run did not search for all."""
    trials: Whole | None = None
    """Trials, if the run did not search for all."""
    trials_with_trigger: Whole | None = None
    """Trials with a placement that the run's trigger removes."""

    @property
    def all_no_fits(self) -> int | None:
        """Attempts that did not fit, published directly or as the difference of two figures."""
        if self.no_fits is not None or self.fits is None or self.attempts is None:
            return self.no_fits
        return self.attempts - self.fits

    @property
    def solutions_per_s(self) -> float | None:
        """The published rate, or published solutions divided by published seconds, or None."""
        if self.rate is not None or self.solutions is None or self.seconds is None:
            return self.rate
        return self.solutions / self.seconds


@dataclass(frozen=True)
class Machine:
    """The machine of a run; null if the system does not report it."""

    processor: Text | None = None
    cores: Whole | None = None
    """Cores available to the process."""
    memory_bytes: Bytes | None = None
    system: Text | None = None


@dataclass(frozen=True)
class Load:
    """Load of the machine during a run."""

    busy_cores: Number | None = None
    """Average number of busy cores, for this run or others; about 1 if only this run is active."""
    stolen_cores: Number | None = None
    """Average number of cores that the host withheld from the virtual machine."""
    parallel: Whole | None = None
    """Number of parallel runs."""


SCHEMA = 4


@dataclass(frozen=True, kw_only=True)
class OriginFields:
    """The run and its suite."""

    schema: Annotated[Whole, identity()]
    """Version of this format."""
    job: Annotated[Text, identity(21)]
    """Digest of question, backend, config, limits, seed, cold start and `improves`: the same for
    all repeats."""
    repeat: Annotated[Whole, identity()]
    """Number of the repeat, from 0."""
    suite: Annotated[Text | None, context(17)] = None
    """Name of the suite; for a bench without a suite, the names of the puzzles."""
    tags: Annotated[tuple[Text, ...], context(31)] = ()
    """Tags of the run in the suite."""
    expected: Annotated[Count | None, context(3)] = None
    """Number of solutions that the suite expects."""
    best_known: Annotated[Count | None, context(24)] = None
    """Highest score of the board that the suite knows."""
    published: Annotated[Mapping[Text, Published], context(36)] = field(default_factory=dict)
    """Published figures for this run, by the names of the table rows in the publications."""
    outline: Annotated[Text | BoardOutline | LatticeOutline | None, context()] = None
    """For a packing in one to three dimensions the open cells as layered text, of other lattices
    than squares with the name of the lattice; for an edge-matching puzzle the size of the board;
    null for other puzzles, for lattices that plugins add, and for more than 4,096 cells or places
    in the text."""
    example: Annotated[Example | None, result()] = None
    """Of an improvement the best board, null if a cell is empty. Otherwise the first solution that
    the run verified, in the order of the search; with `--jobs` and
    `--subproblem-order promising`, the first that a worker returned. Null if there is none, if the
    run was killed, for a puzzle without an outline, for names of pieces that layered text does not
    support, for a solution of more than 65,536 characters, and if only workers verified solutions:
    in a run with `--jobs`, `--cluster` or `--checkpoint` that has no limit on solutions."""
    size: Annotated[Mapping[Text, Whole], context()] = field(default_factory=dict)
    """Size of the puzzle: `pieces` (the maximum number) and open `cells`; `tiles` and `colours`
    (without the frame's); `items` and `options`."""
    begun: Annotated[Text | None, context(18)] = None
    """When the run began (UTC, ISO 8601)."""
    load: Annotated[Load | None, measurement(39)] = None
    """Load of the machine during the run."""


@dataclass(frozen=True, kw_only=True)
class JobFields:
    """The question and the backend."""

    puzzle: Annotated[Text, identity()]
    """Name of the puzzle."""
    digest: Annotated[Text, identity()]
    """Digest of the puzzle's content."""
    backend: Annotated[Text, identity()]
    """Name of the backend, as requested, or of the improver."""
    config: Annotated[Settings, identity(27)]
    """Settings of the backend."""
    symmetry: Annotated[Text, identity()]
    """Which solutions count as different: `all`, `unique` or `mirror`."""
    labelled: Annotated[Flag, identity()]
    """Whether identical pieces or tiles are distinguished."""
    reductions: Annotated[tuple[Text, ...], identity(28)]
    """Reductions of the placements before the search."""
    triggers: Annotated[tuple[Text, ...], identity(29)] = ()
    """Checks after placements during the search."""
    random: Annotated[RandomOrder | None, identity()] = None
    """Random order of the search; null: the puzzle's order of options."""
    trials: Annotated[Trials | None, identity(30)] = None
    """Trials instead of one search; null for one search."""

    def json_fields(self, *names: str) -> dict[str, Any]:
        """The fields as JSON has them, in their order; if there are `names`, only those."""
        return {name: plain(getattr(self, name)) for name in names or self.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class AnswerFields:
    """The result and the work."""

    status: Annotated[Status, result(1)]
    """How the run ended."""
    count: Annotated[Count | None, result(2)]
    """Number of solutions; a lower bound unless the status is `exhausted`; null if unknown. Of an
    improvement 1 if it solved the board, 0 if it tried all that can be solutions."""
    score: Annotated[Whole | None, result(25)] = None
    """Matched edges of the best board of an improvement: inner edges with a tile on either side
    whose colours match. Null for runs that count, and if no board was found, as are `bound` and
    `trace`."""
    bound: Annotated[Whole | None, result(26)] = None
    """Score of a solution: the number of inner edges."""
    trace: Annotated[tuple[Improved, ...] | None, measurement()] = None
    """Each board that was better than all before, in the order in which they were found."""
    nodes: Annotated[Whole | None, result(4)]
    """Nodes of the search; null if the backend does not count nodes."""
    node_meaning: Annotated[Text | None, result(6)] = None
    """Definition of a node of the backend that searched (for `auto`, the chosen one), completing
    "a node is …"; null if it counts no nodes or does not define them, or if none was chosen."""
    attempts: Annotated[Whole | None, result(5)]
    """Placements tested; null if the backend does not count them."""
    by_remaining: Annotated[tuple[RemainingCounts, ...] | None, result(35)] = None
    """Attempts and fits by pieces remaining; null if the backend does not count them."""
    backtracks_by_trigger: Annotated[Mapping[Text, tuple[TriggerCount, ...]] | None, result()] = (
        None
    )
    """Number of placements that each trigger removed; null without triggers."""
    native: Annotated[Mapping[Text, Setting], result(34)] = field(default_factory=dict)
    """Further figures of the backend, under the backend's names."""
    program: Annotated[Mapping[Text, Text], context()] = field(default_factory=dict)
    """For a program that was run by its command: the `version` that it prints, and a digest
    (`sha256`) of the files that the command names."""
    probable: Annotated[Flag, context()] = False
    """Whether the count is correct only with high probability, as that of a program can be."""
    reason: Annotated[Text | None, result(22)]
    """Why the run was refused, stopped or wrong, or why no search was necessary."""
    searched: Annotated[SearchTotals | None, result()] = None
    """Totals of several searches; null for one search."""
    placements: Annotated[Mapping[Text, Whole], result(33)] = field(default_factory=dict)
    """Number of options `before` the reductions and after each reduction."""
    symmetry_expansion: Annotated[Text | None, result(16)] = None
    """How the run derived the solutions from those of the search. `as found`: unchanged;
    `canonical forms`: kept one of each symmetry class; `least forms`: the same, for the symmetries
    that do not move the piece that breaks symmetry; `counted`: the search counted the classes;
    `images`: each solution represents its images with that piece elsewhere; `…, labelled`: also all
    labellings of its identical tiles."""
    piece_selection: Annotated[PieceSelection | None, result()] = None
    """Selection of the piece for symmetry breaking by sampling; null without sampling."""
    chosen: Annotated[Chosen | None, result()] = None
    """Choice of `auto`; null for other backends."""
    parallel: Annotated[Parallel | None, measurement()] = None
    """Worker processes and sub-problems of a run with `--jobs`, `--cluster` or `--checkpoint`; null
    for a run in one process."""


@dataclass(frozen=True, kw_only=True)
class CostFields:
    """Times and memory; seconds are wall-clock."""

    warm_up_s: Annotated[Seconds | None, measurement(7)] = None
    """Importing and compiling; not part of any other figure."""
    prepare_s: Annotated[Seconds, measurement(8)]
    """Generating the options, reductions, and the backend's own tables."""
    solve_s: Annotated[Seconds, measurement(9)]
    """The search, and sorting solutions into symmetry classes if requested."""
    solve_cpu_s: Annotated[Seconds | None, measurement(10)] = None
    """Processor time of the search: that of the process with all of its threads, or of the
    searching thread if the backend cannot be sliced and searches in one."""
    check_s: Annotated[Seconds | None, measurement(11)] = None
    """Verifying solutions; not part of the total."""
    total_s: Annotated[Seconds, measurement(12)] = field(init=False)
    """Sum of `prepare_s` and `solve_s`."""
    peak_bytes: Annotated[Bytes | None, measurement(13)]
    """Largest resident size after importing and compiling: VmHWM of the child process, or the
    largest observed sum over all processes if that is larger."""
    baseline_bytes: Annotated[Bytes | None, measurement(14)] = None
    """Resident size after importing and compiling."""
    verified: Annotated[Whole | None, result(15)] = None
    """Number of solutions verified against the puzzle."""


@dataclass(frozen=True, kw_only=True)
class ResultFields(CostFields, AnswerFields, JobFields):
    """A job and its result."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "total_s", self.prepare_s + self.solve_s)

    @property
    def workers(self) -> str:
        """Number of processes that searched, or its range."""
        return "1" if self.parallel is None else self.parallel.workers_range

    @property
    def is_finished(self) -> bool:
        """Whether the whole tree was searched, so that the count is exact."""
        return self.status is Status.EXHAUSTED

    @property
    def is_answered(self) -> bool:
        """Whether the run found all that was asked: every solution, or as many as its limit.

        Of an improvement: a solution, or that there is none.
        """
        return self.status in (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.SOLVED)


@dataclass(frozen=True, kw_only=True)
class ConditionFields:
    """Limits and start of the run."""

    limits: Annotated[Limits | None, identity(32)] = None
    """Limits on time, nodes, solutions and memory."""
    seed: Annotated[Whole | None, identity(20)] = None
    """Seed for sampling the solutions to verify; of an improvement, that of its search."""
    cold_start: Annotated[Flag, identity(23)] = False
    """Whether the cache of compiled kernels was empty when the run began (`bench --cold`), so that
    `warm_up_s` includes compiling; false: the run used the user's cache."""
    improves: Annotated[Flag, identity()] = False
    """Whether the board with the most matched edges was asked for, not the number of solutions."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Machine and versions."""

    machine: Annotated[Machine | None, context(37)] = None
    """The machine."""
    versions: Annotated[Mapping[Text, Text | None], context(38)] = field(default_factory=dict)
    """Versions of Python and of packages that affect results; null: not installed."""
    commit: Annotated[Text | None, context(19)] = None
    """Commit of a source checkout, with a final `+` if it had changed files."""

    def is_same_environment(self, other: Environment) -> bool:
        """Whether both are of one machine, with the same versions, at one commit."""
        mine, others = ((one.machine, one.versions, one.commit) for one in (self, other))
        return mine == others


@dataclass(frozen=True, kw_only=True)
class RunRecord(Environment, ConditionFields, ResultFields, OriginFields):
    """One run of one job."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.schema != SCHEMA:
            raise ValueError(f"schema is {self.schema}; expected {SCHEMA}")
