"""The figures of a result as the cells of a table, beside those that answer the same question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dovetail.harness.evaluation.contests import Clock
from dovetail.harness.records.questions import Question, show_settings
from dovetail.harness.records.record import Record
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


def ratios_to_best(answers: Sequence[Record]) -> list[tuple[Ratio, Ratio]]:
    """How many times the fastest of `answers` each took to solve, and in all.

    The fastest are those of finished runs. Of a run that a limit stopped later than that, they are
    lower bounds; None for all other runs that have not finished.
    """
    finished = [answer for answer in answers if answer.result.is_answered]
    if not finished:
        return [(None, None)] * len(answers)
    solve_s = min(answer.result.solve_s for answer in finished)
    total_s = min(answer.result.total_s for answer in finished)
    return [
        (
            _ratio(answer, answer.result.solve_s, solve_s),
            _ratio(answer, Clock.WARM.known_s(answer), total_s),
        )
        for answer in answers
    ]


def show_ratio_to_best(answer: Record, ratio: Ratio) -> str:
    """One of the ratios; `>` before a lower bound, a dash where none is known."""
    if ratio is None:
        return ABSENT
    return f"{'' if answer.result.is_answered else '> '}{show_ratio(ratio)}"


def cells_of(answers: Sequence[Record]) -> Iterator[dict[str, str]]:
    """The texts of `CELLS` for each of the results that answer one question."""
    for answer, (solve, total) in zip(answers, ratios_to_best(answers), strict=True):
        automatic = "".join(f" (−{name})" for name in automatic_reductions(answer))
        name = answer.job.backend + show_settings(answer) + automatic
        if answer.result.status == Status.SKIPPED:
            yield dict.fromkeys(CELLS, "") | {
                "backend": name,
                "solutions": show_answer(answer),
            }
            continue
        peak = answer.result.peak_bytes
        values = (
            name,
            show_answer(answer),
            show_rate(answer.result.count, answer.result.solve_s),
            show_whole(placements_made(answer)),
            show_whole(answer.result.counters.attempts),
            other_work(answer),
            show_seconds(answer.result.prepare_s),
            show_seconds(answer.result.solve_s),
            show_seconds(answer.result.total_s),
            ABSENT if peak is None else show_size(peak),
            _added(answer),
            show_ratio_to_best(answer, solve),
            show_ratio_to_best(answer, total),
            _spread(answer),
        )
        yield dict(zip(CELLS, values, strict=True))


def show_answer(record: Record) -> str:
    """The count with what it is worth."""
    status = record.result.status
    if status == Status.SKIPPED:
        return "refused"
    exact = status in (Status.EXHAUSTED, Status.WRONG)
    count = show_count(record.result.count, exact, probable=record.job.probable)
    return count if status == Status.EXHAUSTED else f"{status} {count}"


def automatic_reductions(record: Record) -> list[str]:
    """Return the reductions that a backend made automatically, to break the symmetry."""
    named = (*record.job.reductions, *record.shared_reductions)
    asked = {re.split("[=:@]", name, maxsplit=1)[0] for name in named}
    asked |= {"redundancy"} if "probe" in asked else set()
    return [name for name in record.result.placements if name != "before" and name not in asked]


def question_title(question: Question, answers: Sequence[Record]) -> str:
    """The question, and the reductions that all who were asked it have made."""
    return question.title + "".join(f" −{name}" for name in answers[0].shared_reductions)


def _ratio(answer: Record, value: float, best: float) -> Ratio:
    ratio = max(value, MIN_S) / max(best, MIN_S)
    is_bound = answer.result.status.is_limit and ratio > 1
    return ratio if answer.result.is_answered or is_bound else None


def _added(record: Record) -> str:
    """What the run took beyond what was there before it: Python, libraries and kernels."""
    peak, before = record.result.peak_bytes, record.result.baseline_bytes
    return ABSENT if peak is None or before is None else show_size(max(0, peak - before))


def _spread(result: Record) -> str:
    """Of how many runs the median stands here, and from where to where they range."""
    times = [run.result.solve_s for run in result.runs]
    if len(times) < 2:
        return "1 run"
    shortest, longest = show_seconds(min(times)), show_seconds(max(times))
    shared = f" {longest.split()[-1]}"
    return f"{len(times)} runs: {shortest.removesuffix(shared)}–{longest}"
