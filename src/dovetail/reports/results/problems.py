"""What went wrong: counts that contradict others or what is expected, refusals and failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dovetail.harness.records.questions import Question, by_question, solver_name
from dovetail.harness.records.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.numbers import show_whole
from dovetail.reports.page import Part, Table
from dovetail.reports.result_cells import show_answer

NONE = "No result contradicts another result or the expected count."
COLUMNS = ("question", "solver", "why it is wrong", "answer", "expected")
WHY = 2

# The ends that are listed, the worst first; what is wrong has a part of its own.
ENDS = {Status.FAILED: "failed", Status.SKIPPED: "refused", Status.EXHAUSTED: "no solution"}
MAX_OPEN = 30


def disagreements_part(results: Sequence[Record]) -> Part:
    """All answers to the questions that have a wrong one, or a line that none has."""
    disputed = {
        question: answers
        for question, answers in by_question(results).items()
        if any(answer.result.status == Status.WRONG for answer in answers)
    }
    if not disputed:
        return Part("disagreements", "Disagreements", (NONE,))
    rows = tuple(_rows(disputed))
    explanation = (
        "Each row with a reason contradicts the expected count, a verified solution or another "
        "row; these rows are red. If they only contradict each other, at least one of them is "
        "wrong."
    )
    marked = frozenset(number for number, row in enumerate(rows) if row[WHY])
    table = Table(COLUMNS, rows, left=3, marked=marked)
    return Part("disagreements", "Disagreements", (explanation,), tables=(table,))


def _rows(disputed: Mapping[Question, Sequence[Record]]) -> Iterator[tuple[str, ...]]:
    for question, answers in disputed.items():
        for answer in answers:
            wrong = answer.result.status == Status.WRONG
            yield (
                question.title,
                solver_name(answer),
                (answer.result.reason or "no reason recorded") if wrong else "",
                show_answer(answer),
                show_whole(answer.expected),
            )


def reasons_part(results: Sequence[Record]) -> Part:
    """Return the part with a row for each reason that a solver gives, for one or more questions."""
    reasons: dict[tuple[Status, str, str], list[str]] = {}
    for question, answers in by_question(results).items():
        for answer in answers:
            if answer.result.status in ENDS and _has_reason(answer):
                reason = answer.result.reason or "no reason recorded"
                place = (answer.result.status, solver_name(answer), reason)
                reasons.setdefault(place, []).append(question.title)
    if not reasons:
        return Part("reasons", "Refusals and failures", ("No run was refused or failed.",))
    order = list(ENDS)
    ordered = sorted(reasons.items(), key=lambda item: order.index(item[0][0]))
    rows = tuple(
        (ENDS[status], solver, reason, str(len(titles)), "; ".join(titles))
        for (status, solver, reason), titles in ordered
    )
    marked = frozenset(number for number, row in enumerate(rows) if row[0] == "failed")
    columns = ("", "solver", "reason", "number", "questions")
    folded = len(rows) > MAX_OPEN
    caption = f"{len(rows)} reasons" if folded else ""
    table = Table(columns, rows, caption, left=5, folded=folded, marked=marked)
    return Part("reasons", "Refusals and failures", tables=(table,))


def _has_reason(answer: Record) -> bool:
    """Whether there is something to list: a finished search need not have a reason."""
    return not answer.result.is_finished or bool(answer.result.reason)
