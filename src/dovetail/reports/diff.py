"""What is different between two files of run records: for a terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dovetail.errors import how_many
from dovetail.files.text_file import place_of
from dovetail.harness.records.diff.findings import (
    Cost,
    CostVerdict,
    Finding,
    Severity,
    Spread,
    apart_by_chance,
)
from dovetail.harness.records.diff.run_diff import (
    Difference,
    Disagreement,
    JobDiff,
    Mean,
    Ratio,
    RunDiff,
)
from dovetail.harness.records.questions import question_of, show_settings
from dovetail.harness.records.record import Record
from dovetail.harness.sizes import show_size
from dovetail.reports.columns import show_answer
from dovetail.reports.numbers import ABSENT, show_count, show_rounded, show_seconds
from dovetail.reports.page import Page, Section
from dovetail.reports.table import text_table

JOB = ("puzzle", "backend")
# Whatever is different there, seconds are not comparable.
OF_THE_MACHINE = "machine: "
MAX_VALUES = 4  # values of a difference
COSTS = ("prepare", "solve", "solve, cpu", "memory")
# What a narrow terminal goes without, first to last.
DISPENSABLE = (
    *("memory", "prepare", "solve, cpu"),
    *("runs", "jobs"),
    *("× memory", "× prepare", "× solve, cpu"),
)
TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}


@dataclass(frozen=True)
class FileDiff:
    """Two files, what was passed over in them, and what is different."""

    old: Path
    new: Path
    passed_over: tuple[str, ...]
    diff: RunDiff


def diff_page(file_diff: FileDiff, *, every_job: bool = False) -> Page:
    """All that is different; what jobs cost of those with findings, or of `every_job`."""
    diff = file_diff.diff
    old, new = place_of(file_diff.old), place_of(file_diff.new)
    parts = [
        *findings_parts(diff),
        _costs_part(diff, every_job=every_job),
        ratios_part(diff),
        _one_sided_part("removed", f"Only in {old}", diff.removed),
        _one_sided_part("added", f"Only in {new}", diff.added),
    ]
    return Page(
        f"{old} → {new}",
        _about(diff),
        (*file_diff.passed_over, *_conditions(diff.differences)),
        tuple(part for part in parts if part is not None),
    )


def _about(diff: RunDiff) -> str:
    """How many jobs there are, and how many of them are as they were."""
    jobs, unchanged = len(diff.jobs), diff.unchanged
    one_sided = [f"{len(diff.removed)} removed"] if diff.removed else []
    one_sided += [f"{len(diff.added)} added"] if diff.added else []
    if not jobs:
        questions = how_many(diff.questions, "question")
        text = f"no job and {questions} in both files, so only the counts are compared"
    elif jobs == unchanged and not one_sided and not diff.disagreements:
        return f"no change: {how_many(jobs, 'job')} in both files"
    else:
        text = f"{how_many(jobs, 'job')} in both files, {unchanged} unchanged"
    return ", ".join([text, *one_sided])


def _conditions(differences: Iterable[Difference]) -> Iterator[str]:
    """What is not the same of where and with what the files were made."""
    for difference in differences:
        text = f"{difference.name}: {_values(difference.old)} → {_values(difference.new)}"
        if difference.name.startswith(OF_THE_MACHINE):
            text += ": times from different machines are not comparable"
        yield text


def _values(values: tuple[str, ...]) -> str:
    more = f", {len(values) - MAX_VALUES} more" if len(values) > MAX_VALUES else ""
    return ", ".join(values[:MAX_VALUES]) + more


def findings_parts(diff: RunDiff) -> list[Section]:
    """What is wrong, then warnings, then notes, as far as there are any."""
    others = (_findings_part(diff, severity) for severity in (Severity.WARNING, Severity.NOTE))
    return [part for part in (_errors_part(diff), *others) if part is not None]


def _errors_part(diff: RunDiff) -> Section | None:
    """What is wrong of questions, of the jobs of both files, and of added jobs."""
    rows = [
        *(_disagreement_row(one) for one in diff.disagreements),
        *_finding_rows(diff, Severity.ERROR),
        *((*_job(record), record.result.reason or "wrong", ABSENT, show_answer(record))
          for record in diff.wrong),
    ]  # fmt: skip
    return _found_part(Severity.ERROR, rows)


def _findings_part(diff: RunDiff, severity: Severity) -> Section | None:
    """What was found of one severity, a row for each finding."""
    return _found_part(severity, _finding_rows(diff, severity))


def _found_part(severity: Severity, rows: Iterable[tuple[str, ...]]) -> Section | None:
    made = tuple(rows)
    if not made:
        return None
    is_error = severity is Severity.ERROR
    table = text_table((*JOB, "what", "old", "new"), made, words=5, marked=lambda _: is_error)
    return Section(str(severity), TITLES[severity], tables=(table,))


def _finding_rows(diff: RunDiff, severity: Severity) -> Iterator[tuple[str, ...]]:
    for job in diff.jobs:
        for finding in job.findings:
            if finding.severity == severity:
                yield (*_job(job.new), finding.what, *_both(finding))


def _disagreement_row(disagreement: Disagreement) -> tuple[str, ...]:
    """A question in place of a job, and who has given which count."""
    sides = (disagreement.old, disagreement.new)
    what, verified = "counts disagree", disagreement.refuted_below
    if verified is not None:
        found = how_many(verified, "solution")
        what += f"; counts below {verified:,} are wrong, because {found} passed verification"
    return (disagreement.question.title, ABSENT, what, *map(_answers, sides))


def _answers(records: Iterable[Record]) -> str:
    """The counts of one file, each with those that have given it, the first of many."""
    backends: dict[str, dict[str, None]] = {}
    for record in records:
        count = show_count(record.result.count, record.result.is_finished)
        backends.setdefault(count, {})[_solver(record)] = None
    text = [f"{count}: {_values(tuple(given))}" for count, given in backends.items()]
    return "; ".join(text) or ABSENT


def _both(finding: Finding) -> tuple[str, str]:
    """How it was and is; of a cost the median with the range of all runs."""
    show = _show_bytes if finding.what == "memory" else show_seconds

    def side(value: str | Spread) -> str:
        if isinstance(value, str):
            return value
        return f"{show(value.median)} ({show(value.minimum)} to {show(value.maximum)})"

    return side(finding.old), side(finding.new)


def _costs_part(diff: RunDiff, *, every_job: bool) -> Section | None:
    """What jobs cost, old and new, what chance makes of it, and why some is not judged."""
    jobs = [job for job in diff.jobs if every_job or job.findings]
    value = (*_chance(diff.judged_costs), *_not_judged(diff.jobs))
    if not jobs and not value:
        return None
    rows = tuple((*_job(job.new), *_cost_cells(job)) for job in jobs)
    columns = (*JOB, "runs", *(cell for cost in COSTS for cell in (cost, f"× {cost}")))
    tables = (text_table(columns, rows, words=2, dispensable=DISPENSABLE),) if rows else ()
    return Section("costs", "Costs, medians", value, tables=tables)


def _chance(judged: Sequence[Cost]) -> Iterator[str]:
    """How many costs would be apart were nothing changed, beside how many are."""
    if judged:
        changed = sum(cost.verdict != CostVerdict.SAME for cost in judged)
        yield (
            f"{changed} of {how_many(len(judged), 'compared cost')} changed: the ranges do not "
            "overlap and the medians differ by more than the tolerance. Expected number of false "
            "alarms with this number of runs, if nothing had changed: "
            f"{show_rounded(apart_by_chance(judged))}."
        )


def _not_judged(jobs: Iterable[JobDiff]) -> Iterator[str]:
    """Of how many jobs costs are not judged, and why."""
    verdicts = Counter(job.costs[0].verdict for job in jobs)
    for verdict, why in (
        (CostVerdict.TOO_FEW_RUNS, "a spread needs at least three runs in each file"),
        (CostVerdict.OTHER_MACHINE, "the machines differ"),
        (CostVerdict.OTHER_WORK, "a run did not finish, or the runs did different amounts of work"),
    ):
        if verdicts[verdict]:
            yield f"Costs of {how_many(verdicts[verdict], 'job')} are not compared: {why}."


def _cost_cells(job: JobDiff) -> Iterator[str]:
    """How many runs there are, then each cost, old and new, and how many times as much it is."""
    yield f"{len(job.old.runs)} → {len(job.new.runs)}"
    for cost in job.costs:
        show = _show_bytes if cost.name == "memory" else show_seconds
        sides = [ABSENT if side is None else show(side.median) for side in (cost.old, cost.new)]
        yield ABSENT if cost.old is cost.new is None else " → ".join(sides)
        changed = cost.verdict in (CostVerdict.MORE, CostVerdict.LESS)
        yield _show_ratio(cost.ratio) + (f" {cost.verdict}" if changed else "")


def ratios_part(diff: RunDiff) -> Section | None:
    """Geometric means over the jobs that are finished in both."""
    if not diff.ratios:
        return None
    rows = tuple(
        (
            "all" if ratio.backend is None else ratio.backend,
            str(ratio.jobs),
            f"{ratio.old_runs} → {ratio.new_runs}",
            *(_mean(mean, ratio.jobs) for mean in _means(ratio)),
        )
        for ratio in diff.ratios
    )
    table = text_table(("backend", "jobs", "runs", *COSTS), rows, dispensable=DISPENSABLE)
    title = "Geometric means over the jobs finished in both files"
    return Section("ratios", title, tuple(_about_means(diff.ratios)), tables=(table,))


def _means(ratio: Ratio) -> tuple[Mean, ...]:
    return ratio.prepare, ratio.solve, ratio.cpu, ratio.memory


def _mean(mean: Mean, jobs: int) -> str:
    """A mean, with the jobs that it is of where these are not all."""
    some = f" (of {mean.jobs})" if 0 < mean.jobs < jobs else ""
    return _show_ratio(mean.ratio) + some


def _about_means(ratios: Sequence[Ratio]) -> Iterator[str]:
    """What the means are, and what they are not."""
    of_all = ratios[0]
    runs = f"{how_many(of_all.old_runs, 'old run')} and {how_many(of_all.new_runs, 'new run')}"
    yield f"New divided by old, from {runs}; below 1 is better. Means do not affect the verdicts."
    if of_all.unjudged:
        yield f"Costs not compared: {of_all.unjudged} of {how_many(of_all.jobs, 'job')}."
    if any(mean.jobs < ratio.jobs for ratio in ratios for mean in _means(ratio)):
        yield (
            "A mean leaves out jobs whose cost is 0 or not recorded. The mean of processor time "
            "includes only jobs for which both files record it for the whole search."
        )


def _one_sided_part(identity: str, title: str, records: tuple[Record, ...]) -> Section | None:
    """Jobs that only one file has."""
    if not records:
        return None
    rows = tuple(
        (*_job(record), show_count(record.result.count, record.result.is_finished),
         str(record.result.status))
        for record in records
    )  # fmt: skip
    table = text_table((*JOB, "solutions", "status"), rows, words=2, dispensable=DISPENSABLE)
    return Section(identity, title, tables=(table,))


def _job(record: Record) -> tuple[str, str]:
    """The question, and who was asked it."""
    return question_of(record).title, _solver(record)


def _solver(record: Record) -> str:
    """A backend with its settings."""
    return f"{record.job.backend}{show_settings(record)}"


def _show_ratio(ratio: float | None) -> str:
    return ABSENT if ratio is None else f"{ratio:.2f}"


def _show_bytes(size: float) -> str:
    return show_size(round(size))
