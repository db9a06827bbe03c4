"""The figures of the repeats of a job."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from dovetail.harness.record import Record


@dataclass(frozen=True)
class Spread:
    """The median of so many `runs`, and the range of them."""

    median: float
    least: float
    most: float
    runs: int


def spread_of(summary: Record, key: str) -> Spread | None:
    """The figures of all repeats of a job under a key, None where one has none."""
    figures = [repeat.get(key) for repeat in summary["repeats"]]
    told = [figure for figure in figures if isinstance(figure, int | float)]
    if len(told) < len(figures):
        return None
    return Spread(median(told), min(told), max(told), len(told))
