"""Comparison of two files of run records by job, by question and by the conditions of the runs.

Jobs are compared only if their limits and seeds are the same. The counts of all jobs are compared
with all counts for the same question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from statistics import geometric_mean, median

from dovetail.harness.records.findings import (
    Cost,
    Finding,
    FindingType,
    Severity,
    answer_findings,
    contradictory,
    cost_findings,
    costs,
    finished_both,
    score_findings,
    work_findings,
)
from dovetail.harness.records.record import Record, grouped
from dovetail.harness.records.summary import Question, judged, max_verified, question_of, summaries
from dovetail.models.outcome import Status
from dovetail.plain_data import plain

# Default of the maximum change of a cost that is not reported, relative to the old cost.
TOLERANCE = 0.05
# Minimum difference between the median busy cores of two files that is reported.
MIN_CORES_APART = 0.5
# The field of `Ratio` for each cost, by the name of the cost.
COSTS = {"prepare": "prepare", "solve": "solve", "solve, cpu": "cpu", "memory": "memory"}
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Difference:
    """A condition that differs between the runs of two files, with all values in each file."""

    name: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class JobDiff:
    """A job that both files have: its summaries, findings and costs."""

    old: Record
    new: Record
    findings: tuple[Finding, ...]
    costs: tuple[Cost, ...]

    def cost(self, name: str) -> Cost:
        """Return the cost with this name."""
        return next(cost for cost in self.costs if cost.name == name)

    @property
    def kinds(self) -> set[FindingType]:
        """The types of the findings."""
        return {finding.kind for finding in self.findings}

    @property
    def severity(self) -> Severity | None:
        """The highest severity of the findings; None if there are no findings."""
        severities = {finding.severity for finding in self.findings}
        return next((severity for severity in Severity if severity in severities), None)


@dataclass(frozen=True)
class Disagreement:
    """A question, and the answers in each file that cannot all be right."""

    question: Question
    old: tuple[Record, ...]
    new: tuple[Record, ...]

    @property
    def jobs(self) -> set[str]:
        """The digests of the jobs with these answers."""
        return {record.job.digest for record in (*self.old, *self.new)}

    @property
    def refuted_below(self) -> int | None:
        """The number of verified solutions if it is above an exhausted count, otherwise None."""
        answers = (*self.old, *self.new)
        verified = max_verified(answers)
        exact = [
            answer.result.count
            for answer in answers
            if answer.result.is_finished and answer.result.count is not None
        ]
        return verified if min(exact) < verified else None


@dataclass(frozen=True)
class Mean:
    """The geometric mean of the ratios of new to old costs."""

    # Geometric mean; None if no job has a ratio.
    ratio: float | None
    # Number of jobs that have a ratio.
    jobs: int


@dataclass(frozen=True)
class Ratio:
    """Mean ratios of new to old costs over the jobs of a backend."""

    # None for all backends together.
    backend: str | None
    jobs: int
    # Number of jobs of which no cost was compared.
    unjudged: int
    old_runs: int
    new_runs: int
    prepare: Mean
    solve: Mean
    cpu: Mean
    memory: Mean


@dataclass(frozen=True)
class RunDiff:
    """The differences between two files."""

    differences: tuple[Difference, ...]
    # The jobs that both files have.
    jobs: tuple[JobDiff, ...]
    # The jobs that only the old file has.
    removed: tuple[Record, ...]
    # The jobs that only the new file has. A job that contradicts its own expected count or its own
    # verified solutions has the status `wrong`.
    added: tuple[Record, ...]
    # Number of questions that both files have, whatever the names of the puzzles.
    questions: int
    # Disagreements that are not reported by a finding on a job.
    disagreements: tuple[Disagreement, ...]
    ratios: tuple[Ratio, ...]

    @property
    def wrong(self) -> tuple[Record, ...]:
        """The jobs of `added` with the status `wrong`."""
        return tuple(record for record in self.added if record.result.status == Status.WRONG)

    @property
    def is_wrong(self) -> bool:
        """Whether a finding is an error, answers disagree, or an added job is wrong."""
        has_errors = any(job.severity == Severity.ERROR for job in self.jobs)
        return has_errors or bool(self.disagreements or self.wrong)

    @property
    def kinds(self) -> set[FindingType]:
        """The types of the findings on all jobs."""
        return {kind for job in self.jobs for kind in job.kinds}

    @property
    def unchanged(self) -> int:
        """Number of jobs without findings."""
        return sum(not job.findings for job in self.jobs)

    @property
    def judged_costs(self) -> list[Cost]:
        """The compared costs of all jobs."""
        return [cost for job in self.jobs for cost in job.costs if cost.is_judged]


def diff_runs(
    old: Iterable[Record], new: Iterable[Record], tolerance: float = TOLERANCE
) -> RunDiff:
    """Compare two files of records: jobs with the same digest, and answers to the same question.

    `tolerance` is the maximum change of a cost that is not reported, relative to the old cost.
    """
    old, new = list(old), list(new)
    before = {record.job.digest: record for record in summaries(old)}
    after = {record.job.digest: record for record in summaries(new)}
    common = [job for job in before if job in after]
    scores = dict(score_findings([before[job] for job in common], [after[job] for job in common]))
    jobs = tuple(_job_diff(before[job], after[job], tolerance, scores.get(job)) for job in common)
    reported = {job.new.job.digest for job in jobs if job.severity == Severity.ERROR}
    disputed = disagreements(before.values(), after.values(), reported)
    disputed_jobs = {job for disagreement in disputed for job in disagreement.jobs}
    return RunDiff(
        differences(old, new),
        jobs,
        tuple(record for job, record in before.items() if job not in after),
        tuple(_judged(record) for job, record in after.items() if job not in before),
        common_questions(old, new),
        disputed,
        _ratios([job for job in jobs if job.new.job.digest not in disputed_jobs]),
    )


def _judged(record: Record) -> Record:
    """Return a record, marked as wrong if the record contradicts itself (see `judged`)."""
    (marked,) = judged([record])
    return marked


def _job_diff(old: Record, new: Record, tolerance: float, score: Finding | None) -> JobDiff:
    job_costs = costs(old, new, tolerance)
    result = _judged(new).result
    wrong = result.reason or "wrong" if result.status == Status.WRONG else None
    findings = (
        *answer_findings(old, new, wrong),
        *([] if score is None else [score]),
        *work_findings(old, new),
        *cost_findings(job_costs),
    )
    return JobDiff(old, new, findings, job_costs)


def common_questions(old: Iterable[Record], new: Iterable[Record]) -> int:
    """Return the number of questions that both files have, whatever the names of the puzzles."""
    contents = [{question_of(record).content for record in side} for side in (old, new)]
    return len(contents[0] & contents[1])


def disagreements(
    old: Iterable[Record], new: Iterable[Record], reported: Set[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """Return the questions whose answers in two files cannot all be right.

    `old` and `new` are summaries; the answers of all repeats are compared. A question is left out
    if `reported` has the digests of all jobs with contradicting answers.
    """
    answers: dict[tuple[str, str, bool], tuple[list[Record], list[Record]]] = {}
    for side, results in enumerate((old, new)):
        for result in results:
            sides = answers.setdefault(question_of(result).content, ([], []))
            sides[side].extend(_answers_of(result))
    disputed = []
    for sides in answers.values():
        odd = contradictory([*sides[0], *sides[1]])
        if odd and not {record.job.digest for record in odd} <= reported:
            odd_by_side = (tuple(filter(odd.__contains__, side)) for side in sides)
            disputed.append(Disagreement(question_of(odd[-1]), *odd_by_side))
    return tuple(disputed)


def _answers_of(result: Record) -> Iterator[Record]:
    """Yield the different answers of the repeats of a job."""
    answers = dict.fromkeys(
        (run.result.status, run.result.count, run.result.verified) for run in result.runs
    )
    for status, count, verified in answers:
        answer = replace(result.result, status=status, count=count, verified=verified)
        yield replace(result, result=answer)


def differences(old: Sequence[Record], new: Sequence[Record]) -> tuple[Difference, ...]:
    """Return the conditions that differ between two files.

    The conditions are the values of the machine, the versions, the commit, the numbers of parallel
    runs and of workers, and the median of the busy cores.
    """
    sides = [_recorded_values(records) for records in (old, new)]
    differing = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        values = [tuple(side.get(name, {NOT_RECORDED: None})) for side in sides]
        if set(values[0]) != set(values[1]):
            differing.append(Difference(name, *values))
    busy = [
        [record.load.busy_cores for record in side
         if record.load is not None and record.load.busy_cores is not None]
        for side in (old, new)
    ]  # fmt: skip
    if all(busy) and abs(median(busy[0]) - median(busy[1])) >= MIN_CORES_APART:
        ranges = ((f"{min(side):g} to {max(side):g}",) for side in busy)
        differing.append(Difference("busy cores", *ranges))
    return tuple(differing)


def _recorded_values(records: Iterable[Record]) -> dict[str, dict[str, None]]:
    """Return the distinct values of each condition, in the order of the records."""
    values: dict[str, dict[str, None]] = {}
    for record in records:
        machine = plain(record.environment.machine) or {}
        conditions = {
            **{f"machine: {name}": value for name, value in machine.items()},
            **{f"versions: {name}": value for name, value in record.environment.versions.items()},
            "commit": record.environment.commit,
            "side by side": None if record.load is None else record.load.parallel,
            "workers of a run": record.result.workers,
        }
        for name, value in conditions.items():
            values.setdefault(name, {})[NOT_RECORDED if value is None else str(value)] = None
    return values


def _ratios(jobs: Sequence[JobDiff]) -> tuple[Ratio, ...]:
    """Return the mean ratios of costs over the jobs that finished in both files without an error.

    The ratios of all backends together come first, followed by the ratios of each backend if there
    are several backends.
    """
    finished = [
        job for job in jobs if finished_both(job.old, job.new) and job.severity != Severity.ERROR
    ]
    if not finished:
        return ()
    backends: dict[str | None, list[JobDiff]] = {None: finished}
    backends |= grouped(finished, lambda job: job.new.job.backend)
    ratios = tuple(_ratio(backend, group) for backend, group in backends.items())
    return ratios if len(ratios) > 2 else ratios[:1]


def _ratio(backend: str | None, jobs: Sequence[JobDiff]) -> Ratio:
    return Ratio(
        backend,
        len(jobs),
        sum(not any(cost.is_judged for cost in job.costs) for job in jobs),
        sum(len(job.old.runs) for job in jobs),
        sum(len(job.new.runs) for job in jobs),
        **{key: _mean(job.cost(name) for job in jobs) for name, key in COSTS.items()},
    )


def _mean(costs_of_jobs: Iterable[Cost]) -> Mean:
    ratios = [cost.ratio for cost in costs_of_jobs if cost.ratio is not None]
    return Mean(geometric_mean(ratios) if ratios else None, len(ratios))
