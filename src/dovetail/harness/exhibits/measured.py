"""What the records of a suite give for an exhibit: its boards, and which of them are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dovetail.harness.exhibits.declared import Exhibit, Series
from dovetail.harness.record import Record
from dovetail.models.outcome import LIMITS, Status


@dataclass(frozen=True)
class SeriesRun:
    """The run of a series on a board: the median where it was repeated.

    Figures of a run that a limit cut are lower bounds. `nodes` is None where the backend
    counts none; the times are None where nothing was searched.
    """

    status: Status
    nodes: int | None
    prepare_s: float | None
    solve_s: float | None

    @property
    def finished(self) -> bool:
        """Whether the board was searched whole."""
        return self.status is Status.EXHAUSTED

    @property
    def cut(self) -> bool:
        """Whether a limit ended the search."""
        return self.status in LIMITS

    @property
    def seconds(self) -> float | None:
        """Of prepare and solve together: the whole answer without its check."""
        if self.prepare_s is None or self.solve_s is None:
            return None
        return self.prepare_s + self.solve_s


@dataclass(frozen=True)
class MeasuredBoard:
    """A board and its runs, in the order of the series."""

    puzzle: str
    runs: tuple[SeriesRun, ...]

    @property
    def best_s(self) -> float | None:
        """The least time that any series took to finish it, None if none has."""
        times = (run.seconds for run in self.runs if run.finished)
        return min((time for time in times if time is not None), default=None)


@dataclass(frozen=True)
class Measured:
    """An exhibit with its boards, those that all of its series have been run on."""

    exhibit: Exhibit
    boards: tuple[MeasuredBoard, ...]

    def finished_by_some(self) -> list[MeasuredBoard]:
        """The boards that at least one series finished, by increasing least time."""
        timed = [(board.best_s, board) for board in self.boards]
        kept = [(time, board) for time, board in timed if time is not None]
        return [board for _, board in sorted(kept, key=lambda pair: pair[0])]

    def finishing(self) -> list[int]:
        """The places of the series that finished any board."""
        places = range(len(self.exhibit.series))
        return [p for p in places if any(board.runs[p].finished for board in self.boards)]

    def finished_by_all(self) -> list[MeasuredBoard]:
        """The boards that all series finished, save those apart or that finished none at all."""
        together = [p for p in self.finishing() if not self.exhibit.series[p].apart]
        return self.finished_by(together) if together else []

    def finished_by(self, places: Iterable[int]) -> list[MeasuredBoard]:
        """The boards that some series finished, told by their places."""
        places = tuple(places)
        return [b for b in self.boards if all(b.runs[place].finished for place in places)]


def measured(exhibit: Exhibit, results: Iterable[Record]) -> Measured:
    """What `results`, those of a `comparison`, give for `exhibit`."""
    by_job = {result["job"]: result for result in results}
    return Measured(
        exhibit,
        tuple(
            MeasuredBoard(board.puzzle, _runs(exhibit, [by_job[job] for job in board.jobs]))
            for board in exhibit.boards
            if all(job in by_job for job in board.jobs)
        ),
    )


def _runs(exhibit: Exhibit, results: Iterable[Record]) -> tuple[SeriesRun, ...]:
    pairs = zip(exhibit.series, results, strict=True)
    return tuple(_run(series, result) for series, result in pairs)


def _run(series: Series, result: Record) -> SeriesRun:
    status = Status(result["status"])
    if status in (Status.SKIPPED, Status.FAILED):
        return SeriesRun(status, None, None, None)
    nodes = result["nodes"] if series.native is None else _native(series.native, result)
    return SeriesRun(status, nodes, result["prepare_s"], result["solve_s"])


def _native(name: str, result: Record) -> int | None:
    """One of the backend's own figures, None where it does not tell it."""
    figures = result.get("native")
    value = figures.get(name) if isinstance(figures, Mapping) else None
    return value if isinstance(value, int) else None
