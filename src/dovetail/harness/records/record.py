"""A run record: what was asked, what came of it, what it took, and where.

A record is one run of one job. Repeats of a job are records of their own; what they come to
together is derived (`summary`), and so is whether a count is right (`crosscheck`). A line of a file
has the fields of `RunRecord` in their order; `ResultFields` among them are what `--json` prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from dovetail.harness.plain_data import Bytes, Count, Seconds, Setting, Settings, Text, Whole, plain
from dovetail.harness.records.fields import context, identity, measurement, result
from dovetail.harness.records.outline import BoardOutline
from dovetail.harness.records.parts import (
    Load,
    Machine,
    Published,
    RemainingCounts,
    SearchTotals,
    TriggerCount,
)
from dovetail.harness.run.events import Chosen, PieceSelection
from dovetail.harness.run.job import Limits, RandomOrder, Trials
from dovetail.models.outcome import Status

SCHEMA = 3


@dataclass(frozen=True, kw_only=True)
class OriginFields:
    """Which run this is, and what its suite says of it."""

    schema: Annotated[Whole, identity()]
    """Version of this format."""
    job: Annotated[Text, identity(21)]
    """Digest of question, backend, config, limits and seed: the same for all repeats."""
    repeat: Annotated[Whole, identity()]
    """Number of the repeat, from 0."""
    suite: Annotated[Text | None, context(17)] = None
    """Name of the suite; names of the puzzles in a bench without one."""
    tags: Annotated[tuple[Text, ...], context(27)] = ()
    """Tags of the run in the suite."""
    expected: Annotated[Count | None, context(3)] = None
    """Number of solutions that the suite expects."""
    published: Annotated[Mapping[Text, Published], context(32)] = field(default_factory=dict)
    """What publications say of the run, by the names of the rows of their tables."""
    outline: Annotated[Text | BoardOutline | None, context()] = None
    """Of a packing in one to three dimensions the open cells as layered text, of an edge-matching
    puzzle the size of the board; null for others, and where there are more than 4,096 cells."""
    size: Annotated[Mapping[Text, Whole], context()] = field(default_factory=dict)
    """How large the puzzle is: `pieces` (the most that are used) and open `cells`; `tiles` and
    `colours` (the frame's not counted); `items` and `options`."""
    begun: Annotated[Text | None, context(18)] = None
    """When the run began (UTC, ISO 8601)."""
    load: Annotated[Load | None, measurement(35)] = None
    """How busy the machine was meanwhile."""


@dataclass(frozen=True, kw_only=True)
class JobFields:
    """What was asked, and of whom."""

    puzzle: Annotated[Text, identity()]
    """Name of the puzzle."""
    digest: Annotated[Text, identity()]
    """Digest of the puzzle's content."""
    backend: Annotated[Text, identity()]
    """Name of the backend that was asked."""
    config: Annotated[Settings, identity(23)]
    """Settings of the backend, and `labelled`, which is part of the question: whether identical
    pieces or tiles are distinguished."""
    symmetry: Annotated[Text, identity()]
    """Which solutions count as different: `all`, `unique` or `mirror`."""
    reductions: Annotated[tuple[Text, ...], identity(24)]
    """What was to be taken out of the placements before the search."""
    triggers: Annotated[tuple[Text, ...], identity(25)] = ()
    """What was to be checked after placements."""
    random: Annotated[RandomOrder | None, identity()] = None
    """The random order of the search; null: options are taken in their own order."""
    trials: Annotated[Trials | None, identity(26)] = None
    """The trials in place of one search; null for one search."""

    @property
    def labelled(self) -> bool:
        """Whether identical pieces or tiles are distinguished."""
        return bool(self.config["labelled"])

    @property
    def settings(self) -> dict[str, Setting | list[Setting]]:
        """The backend's own settings."""
        return {key: value for key, value in self.config.items() if key != "labelled"}

    def json_fields(self, *names: str) -> dict[str, Any]:
        """The fields as JSON has them, in their order; if there are `names`, only those."""
        return {name: plain(getattr(self, name)) for name in names or self.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class AnswerFields:
    """What was found, and the work of finding it."""

    status: Annotated[Status, result(1)]
    """What was proved."""
    count: Annotated[Count | None, result(2)]
    """Solutions; under any status but `exhausted` a lower bound, null where none is known."""
    nodes: Annotated[Whole | None, result(4)]
    """Nodes of the search; null where the backend counts none."""
    node_meaning: Annotated[Text | None, result(6)] = None
    """What one node is to the backend that searched (of `auto`: to the one chosen), in words that
    complete "a node is …"; null where it counts none, does not say, or none was chosen."""
    attempts: Annotated[Whole | None, result(5)]
    """Placements tested; null where the backend does not count them."""
    by_remaining: Annotated[tuple[RemainingCounts, ...] | None, result(31)] = None
    """Attempts and fits by pieces remaining; null where they are not counted."""
    backtracks_by_trigger: Annotated[Mapping[Text, tuple[TriggerCount, ...]] | None, result()] = (
        None
    )
    """For each trigger how often it took a placement back; null where nothing was to be checked."""
    native: Annotated[Mapping[Text, Setting], result(30)] = field(default_factory=dict)
    """The backend's own figures by its own names."""
    reason: Annotated[Text | None, result(22)]
    """Why the run was refused, cut short or wrong, or why nothing had to be searched."""
    searched: Annotated[SearchTotals | None, result()] = None
    """What became of several searches; null where there was one."""
    placements: Annotated[Mapping[Text, Whole], result(29)] = field(default_factory=dict)
    """Number of options `before` the reductions, and after each."""
    symmetry_expansion: Annotated[Text | None, result(16)] = None
    """What was done with the solutions that were found. `as found`: nothing; `canonical forms`: one
    of each class was let through; `least forms`: the same, by the symmetries that leave the piece
    used to break symmetry as it is; `counted`: the search counted what was asked for; `images`:
    each stands for its images with that piece elsewhere; `…, labelled`: and each of these for all
    ways to tell its identical tiles apart."""
    piece_selection: Annotated[PieceSelection | None, result()] = None
    """How the piece for symmetry breaking was selected by sampling; null where it was not."""
    chosen: Annotated[Chosen | None, result()] = None
    """What `auto` chose; null for other backends."""


@dataclass(frozen=True, kw_only=True)
class CostFields:
    """What the run took: seconds are wall-clock."""

    warm_up_s: Annotated[Seconds | None, measurement(7)] = None
    """Importing and compiling; part of no other figure."""
    prepare_s: Annotated[Seconds, measurement(8)]
    """Lowering the puzzle, reductions, the backend's own tables."""
    solve_s: Annotated[Seconds, measurement(9)]
    """The search, and sorting solutions into classes where that was asked for."""
    solve_cpu_s: Annotated[Seconds | None, measurement(10)] = None
    """Processor time of the thread that searches."""
    check_s: Annotated[Seconds | None, measurement(11)] = None
    """Verifying solutions; not part of the total."""
    total_s: Annotated[Seconds, measurement(12)] = field(init=False)
    """Prepare and solve; read from no file, as older ones counted the verification in."""
    peak_bytes: Annotated[Bytes | None, measurement(13)]
    """Largest resident size since importing and compiling were done: VmHWM read in the child, or
    the largest size seen of all processes together if that is more."""
    baseline_bytes: Annotated[Bytes | None, measurement(14)] = None
    """Resident size when importing and compiling were done."""
    verified: Annotated[Whole | None, result(15)] = None
    """Number of solutions checked against the puzzle."""


@dataclass(frozen=True, kw_only=True)
class ResultFields(CostFields, AnswerFields, JobFields):
    """A job and its result."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "total_s", self.prepare_s + self.solve_s)
        if not isinstance(self.config.get("labelled"), bool):
            raise ValueError("config does not say whether labelled")

    @property
    def is_finished(self) -> bool:
        """Whether the whole tree was searched, so that the count is exact."""
        return self.status is Status.EXHAUSTED


@dataclass(frozen=True, kw_only=True)
class ConditionFields:
    """Under which limits the run took place."""

    limits: Annotated[Limits | None, identity(28)] = None
    """Where the run was to be cut short."""
    seed: Annotated[Whole | None, identity(20)] = None
    """Seed of the sampling of checks."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Where and with what the run took place."""

    machine: Annotated[Machine | None, context(33)] = None
    """The machine."""
    versions: Annotated[Mapping[Text, Text | None], context(34)] = field(default_factory=dict)
    """Versions of Python and the packages that bear on a result; null: not installed."""
    commit: Annotated[Text | None, context(19)] = None
    """Commit of a source checkout, ending in `+` when files had changed since."""

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
