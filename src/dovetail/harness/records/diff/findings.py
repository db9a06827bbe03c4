"""What can be found when two runs of one job are compared, and how much it matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult


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


def spread_of(result: JobResult, figure: Callable[[RunRecord], float | None]) -> Spread | None:
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
