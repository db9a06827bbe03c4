"""The objects within a record. They are of the file, whatever the classes of a run are called.

What an older version did not write yet has a default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from dovetail.harness.records.fields import (
    LARGEST,
    Bytes,
    Count,
    Exactly,
    Flag,
    Number,
    Seconds,
    Settings,
    Text,
    Whole,
)


@dataclass(frozen=True)
class RecordedOrder:
    """The random order that a single search, or one with restarts, went by."""

    seed: Whole
    restarts: Flag = False
    """Whether the search was given up and begun anew, again and again, in another order."""
    awkward_first: Flag = False
    """Whether the order was random only among pieces that are equally hard to fit in."""


@dataclass(frozen=True)
class RecordedTrials:
    """The trials asked for in place of one search."""

    count: Whole
    remaining: Whole = 0
    """Each ended when taking back a placement left so many pieces to be placed."""
    seed: Whole = 0
    """Where their random orders come from."""


@dataclass(frozen=True)
class RecordedLimits:
    """Where the run was to be cut short; null for no limit."""

    time_s: Seconds | None = None
    """Prepare and solve together, wall-clock."""
    nodes: Whole | None = None
    solutions: Whole | None = None
    memory_bytes: Bytes | None = None
    """Of the process that searches."""


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
class SearchTotals:
    """What became of trials or restarts."""

    begun: Whole
    with_solutions: Whole = 0
    """Searches that found any solution."""
    found: Whole = 0
    """Solutions found; one that several searches find is counted for each."""
    per_solve_s: Number | None = None
    """Solutions per second of `solve_s`."""
    per_prepare_and_solve_s: Number | None = None
    """Solutions per second of `total_s`."""


@dataclass(frozen=True)
class SampledPiece:
    """A piece that was tried for symmetry breaking."""

    piece: Text
    nodes: Count
    """Nodes made while it was tried."""
    estimate: Count | None = None
    """Estimated nodes of the whole search."""
    error: Count | None = None
    """Standard error of the estimate."""


@dataclass(frozen=True)
class PieceSelection:
    """The pieces tried, and the one chosen; null: no piece can be chosen."""

    pieces: tuple[SampledPiece, ...] = ()
    chosen: Text | None = None


@dataclass(frozen=True)
class ChosenBackend:
    """What `auto` chose; `backend`, `config` and `reductions` of the record stay as asked."""

    backend: Text
    config: Settings
    reductions: tuple[Text, ...] = ()
    """Those of the whole request."""
    why: Text = ""


@dataclass(frozen=True)
class Published:
    """What a publication says of a run; null for what it does not."""

    fits: Whole | None = None
    no_fits: Whole | None = None
    """Attempts that were no fits."""
    seconds: Annotated[float, Exactly("s", above=0, below=LARGEST)] | None = None
    attempts: Whole | None = None
    solutions: Whole | None = None
    """Solutions found, where a run was not to find all."""
    rate: Number | None = None
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
