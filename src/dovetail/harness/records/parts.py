"""The objects within a record that a run has no type for."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.plain_data import Bytes, Number, Positive, PositiveSeconds, Text, Whole
from dovetail.harness.run.events import Searched


@dataclass(frozen=True)
class RemainingCounts:
    """What a search did with so many pieces left to be placed."""

    remaining: Whole
    """Pieces left; for `domains`, cells that had several candidates left."""
    attempts: Whole | None
    fits: Whole


@dataclass(frozen=True)
class TriggerCount:
    """How often a trigger took a placement back."""

    remaining: Whole
    """Pieces left after that."""
    count: Whole


@dataclass(frozen=True)
class SearchTotals(Searched):
    """What became of trials or restarts, and how fast."""

    per_solve_s: Number | None = None
    """Solutions per second of `solve_s`."""
    per_prepare_and_solve_s: Number | None = None
    """Solutions per second of `total_s`."""


@dataclass(frozen=True)
class Published:
    """What a publication says of a run; null for what it does not."""

    fits: Whole | None = None
    no_fits: Whole | None = None
    """Attempts that were no fits."""
    seconds: PositiveSeconds | None = None
    attempts: Whole | None = None
    solutions: Whole | None = None
    """Solutions found, where a run was not to find all."""
    rate: Positive | None = None
    """Solutions found per second, where a run was not to find all."""

    @property
    def all_no_fits(self) -> int | None:
        """Attempts that were no fits, where they are published under either name."""
        if self.no_fits is not None or self.fits is None or self.attempts is None:
            return self.no_fits
        return self.attempts - self.fits

    @property
    def solutions_per_s(self) -> float | None:
        """The rate, where it is published or can be divided."""
        if self.rate is not None or self.solutions is None or self.seconds is None:
            return self.rate
        return self.solutions / self.seconds


@dataclass(frozen=True)
class Machine:
    """Where a run took place; null for what the system does not say."""

    processor: Text | None = None
    cores: Whole | None = None
    """Cores that the process may use."""
    memory_bytes: Bytes | None = None
    system: Text | None = None


@dataclass(frozen=True)
class Load:
    """How busy the machine was during a run."""

    busy_cores: Number | None = None
    """Cores at work on average, for this run or others; about 1 for a run alone."""
    stolen_cores: Number | None = None
    """Cores that the machine's host kept from it, on average."""
    parallel: Whole | None = None
    """Runs side by side."""
