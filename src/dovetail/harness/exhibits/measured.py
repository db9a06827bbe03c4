"""What the records of a suite give for an exhibit: its boards, and which of them are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dovetail.harness.exhibits.declared import Exhibit
from dovetail.harness.exhibits.rates import MeasuredRate, measured_rates
from dovetail.harness.records.record import Record


@dataclass(frozen=True)
class MeasuredBoard:
    """A board and its runs, in the order of the series."""

    puzzle: str
    runs: tuple[Record, ...]

    @property
    def best_s(self) -> float | None:
        """The least time that any series took to finish it, None if none has."""
        return min(
            (run.result.total_s for run in self.runs if run.result.is_finished), default=None
        )


@dataclass(frozen=True)
class Measured:
    """An exhibit with its boards, those that all of its series have been run on, and its rates."""

    exhibit: Exhibit
    boards: tuple[MeasuredBoard, ...]
    rates: tuple[MeasuredRate, ...] = ()

    def finished_by_some(self) -> list[MeasuredBoard]:
        """The boards that at least one series finished, by increasing least time."""
        timed = [(board.best_s, board) for board in self.boards]
        kept = [(time, board) for time, board in timed if time is not None]
        return [board for _, board in sorted(kept, key=lambda pair: pair[0])]

    def finishing(self) -> list[int]:
        """The places of the series that finished any board."""
        places = range(len(self.exhibit.series))
        return [p for p in places if any(board.runs[p].result.is_finished for board in self.boards)]

    def finished_by_all(self) -> list[MeasuredBoard]:
        """The boards that all series finished, save those apart or that finished none at all."""
        together = [p for p in self.finishing() if not self.exhibit.series[p].apart]
        return self.finished_by(together) if together else []

    def finished_by(self, places: Iterable[int]) -> list[MeasuredBoard]:
        """Return the boards that all series at these places finished."""
        places = tuple(places)
        return [b for b in self.boards if all(b.runs[place].result.is_finished for place in places)]


def measured(exhibit: Exhibit, results: Iterable[Record]) -> Measured:
    """What `results`, those of a `comparison`, give for `exhibit`."""
    by_job = {result.job.digest: result for result in results}
    return Measured(
        exhibit,
        tuple(
            MeasuredBoard(board.puzzle, _runs(exhibit, [by_job[job] for job in board.jobs]))
            for board in exhibit.boards
            if all(job in by_job for job in board.jobs)
        ),
        measured_rates(exhibit.points, by_job),
    )


def _runs(exhibit: Exhibit, results: Iterable[Record]) -> tuple[Record, ...]:
    """The results with the nodes that a series goes by: they may be a figure of the backend's own.

    A run that has not searched has none.
    """
    runs = []
    for series, record in zip(exhibit.series, results, strict=True):
        nodes = (
            record.result.nodes
            if series.native is None
            else record.result.counters.native.get(series.native)
        )
        counted = nodes if isinstance(nodes, int) and record.result.status.has_searched else None
        counters = replace(record.result.counters, nodes=counted)
        runs.append(replace(record, result=replace(record.result, counters=counters)))
    return tuple(runs)
