"""The objects within a record that a run has no type for."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.plain_data import Bytes, Number, Positive, PositiveSeconds, Text, Whole
from dovetail.harness.run.result import Searched


@dataclass(frozen=True)
class RemainingCounts:
    """Attempts and fits with a given number of pieces left to place."""

    remaining: Whole
    """Pieces left; for `domains`, cells with several candidates left."""
    attempts: Whole | None
    fits: Whole


@dataclass(frozen=True)
class TriggerCount:
    """Number of placements that a trigger removed."""

    remaining: Whole
    """Pieces left to place while the placement was there."""
    count: Whole


@dataclass(frozen=True)
class SearchTotals(Searched):
    """Totals and rates of trials or restarts."""

    per_solve_s: Number | None = None
    """Solutions per second of `solve_s`."""
    per_prepare_and_solve_s: Number | None = None
    """Solutions per second of `total_s`."""
    per_cpu_s: Number | None = None
    """Solutions per second of `cpu_s`."""


@dataclass(frozen=True)
class Published:
    """Published figures for a run; null if not published."""

    fits: Whole | None = None
    no_fits: Whole | None = None
    """Attempts that did not fit."""
    seconds: PositiveSeconds | None = None
    attempts: Whole | None = None
    solutions: Whole | None = None
    """Solutions found, if the run did not search for all."""
    rate: Positive | None = None
    """Solutions found per second, if the run did not search for all."""
    trials: Whole | None = None
    """Trials, if the run did not search for all."""
    trials_with_trigger: Whole | None = None
    """Trials with a placement that the run's trigger removes."""

    @property
    def all_no_fits(self) -> int | None:
        """Attempts that did not fit, published directly or as the difference of two figures."""
        if self.no_fits is not None or self.fits is None or self.attempts is None:
            return self.no_fits
        return self.attempts - self.fits

    @property
    def solutions_per_s(self) -> float | None:
        """The published rate, or published solutions divided by published seconds, or None."""
        if self.rate is not None or self.solutions is None or self.seconds is None:
            return self.rate
        return self.solutions / self.seconds


@dataclass(frozen=True)
class Machine:
    """The machine of a run; null if the system does not report it."""

    processor: Text | None = None
    cores: Whole | None = None
    """Cores available to the process."""
    memory_bytes: Bytes | None = None
    system: Text | None = None


@dataclass(frozen=True)
class Load:
    """Load of the machine during a run."""

    busy_cores: Number | None = None
    """Average number of busy cores, for this run or others; about 1 if only this run is active."""
    stolen_cores: Number | None = None
    """Average number of cores that the host withheld from the virtual machine."""
    parallel: Whole | None = None
    """Number of parallel runs."""
