"""Two files of run records, compared job by job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

from dovetail.harness.records.diff.answers import (
    Disagreement,
    answer_findings,
    common_questions,
    disagreements,
    finished_both,
    work_findings,
)
from dovetail.harness.records.diff.costs import Cost, Verdict, costs, score_findings
from dovetail.harness.records.diff.findings import (
    Difference,
    Finding,
    FindingType,
    Severity,
    differences,
)
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import judged, summaries
from dovetail.models.outcome import Status

TOLERANCE = 0.05


@dataclass(frozen=True)
class JobDiff:
    """A job that both files have: its summaries, what was found, what it costs."""

    old: Record
    new: Record
    findings: tuple[Finding, ...]
    costs: tuple[Cost, ...]

    @property
    def kinds(self) -> set[FindingType]:
        """What the findings are about."""
        return {finding.kind for finding in self.findings}

    @property
    def severity(self) -> Severity | None:
        """The worst of the findings; None where nothing was found."""
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in Severity if severity in found), None)


@dataclass(frozen=True)
class Mean:
    """The geometric mean of new by old over those of so many jobs that have a ratio, if any has."""

    ratio: float | None
    jobs: int


@dataclass(frozen=True)
class Ratio:
    """What jobs cost, new by old, on average, from so many runs of either file.

    `backend` is None for all of them together. Jobs that are `unjudged` are among them.
    """

    backend: str | None
    jobs: int
    unjudged: int
    old_runs: int
    new_runs: int
    prepare: Mean
    solve: Mean
    cpu: Mean
    memory: Mean


@dataclass(frozen=True)
class RunDiff:
    """What is different between two files.

    `removed` and `added` are jobs that only one has; added ones that are wrong by themselves have
    that as their status and the reason. `questions` is how many both have, by content, and
    `disagreements` those whose counts cannot all be right, unless a finding of a job reports it.
    """

    differences: tuple[Difference, ...]
    jobs: tuple[JobDiff, ...]
    removed: tuple[Record, ...]
    added: tuple[Record, ...]
    questions: int
    disagreements: tuple[Disagreement, ...]
    ratios: tuple[Ratio, ...]

    @property
    def wrong(self) -> tuple[Record, ...]:
        """The added jobs whose answer is wrong by itself."""
        return tuple(record for record in self.added if record.result.status == Status.WRONG)

    @property
    def is_wrong(self) -> bool:
        """Whether there is an error."""
        found = any(job.severity == Severity.ERROR for job in self.jobs)
        return found or bool(self.disagreements or self.wrong)

    @property
    def kinds(self) -> set[FindingType]:
        """What was found of any job."""
        return {kind for job in self.jobs for kind in job.kinds}

    @property
    def unchanged(self) -> int:
        """Of how many jobs nothing was found."""
        return sum(not job.findings for job in self.jobs)

    @property
    def judged_costs(self) -> list[Cost]:
        """The costs of all jobs that were held against the spread of their repeats."""
        return [cost for job in self.jobs for cost in job.costs if cost.is_judged]


def diff_runs(
    old: Iterable[Record], new: Iterable[Record], tolerance: float = TOLERANCE
) -> RunDiff:
    """Compare the records of two files: jobs of one digest, and all answers to one question.

    Costs that differ by less than `tolerance` of the old ones are the same.
    """
    old, new = list(old), list(new)
    before, after = _by_job(summaries(old)), _by_job(summaries(new))
    scores = dict(score_findings(before.values(), after.values()))
    jobs = tuple(
        _job(before[job], after[job], tolerance, scores.get(job)) for job in before if job in after
    )
    reported = {job.new.job.digest for job in jobs if job.severity == Severity.ERROR}
    disagreeing = disagreements(before.values(), after.values(), reported)
    disputed = {job for one in disagreeing for job in one.jobs}
    return RunDiff(
        differences(old, new),
        jobs,
        tuple(record for job, record in before.items() if job not in after),
        tuple(_judged(record) for job, record in after.items() if job not in before),
        common_questions(old, new),
        disagreeing,
        _ratios([job for job in jobs if job.new.job.digest not in disputed]),
    )


def _by_job(records: Iterable[Record]) -> dict[str, Record]:
    return {record.job.digest: record for record in records}


def _judged(record: Record) -> Record:
    """Return a record, marked if it is wrong by itself: others are compared by question."""
    (alone,) = judged([record])
    return alone


def _why_wrong(record: Record) -> str | None:
    """Why a result is wrong by itself; None where it is not."""
    alone = _judged(record)
    return alone.result.reason or "wrong" if alone.result.status == Status.WRONG else None


def _job(old: Record, new: Record, tolerance: float, of_scores: Finding | None = None) -> JobDiff:
    job_costs = costs(old, new, tolerance)
    findings = (
        *answer_findings(old, new, _why_wrong(new)),
        *([] if of_scores is None else [of_scores]),
        *work_findings(old, new),
        *_cost_findings(job_costs),
    )
    return JobDiff(old, new, findings, job_costs)


def _cost_findings(job_costs: Iterable[Cost]) -> Iterator[Finding]:
    """Yield the findings on costs that changed beyond their spread."""
    for cost in job_costs:
        if cost.old is None or cost.new is None:
            continue
        if cost.verdict not in (Verdict.MORE, Verdict.LESS):
            continue
        more = cost.verdict == Verdict.MORE
        kind = FindingType.SLOWER if more else FindingType.FASTER
        if cost.name == "memory":
            kind = FindingType.MEMORY
        severity = Severity.WARNING if more else Severity.NOTE
        yield Finding(kind, severity, cost.name, cost.old, cost.new)


def _ratios(jobs: Sequence[JobDiff]) -> tuple[Ratio, ...]:
    """Those of all jobs that are finished in both files without an error, then each backend's."""
    finished = [
        job for job in jobs if finished_both(job.old, job.new) and job.severity != Severity.ERROR
    ]
    backends = dict.fromkeys(job.new.job.backend for job in finished)
    if not finished:
        return ()
    each = [
        _ratio(backend, [job for job in finished if job.new.job.backend == backend])
        for backend in backends
    ]
    return (_ratio(None, finished), *(each if len(each) > 1 else []))


def _ratio(backend: str | None, jobs: Sequence[JobDiff]) -> Ratio:
    return Ratio(
        backend,
        len(jobs),
        sum(not any(cost.is_judged for cost in job.costs) for job in jobs),
        sum(len(job.old.repeats) for job in jobs),
        sum(len(job.new.repeats) for job in jobs),
        *map(_mean, zip(*(job.costs for job in jobs), strict=True)),
    )


def _mean(costs_of_jobs: Iterable[Cost]) -> Mean:
    logarithms = [log(cost.ratio) for cost in costs_of_jobs if cost.ratio is not None]
    mean = exp(sum(logarithms) / len(logarithms)) if logarithms else None
    return Mean(mean, len(logarithms))
