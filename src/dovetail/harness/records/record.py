"""A run record: the job, the result with its costs, and the environment.

A record describes a single run of a job, so each repeat of a job has a record of its own. `summary`
combines the repeats and compares counts. Records can be grouped by computer and by revision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

from dovetail.errors import how_many
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.outline import BoardOutline, Example, LatticeOutline
from dovetail.harness.run.job import Limits, RandomOrder, Trials
from dovetail.harness.run.result import Result
from dovetail.models.boards.partial_board import Objective
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
from dovetail.printable import Reported

SCHEMA = 4
COMMIT_SHOWN = 9
# Suffix of a commit if the checkout has changed files.
CHANGED = "+"
Item = TypeVar("Item")
Group = TypeVar("Group")

# Fields of each repeat that the JSON of a summary contains.
PER_REPEAT = (
    *("repeat", "status", "count", "score", "nodes"),
    *("warm_up_s", "prepare_s", "solve_s", "solve_cpu_s", "check_s", "total_s"),
    *("peak_bytes", "verified", "load"),
)


@dataclass(frozen=True)
class Published:
    """Published figures for a run; null if not published."""

    fits: Whole | None = None
    """Number of placements made."""
    no_fits: Whole | None = None
    """Number of attempts that did not fit."""
    seconds: PositiveSeconds | None = None
    """Time of the run."""
    attempts: Whole | None = None
    """Number of placements tested."""
    solutions: Whole | None = None
    """Number of solutions found, if the run did not search for all solutions."""
    rate: Positive | None = None
    """Solutions found per second, if the run did not search for all solutions."""
    trials: Whole | None = None
    """Number of trials, if the run did not search for all solutions."""
    trials_with_trigger: Whole | None = None
    """Number of trials in which the run's trigger removed a placement."""

    @property
    def all_no_fits(self) -> int | None:
        """Published `no_fits`, or published attempts minus published fits; None if unknown."""
        if self.no_fits is not None or self.fits is None or self.attempts is None:
            return self.no_fits
        return self.attempts - self.fits

    @property
    def solutions_per_s(self) -> float | None:
        """Published rate, or published solutions divided by published seconds; None if unknown."""
        if self.rate is not None or self.solutions is None or self.seconds is None:
            return self.rate
        return self.solutions / self.seconds

    @property
    def per_million_fits(self) -> float | None:
        """Published solutions per million fits, by the published rate; None if unknown."""
        found: float | None = self.solutions
        if self.rate is not None and self.seconds is not None:
            found = self.rate * self.seconds
        return None if found is None or not self.fits else 1e6 * found / self.fits


@dataclass(frozen=True)
class Machine:
    """The machine of a run; null for values that the system does not report."""

    processor: Text | None = None
    """Name of the processor."""
    cores: Whole | None = None
    """Number of cores available to the process."""
    memory_bytes: Bytes | None = None
    """Physical memory."""
    system: Text | None = None
    """Operating system and its version."""


@dataclass(frozen=True)
class Load:
    """Load of the machine during a run; null for unknown values."""

    busy_cores: Number | None = None
    """Average number of busy cores, including other processes; about 1 if only this run is
    active."""
    stolen_cores: Number | None = None
    """Average number of cores that the host withheld from the virtual machine."""
    parallel: Whole | None = None
    """Maximum number of runs at the same time, including this run."""


