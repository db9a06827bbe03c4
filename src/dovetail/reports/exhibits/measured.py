"""Measured exhibits: what the records of a suite give for an exhibit, and texts about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dovetail.errors import how_many
from dovetail.harness.exhibits import Exhibit, RatePoint
from dovetail.harness.records.published import measured_rate
from dovetail.harness.records.record import Record
from dovetail.harness.run.result import RateInterval, Searched
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT, show_seconds, show_whole


@dataclass(frozen=True)
class MeasuredBoard:
    """A board and its runs, in the order of the series."""

    puzzle: str
    runs: tuple[Record, ...]

    @property
    def best_s(self) -> float | None:
        """Shortest time of any series that finished the board; None if none did."""
        return min(
            (run.result.total_s for run in self.runs if run.result.is_finished), default=None
        )


@dataclass(frozen=True)
class MeasuredRate:
    """The rate of a row; fields are None if unknown."""

    point: RatePoint
    rate: float | None = None
    # 95 % interval of the rate.
    interval: RateInterval | None = None
    # Totals of the trials.
    searched: Searched | None = None


@dataclass(frozen=True)
class Measured:
    """An exhibit with its rates, and the boards that all of its series ran."""

    exhibit: Exhibit
    boards: tuple[MeasuredBoard, ...]
    rates: tuple[MeasuredRate, ...] = ()

    def finished_by_some(self) -> list[MeasuredBoard]:
        """Return the boards that at least one series finished, by increasing shortest time."""
        timed = [(board.best_s, board) for board in self.boards]
        finished = [(time, board) for time, board in timed if time is not None]
        return [board for _, board in sorted(finished, key=lambda pair: pair[0])]

    def finishing(self) -> list[int]:
        """Return the indices of the series that finished any board."""
        places = range(len(self.exhibit.series))
        return [p for p in places if any(board.runs[p].result.is_finished for board in self.boards)]

    def finished_by_all(self) -> list[MeasuredBoard]:
        """Return the boards that all series finished, without series apart or without any board."""
        together = [p for p in self.finishing() if not self.exhibit.series[p].apart]
        return self.finished_by(together) if together else []

    def finished_by(self, places: Sequence[int]) -> list[MeasuredBoard]:
        """Return the boards that the series with these indices finished."""
        return [b for b in self.boards if all(b.runs[place].result.is_finished for place in places)]

    def introduction(self, kept: Sequence[MeasuredBoard], rule: str) -> list[str]:
        """Return the paragraphs about the exhibit, and how many boards were run and `kept`."""
        drawn, run = len(self.exhibit.boards), len(self.boards)
        text = f"The suite has {how_many(drawn, 'board')}"
        if run < drawn:
            text += f"; every series has run on {run}"
        return [*paragraphs(self.exhibit.about), f"{text}. Included: {len(kept)} ({rule})."]


def measured(exhibit: Exhibit, results: Iterable[Record]) -> Measured:
    """Return what `results`, from `plan_results`, give for an exhibit."""
    by_job = {result.job.digest: result for result in results}
    boards = tuple(
        MeasuredBoard(board.puzzle, _runs(exhibit, [by_job[job] for job in board.jobs]))
        for board in exhibit.boards
        if all(job in by_job for job in board.jobs)
    )
    rates = tuple(_rate(point, by_job.get(point.job)) for point in exhibit.points)
    return Measured(exhibit, boards, rates)


def _runs(exhibit: Exhibit, results: Iterable[Record]) -> tuple[Record, ...]:
    """Return results with the nodes of their series, which may be a counter of the backend.

    A run without a search has no nodes.
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


def _rate(point: RatePoint, record: Record | None) -> MeasuredRate:
    if record is None or record.result.searched is None or not record.result.status.has_answer:
        return MeasuredRate(point)
    return MeasuredRate(point, *measured_rate(record), record.result.searched)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a suite's text, which are separated by empty lines."""
    return [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]


def show_nodes(run: Record) -> str:
    """Format the nodes of a run, with `≥` if a limit stopped it."""
    if run.result.nodes is None:
        return ABSENT
    return f"{'' if run.result.is_finished else '≥ '}{show_whole(run.result.nodes)}"


def show_time(run: Record, seconds: float) -> str:
    """Format the `seconds` of a run, with `>` if a limit stopped it; or the status of a failure."""
    if run.result.is_finished:
        return show_seconds(seconds)
    if run.result.status.is_limit:
        return f"> {show_seconds(seconds)}"
    return "refused" if run.result.status is Status.SKIPPED else str(run.result.status)
