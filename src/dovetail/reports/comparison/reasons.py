"""Every refusal and failure, and every answer without a search, with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.records.questions import by_question
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status
from dovetail.reports.comparison.solver_runs import solver_name
from dovetail.reports.page import Part, Table

# What is told, the worst first; what is wrong has a part of its own.
KINDS = {Status.FAILED: "failed", Status.SKIPPED: "refused", Status.EXHAUSTED: "no solution"}
MOST_OPEN = 30


def reasons_part(results: Sequence[JobResult]) -> Part:
    """A row for what a solver says of one or several questions alike."""
    said: dict[tuple[Status, str, str], list[str]] = {}
    for question, answers in by_question(results).items():
        for answer in answers:
            if answer.status in KINDS and _has_reason(answer):
                reason = answer.reason or "no reason told"
                place = (answer.status, solver_name(answer), reason)
                said.setdefault(place, []).append(question.title)
    if not said:
        return Part("reasons", "Refusals and failures", ("Nothing was refused, nothing failed.",))
    order = list(KINDS)
    ordered = sorted(said.items(), key=lambda item: order.index(item[0][0]))
    rows = tuple(
        (KINDS[status], solver, reason, str(len(titles)), "; ".join(titles))
        for (status, solver, reason), titles in ordered
    )
    marked = frozenset(number for number, row in enumerate(rows) if row[0] == "failed")
    columns = ("", "solver", "reason", "questions", "asked")
    folded = len(rows) > MOST_OPEN
    caption = f"{len(rows)} reasons" if folded else ""
    table = Table(columns, rows, caption, left=5, folded=folded, marked=marked)
    return Part("reasons", "Refusals and failures", tables=(table,))


def _has_reason(answer: JobResult) -> bool:
    """A finished search need not tell one."""
    return not answer.is_finished or bool(answer.reason)
