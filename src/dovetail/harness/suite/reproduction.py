"""Which rows of published tables the runs of a suite reproduce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.records.published import PublishedRow, published_row
from dovetail.harness.records.record import Record
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.models.outcome import Status


class Verdict(StrEnum):
    """What became of a published row.

    `EXACT`: all its counts are the published ones. `PROXY`: its fits are, counted by another
    backend. `FITTED`: they are with a setting that was chosen to match. `SAMPLED`: it consists of
    random trials, whose figures are estimates. `DIFFERS`: some count is another one, or a share of
    trials by more than chance explains. `UNFINISHED`: its run did not finish. `NOT_RUN`: the
    records have no run of it.
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

    `planned` is the row as the suite has it, `repeated_by` the run that repeats it: its own, or a
    proxy that stands in.
    """

    planned: PlannedRun
    repeated_by: PlannedRun
    run: Record | None
    verdict: Verdict

    @property
    def name(self) -> str:
        """The name of the row."""
        return str(self.planned.name)

    @property
    def figures(self) -> PublishedRow:
        """The published and the measured figures."""
        return published_row(self.name, self.planned.published, self.run)

    @property
    def reason(self) -> str:
        """What the suite says about a row that is fitted or differs, else empty."""
        if self.verdict is Verdict.FITTED:
            return self.planned.fitted or self.repeated_by.fitted
        return self.planned.difference if self.verdict is Verdict.DIFFERS else ""


def reproduced_rows(plan: SuitePlan, results: Iterable[Record]) -> Iterator[ReproducedRow]:
    """Yield the named rows of `plan` in its order, each with its run among its `results`.

    Where the row's own run did not finish, a proxy that did stands in for it.
    """
    by_job = {result.job.digest: result for result in results}
    proxies = {run.proxy_for: run for run in plan.runs if run.proxy_for is not None}
    for planned in plan.runs:
        if planned.name is None or planned.proxy_for is not None:
            continue
        row = _row(planned, planned, by_job)
        proxy = proxies.get(planned.name)
        if proxy is not None and row.verdict in (Verdict.NOT_RUN, Verdict.UNFINISHED):
            by_proxy = _row(planned, proxy, by_job)
            row = row if by_proxy.verdict in (Verdict.NOT_RUN, Verdict.UNFINISHED) else by_proxy
        yield row


def _row(
    planned: PlannedRun, repeated_by: PlannedRun, results: Mapping[str, Record]
) -> ReproducedRow:
    run = results.get(repeated_by.job.digest)
    if run is None:
        verdict = Verdict.NOT_RUN
    elif run.result.status not in (Status.EXHAUSTED, Status.REMAINING_LIMIT, Status.WRONG):
        verdict = Verdict.UNFINISHED
    else:
        figures = published_row(str(planned.name), planned.published, run)
        verdict = _compared(planned, repeated_by, figures)
    return ReproducedRow(planned, repeated_by, run, verdict)


def _compared(planned: PlannedRun, repeated_by: PlannedRun, figures: PublishedRow) -> Verdict:
    """The verdict on a row whose run has finished."""
    by_proxy = repeated_by is not planned
    if figures.status == Status.WRONG:
        return Verdict.DIFFERS
    if planned.job.trials is not None:
        return Verdict.DIFFERS if figures.with_trigger.differs else Verdict.SAMPLED
    if not (figures.has_exact_fits if by_proxy else figures.is_exact):
        return Verdict.DIFFERS
    if planned.fitted or repeated_by.fitted:
        return Verdict.FITTED
    return Verdict.PROXY if by_proxy else Verdict.EXACT
