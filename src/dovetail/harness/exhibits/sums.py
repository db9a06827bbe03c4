"""Nodes and times summed over boards, and how they change from one series to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dovetail.harness.exhibits.measured import Measured, MeasuredBoard, SeriesRun


@dataclass(frozen=True)
class Sum:
    """What a series took for some boards; `nodes` is None where it does not count them."""

    nodes: int | None
    prepare_s: float
    solve_s: float

    @property
    def seconds(self) -> float:
        """Of prepare and solve together."""
        return self.prepare_s + self.solve_s

    @property
    def nodes_per_s(self) -> float | None:
        """Nodes by seconds of solving."""
        return self.nodes / self.solve_s if self.nodes is not None and self.solve_s > 0 else None


@dataclass(frozen=True)
class SeriesSum:
    """The sum of one series, and by what fraction it is more (or less) than the base's."""

    place: int
    sum: Sum
    nodes_change: float | None
    solve_change: float | None
    seconds_change: float | None


def summed(runs: Iterable[SeriesRun]) -> Sum:
    """The sum of runs that have finished."""
    runs = tuple(runs)
    nodes = [run.nodes for run in runs]
    return Sum(
        None if None in nodes else sum(count for count in nodes if count is not None),
        sum(run.prepare_s or 0.0 for run in runs),
        sum(run.solve_s or 0.0 for run in runs),
    )


def compared_sums(measured: Measured, boards: Sequence[MeasuredBoard]) -> list[SeriesSum]:
    """The sums over `boards` of the series that finished any, beside the base's.

    A series is compared with nothing where the base is not among them.
    """
    sums = {p: summed(board.runs[p] for board in boards) for p in measured.finishing()}
    names = [series.name for series in measured.exhibit.series]
    base = sums.get(names.index(measured.exhibit.base)) if measured.exhibit.base else None
    return [
        SeriesSum(
            place,
            one,
            _change(one.nodes, None if base is None else base.nodes),
            _change(one.solve_s, None if base is None else base.solve_s),
            _change(one.seconds, None if base is None else base.seconds),
        )
        for place, one in sums.items()
    ]


def _change(value: float | None, base: float | None) -> float | None:
    return (value - base) / base if value is not None and base else None
