"""What is wrong, before anything else: counts that contradict others or what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dovetail.harness.records.questions import Question, by_question
from dovetail.harness.records.summary import JobResult
from dovetail.models.outcome import Status
from dovetail.reports.numbers import show_whole
from dovetail.reports.page import Part, Table
from dovetail.reports.result_cells import show_answer
from dovetail.reports.results.solver_runs import solver_name

NONE = "No result contradicts another one or what is expected of it."
COLUMNS = ("question", "solver", "why it is wrong", "answer", "expected")
WHY = 2


def disagreements_part(results: Sequence[JobResult]) -> Part:
    """All answers to the questions that have a wrong one, or a line that none has."""
    disputed = {
        question: answers
        for question, answers in by_question(results).items()
        if any(answer.status == Status.WRONG for answer in answers)
    }
    if not disputed:
        return Part("disagreements", "Disagreements", (NONE,))
    rows = tuple(_rows(disputed))
    explanation = (
        "Red rows are wrong. Where those of a question only disagree with one another, at least "
        "one of them is."
    )
    marked = frozenset(number for number, row in enumerate(rows) if row[WHY])
    table = Table(COLUMNS, rows, left=3, marked=marked)
    return Part("disagreements", "Disagreements", (explanation,), tables=(table,))


def _rows(disputed: Mapping[Question, Sequence[JobResult]]) -> Iterator[tuple[str, ...]]:
    for question, answers in disputed.items():
        for answer in answers:
            wrong = answer.status == Status.WRONG
            yield (
                question.title,
                solver_name(answer),
                (answer.reason or "no reason recorded") if wrong else "",
                show_answer(answer),
                show_whole(answer.expected),
            )
