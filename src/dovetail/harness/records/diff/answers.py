"""Answers, old and new: those of one job, and counts of one question that cannot all be right.

A job is the same only with the same limits and seed, so that one that was asked otherwise has no
other to be compared with. What it has counted answers its question all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from dovetail.harness.records.diff.findings import Finding, FindingType, Severity
from dovetail.harness.records.questions import Question, question_of
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import SAME_WORK, max_verified, refutation
from dovetail.models.outcome import Status
from dovetail.plain_data import Setting

# A run that ended so has done all that it was asked to.
FINISHED = (
    Status.EXHAUSTED,
    Status.SOLVED,
    Status.SOLUTION_LIMIT,
    Status.REMAINING_LIMIT,
)
MAX_NAMED = 3


def answer_findings(old: Record, new: Record, wrong: str | None) -> Iterator[Finding]:
    """Yield the findings on the answers of a job; `wrong` is why the new one is wrong, if it is.

    A count is changed where both are exhausted and differ, where a lower bound is above the count
    of the other, and where the same limit on solutions was met with others. Besides, a new answer
    that is wrong is an error, even where the old one was, and so is a failure that is new.
    """
    if _contradict(old, new):
        yield _answers(FindingType.COUNT, Severity.ERROR, _which_count(old, new), old, new)
    elif wrong is not None:
        yield _answers(FindingType.COUNT, Severity.ERROR, wrong, old, new)
    elif new.result.status == Status.FAILED and old.result.status != Status.FAILED:
        yield _answers(FindingType.COUNT, Severity.ERROR, new.result.reason or "it fails", old, new)
    elif new.result.status == Status.FAILED:
        yield _answers(FindingType.STATUS, Severity.WARNING, "it fails as before", old, new)
    elif old.result.status in FINISHED and new.result.status not in FINISHED:
        yield _answers(FindingType.UNFINISHED, Severity.WARNING, "it no longer finishes", old, new)
    elif old.result.status != new.result.status:
        yield _answers(FindingType.STATUS, Severity.NOTE, "how it ended", old, new)


def finished_both(old: Record, new: Record) -> bool:
    """Whether both runs have done all that they were asked to, in the same way."""
    return old.result.status == new.result.status and new.result.status in FINISHED


def contradictory(records: Iterable[Record]) -> list[Record]:
    """Those answers to one question that cannot all be right: none where all of them can.

    These are exhausted counts where they differ, and lower bounds above the least of them with
    all exhausted counts.
    """
    answers = [
        (r, r.result.count)
        for r in records
        if r.result.count is not None and r.result.status.has_answer
    ]
    exact = [count for r, count in answers if r.result.is_finished]
    if not exact or all(count <= min(exact) for _, count in answers):
        return []
    return [r for r, count in answers if r.result.is_finished or count > min(exact)]


def work_findings(old: Record, new: Record) -> Iterator[Finding]:
    """Yield the findings on the work of a job whose runs, old and new, should have done the same.

    A search repeats itself, so that other figures are of another search. Where a backend counts
    no nodes, or what `auto` chose is another one, there is nothing to compare. Figures of a
    backend's own may also hang on a library, and are but a note.
    """
    chosen = [_chosen(record) for record in (old, new)]
    if chosen[0] != chosen[1]:
        what = "what auto chose"
        yield Finding(
            FindingType.NODES, Severity.WARNING, what, *(str(one or "–") for one in chosen)
        )
        return
    if old.result.status != new.result.status or new.result.status not in SAME_WORK:
        return
    figures = {
        "nodes": (old.result.nodes, new.result.nodes),
        "attempts": (old.result.counters.attempts, new.result.counters.attempts),
    }
    if not new.result.is_finished:  # a count that is exact is an answer, and judged as one
        figures["count"] = (old.result.count, new.result.count)
    for name, (before, after) in figures.items():
        if before is not None and after is not None and before != after:
            yield Finding(FindingType.NODES, Severity.WARNING, name, f"{before:,}", f"{after:,}")
    yield from _native_findings(old.result.counters.native, new.result.counters.native)


def _contradict(old: Record, new: Record) -> bool:
    """Whether the two counts of a job cannot both be right."""
    if old.result.status == new.result.status == Status.SOLUTION_LIMIT:
        return None not in (old.result.count, new.result.count) and bool(
            old.result.count != new.result.count
        )
    return bool(contradictory((old, new)))


def _which_count(old: Record, new: Record) -> str:
    """The count, and which of the two is wrong where verified solutions show it."""
    for side, record in (("old", old), ("new", new)):
        if record.result.is_finished:
            reason = refutation(record.result.count, max_verified((old, new)))
            if reason is not None:
                return f"the count; the {side} one is wrong: {reason}"
    return "the count"


def _answers(kind: FindingType, severity: Severity, what: str, old: Record, new: Record) -> Finding:
    return Finding(kind, severity, what, _answer(old), _answer(new))


def _answer(record: Record) -> str:
    """A count with what it is worth."""
    status, count = record.result.status, record.result.count
    if count is None:
        return str(status)
    if status == Status.EXHAUSTED:
        return f"{count:,}"
    return f"{status} {count:,}" if status == Status.WRONG else f"{status} ≥ {count:,}"


def _chosen(record: Record) -> str | None:
    """The backend that `auto` chose, with its settings; None where nothing was to be chosen."""
    if record.result.chosen is None:
        return None
    settings = sorted(record.result.chosen.config.items())
    return " ".join([record.result.chosen.backend, *(f"{key}={value}" for key, value in settings)])


def _native_findings(old: Mapping[str, Setting], new: Mapping[str, Setting]) -> Iterator[Finding]:
    """Yield one note on the figures that both have and that differ."""
    names = [name for name in old if name in new and old[name] != new[name]]
    if names:
        more = f" ({len(names)} in all)" if len(names) > MAX_NAMED else ""
        figures = (_some(old, names), _some(new, names))
        yield Finding(FindingType.NATIVE, Severity.NOTE, f"figures of the backend{more}", *figures)


def _some(native: Mapping[str, Setting], names: list[str]) -> str:
    return ", ".join(f"{name} {native[name]}" for name in names[:MAX_NAMED])


@dataclass(frozen=True)
class Disagreement:
    """A question, and the answers of either file to it that cannot all be right."""

    question: Question
    old: tuple[Record, ...]
    new: tuple[Record, ...]

    @property
    def jobs(self) -> set[str]:
        """The jobs that have given these answers."""
        return {record.job.digest for record in (*self.old, *self.new)}

    @property
    def refuted_below(self) -> int | None:
        """The number of verified solutions, if an exhausted count is smaller; None if none is."""
        answers = (*self.old, *self.new)
        verified = max_verified(answers)
        exact = [
            one.result.count
            for one in answers
            if one.result.is_finished and one.result.count is not None
        ]
        return verified if min(exact) < verified else None


def common_questions(old: Iterable[Record], new: Iterable[Record]) -> int:
    """How many questions both files have, whatever their puzzles are called."""
    asked = [{question_of(record).content for record in side} for side in (old, new)]
    return len(asked[0] & asked[1])


def disagreements(
    old: Iterable[Record], new: Iterable[Record], reported: Set[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """The questions whose answers in the summaries of two files cannot all be right.

    All runs of a job answer. A question is left out where only jobs that are `reported` already
    would be named for it.
    """
    answers: dict[tuple[str, str, bool], tuple[list[Record], list[Record]]] = {}
    for side, summaries in enumerate((old, new)):
        for summary in summaries:
            content = question_of(summary).content
            answers.setdefault(content, ([], []))[side].extend(_answers_to(summary))
    made = (_disagreement(*sides) for sides in answers.values())
    return tuple(one for one in made if one is not None and not one.jobs <= reported)


def _answers_to(record: Record) -> Iterator[Record]:
    """The different answers of the runs of a job: a result may stand for one that was cut."""
    answers = dict.fromkeys(
        (run.result.status, run.result.count, run.result.verified) for run in record.repeats
    )
    for status, count, verified in answers:
        answer = replace(record.result, status=status, count=count, verified=verified)
        yield replace(record, result=answer)


def _disagreement(old: list[Record], new: list[Record]) -> Disagreement | None:
    """Return the answers to one question that contradict one another; None where none do."""
    odd = contradictory((*old, *new))
    if not odd:
        return None
    named = set(map(id, odd))
    sides = (tuple(answer for answer in side if id(answer) in named) for side in (old, new))
    return Disagreement(question_of(odd[-1]), *sides)
