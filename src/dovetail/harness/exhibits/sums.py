"""Nodes and times summed over boards, and how they change from one series to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.harness.confidence import Interval, ratio_interval
from dovetail.harness.exhibits.measured import Measured, MeasuredBoard
from dovetail.harness.records.record import Record


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
class RelativeChange:
    """By what fraction a sum is more than the base's; the base's own change is 0.

    `interval` is the 95 % interval by the spread of the boards, None for fewer than ten boards.
    """

    value: float
    interval: Interval | None = None


@dataclass(frozen=True)
class SeriesSum:
    """The sum of one series over some boards, and its changes; None without a base.

    `solve_s` and its change are of processor time if `has_cpu_time`, else of wall-clock time.
    """

    place: int
    boards: int
    sum: Sum
    solve_s: float
    nodes_change: RelativeChange | None
    solve_change: RelativeChange | None
    seconds_change: RelativeChange | None


def summed(runs: Iterable[Record]) -> Sum:
    """The sum of runs that have finished."""
    runs = tuple(runs)
    nodes = [run.result.nodes for run in runs]
    return Sum(
        None if None in nodes else sum(count for count in nodes if count is not None),
        sum(run.result.prepare_s for run in runs),
        sum(run.result.solve_s for run in runs),
    )


def has_cpu_time(measured: Measured) -> bool:
    """Whether every finished run has the processor time of its search.

    It is that of the whole process, with the threads and native libraries of a solver in it. The
    rounds of a benchmark by pytest have none.
    """
    runs = (run for board in measured.boards for run in board.runs if run.result.is_finished)
    return all(run.result.solve_cpu_s is not None for run in runs)


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
    solve_s = _solve_cpu_s if has_cpu_time(measured) else _solve_s
    sums = list[SeriesSum]()
    for place in finishing:
        boards = together
        if exhibit.series[place].apart and base is not None:
            boards = measured.finished_by((place, base))
        runs = [board.runs[place] for board in boards]
        sums.append(
            SeriesSum(
                place,
                len(boards),
                summed(runs),
                sum(map(solve_s, runs)),
                *(_change(boards, place, base, of) for of in (_nodes, solve_s, _seconds)),
            )
        )
    return sums


def _nodes(run: Record) -> float | None:
    return run.result.nodes


def _solve_s(run: Record) -> float:
    return run.result.solve_s


def _solve_cpu_s(run: Record) -> float:
    assert run.result.solve_cpu_s is not None, "every finished run has it"
    return run.result.solve_cpu_s


def _seconds(run: Record) -> float:
    return run.result.total_s


def _change(
    boards: Sequence[MeasuredBoard],
    place: int,
    base: int | None,
    figure: Callable[[Record], float | None],
) -> RelativeChange | None:
    """Return the change of the sum of a figure, None where a board has none or the base's is 0."""
    if base is None:
        return None
    pairs = [(figure(board.runs[place]), figure(board.runs[base])) for board in boards]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    total = sum(other for _, other in known)
    if len(known) < len(pairs) or not total > 0:
        return None
    more = sum(one for one, _ in known) - total
    return RelativeChange(more / total, _interval(known))


def _interval(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    """Return the interval of a change, None for few boards or if the base's figure is 0 on one."""
    ones, others = np.array(pairs, dtype=float).T
    ratio = ratio_interval(ones, others) if (others > 0).all() else None
    if ratio is None:
        return None
    return Interval(ratio.mean - 1, ratio.low - 1, ratio.high - 1)
