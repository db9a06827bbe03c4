"""A race: several solvers answer the same question, and their runs are watched live.

A lane is one run: a job of the command, run as in `bench` in a child process that ends with this
process. Its record is the record that `bench -o` writes. The threads of the lanes only note events,
so that a watched race costs no more than an unwatched race.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.progress import RunProgress
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import judged, summaries
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Found
from dovetail.harness.run.job import Chosen, Job
from dovetail.harness.run.result import BestBoard, Result
from dovetail.harness.suite.bench import run_once
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.runs import Runs
from dovetail.models.outcome import Status
from dovetail.ui.kept_solutions import KeptSolutions, Store
from dovetail.ui.workspace import StoredPuzzle


class Find(StrEnum):
    """Aims of the lanes of a race."""

    SOLUTIONS = "solutions"
    COUNT = "count"
    IMPROVE = "improve"


class WhenClosed(StrEnum):
    """Treatment of a race that nobody watches any more."""

    END = "end"
    CONTINUE = "continue"


class Order(StrEnum):
    """Order of the lanes: side by side, or one after another."""

    TOGETHER = "together"
    ONE_BY_ONE = "one by one"


@dataclass(frozen=True)
class Question:
    """The puzzle of a race, what to find, and how to run the lanes."""

    stored: StoredPuzzle
    find: Find
    when_closed: WhenClosed
    order: Order


class Lane:
    """A run of a race: its job, its current figures, and finally its record.

    `problem` is an error of this program, and replaces the record.
    """

    def __init__(self, number: int, job: Job, within: Interruption, store: Store) -> None:
        self.number, self.job = number, job
        self.interruption = Interruption(within)
        self.solutions = KeptSolutions(store)
        self.progress: RunProgress | None = None  # None while the lane waits
        self.chosen: Chosen | None = None
        self.best: BestBoard | None = None
        self.improvements = 0
        self.record: Record | None = None
        self.problem: str | None = None
        self.elapsed_s: float | None = None  # set when the lane has ended

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended, with a record or a problem."""
        return self.record is not None or self.problem is not None

    def begin(self) -> None:
        """Note the start of the run."""
        self.progress = RunProgress(self.job)

    def update(self, event: Event) -> None:
        """Note an event of the run."""
        assert self.progress is not None
        self.progress.update(event)
        match event:
            case Found():
                self.solutions.add(event)
            case Chosen():
                self.chosen = event
            case BestBoard():
                self._take(event)
            case Result(best=BestBoard() as best) if best != self.best:
                self._take(best)

    def end(self, record: Record | None, problem: str | None = None) -> None:
        """Note the end of the run, with a record or with a problem."""
        if self.progress is not None:
            self.elapsed_s = self.progress.fields()["elapsed_s"]
            self.progress.end()
        self.record, self.problem = record, problem

    def _take(self, best: BestBoard) -> None:
        self.best = best
        self.improvements += 1


class Race:
    """Lanes that run in threads from `start` on, until they end or are stopped.

    Their solutions go into a `store`. `listeners` is the number of listeners; only the event loop
    changes it.
    """

    def __init__(
        self, identity: str, question: Question, jobs: Sequence[Job], store: Store
    ) -> None:
        self.identity, self.question = identity, question
        self.listeners = 0
        self._interruption = Interruption()
        self.lanes = [
            Lane(number, job, self._interruption, store) for number, job in enumerate(jobs)
        ]
        runs = tuple(PlannedRun(job, (), None) for job in jobs)
        self._plan = SuitePlan(question.stored.puzzle.name, 1, runs)
        self._begun = time.monotonic()
        self._ended: float | None = None
        side_by_side = len(jobs) if question.order == Order.TOGETHER else 1
        self._side_by_side = side_by_side
        self._runs = Runs(jobs, side_by_side=side_by_side)
        groups = [[lane] for lane in self.lanes] if side_by_side > 1 else [self.lanes]
        self._threads = [
            threading.Thread(target=self._run, args=[group], daemon=True) for group in groups
        ]

    def start(self) -> None:
        """Start the lanes."""
        for thread in self._threads:
            thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether all lanes have ended."""
        return all(lane.has_ended for lane in self.lanes)

    @property
    def is_stopping(self) -> bool:
        """Whether the race has been asked to stop."""
        return self._interruption.requested and not self.has_ended

    @property
    def elapsed_s(self) -> float:
        """Seconds from the start of the race to now, or to its end."""
        return (time.monotonic() if self._ended is None else self._ended) - self._begun

    @property
    def records(self) -> list[Record]:
        """The records of the lanes that have ended."""
        return [lane.record for lane in self.lanes if lane.record is not None]

    @property
    def agreed(self) -> bool | None:
        """Whether the lanes that counted all solutions agree; None for fewer than two lanes."""
        records = self.records
        if sum(record.result.status in (Status.EXHAUSTED, Status.WRONG) for record in records) < 2:
            return None
        return all(record.result.status != Status.WRONG for record in judged(summaries(records)))

    def stop(self) -> None:
        """Ask all lanes to end."""
        self._interruption.request()

    def join(self) -> None:
        """Wait until all lanes have ended."""
        for thread in self._threads:
            thread.join()

    def forget(self) -> None:
        """Drop the kept solutions of all lanes."""
        for lane in self.lanes:
            lane.solutions.forget()

    def _run(self, lanes: Sequence[Lane]) -> None:
        """Run lanes one after another."""
        for lane in lanes:
            self._run_lane(lane)
        if self.has_ended:
            self._ended = time.monotonic()

    def _run_lane(self, lane: Lane) -> None:
        if lane.interruption.requested:
            lane.end(None, "stopped before it began")
            return
        lane.begin()
        same = [one for one in self.lanes[: lane.number] if one.job.digest == lane.job.digest]
        try:
            record = run_once(
                self._plan,
                self._plan.runs[lane.number],
                len(same),
                parallel=self._side_by_side,
                on_event=lane.update,
                events=self._runs.run(lane.number, lane.interruption),
            )
        except Exception as error:  # after any error, the page must learn that the lane has ended
            lane.end(None, f"{type(error).__name__}: {error}")
        else:
            lane.end(record)
