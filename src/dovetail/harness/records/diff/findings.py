"""What is found when two files of runs are compared, and how much it matters.

Counts of one question that cannot all be right are found whoever has given them: a job is the same
only with the same limits and seed, and what it has counted otherwise answers its question all the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median

from dovetail.harness.plain_data import plain
from dovetail.harness.records.diff.answers import contradictory
from dovetail.harness.records.questions import Question, question_of
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult, max_verified


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


# A smaller difference between the busy cores of two files is not reported.
MIN_CORES_APART = 0.5
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Difference:
    """What is not the same, by its name: all values recorded of it, old and new."""

    name: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def differences(old: Sequence[RunRecord], new: Sequence[RunRecord]) -> tuple[Difference, ...]:
    """What differs of the machine, the versions, the commit and the load of two files."""
    sides = [_recorded_values(records) for records in (old, new)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    found = [
        Difference(name, *(tuple(side.get(name, {NOT_RECORDED: None})) for side in sides))
        for name in names
    ]
    return tuple([one for one in found if set(one.old) != set(one.new)] + _load(old, new))


def _recorded_values(records: Iterable[RunRecord]) -> dict[str, dict[str, None]]:
    """Return the values of each thing that the records hold, in their order, each once."""
    values: dict[str, dict[str, None]] = {}
    for record in records:
        for name, value in _things(record):
            values.setdefault(name, {})[NOT_RECORDED if value is None else str(value)] = None
    return values


def _things(record: RunRecord) -> Iterator[tuple[str, object]]:
    for table, values in (("machine", plain(record.machine)), ("versions", record.versions)):
        for name, value in (values or {}).items():
            yield (f"{table}: {name}", value)
    yield "commit", record.commit
    yield "side by side", None if record.load is None else record.load.parallel
    yield "workers of a run", record.workers


def _load(old: Iterable[RunRecord], new: Iterable[RunRecord]) -> list[Difference]:
    """How many cores were at work, where that differs for most runs."""
    busy = [
        [record.load.busy_cores for record in side
         if record.load is not None and record.load.busy_cores is not None]
        for side in (old, new)
    ]  # fmt: skip
    if not all(busy) or abs(median(busy[0]) - median(busy[1])) < MIN_CORES_APART:
        return []
    return [Difference("busy cores", *((f"{min(side):g} to {max(side):g}",) for side in busy))]


@dataclass(frozen=True)
class Disagreement:
    """A question, and the answers of either file to it that cannot all be right."""

    question: Question
    old: tuple[JobResult, ...]
    new: tuple[JobResult, ...]

    @property
    def jobs(self) -> set[str]:
        """The jobs that have given these answers."""
        return {record.job for record in (*self.old, *self.new)}

    @property
    def refuted_below(self) -> int | None:
        """The number of verified solutions, if an exhausted count is smaller; None if none is."""
        answers = (*self.old, *self.new)
        verified = max_verified(answers)
        exact = [one.count for one in answers if one.is_finished and one.count is not None]
        return verified if min(exact) < verified else None


def common_questions(old: Iterable[RunRecord], new: Iterable[RunRecord]) -> int:
    """How many questions both files have, whatever their puzzles are called."""
    asked = [{question_of(record).content for record in side} for side in (old, new)]
    return len(asked[0] & asked[1])


def disagreements(
    old: Iterable[JobResult], new: Iterable[JobResult], reported: Set[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """The questions whose answers in the summaries of two files cannot all be right.

    All runs of a job answer. A question is left out where only jobs that are `reported` already
    would be named for it.
    """
    answers: dict[tuple[str, str, bool], tuple[list[JobResult], list[JobResult]]] = {}
    for side, summaries in enumerate((old, new)):
        for summary in summaries:
            content = question_of(summary).content
            answers.setdefault(content, ([], []))[side].extend(_answers(summary))
    made = (_disagreement(*sides) for sides in answers.values())
    return tuple(one for one in made if one is not None and not one.jobs <= reported)


def _answers(result: JobResult) -> Iterator[JobResult]:
    """The different answers of the runs of a job: a result may stand for one that was cut."""
    answers = dict.fromkeys((run.status, run.count, run.verified) for run in result.repeats)
    for status, count, verified in answers:
        yield replace(result, status=status, count=count, verified=verified)


def _disagreement(old: list[JobResult], new: list[JobResult]) -> Disagreement | None:
    """Return the answers to one question that contradict one another; None where none do."""
    odd = contradictory((*old, *new))
    if not odd:
        return None
    named = set(map(id, odd))
    sides = (tuple(answer for answer in side if id(answer) in named) for side in (old, new))
    return Disagreement(question_of(odd[-1]), *sides)
