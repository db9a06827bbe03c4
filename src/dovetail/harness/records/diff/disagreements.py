"""Counts of one question that cannot all be right, whoever has given them in either file.

A job is the same only with the same limits and seed, so that one that was asked otherwise has no
other to be compared with. What it has counted answers its question all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace

from dovetail.harness.records.crosscheck import max_verified
from dovetail.harness.records.diff.answers import contradictory
from dovetail.harness.records.questions import Question, question_of
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult


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