@dataclass(frozen=True, kw_only=True)
class JobFields:
    """The job: the question, the backend, its limits and seed."""

    digest: Annotated[Text, Key("job")]
    """Digest of the puzzle and of all other fields of the job, including limits and seed; the same
    for all repeats."""
    puzzle: Text
    """Name of the puzzle."""
    puzzle_digest: Annotated[Text, Key("digest")]
    """Digest of the puzzle's content."""
    backend: Text
    """Name of the backend as requested, of the program behind `command`, or of the improver."""
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
    """Random order of the search; null for the puzzle's order of options."""
    trials: Trials | None = None
    """Trials that replace a single search; null for a single search."""
    limits: Limits | None = None
    """Limits on time, nodes, solutions and memory."""
    seed: Whole | None = None
    """Seed for sampling the solutions to verify; for an improvement, the seed of its search."""
    cold_start: Flag = False
    """Whether the cache of compiled kernels was empty when the run began (`bench --cold`), so that
    `warm_up_s` includes compiling; false if the run used the user's cache."""
    improves: Flag = False
    """Whether the job searches for the best board rather than for the number of solutions."""
    objective: Objective = Objective.EDGES
    """Number that the best board maximises: matched `edges`, or `tiles` without a mismatch."""
    start: tuple[tuple[tuple[Whole, ...] | None, ...], ...] | None = None
    """Board that an improvement was given: rows from the bottom, each cell with tile number and
    rotation, or null if empty. Null if the improver began on its own."""
    disassembles: Flag = False
    """Whether the assemblies that were found are taken apart."""
    node_meaning: Text | None = None
    """Definition of a node that completes "a node is …", from the backend that searched (for
    `auto`, the chosen backend); null if the backend does not count or define nodes, or if `auto`
    chose no backend."""
    probable: Flag = False
    """Whether the count is correct only with high probability; always false except for programs."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The machine, and the versions of the software."""

    machine: Machine | None = None
    """The machine."""
    versions: Mapping[Text, Text | None] = field(default_factory=dict)
    """Versions of Python and of packages that affect results; null for a package that is not
    installed."""
    commit: Text | None = None
    """Commit of a source checkout, with a final `+` if the checkout had changed files."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Reported):
    """The run and its suite.

    In Python, a summary of the repeats of a job is also a record: a copy of the record of a repeat.
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
    """Number of solutions that the suite expects; null if it states none."""
    best_known: Count | None = None
    """Highest known score of the board; null if the suite does not state it."""
    published: Mapping[Text, Published] = field(default_factory=dict)
    """Published figures for this run, by the names of the table rows in the publications."""
    outline: Text | BoardOutline | LatticeOutline | None = None
    """For a packing puzzle in one to three dimensions, the open cells as layered text; on a lattice
    other than squares or cubes, also the name of the lattice. For an edge-matching puzzle, the size
    of the board. Null for other puzzles, for lattices that plugins add, and for a board or bounding
    box of more than 4,096 cells."""
    example: Example | None = None
    """For an improvement, the best board; an empty cell becomes a tile with four sides of colour 0.
    Otherwise, the first solution that the run verified, in the order of the search; with `--jobs`
    and `--subproblem-order promising`, the first solution that a worker returned. Null if there is
    no solution, if the run was killed, for a puzzle without an outline, for names of pieces that
    layered text does not support, and for a solution of more than 65,536 characters. Also null for
    a run with `--jobs`, `--cluster` or `--checkpoint` that has no limit on solutions, because only
    the workers verify solutions."""
    size: Mapping[Text, Whole] = field(default_factory=dict)
    """Size of the puzzle: the maximum number of `pieces` and the number of open `cells`; or the
    numbers of `tiles` and of `colours` except the colour of the frame; or the numbers of `items`
    and `options`."""
    begun: Text | None = None
    """Time at which the run began (UTC, ISO 8601); null if unknown."""
    load: Load | None = None
    """Load of the machine during the run."""
    result: Annotated[Result, Mark.PART]
    environment: Annotated[Environment, Mark.PART] = field(default_factory=Environment)
    repeats: Annotated[tuple[Record, ...], Mark.UNRECORDED] = ()
    """All repeats that a summary combines; empty for a single run."""
    shared_reductions: Annotated[tuple[str, ...], Mark.UNRECORDED] = ()
    """Reductions that all solvers of a question share, in place of the job's `reductions`; see
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
        """The exact count of the run or of any of its repeats; None if there is no exact count."""
        results = (run.result for run in (self, *self.runs))
        return next((result.count for result in results if result.is_finished), None)

    def marked_wrong(self, reason: str) -> Record:
        """Return the record with the status `wrong` and this reason."""
        return replace(self, result=replace(self.result, status=Status.WRONG, reason=reason))

    def json_fields(self) -> dict[str, Any]:
        """Return the fields in JSON types.

        A summary also has the key `repeats`: a list with the `PER_REPEAT` fields of each repeat.
        """
        repeats = [json_fields(run, *PER_REPEAT) for run in self.repeats]
        return {**json_fields(self), "repeats": repeats} if repeats else json_fields(self)


def grouped(items: Iterable[Item], key: Callable[[Item], Group]) -> dict[Group, list[Item]]:
    """Return records or other items by a key; keys and items are in the order of appearance."""
    groups: dict[Group, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


@dataclass(frozen=True)
class Computer:
    """The computer of a record; None for values that the record lacks."""

    processor: str | None
    cores: int | None

    @property
    def title(self) -> str:
        """The processor and its cores in words."""
        if self.processor is None and self.cores is None:
            return "machine not recorded"
        cores = "" if self.cores is None else f", {how_many(self.cores, 'core')}"
        return f"{self.processor or 'processor not recorded'}{cores}"


@dataclass(frozen=True)
class Revision:
    """A version of dovetail and the commit of its source; None for values that a record lacks."""

    version: str | None
    commit: str | None

    @property
    def title(self) -> str:
        """The version and the first digits of the commit, with a final `+` if files changed."""
        version = self.version or "version not recorded"
        if self.commit is None:
            return version
        changed = CHANGED if self.commit.endswith(CHANGED) else ""
        return f"{version} ({self.commit.removesuffix(CHANGED)[:COMMIT_SHOWN]}{changed})"


def computer_of(record: Record) -> Computer:
    """Return the computer of a record."""
    machine = record.environment.machine or Machine()
    return Computer(machine.processor, machine.cores)


def revision_of(record: Record) -> Revision:
    """Return the revision of a record."""
    return Revision(record.environment.versions.get("dovetail"), record.environment.commit)


def by_computer(records: Iterable[Record]) -> dict[Computer, list[Record]]:
    """Return the records by computer; computers and records are in the order of appearance."""
    return grouped(records, computer_of)


def by_revision(records: Iterable[Record]) -> dict[Revision, list[Record]]:
    """Return the records by revision, in the order of the first run of each revision.

    Revisions with a record that lacks a time come first, in the order of appearance.
    """
    groups = grouped(records, revision_of)
    first = {revision: min(run.begun or "" for run in runs) for revision, runs in groups.items()}
    return {revision: groups[revision] for revision in sorted(groups, key=first.__getitem__)}


def newest(records: Sequence[Record]) -> list[Record]:
    """Return the records that have the revision of the last run of their job, in the same order.

    All `records` must be of the same computer. Records without a time count as the earliest runs,
    in the order of the list.
    """
    in_time = sorted(records, key=lambda record: record.begun or "")
    current = {record.job.digest: revision_of(record) for record in in_time}
    return [record for record in records if revision_of(record) == current[record.job.digest]]
