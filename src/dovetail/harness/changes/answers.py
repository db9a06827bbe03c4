"""What two runs of one job have answered: counts, and whether they came to an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.harness.changes.findings import Finding, Kind, Severity
from dovetail.harness.crosscheck import refutation
from dovetail.harness.record import Record
from dovetail.models.outcome import Status

# A run that ended so has done all that it was asked to.
FINISHED = (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.REMOVAL_LIMIT)
# What is said of these is no answer.
NO_ANSWER = (Status.WRONG, Status.FAILED, Status.SKIPPED)


def changed_answers(old: Record, new: Record, wrong: str | None) -> Iterator[Finding]:
    """What is found of the answers of a job, old and new; why the new one is `wrong`, if it is.

    A count is changed where both are exhausted and differ, where a lower bound is above the count
    of the other, and where the same limit on solutions was met with others. Besides, a new answer
    that is wrong is an error, even where the old one was, and so is a failure that is new.
    """
    if _contradict(old, new):
        yield _answers(Kind.COUNT, Severity.ERROR, _which_count(old, new), old, new)
    elif wrong is not None:
        yield _answers(Kind.COUNT, Severity.ERROR, wrong, old, new)
    elif new["status"] == Status.FAILED and old["status"] != Status.FAILED:
        yield _answers(Kind.COUNT, Severity.ERROR, new["reason"] or "it fails", old, new)
    elif new["status"] == Status.FAILED:
        yield _answers(Kind.STATUS, Severity.WARNING, "it fails as before", old, new)
    elif old["status"] in FINISHED and new["status"] not in FINISHED:
        yield _answers(Kind.UNFINISHED, Severity.WARNING, "it no longer finishes", old, new)
    elif old["status"] != new["status"]:
        yield _answers(Kind.STATUS, Severity.NOTE, "how it ended", old, new)


def finished_both(old: Record, new: Record) -> bool:
    """Whether both runs have done all that they were asked to, in the same way."""
    return old["status"] == new["status"] and new["status"] in FINISHED


def contradictory(records: Iterable[Record]) -> list[Record]:
    """Those answers to one question that cannot all be right: none where all of them can.

    These are exhausted counts where they differ, and lower bounds above the least of them with
    all exhausted counts.
    """
    told = [r for r in records if r["count"] is not None and r["status"] not in NO_ANSWER]
    exact = [r["count"] for r in told if r["status"] == Status.EXHAUSTED]
    if not exact or all(r["count"] <= min(exact) for r in told):
        return []
    return [r for r in told if r["status"] == Status.EXHAUSTED or r["count"] > min(exact)]


def _contradict(old: Record, new: Record) -> bool:
    """Whether the two counts of a job cannot both be right."""
    if old["status"] == new["status"] == Status.SOLUTION_LIMIT:
        return None not in (old["count"], new["count"]) and bool(old["count"] != new["count"])
    return bool(contradictory((old, new)))


def _which_count(old: Record, new: Record) -> str:
    """The count, and which of the two is wrong where verified solutions show it."""
    for side, record in (("old", old), ("new", new)):
        if record["status"] == Status.EXHAUSTED:
            reason = refutation(record["count"], (old, new))
            if reason is not None:
                return f"the count; the {side} one is wrong: {reason}"
    return "the count"


def _answers(kind: Kind, severity: Severity, what: str, old: Record, new: Record) -> Finding:
    return Finding(kind, severity, what, _answer(old), _answer(new))


def _answer(record: Record) -> str:
    """A count with what it is worth."""
    status, count = record["status"], record["count"]
    if count is None:
        return str(status)
    if status == Status.EXHAUSTED:
        return f"{count:,}"
    return f"{status} {count:,}" if status == Status.WRONG else f"{status} ≥ {count:,}"
