"""What several searches of one job counted together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from dovetail.models.outcome import Counters

Key = TypeVar("Key")


def added(one: Counters, other: Counters) -> Counters:
    """The sums of two searches' counters; what either does not count, the two do not."""
    backtracks_by_trigger = None
    if one.backtracks_by_trigger is not None or other.backtracks_by_trigger is not None:
        first, second = one.backtracks_by_trigger or {}, other.backtracks_by_trigger or {}
        names = first | second
        backtracks_by_trigger = {
            name: _summed(first.get(name, {}), second.get(name, {})) for name in names
        }
    return Counters(
        nodes=_sum(one.nodes, other.nodes),
        attempts=_sum(one.attempts, other.attempts),
        attempts_by_remaining=_sums(one.attempts_by_remaining, other.attempts_by_remaining),
        fits_by_remaining=_sums(one.fits_by_remaining, other.fits_by_remaining),
        backtracks_by_trigger=backtracks_by_trigger,
        native=_summed(one.native, other.native),
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _sums(one: Mapping[int, int] | None, other: Mapping[int, int] | None) -> dict[int, int] | None:
    return None if one is None or other is None else _summed(one, other)


def _summed(one: Mapping[Key, int], other: Mapping[Key, int]) -> dict[Key, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}
