"""The status of a search and its counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from dovetail.plain_data import Figure, Text, Whole, WholeKey
from dovetail.printable import Shown


class Status(StrEnum):
    """Statuses of a search that has ended.

    A count is exact with `EXHAUSTED`, and a lower bound with any other status for which
    `has_answer` is true. `SOLVED` is the status of a search for the best board if every edge of the
    board matches.
    """

    EXHAUSTED = "exhausted"
    SOLVED = "solved"
    SOLUTION_LIMIT = "solution-limit"
    NODE_LIMIT = "node-limit"
    REMAINING_LIMIT = "remaining-limit"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    INTERRUPTED = "interrupted"
    SKIPPED = "skipped"
    FAILED = "failed"
    WRONG = "wrong"

    @property
    def is_limit(self) -> bool:
        """True if a limit on time, nodes or memory ended the search early."""
        return self in (Status.NODE_LIMIT, Status.TIME_LIMIT, Status.MEMORY_LIMIT)

    @property
    def is_error(self) -> bool:
        """True if the run failed or its answer is wrong."""
        return self in (Status.FAILED, Status.WRONG)

    @property
    def has_searched(self) -> bool:
        """True if a search began and did not fail; its answer may still be wrong."""
        return self not in (Status.SKIPPED, Status.FAILED)

    @property
    def has_answer(self) -> bool:
        """True if the count, when known, is exact or a valid lower bound."""
        return self.has_searched and self != Status.WRONG


@dataclass(repr=False)
class Counters(Shown):
    """Counters of a search; None for a figure that the backend does not count.

    A node is a placement made (a fit) unless the backend defines nodes differently. The root is not
    counted.
    """

    nodes: Whole | None = None
    """Number of nodes of the search; null if the backend does not count nodes."""
    attempts: Whole | None = None
    """Number of placements tested; null if the backend does not count them."""
    attempts_by_remaining: Mapping[WholeKey, Whole] | None = None
    """Attempts by the number of pieces left to place; for `domains`, by the number of cells with
    several candidates."""
    fits_by_remaining: Mapping[WholeKey, Whole] | None = None
    """Fits (placements made) by the number of pieces left to place."""
    native: Mapping[Text, Figure] = field(default_factory=dict)
    """Further figures of the backend, with the backend's names."""
    backtracks_by_trigger: Mapping[Text, Mapping[WholeKey, Whole]] | None = None
    """Number of placements that each trigger removed, by the number of pieces left to place just
    before the removal; null without triggers."""


def added(first: Counters, second: Counters) -> Counters:
    """Return the sums of the counters of two searches.

    A sum is None if either search does not count the figure. An exception is
    `backtracks_by_trigger`, where None counts as no placement removed.
    """
    sums = {
        counter.name: _sum(getattr(first, counter.name), getattr(second, counter.name))
        for counter in fields(Counters)
    }
    if sums["backtracks_by_trigger"] is None:  # a search without triggers removed no placements
        triggers = first.backtracks_by_trigger, second.backtracks_by_trigger
        sums["backtracks_by_trigger"] = next(
            (counts for counts in triggers if counts is not None), None
        )
    return Counters(**sums)


def _sum(first: Any, second: Any) -> Any:
    """Return the sum of two counters, or of two mappings key by key, or None if either is None."""
    if first is None or second is None:
        return None
    if not isinstance(first, Mapping):
        return first + second
    both = {key: _sum(first[key], second[key]) for key in first if key in second}
    return {**first, **second, **both}
