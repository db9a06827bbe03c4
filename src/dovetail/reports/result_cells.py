"""The figures of a result as the cells of a table, beside those that answer the same question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dovetail.harness.evaluation.contests import Clock
from dovetail.harness.records.questions import Question, show_settings
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.clock import MIN_S
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.reports.numbers import (
    ABSENT,
    show_count,
    show_rate,
    show_ratio,
    show_seconds,
    show_whole,
)
from dovetail.reports.work import other_work, placements_made

CELLS = (
    "backend",
    "solutions",
    "per s",
    "nodes",
    "attempts",
    "other work",
    "prepare",
    "solve",
    "total",
    "peak",
    "added",
    "× solve",
    "× total",
    "spread",
)
Ratio = float | None


def ratios_to_best(answers: Sequence[JobResult]) -> list[tuple[Ratio, Ratio]]:
    """How many times the fastest of `answers` each took to solve, and in all.

    The fastest are those of finished runs. Of a run that a limit stopped later than that, they are
    lower bounds; None for all other runs that have not finished.
    """
    finished = [answer for answer in answers if answer.is_answered]
    if not finished:
        return [(None, None)] * len(answers)
    solve_s = min(answer.solve_s for answer in finished)
    total_s = min(answer.total_s for answer in finished)
    return [
        (
            _ratio(answer, answer.solve_s, solve_s),
            _ratio(answer, Clock.WARM.known_s(answer), total_s),
        )
        for answer in answers
    ]


def show_ratio_to_best(answer: JobResult, ratio: Ratio) -> str:
    """One of the ratios; `>` before a lower bound, a dash where none is known."""
    if ratio is None:
        return ABSENT
    return f"{'' if answer.is_answered else '> '}{show_ratio(ratio)}"


def cells_of(answers: Sequence[JobResult]) -> Iterator[dict[str, str]]:
    """The texts of `CELLS` for each of the results that answer one question."""
    for answer, (solve, total) in zip(answers, ratios_to_best(answers), strict=True):
        automatic = "".join(f" (−{name})" for name in automatic_reductions(answer))
        name = answer.backend + show_settings(answer) + automatic
        if answer.status == Status.SKIPPED:
            yield dict.fromkeys(CELLS, "") | {
                "backend": name,
                "solutions": show_answer(answer),
            }
            continue
        peak = answer.peak_bytes
        values = (
            name,
            show_answer(answer),
            show_rate(answer.count, answer.solve_s),
            show_whole(placements_made(answer)),
            show_whole(answer.attempts),
            other_work(answer),
            show_seconds(answer.prepare_s),
            show_seconds(answer.solve_s),
            show_seconds(answer.total_s),
            ABSENT if peak is None else show_size(peak),
            _added(answer),
            show_ratio_to_best(answer, solve),
            show_ratio_to_best(answer, total),
            _spread(answer),
        )
        yield dict(zip(CELLS, values, strict=True))


def show_answer(result: JobResult) -> str:
    """The count with what it is worth."""
    status = result.status
    if status == Status.SKIPPED:
        return "refused"
    exact = status in (Status.EXHAUSTED, Status.WRONG)
    count = show_count(result.count, exact, probable=result.probable)
    return count if status == Status.EXHAUSTED else f"{status} {count}"


def automatic_reductions(result: JobResult) -> list[str]:
    """Return the reductions that a backend made automatically, to break the symmetry."""
    named = (*result.reductions, *result.shared_reductions)
    asked = {re.split("[=:@]", name, maxsplit=1)[0] for name in named}
    asked |= {"redundancy"} if "probe" in asked else set()
    return [name for name in result.placements if name != "before" and name not in asked]


def question_title(question: Question, answers: Sequence[JobResult]) -> str:
    """The question, and the reductions that all who were asked it have made."""
    return question.title + "".join(f" −{name}" for name in answers[0].shared_reductions)


def _ratio(answer: JobResult, value: float, best: float) -> Ratio:
    ratio = max(value, MIN_S) / max(best, MIN_S)
    is_bound = answer.status.is_limit and ratio > 1
    return ratio if answer.is_answered or is_bound else None


def _added(result: JobResult) -> str:
    """What the run took beyond what was there before it: Python, libraries and kernels."""
    peak, before = result.peak_bytes, result.baseline_bytes
    return ABSENT if peak is None or before is None else show_size(max(0, peak - before))


def _spread(result: JobResult) -> str:
    """Of how many runs the median stands here, and from where to where they range."""
    times = [run.solve_s for run in result.repeats]
    if len(times) < 2:
        return "1 run"
    shortest, longest = show_seconds(min(times)), show_seconds(max(times))
    shared = f" {longest.split()[-1]}"
    return f"{len(times)} runs: {shortest.removesuffix(shared)}–{longest}"
