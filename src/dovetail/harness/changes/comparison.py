"""Two files of run records, compared job by job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

from dovetail.harness.changes.answers import changed_answers, finished_both
from dovetail.harness.changes.conditions import Difference, differences
from dovetail.harness.changes.costs import Cost, Verdict, costs
from dovetail.harness.changes.findings import Finding, Kind, Severity
from dovetail.harness.changes.work import changed_work
from dovetail.harness.crosscheck import judged
from dovetail.harness.record import Record
from dovetail.harness.summary import summaries
from dovetail.models.outcome import Status

TOLERANCE = 0.05


@dataclass(frozen=True)
class JobChange:
    """A job that both files have: its summaries, what was found, what it costs."""

    old: Record
    new: Record
    findings: tuple[Finding, ...]
    costs: tuple[Cost, ...]

    @property
    def kinds(self) -> set[Kind]:
        """What the findings are about."""
        return {finding.kind for finding in self.findings}

    @property
    def severity(self) -> Severity | None:
        """The worst of the findings; None where nothing was found."""
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in Severity if severity in found), None)


@dataclass(frozen=True)
class Ratio:
    """The geometric mean of new by old over so many jobs, for each cost, None where there are none.

    `backend` is None for all of them together.
    """

    backend: str | None
    jobs: int
    prepare: float | None
    solve: float | None
    memory: float | None


@dataclass(frozen=True)
class Comparison:
    """What is different between two files; `removed` and `added` are jobs that only one has."""

    differences: tuple[Difference, ...]
    jobs: tuple[JobChange, ...]
    removed: tuple[Record, ...]
    added: tuple[Record, ...]
    ratios: tuple[Ratio, ...]

    @property
    def is_wrong(self) -> bool:
        """Whether there is an error."""
        return any(job.severity == Severity.ERROR for job in self.jobs)

    @property
    def kinds(self) -> set[Kind]:
        """What was found of any job."""
        return {kind for job in self.jobs for kind in job.kinds}


def compared(
    old: Iterable[Record], new: Iterable[Record], tolerance: float = TOLERANCE
) -> Comparison:
    """Compare the records of two files; jobs are the same if their digests are.

    Costs that differ by less than `tolerance` of the old ones are the same.
    """
    old, new = list(old), list(new)
    before, after = _by_job(summaries(old)), _by_job(summaries(new))
    judgements = _by_job(judged(list(after.values())))
    jobs = tuple(
        _job(before[job], after[job], _why_wrong(judgements[job]), tolerance)
        for job in before
        if job in after
    )
    return Comparison(
        differences(old, new),
        jobs,
        tuple(record for job, record in before.items() if job not in after),
        tuple(record for job, record in after.items() if job not in before),
        _ratios(jobs),
    )


def _by_job(records: Iterable[Record]) -> dict[str, Record]:
    return {record["job"]: record for record in records}


def _why_wrong(judgement: Record) -> str | None:
    """Why a result is wrong, by itself or beside others of its file; None where it is not."""
    return judgement["reason"] or "wrong" if judgement["status"] == Status.WRONG else None


def _job(old: Record, new: Record, wrong: str | None, tolerance: float) -> JobChange:
    told = costs(old, new, tolerance)
    findings = (
        *changed_answers(old, new, wrong),
        *changed_work(old, new),
        *_changed_costs(told),
    )
    return JobChange(old, new, findings, told)


def _changed_costs(told: Iterable[Cost]) -> Iterator[Finding]:
    """What is found of costs that are beyond their spread."""
    for cost in told:
        if cost.old is None or cost.new is None:
            continue
        if cost.verdict not in (Verdict.MORE, Verdict.LESS):
            continue
        more = cost.verdict == Verdict.MORE
        kind = Kind.SLOWER if more else Kind.FASTER
        if cost.name == "memory":
            kind = Kind.MEMORY
        severity = Severity.WARNING if more else Severity.NOTE
        yield Finding(kind, severity, cost.name, cost.old, cost.new)


def _ratios(jobs: Sequence[JobChange]) -> tuple[Ratio, ...]:
    """Those of all jobs that are finished in both files without an error, then each backend's."""
    finished = [
        job for job in jobs if finished_both(job.old, job.new) and job.severity != Severity.ERROR
    ]
    backends = dict.fromkeys(job.new["backend"] for job in finished)
    if not finished:
        return ()
    each = [
        _ratio(backend, [job for job in finished if job.new["backend"] == backend])
        for backend in backends
    ]
    return (_ratio(None, finished), *(each if len(each) > 1 else []))


def _ratio(backend: str | None, jobs: Sequence[JobChange]) -> Ratio:
    columns = zip(*(job.costs for job in jobs), strict=True)
    means = (_geometric_mean(cost.ratio for cost in column) for column in columns)
    return Ratio(backend, len(jobs), *means)


def _geometric_mean(ratios: Iterable[float | None]) -> float | None:
    logarithms = [log(ratio) for ratio in ratios if ratio is not None]
    return exp(sum(logarithms) / len(logarithms)) if logarithms else None
