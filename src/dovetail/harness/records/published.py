"""Published figures of the rows of tables, beside the figures of the runs that repeat them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.confidence import Interval, share_interval, shares_differ
from dovetail.harness.records.record import Published, Record
from dovetail.harness.run.result import RateInterval, Searched
from dovetail.models.outcome import Status


@dataclass(frozen=True)
class FigurePair:
    """A published and a measured figure; None for an unknown figure."""

    published: float | None
    measured: float | None

    @property
    def agrees(self) -> bool:
        """Whether the measured figure equals the published figure, if there is one."""
        return self.published is None or self.published == self.measured


@dataclass(frozen=True)
class TrialShare:
    """The number of trials with some event, of a `count` of trials."""

    number: int
    count: int

    @property
    def interval(self) -> Interval:
        """The share of the trials with its 95 % interval."""
        return share_interval(self.number, self.count)


@dataclass(frozen=True)
class TrialsWithTrigger:
    """Trials in which a trigger removed a placement; None for unknown figures."""

    published: int | None = None
    # Number of all published trials.
    published_count: int | None = None
    measured: TrialShare | None = None

    @property
    def differs(self) -> bool:
        """Whether the shares differ by more than chance explains, at the 5 % level."""
        if self.published is None or self.published_count is None or self.measured is None:
            return False
        measured = self.measured
        return shares_differ(self.published, self.published_count, measured.number, measured.count)


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published table and the run that repeats it."""

    name: str
    # None without a run.
    status: Status | None
    count: int | None
    expected: int | None
    fits: FigurePair
    no_fits: FigurePair
    # Measured: time to prepare and solve.
    seconds: FigurePair
    # Solutions per second of processor time, for a run that does not search for all solutions.
    rate: FigurePair
    # 95 % interval of the measured rate.
    rate_interval: RateInterval | None = None
    with_trigger: TrialsWithTrigger = TrialsWithTrigger()

    @property
    def has_exact_fits(self) -> bool:
        """Whether fits are published and measured, and the number of solutions is as expected."""
        return self.fits.published is not None and self._counts_agree(self.fits)

    @property
    def is_exact(self) -> bool:
        """Whether fits and no-fits, at least one of them published, and solutions all agree."""
        if self.fits.published is None and self.no_fits.published is None:
            return False
        return self._counts_agree(self.fits, self.no_fits)

    def _counts_agree(self, *figures: FigurePair) -> bool:
        solutions_agree = self.expected is None or self.expected == self.count
        return solutions_agree and all(figure.agrees for figure in figures)


def published_rows(results: Iterable[Record]) -> list[PublishedRow]:
    """Return the named rows among `results`."""
    return [
        published_row(name, published, result)
        for result in results
        for name, published in result.published.items()
    ]


def published_row(name: str, published: Published, record: Record | None) -> PublishedRow:
    """Return the published figures of a row, beside the figures of a result if there is one."""
    fits = no_fits = seconds = rate = interval = with_trigger = None
    if record is not None:
        result, searched = record.result, record.result.searched
        seconds = result.total_s if result.status.has_searched else None
        if record.job.node_meaning == PLACEMENT_MADE:  # each node is a fit
            fits, attempts = result.nodes, result.counters.attempts
            no_fits = None if fits is None or attempts is None else attempts - fits
        rate, interval = measured_rate(record)
        with_trigger = None if searched is None else _with_trigger(searched)
    return PublishedRow(
        name,
        None if record is None else record.result.status,
        None if record is None else record.result.count,
        None if record is None else record.expected,
        FigurePair(published.fits, fits),
        FigurePair(published.all_no_fits, no_fits),
        FigurePair(published.seconds, seconds),
        FigurePair(published.solutions_per_s, rate),
        interval,
        TrialsWithTrigger(published.trials_with_trigger, published.trials, with_trigger),
    )


def measured_rate(record: Record) -> tuple[float | None, RateInterval | None]:
    """Return the solutions per second of processor time of several searches, and its interval."""
    searched = record.result.searched
    return (None, None) if searched is None else (searched.per_cpu_s, searched.rate_interval)


def _with_trigger(searched: Searched) -> TrialShare | None:
    """Return the trials in which the only trigger removed a placement.

    None with several triggers: a trial in which two of them fired would count twice.
    """
    if len(searched.with_trigger) != 1 or not searched.begun:
        return None
    (number,) = searched.with_trigger.values()
    return TrialShare(number, searched.begun)
