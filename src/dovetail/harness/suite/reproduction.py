"""Which rows of published tables the runs of a suite reproduce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.records.published import PublishedRow, published_row
from dovetail.harness.records.record import RunRecord
from dovetail.harness.records.summary import JobResult
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.suite_file import PlannedRun, SuitePlan
from dovetail.models.outcome import Status


class Verdict(StrEnum):
    """What became of a published row.

    `EXACT`: all its counts are the published ones. `PROXY`: its fits are, counted by another
    backend. `FITTED`: they are with a setting that was chosen to match. `SAMPLED`: it consists of
    random trials, whose figures are estimates. `DIFFERS`: some count is another one. `UNFINISHED`:
    its run ended at a limit. `NOT_RUN`: the records have no run of it.
    """

    EXACT = "exact"
    PROXY = "exact by proxy"
    FITTED = "fitted"
    SAMPLED = "sampled"
    DIFFERS = "differs"
    UNFINISHED = "not finished"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class ReproducedRow:
    """A row of a published table, and the run that repeats it: `run`, None for none.

    `planned` is what is to be run: of a row that was not run, and has a proxy that was, the proxy.
    """

    name: str
    planned: PlannedRun
    run: JobResult | None
    verdict: Verdict

    @property
    def figures(self) -> PublishedRow | None:
        """The published and the measured figures, None where nothing was measured."""
        return None if self.run is None else _figures(self.planned, self.run)

    @property
    def reason(self) -> str:
        """Why the row is not exact, as far as the suite says; empty where it is."""
        if self.verdict is Verdict.EXACT:
            return ""
        if self.verdict is Verdict.FITTED:
            return self.planned.fitted
        return self.planned.difference


def reproduced_rows(plan: SuitePlan, records: Iterable[RunRecord]) -> Iterator[ReproducedRow]:
    """Yield the named rows of `plan` in its order, each with its run among `records`.

    Where the row's own run did not finish, a proxy that did stands in for it.
    """
    results = {result.job: result for result in plan_results(plan, records)}
    proxies = {run.proxy_for: run for run in plan.runs if run.proxy_for is not None}
    for planned in plan.runs:
        if planned.name is None or planned.proxy_for is not None:
            continue
        row = _row(planned.name, planned, results)
        proxy = proxies.get(planned.name)
        if proxy is not None and row.verdict in (Verdict.NOT_RUN, Verdict.UNFINISHED):
            by_proxy = _row(planned.name, proxy, results)
            row = by_proxy if by_proxy.verdict in (Verdict.PROXY, Verdict.DIFFERS) else row
        yield row


def _row(name: str, planned: PlannedRun, results: Mapping[str, JobResult]) -> ReproducedRow:
    run = results.get(planned.job.digest)
    return ReproducedRow(name, planned, run, _verdict(planned, run))


def _verdict(planned: PlannedRun, run: JobResult | None) -> Verdict:
    if run is None:
        return Verdict.NOT_RUN
    if run.status not in (Status.EXHAUSTED, Status.REMAINING_LIMIT, Status.WRONG):
        return Verdict.UNFINISHED
    if planned.job.trials is not None:
        return Verdict.SAMPLED
    if run.status == Status.WRONG or not _figures(planned, run).is_exact:
        return Verdict.DIFFERS
    if planned.proxy_for is not None:
        return Verdict.PROXY
    return Verdict.FITTED if planned.fitted else Verdict.EXACT


def _figures(planned: PlannedRun, run: JobResult) -> PublishedRow:
    return published_row(str(planned.name), planned.published, run)
