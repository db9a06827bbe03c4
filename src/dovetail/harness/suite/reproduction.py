"""The rows of published tables that the runs of a suite reproduce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.records.published import PublishedRow, published_row
from dovetail.harness.records.record import Record
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.models.outcome import Status

FINISHED = (Status.EXHAUSTED, Status.REMAINING_LIMIT, Status.WRONG)


class Verdict(StrEnum):
    """Agreement of the run of a published row with the publication."""

    # All counts agree with the published counts.
    EXACT = "exact"
    # The fits of the row's proxy agree with the published fits.
    PROXY = "exact by proxy"
    # The counts agree with the published counts, but a setting was chosen to match them.
    FITTED = "fitted"
    # The row consists of Monte-Carlo trials, whose shares do not differ significantly.
    SAMPLED = "sampled"
    # The run is wrong, a count differs, a share of trials differs significantly, or neither fits
    # nor no-fits are published to compare with.
    DIFFERS = "differs"
    # The status of the run is not in `FINISHED`.
    UNFINISHED = "not finished"
    # There is no record of the row.
    NOT_RUN = "not run"


@dataclass(frozen=True)
class ReproducedRow:
    """A row of a published table, and the run that repeats it."""

    # The row in the suite.
    planned: PlannedRun
    # The run in the suite that repeats the row: the row itself, or its proxy.
    repeated_by: PlannedRun
    # The record of the run; None if the run has no record.
    run: Record | None
    # The published and the measured figures.
    figures: PublishedRow
    verdict: Verdict

    @property
    def name(self) -> str:
        """The name of the row."""
        return str(self.planned.name)

    @property
    def reason(self) -> str:
        """The suite's explanation of a row that is fitted or differs; empty for other rows."""
        if self.verdict is Verdict.FITTED:
            return self.planned.fitted or self.repeated_by.fitted
        return self.planned.difference if self.verdict is Verdict.DIFFERS else ""


def reproduced_rows(plan: SuitePlan, results: Iterable[Record]) -> Iterator[ReproducedRow]:
    """Yield the named rows of `plan` in the order of the plan, each with its run from `results`.

    Proxies are not rows. If the run of a row is missing or did not finish, but the run of the row's
    proxy finished, the run of the proxy is used.
    """
    by_job = {result.job.digest: result for result in results}
    proxies = {run.proxy_for: run for run in plan.runs if run.proxy_for is not None}
    for planned in plan.runs:
        if planned.name is not None and planned.proxy_for is None:
            runs = [planned, *filter(None, [proxies.get(planned.name)])]
            rows = [_row(planned, run, by_job) for run in runs]
            unfinished = (Verdict.NOT_RUN, Verdict.UNFINISHED)
            yield next((row for row in rows if row.verdict not in unfinished), rows[0])


def _row(
    planned: PlannedRun, repeated_by: PlannedRun, results: Mapping[str, Record]
) -> ReproducedRow:
    run = results.get(repeated_by.job.digest)
    figures = published_row(str(planned.name), planned.published, run)
    if run is None:
        verdict = Verdict.NOT_RUN
    elif run.result.status not in FINISHED:
        verdict = Verdict.UNFINISHED
    else:
        verdict = _verdict(planned, repeated_by, figures)
    return ReproducedRow(planned, repeated_by, run, figures, verdict)


def _verdict(planned: PlannedRun, repeated_by: PlannedRun, figures: PublishedRow) -> Verdict:
    """Return the verdict on a row whose run has finished."""
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
