"""Differences between two files of run records: as a page and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dovetail.errors import how_many
from dovetail.files.text_file import place_of
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.findings import CostVerdict, Severity, Spread, apart_by_chance
from dovetail.harness.records.record import Record
from dovetail.harness.records.run_diff import COSTS, Difference, JobDiff, Mean, Ratio, RunDiff
from dovetail.harness.sizes import show_size
from dovetail.reports.columns import RECORDED, show_answer
from dovetail.reports.numbers import ABSENT, show_rounded, show_seconds
from dovetail.reports.page import Page, Section
from dovetail.reports.table import Column, Table, Topic, linked

# Prefix of the names of differences between machines. Such differences make times incomparable.
OF_THE_MACHINE = "machine: "
# Maximum number of values in a text; the number of other values follows.
MAX_VALUES = 4
TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}
NOT_JUDGED = {
    CostVerdict.TOO_FEW_RUNS: "a spread needs at least three runs in each file",
    CostVerdict.OTHER_MACHINE: "the machines differ",
    CostVerdict.OTHER_WORK: "a run did not finish, or the runs did different amounts of work",
}
# Fields of the JSON objects about jobs and about answers.
JOB_FIELDS = (
    *("job", "puzzle", "digest", "symmetry", "labelled", "backend", "config", "reductions"),
    "status",
)
ANSWER_FIELDS = (*JOB_FIELDS, "count", "reason")


@dataclass(frozen=True)
class FileDiff:
    """The differences between two files."""

    old: Path
    new: Path
    # Warnings about skipped lines.
    passed_over: tuple[str, ...]
    diff: RunDiff


class FindingRow(NamedTuple):
    """A finding on a job, or on all answers to a question."""

    severity: Severity
    # The new run of the job, or all runs that answer the question.
    runs: Sequence[Record]
    what: str
    old: str
    new: str


FINDINGS: Sequence[Column[FindingRow]] = (
    RECORDED["question"].over(lambda row: row.runs[-1]),
    RECORDED["solver"].over(lambda row: row.runs[0] if len(row.runs) == 1 else None),
    Column("what", lambda row: row.what, words=True),
    Column("old", lambda row: row.old, words=True),
    Column("new", lambda row: row.new, words=True),
)
ANSWERS = ("question", "solver", "count")


def _cost_columns(name: str) -> Iterator[Column[JobDiff]]:
    """Yield the columns of a cost: the old and the new median, and the ratio with the verdict."""

    def medians(job: JobDiff) -> str | None:
        cost = job.cost(name)
        sides = [None if side is None else side.median for side in (cost.old, cost.new)]
        return None if sides == [None, None] else " → ".join(_amount(name, side) for side in sides)

    def ratio(job: JobDiff) -> str:
        cost = job.cost(name)
        changed = cost.verdict in (CostVerdict.MORE, CostVerdict.LESS)
        return _show_ratio(cost.ratio) + (f" {cost.verdict}" if changed else "")

    yield Column(name, medians)
    yield Column(f"× {name}", ratio)


JOBS: Sequence[Column[JobDiff]] = (
    *(RECORDED[name].over(lambda job: job.new) for name in ("question", "solver")),
    Column("runs", lambda job: f"{len(job.old.runs)} → {len(job.new.runs)}"),
    *(column for name in COSTS for column in _cost_columns(name)),
)


def _mean_column(name: str) -> Column[Ratio]:
    def text(ratio: Ratio) -> str:
        mean: Mean = getattr(ratio, COSTS[name])
        some = f" (of {mean.jobs})" if 0 < mean.jobs < ratio.jobs else ""
        return _show_ratio(mean.ratio) + some

    return Column(name, text)


RATIOS: Sequence[Column[Ratio]] = (
    linked(Topic.SOLVER, "solver", lambda ratio: ratio.backend or "all"),
    Column("jobs", lambda ratio: str(ratio.jobs)),
    Column("runs", lambda ratio: f"{ratio.old_runs} → {ratio.new_runs}"),
    *map(_mean_column, COSTS),
)


def diff_page(file_diff: FileDiff, *, every_job: bool = False) -> Page:
    """Return the page of all differences; only `every_job` adds the costs of jobs without findings.

    The costs of jobs with findings are always on the page.
    """
    diff = file_diff.diff
    old, new = place_of(file_diff.old), place_of(file_diff.new)
    sections = [
        *findings_sections(diff),
        _costs_section(diff, every_job=every_job),
        _ratios_section(diff),
        _answers_section("removed", f"Only in {old}", diff.removed),
        _answers_section("added", f"Only in {new}", diff.added),
    ]
    return Page(
        f"{old} → {new}",
        sections,
        _about(diff),
        (*file_diff.passed_over, *map(_condition, diff.differences)),
    )


def _about(diff: RunDiff) -> str:
    """Return the numbers of common, unchanged, removed and added jobs in words.

    Without a common job, the text has the number of common questions instead.
    """
    jobs, unchanged = len(diff.jobs), diff.unchanged
    sides = {"removed": len(diff.removed), "added": len(diff.added)}
    one_sided = [f"{number} {side}" for side, number in sides.items() if number]
    text = f"{how_many(jobs, 'job')} in both files, {unchanged} unchanged"
    if not jobs:
        questions = how_many(diff.questions, "question")
        text = f"no job and {questions} in both files, so only the counts are compared"
    elif jobs == unchanged and not one_sided and not diff.disagreements:
        return f"no change: {how_many(jobs, 'job')} in both files"
    return ", ".join([text, *one_sided])


def _condition(difference: Difference) -> str:
    """Return a difference in the conditions of the runs as a warning."""
    text = f"{difference.name}: {_values(difference.old)} → {_values(difference.new)}"
    if difference.name.startswith(OF_THE_MACHINE):
        text += ": times from different machines are not comparable"
    return text


def _values(values: Sequence[str]) -> str:
    more = f", {len(values) - MAX_VALUES} more" if len(values) > MAX_VALUES else ""
    return ", ".join(values[:MAX_VALUES]) + more


def findings_sections(diff: RunDiff) -> list[Section]:
    """Return the sections of errors, warnings and notes that have findings."""
    rows = list[FindingRow]()
    for disagreement in diff.disagreements:
        verified = disagreement.refuted_below
        what = "counts disagree"
        if verified is not None:
            solutions = how_many(verified, "solution")
            what += (
                f"; counts below {verified:,} are wrong, because {solutions} passed verification"
            )
        answers = map(_answers, (disagreement.old, disagreement.new))
        runs = (*disagreement.old, *disagreement.new)
        rows.append(FindingRow(Severity.ERROR, runs, what, *answers))
    for job in diff.jobs:
        for finding in job.findings:
            sides = (_side(finding.what, side) for side in (finding.old, finding.new))
            rows.append(FindingRow(finding.severity, (job.new,), finding.what, *sides))
    for record in diff.wrong:
        reason, answer = record.result.reason or "wrong", show_answer(record)
        rows.append(FindingRow(Severity.ERROR, (record,), reason, ABSENT, answer))
    return [
        Section(
            str(severity),
            TITLES[severity],
            [Table(FINDINGS, group, marked=lambda row: row.severity is Severity.ERROR)],
        )
        for severity in Severity
        if (group := [row for row in rows if row.severity is severity])
    ]


def _answers(records: Iterable[Record]) -> str:
    """Return the different answers in a file, each with the solvers that gave the answer."""
    solvers: dict[str, dict[str, None]] = {}
    for record in records:
        solver = RECORDED["solver"].text(record)
        solvers.setdefault(show_answer(record), {})[solver] = None
    return (
        "; ".join(f"{count}: {_values(list(names))}" for count, names in solvers.items()) or ABSENT
    )


def _side(what: str, value: str | Spread) -> str:
    """Return a value of a finding; for a cost, the median with the range of all runs."""
    if isinstance(value, str):
        return value
    median, low, high = (_amount(what, v) for v in (value.median, value.minimum, value.maximum))
    return f"{median} ({low} to {high})"


def _amount(cost: str, value: float | None) -> str:
    if value is None:
        return ABSENT
    return show_size(round(value)) if cost == "memory" else show_seconds(value)


def _costs_section(diff: RunDiff, *, every_job: bool) -> Section | None:
    """Return the costs of jobs, the expected false alarms, and why costs are not compared.

    Returns None if there is nothing to show.
    """
    jobs = [job for job in diff.jobs if every_job or job.findings]
    texts = []
    if diff.judged_costs:
        judged = diff.judged_costs
        changed = sum(cost.verdict != CostVerdict.SAME for cost in judged)
        texts.append(
            f"{changed} of {how_many(len(judged), 'compared cost')} changed: the ranges do not "
            "overlap and the medians differ by more than the tolerance. Expected number of false "
            "alarms with this number of runs, if nothing had changed: "
            f"{show_rounded(apart_by_chance(judged))}."
        )
    verdicts = Counter(job.costs[0].verdict for job in diff.jobs)
    for verdict, why in NOT_JUDGED.items():
        if verdicts[verdict]:
            texts.append(f"Costs of {how_many(verdicts[verdict], 'job')} are not compared: {why}.")
    if not jobs and not texts:
        return None
    dispensable = ("memory", "prepare", "solve, cpu", "runs", "× memory", "× prepare")
    table = Table(JOBS, jobs, dispensable=(*dispensable, "× solve, cpu")) if jobs else None
    return Section("costs", "Costs, medians", [*texts, table])


def ratios_table(diff: RunDiff) -> Table:
    """Return a table of the mean ratios of new to old costs."""
    return Table(
        RATIOS, diff.ratios, dispensable=("memory", "prepare", "solve, cpu", "runs", "jobs")
    )


def _ratios_section(diff: RunDiff) -> Section | None:
    if not diff.ratios:
        return None
    every_job = diff.ratios[0]
    old, new = how_many(every_job.old_runs, "old run"), how_many(every_job.new_runs, "new run")
    texts = [
        f"New divided by old, from {old} and {new}; below 1 is better. Means do not affect the "
        "verdicts."
    ]
    if every_job.unjudged:
        jobs = how_many(every_job.jobs, "job")
        texts.append(f"Costs not compared: {every_job.unjudged} of {jobs}.")
    if any(
        getattr(ratio, key).jobs < ratio.jobs for ratio in diff.ratios for key in COSTS.values()
    ):
        texts.append(
            "A mean leaves out jobs whose cost is 0 or not recorded. The mean of processor time "
            "includes only jobs for which both files record it for the whole search."
        )
    title = "Geometric means over the jobs finished in both files"
    return Section("ratios", title, [*texts, ratios_table(diff)])


def _answers_section(identity: str, title: str, records: Sequence[Record]) -> Section | None:
    table = Table([RECORDED[name] for name in ANSWERS], records)
    return Section(identity, title, [table]) if records else None


def _show_ratio(ratio: float | None) -> str:
    return ABSENT if ratio is None else f"{ratio:.2f}"


def diff_fields(file_diff: FileDiff) -> dict[str, Any]:
    """Return all differences, with the costs of every job, as JSON values."""
    diff = file_diff.diff

    def answers(records: Iterable[Record]) -> list[dict[str, Any]]:
        return [json_fields(record, *ANSWER_FIELDS) for record in records]

    def costs(job: JobDiff) -> list[dict[str, Any]]:
        return [{**asdict(cost), "ratio": cost.ratio} for cost in job.costs]

    return {
        "old": str(file_diff.old),
        "new": str(file_diff.new),
        "passed_over": list(file_diff.passed_over),
        "differences": [asdict(difference) for difference in diff.differences],
        "jobs": len(diff.jobs),
        "unchanged": diff.unchanged,
        "questions": diff.questions,
        "disagreements": [
            {
                **asdict(disagreement.question),
                "old": answers(disagreement.old),
                "new": answers(disagreement.new),
                "refuted_below": disagreement.refuted_below,
            }
            for disagreement in diff.disagreements
        ],
        "findings": [
            {**json_fields(job.new, *JOB_FIELDS), **asdict(finding)}
            for job in diff.jobs
            for finding in job.findings
        ],
        "costs": [{**json_fields(job.new, *JOB_FIELDS), "costs": costs(job)} for job in diff.jobs],
        "judged": len(diff.judged_costs),
        "apart_by_chance": apart_by_chance(diff.judged_costs),
        "ratios": [asdict(ratio) for ratio in diff.ratios],
        "removed": answers(diff.removed),
        "added": answers(diff.added),
    }
