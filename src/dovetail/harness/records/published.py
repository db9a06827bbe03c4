"""Published figures of table rows, with the measured figures of the runs that repeat them."""

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
        """Whether the measured figure equals the published figure, or no figure is published."""
        return self.published is None or self.published == self.measured


@dataclass(frozen=True)
class TrialShare:
    """The share of trials in which an event occurred."""

    # Number of trials with the event.
    number: int
    # Number of all trials.
    count: int

    @property
    def interval(self) -> Interval:
        """The share of the trials with its 95 % interval."""
        return share_interval(self.number, self.count)


@dataclass(frozen=True)
class TrialsWithTrigger:
    """Trials in which a trigger removed a placement; None for unknown figures."""

    # Published number of trials in which a trigger removed a placement.
    published: int | None = None
    # Published number of all trials.
    published_count: int | None = None
    measured: TrialShare | None = None

    @property
    def differs(self) -> bool:
        """Whether the published and the measured share differ significantly at the 5 % level."""
        if self.published is None or not self.published_count or self.measured is None:
            return False
        measured = self.measured
        return shares_differ(self.published, self.published_count, measured.number, measured.count)


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published table and the run that repeats it."""

    name: str
    # Status of the run. Without a run, `status`, `count` and `expected` are None.
    status: Status | None
    count: int | None
    expected: int | None
    fits: FigurePair
    no_fits: FigurePair
    # The measured figure is the time to prepare and solve.
    seconds: FigurePair
    # Solutions per second, for a run that does not search for all solutions. The measured figure
    # is per second of processor time.
    rate: FigurePair
    # 95 % interval of the measured rate.
    rate_interval: RateInterval | None = None
    with_trigger: TrialsWithTrigger = TrialsWithTrigger()

    @property
    def has_exact_fits(self) -> bool:
        """Whether fits are published and agree, and the count is the expected count, if any."""
        return self.fits.published is not None and self._counts_agree(self.fits)

    @property
    def is_exact(self) -> bool:
        """Whether fits, no-fits and solutions agree, and fits or no-fits are published."""
        if self.fits.published is None and self.no_fits.published is None:
            return False
        return self._counts_agree(self.fits, self.no_fits)

    def _counts_agree(self, *figures: FigurePair) -> bool:
        solutions_agree = self.expected is None or self.expected == self.count
        return solutions_agree and all(figure.agrees for figure in figures)


def published_rows(results: Iterable[Record]) -> list[PublishedRow]:
    """Return the published rows that `results` repeat."""
    return [
        published_row(name, published, result)
        for result in results
        for name, published in result.published.items()
    ]


def published_row(name: str, published: Published, record: Record | None) -> PublishedRow:
    """Return a row with its published figures, and with the figures of `record` if it is given."""
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
    """Return the solutions per second of processor time, and their interval.

    Both are None for a run of a single search.
    """
    searched = record.result.searched
    return (None, None) if searched is None else (searched.per_cpu_s, searched.rate_interval)


def _with_trigger(searched: Searched) -> TrialShare | None:
    """Return the trials in which the only trigger removed a placement.

    Returns None without trials or triggers, and for more such trials than trials. Also returns None
    for several triggers, because a trial in which two triggers remove placements would count twice.
    """
    if len(searched.with_trigger) != 1:
        return None
    (number,) = searched.with_trigger.values()
    return TrialShare(number, searched.begun) if number <= searched.begun > 0 else None
