"""How a search ended, and what it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from dovetail.plain_data import Figure, Text, Whole, WholeKey

Key = TypeVar("Key")


class Status(StrEnum):
    """What a count is worth. Under any status but `EXHAUSTED` it is a lower bound.

    `SOLVED` ends a search for the best board: every edge matches.
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
        """Whether a limit cut the search before it had done what was asked."""
        return self in (Status.NODE_LIMIT, Status.TIME_LIMIT, Status.MEMORY_LIMIT)

    @property
    def is_error(self) -> bool:
        """Whether the run failed, or its answer is wrong."""
        return self in (Status.FAILED, Status.WRONG)

    @property
    def has_searched(self) -> bool:
        """Whether a search was begun that nothing went wrong with but, perhaps, its answer."""
        return self not in (Status.SKIPPED, Status.FAILED)

    @property
    def has_answer(self) -> bool:
        """Whether the count, where there is one, is true: exact, or a lower bound."""
        return self.has_searched and self != Status.WRONG


@dataclass
class Counters:
    """Counters of a search; None where a backend does not count such a thing.

    A node is a placement made (a fit), or what else the backend defines; the root is none.
    """

    nodes: Whole | None = None
    """Nodes of the search; null if the backend does not count nodes."""
    attempts: Whole | None = None
    """Placements tested; null if the backend does not count them."""
    attempts_by_remaining: Mapping[WholeKey, Whole] | None = None
    """Attempts by the number of pieces left to place; for `domains`, of cells with several
    candidates left."""
    fits_by_remaining: Mapping[WholeKey, Whole] | None = None
    """Fits (placements made) by the number of pieces left to place."""
    native: Mapping[Text, Figure] = field(default_factory=dict)
    """Further figures of the backend, under the backend's names."""
    backtracks_by_trigger: Mapping[Text, Mapping[WholeKey, Whole]] | None = None
    """Number of placements that each trigger removed, by the number of pieces left to place while
    the placement was there; null without triggers."""


def added(one: Counters, other: Counters) -> Counters:
    """The sums of two searches' counters; what either does not count, the two do not."""
    backtracks_by_trigger = None
    if one.backtracks_by_trigger is not None or other.backtracks_by_trigger is not None:
        first, second = one.backtracks_by_trigger or {}, other.backtracks_by_trigger or {}
        names = {**first, **second}
        backtracks_by_trigger = {
            name: _summed(first.get(name, {}), second.get(name, {})) for name in names
        }
    return Counters(
        nodes=_sum(one.nodes, other.nodes),
        attempts=_sum(one.attempts, other.attempts),
        attempts_by_remaining=_sums(one.attempts_by_remaining, other.attempts_by_remaining),
        fits_by_remaining=_sums(one.fits_by_remaining, other.fits_by_remaining),
        backtracks_by_trigger=backtracks_by_trigger,
        native={
            name: one.native.get(name, 0) + other.native.get(name, 0)
            for name in {**one.native, **other.native}
        },
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _sums(one: Mapping[int, int] | None, other: Mapping[int, int] | None) -> dict[int, int] | None:
    return None if one is None or other is None else _summed(one, other)


def _summed(one: Mapping[Key, int], other: Mapping[Key, int]) -> dict[Key, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}
