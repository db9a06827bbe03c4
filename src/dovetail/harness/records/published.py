"""Published figures of the runs of a suite, beside what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.confidence import Interval, share_interval, shares_differ
from dovetail.harness.records.record import Published, Record
from dovetail.harness.run.result import RateInterval, Searched
from dovetail.models.outcome import Status


@dataclass(frozen=True)
class Figure:
    """One figure as published and as measured, None where it is not known."""

    published: float | None
    measured: float | None

    @property
    def agrees(self) -> bool:
        """Whether the measured figure is the published one, if any is published."""
        return self.published is None or self.published == self.measured


@dataclass(frozen=True)
class TrialShare:
    """In how many of some trials something happened, with the 95 % interval of its share."""

    number: int
    count: int

    @property
    def interval(self) -> Interval:
        """The share and its interval."""
        return share_interval(self.number, self.count)


@dataclass(frozen=True)
class TrialsWithTrigger:
    """Trials in which a trigger removed a placement, as published and as measured.

    `published_count` is the number of all published trials. None for what is not known.
    """

    published: int | None = None
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
    """A row of a published table and the run that repeats it; without a run `status` is None.

    `seconds` measured are those of prepare and solve: the whole answer without its check. `rate` is
    of solutions per second of processor time, where a run is not to find all; `rate_interval` is
    the 95 % interval of the measured one.
    """

    name: str
    status: Status | None
    count: int | None
    expected: int | None
    fits: Figure
    no_fits: Figure
    seconds: Figure
    rate: Figure
    rate_interval: RateInterval | None = None
    with_trigger: TrialsWithTrigger = TrialsWithTrigger()

    @property
    def has_exact_fits(self) -> bool:
        """Whether fits are published and measured, and the solutions are the expected ones."""
        counted = self.expected is None or self.expected == self.count
        return counted and self.fits.published is not None and self.fits.agrees

    @property
    def is_exact(self) -> bool:
        """Whether fits, no-fits and solutions are the published and the expected ones.

        Some of fits and no-fits have to be published.
        """
        if self.fits.published is None and self.no_fits.published is None:
            return False
        counted = self.expected is None or self.expected == self.count
        return counted and self.fits.agrees and self.no_fits.agrees


def published_rows(results: Iterable[Record]) -> list[PublishedRow]:
    """Return the named rows among `results`."""
    return [
        published_row(name, published, result)
        for result in results
        for name, published in result.published.items()
    ]


def published_row(name: str, published: Published, record: Record | None) -> PublishedRow:
    """Return the published figures of one row beside those of a result, if there is one."""
    if record is None:
        return PublishedRow(
            name,
            status=None,
            count=None,
            expected=None,
            fits=Figure(published.fits, None),
            no_fits=Figure(published.all_no_fits, None),
            seconds=Figure(published.seconds, None),
            rate=Figure(published.solutions_per_s, None),
            with_trigger=TrialsWithTrigger(published.trials_with_trigger, published.trials),
        )
    fits, attempts = record.result.nodes, record.result.counters.attempts
    if record.job.node_meaning != PLACEMENT_MADE:  # which a fit is
        fits = None
    no_fits = None if fits is None or attempts is None else attempts - fits
    rate, interval = measured_rate(record)
    return PublishedRow(
        name,
        record.result.status,
        record.result.count,
        record.expected,
        Figure(published.fits, fits),
        Figure(published.all_no_fits, no_fits),
        Figure(
            published.seconds, record.result.total_s if record.result.status.has_searched else None
        ),
        Figure(published.solutions_per_s, rate),
        interval,
        TrialsWithTrigger(
            published.trials_with_trigger, published.trials, _with_trigger(record.result.searched)
        ),
    )


def measured_rate(record: Record) -> tuple[float | None, RateInterval | None]:
    """Return the solutions per second of processor time of several searches, and its interval."""
    searched = record.result.searched
    return (None, None) if searched is None else (searched.per_cpu_s, searched.rate_interval)


def _with_trigger(searched: Searched | None) -> TrialShare | None:
    """Return the trials in which the only trigger removed a placement.

    None with several triggers: a trial with two of them would count twice.
    """
    if searched is None or len(searched.with_trigger) != 1:
        return None
    (number,) = searched.with_trigger.values()
    return TrialShare(number, searched.begun) if searched.begun else None
