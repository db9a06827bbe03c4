"""A run record: the job, its result with its costs, and its environment.

A record is one run of one job. Each repeat of a job has a record; `summary` combines the repeats
and compares counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.outline import BoardOutline, Example, LatticeOutline
from dovetail.harness.run.job import Limits, RandomOrder, Trials
from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.plain_data import (
    Bytes,
    Count,
    Flag,
    Key,
    Mark,
    Number,
    Positive,
    PositiveSeconds,
    Settings,
    Text,
    Whole,
)

SCHEMA = 4
Group = TypeVar("Group")

# Fields of each repeat in the JSON of a summary.
PER_REPEAT = (
    *("repeat", "status", "count", "score", "nodes"),
    *("warm_up_s", "prepare_s", "solve_s", "solve_cpu_s", "check_s", "total_s"),
    *("peak_bytes", "verified", "load"),
)


@dataclass(frozen=True)
class Published:
    """Published figures for a run; null if not published."""

    fits: Whole | None = None
    """Placements made."""
    no_fits: Whole | None = None
    """Attempts that did not fit."""
    seconds: PositiveSeconds | None = None
    """Time of the run."""
    attempts: Whole | None = None
    """Placements tested."""
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
    """Name of the processor."""
    cores: Whole | None = None
    """Cores available to the process."""
    memory_bytes: Bytes | None = None
    """Physical memory."""
    system: Text | None = None
    """Operating system and its version."""


@dataclass(frozen=True)
class Load:
    """Load of the machine during a run."""

    busy_cores: Number | None = None
    """Average number of busy cores, for this run or others; about 1 if only this run is active."""
    stolen_cores: Number | None = None
    """Average number of cores that the host withheld from the virtual machine."""
    parallel: Whole | None = None
    """Number of parallel runs."""


@dataclass(frozen=True, kw_only=True)
class JobFields:
    """The job: the question, the backend, its limits and seed."""

    digest: Annotated[Text, Key("job")]
    """Digest of question, backend, config, limits, seed, cold start and `improves`: the same for
    all repeats."""
    puzzle: Text
    """Name of the puzzle."""
    puzzle_digest: Annotated[Text, Key("digest")]
    """Digest of the puzzle's content."""
    backend: Text
    """Name of the backend, as requested, or of the improver."""
    config: Settings
    """Settings of the backend."""
    symmetry: Text
    """Which solutions count as different: `all`, `unique` or `mirror`."""
    labelled: Flag
    """Whether identical pieces or tiles are distinguished."""
    reductions: tuple[Text, ...]
    """Reductions of the placements before the search."""
    triggers: tuple[Text, ...] = ()
    """Checks after placements during the search."""
    random: RandomOrder | None = None
    """Random order of the search; null: the puzzle's order of options."""
    trials: Trials | None = None
    """Trials instead of one search; null for one search."""
    limits: Limits | None = None
    """Limits on time, nodes, solutions and memory."""
    seed: Whole | None = None
    """Seed for sampling the solutions to verify; of an improvement, that of its search."""
    cold_start: Flag = False
    """Whether the cache of compiled kernels was empty when the run began (`bench --cold`), so that
    `warm_up_s` includes compiling; false: the run used the user's cache."""
    improves: Flag = False
    """Whether the board with the most matched edges was asked for, not the number of solutions."""
    node_meaning: Text | None = None
    """Definition of a node of the backend that searched (for `auto`, the chosen one), completing
    "a node is …"; null if it counts no nodes or does not define them, or if none was chosen."""
    probable: Flag = False
    """Whether the count is correct only with high probability, as that of a program can be."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Machine and versions."""

    machine: Machine | None = None
    """The machine."""
    versions: Mapping[Text, Text | None] = field(default_factory=dict)
    """Versions of Python and of packages that affect results; null: not installed."""
    commit: Text | None = None
    """Commit of a source checkout, with a final `+` if it had changed files."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """The run and its suite.

    In Python, a summary of the repeats of a job is a record too: that of its median run.
    """

    schema: Whole
    """Version of this format."""
    job: Annotated[JobFields, Mark.PART]
    repeat: Whole
    """Number of the repeat, from 0."""
    suite: Text | None = None
    """Name of the suite; for a bench without a suite, the names of the puzzles."""
    tags: tuple[Text, ...] = ()
    """Tags of the run in the suite."""
    expected: Count | None = None
    """Number of solutions that the suite expects."""
    best_known: Count | None = None
    """Highest score of the board that the suite knows."""
    published: Mapping[Text, Published] = field(default_factory=dict)
    """Published figures for this run, by the names of the table rows in the publications."""
    outline: Text | BoardOutline | LatticeOutline | None = None
    """For a packing in one to three dimensions the open cells as layered text, of other lattices
    than squares with the name of the lattice; for an edge-matching puzzle the size of the board;
    null for other puzzles, for lattices that plugins add, and for more than 4,096 cells or places
    in the text."""
    example: Example | None = None
    """Of an improvement the best board, null if a cell is empty. Otherwise the first solution that
    the run verified, in the order of the search; with `--jobs` and
    `--subproblem-order promising`, the first that a worker returned. Null if there is none, if the
    run was killed, for a puzzle without an outline, for names of pieces that layered text does not
    support, for a solution of more than 65,536 characters, and if only workers verified solutions:
    in a run with `--jobs`, `--cluster` or `--checkpoint` that has no limit on solutions."""
    size: Mapping[Text, Whole] = field(default_factory=dict)
    """Size of the puzzle: `pieces` (the maximum number) and open `cells`; `tiles` and `colours`
    (without the frame's); `items` and `options`."""
    begun: Text | None = None
    """When the run began (UTC, ISO 8601)."""
    load: Load | None = None
    """Load of the machine during the run."""
    result: Annotated[Result, Mark.PART]
    environment: Annotated[Environment, Mark.PART] = field(default_factory=Environment)
    repeats: Annotated[tuple[Record, ...], Mark.UNRECORDED] = ()
    """All runs that a summary stands for; empty for a single run."""
    shared_reductions: Annotated[tuple[str, ...], Mark.UNRECORDED] = ()
    """Reductions of all solvers of a question, which replace the job's `reductions`; see
    `summary.with_shared_reductions`."""

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise ValueError(f"schema is {self.schema}; expected {SCHEMA}")

    @property
    def runs(self) -> tuple[Record, ...]:
        """All runs that the record stands for: its repeats, or the run itself."""
        return self.repeats or (self,)

    @property
    def exact_count(self) -> int | None:
        """The exact count of the run or of any of its repeats; None without an exact count."""
        results = (run.result for run in (self, *self.runs))
        return next((result.count for result in results if result.is_finished), None)

    def marked_wrong(self, reason: str) -> Record:
        """Return the record with the status `wrong` for a reason."""
        return replace(self, result=replace(self.result, status=Status.WRONG, reason=reason))

    def json_fields(self) -> dict[str, Any]:
        """Return the fields in a file; a summary also has `repeats`, with fields of each repeat."""
        repeats = [json_fields(run, *PER_REPEAT) for run in self.repeats]
        return {**json_fields(self), "repeats": repeats} if repeats else json_fields(self)


def grouped(records: Iterable[Record], key: Callable[[Record], Group]) -> dict[Group, list[Record]]:
    """Return the records by a key, both in the order of first appearance."""
    groups: dict[Group, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups
