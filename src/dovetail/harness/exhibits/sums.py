"""Nodes and times summed over boards, and how they change from one series to another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.harness.exhibits.measured import Measured
from dovetail.harness.records.summary import JobResult


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
    """The sum of one series over some boards, and by what fraction it is more than the base's."""

    place: int
    boards: int
    sum: Sum
    nodes_change: float | None
    solve_change: float | None
    seconds_change: float | None


def summed(runs: Iterable[JobResult]) -> Sum:
    """The sum of runs that have finished."""
    runs = tuple(runs)
    nodes = [run.nodes for run in runs]
    return Sum(
        None if None in nodes else sum(count for count in nodes if count is not None),
        sum(run.prepare_s for run in runs),
        sum(run.solve_s for run in runs),
    )


def compared_sums(measured: Measured) -> list[SeriesSum]:
    """The sums of the series that finished any board, beside the base's on the same boards.

    They are of the boards that all finished; of a series apart, of those that it and the base
    finished. A series is compared with nothing where the base finished no board.
    """
    exhibit, finishing = measured.exhibit, measured.finishing()
    names = [series.name for series in exhibit.series]
    base = names.index(exhibit.base) if exhibit.base in names else None
    if base not in finishing:
        base = None
    together = measured.finished_by_all()
    sums = list[SeriesSum]()
    for place in finishing:
        boards = together
        if exhibit.series[place].apart and base is not None:
            boards = measured.finished_by((place, base))
        one = summed(board.runs[place] for board in boards)
        beside = None if base is None else summed(board.runs[base] for board in boards)
        sums.append(
            SeriesSum(
                place,
                len(boards),
                one,
                _change(one.nodes, None if beside is None else beside.nodes),
                _change(one.solve_s, None if beside is None else beside.solve_s),
                _change(one.seconds, None if beside is None else beside.seconds),
            )
        )
    return sums


def _change(value: float | None, base: float | None) -> float | None:
    return (value - base) / base if value is not None and base else None
