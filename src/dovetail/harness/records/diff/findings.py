"""What can be found when two files of runs are compared, and how much it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from dovetail.harness.records.record import Record
from dovetail.plain_data import plain


class Severity(StrEnum):
    """How much a finding matters; an error is one whatever was asked for."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingType(StrEnum):
    """What a finding is about."""

    COUNT = "count"
    UNFINISHED = "unfinished"
    STATUS = "status"
    NODES = "nodes"
    NATIVE = "native"
    SLOWER = "slower"
    FASTER = "faster"
    MEMORY = "memory"
    LOWER_SCORE = "lower-score"
    HIGHER_SCORE = "higher-score"


@dataclass(frozen=True)
class Spread:
    """The median of so many `runs`, and the range of them."""

    median: float
    minimum: float
    maximum: float
    runs: int


def spread_of(result: Record, figure: Callable[[Record], float | None]) -> Spread | None:
    """One figure of all repeats of a job, None where one of them does not have it."""
    figures = [value for run in result.repeats if (value := figure(run)) is not None]
    if len(figures) < len(result.repeats):
        return None
    return Spread(median(figures), min(figures), max(figures), len(figures))


@dataclass(frozen=True)
class Finding:
    """What is different, and how it was and is: in words, or as the spread of a cost."""

    kind: FindingType
    severity: Severity
    what: str
    old: str | Spread
    new: str | Spread


# A smaller difference between the busy cores of two files is not reported.
MIN_CORES_APART = 0.5
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Difference:
    """What is not the same, by its name: all values recorded of it, old and new."""

    name: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def differences(old: Sequence[Record], new: Sequence[Record]) -> tuple[Difference, ...]:
    """What differs of the machine, the versions, the commit and the load of two files."""
    sides = [_recorded_values(records) for records in (old, new)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    found = [
        Difference(name, *(tuple(side.get(name, {NOT_RECORDED: None})) for side in sides))
        for name in names
    ]
    return tuple([one for one in found if set(one.old) != set(one.new)] + _load(old, new))


def _recorded_values(records: Iterable[Record]) -> dict[str, dict[str, None]]:
    """Return the values of each thing that the records hold, in their order, each once."""
    values: dict[str, dict[str, None]] = {}
    for record in records:
        for name, value in _things(record):
            values.setdefault(name, {})[NOT_RECORDED if value is None else str(value)] = None
    return values


def _things(record: Record) -> Iterator[tuple[str, object]]:
    for table, values in (
        ("machine", plain(record.environment.machine)),
        ("versions", record.environment.versions),
    ):
        for name, value in (values or {}).items():
            yield (f"{table}: {name}", value)
    yield "commit", record.environment.commit
    yield "side by side", None if record.load is None else record.load.parallel
    yield "workers of a run", record.result.workers


def _load(old: Iterable[Record], new: Iterable[Record]) -> list[Difference]:
    """How many cores were at work, where that differs for most runs."""
    busy = [
        [record.load.busy_cores for record in side
         if record.load is not None and record.load.busy_cores is not None]
        for side in (old, new)
    ]  # fmt: skip
    if not all(busy) or abs(median(busy[0]) - median(busy[1])) < MIN_CORES_APART:
        return []
    return [Difference("busy cores", *((f"{min(side):g} to {max(side):g}",) for side in busy))]
