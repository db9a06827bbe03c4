"""Measured exhibits: exhibits with the records of their runs."""

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
        """Shortest time of the series that finished the board; None if no series finished it."""
        return min(
            (run.result.total_s for run in self.runs if run.result.is_finished), default=None
        )


@dataclass(frozen=True)
class MeasuredRate:
    """The measured rate of a row; unknown values are None."""

    point: RatePoint
    rate: float | None = None
    # 95 % interval of the rate.
    interval: RateInterval | None = None
    # Totals of the trials.
    searched: Searched | None = None


@dataclass(frozen=True)
class Measured:
    """An exhibit with its measured rates, and with the boards that all of its series ran."""

    exhibit: Exhibit
    boards: tuple[MeasuredBoard, ...]
    rates: tuple[MeasuredRate, ...] = ()

    def finished_by_some(self) -> list[MeasuredBoard]:
        """Return the boards that at least one series finished, sorted by their shortest time."""
        timed = [(board.best_s, board) for board in self.boards]
        finished = [(time, board) for time, board in timed if time is not None]
        return [board for _, board in sorted(finished, key=lambda pair: pair[0])]

    def finishing(self) -> list[int]:
        """Return the indices of the series that finished at least one board."""
        indices = range(len(self.exhibit.series))
        return [
            index
            for index in indices
            if any(board.runs[index].result.is_finished for board in self.boards)
        ]

    def finished_by_all(self) -> list[MeasuredBoard]:
        """Return the boards that all series finished.

        Series with `apart` and series that finished no board do not count.
        """
        together = [index for index in self.finishing() if not self.exhibit.series[index].apart]
        return self.finished_by(together) if together else []

    def finished_by(self, indices: Sequence[int]) -> list[MeasuredBoard]:
        """Return the boards that all series with these indices finished."""
        return [b for b in self.boards if all(b.runs[i].result.is_finished for i in indices)]

    def introduction(self, kept: Sequence[MeasuredBoard], rule: str) -> list[str]:
        """Return the paragraphs of the suite about the exhibit, and a paragraph on its boards.

        `kept` are the boards that the exhibit includes because of `rule`.
        """
        drawn, run = len(self.exhibit.boards), len(self.boards)
        text = f"The suite has {how_many(drawn, 'board')}"
        if run < drawn:
            text += f"; every series has run on {run}"
        return [*paragraphs(self.exhibit.about), f"{text}. Included: {len(kept)} ({rule})."]


def measured(exhibit: Exhibit, results: Iterable[Record]) -> Measured:
    """Return an exhibit with its runs from `results`, which are the results of `plan_results`."""
    by_job = {result.job.digest: result for result in results}
    boards = tuple(
        MeasuredBoard(board.puzzle, _runs(exhibit, [by_job[job] for job in board.jobs]))
        for board in exhibit.boards
        if all(job in by_job for job in board.jobs)
    )
    rates = tuple(_rate(point, by_job.get(point.job)) for point in exhibit.points)
    return Measured(exhibit, boards, rates)


def _runs(exhibit: Exhibit, results: Iterable[Record]) -> tuple[Record, ...]:
    """Return the results with the counter that each series shows as nodes.

    The nodes of a run without a search are None.
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
    """Format the nodes of a run, with `≥` if the run did not finish."""
    if run.result.nodes is None:
        return ABSENT
    return f"{'' if run.result.is_finished else '≥ '}{show_whole(run.result.nodes)}"


def show_time(run: Record, seconds: float) -> str:
    """Format the seconds of a run, with `>` if a limit stopped it; otherwise show its status."""
    if run.result.is_finished:
        return show_seconds(seconds)
    if run.result.status.is_limit:
        return f"> {show_seconds(seconds)}"
    return "refused" if run.result.status is Status.SKIPPED else str(run.result.status)
