"""The progress of a run or a bench: its phase, figures and remaining time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from dovetail.harness.confidence import Interval
from dovetail.harness.planning import AUTO
from dovetail.harness.records.fields import json_fields
from dovetail.harness.run.events import (
    AssembliesSoFar,
    Compiling,
    Event,
    ParallelProgress,
    Progress,
    RunSoFar,
    Started,
)
from dovetail.harness.run.job import Chosen, Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import OnEvent
from dovetail.models.outcome import Status

if TYPE_CHECKING:  # `count` does not import records and suites, which would take 0.1 s
    from dovetail.harness.records.record import Record
    from dovetail.harness.suite.plan import PlannedRun, SuitePlan

Fields = dict[str, Any]

# Minimum search time in seconds, and minimum progress, for an estimate of the remaining time.
MIN_S = 2.0
MIN_SHARE = 0.005
# The average speed is measured over all of the search time so far, its last half and last quarter.
PARTS = (1.0, 0.5, 0.25)
# Factors that widen the range of the remaining time, so that it contains the true value in nine of
# ten searches (docs/solvers/estimates-measurements.md). The lower bound is widened more, because
# the last branches of a search are more often small than large.
SOONER, LATER = 3.0, 1.5
# Maximum factor by which a forecast differs from the duration of the search
# (docs/solvers/auto-measurements.md).
FORECAST_FACTOR = 3.0
MAX_SAMPLES = 512


class RunPhase(StrEnum):
    """The phase of a run."""

    # Starting processes, importing modules, and compiling the kernels that every task needs.
    STARTING = "starting"
    # Choosing a backend for `auto`.
    CHOOSING = "choosing"
    COMPILING = "compiling"
    PREPARING = "preparing"
    SEARCHING = "searching"
    TAKING_APART = "taking apart"
    # Counting the solutions, so that they can be sampled.
    COUNTING = "counting"
    SAMPLING = "sampling"
    ESTIMATING = "estimating"
    ENDED = "ended"


class RunProgress:
    """The current progress of a job's run, updated by the events of the run.

    `clock` returns monotonic seconds.
    """

    def __init__(self, job: Job, clock: Callable[[], float] = time.monotonic) -> None:
        self._job, self._clock = job, clock
        self._begun = clock()
        self._so_far = RunSoFar(clock)
        self._searching: float | None = None
        # Nodes of earlier commands, if the job improves a board.
        self._nodes_before: int | None = None
        self._updated = self._begun
        self._phase = RunPhase.STARTING
        self._backend = job.backend
        self._progress = Progress(None, None, None)
        self._parallel: ParallelProgress | None = None
        self._status: Status | None = None
        self._left = TimeLeft()
        self._estimate: Interval | None = None
        self._apart: AssembliesSoFar | None = None

    def update(self, event: Event) -> None:
        """Update the progress with an event of the run."""
        self._so_far.add(event)
        match event:
            case Compiling():
                self._phase = RunPhase.COMPILING if event.under_way else self._before_search
            case Started():
                self._phase = self._before_search
            case Chosen():
                self._backend, self._phase = event.backend, RunPhase.PREPARING
            case Progress():
                self._progress = event
                self._parallel = event.parallel
                self._phase = RunPhase.SEARCHING if event.prepared else RunPhase.PREPARING
                if event.prepared:
                    self._update_search(event)
            case AssembliesSoFar():
                self._phase, self._apart = RunPhase.TAKING_APART, event
            case Result():
                self._phase, self._status = RunPhase.ENDED, event.status
                count, nodes = event.count, event.nodes
                share = 1.0 if event.status == Status.EXHAUSTED else self._progress.share
                self._progress = Progress(count, nodes, share, event.searched)

    def enter(self, phase: RunPhase, progress: Progress | None = None) -> None:
        """Set the phase of work that has no events, and the progress if it is given."""
        self._phase, self._progress = phase, progress or self._progress

    def narrow(self, nodes: Interval, share: float) -> None:
        """Set the estimated nodes of a search, and the share of the estimating that is done."""
        self._estimate, self._progress = nodes, Progress(None, None, share)

    def end(self) -> None:
        """Enter the phase `ENDED`, with or without a result."""
        self._phase = RunPhase.ENDED

    def fields(self) -> Fields:
        """Return the current progress, as `--json-progress` prints it."""
        progress, now = self._progress, self._clock()
        return {
            "phase": str(self._phase),
            "puzzle": self._job.puzzle.name,
            "backend": self._backend,
            "share": _share(progress.share),
            "count": progress.count,
            "nodes": progress.nodes,
            "nodes_per_s": self._node_rate(),
            "estimate": None if self._estimate is None else asdict(self._estimate),
            "elapsed_s": now - self._begun,
            "left_s": self._left_s(now),
            "status": None if self._status is None else str(self._status),
            "parallel": None if self._parallel is None else asdict(self._parallel),
            "apart": None if self._apart is None else asdict(self._apart),
        }

    @property
    def _before_search(self) -> RunPhase:
        """The phase between compiling and the search."""
        return RunPhase.CHOOSING if self._backend == AUTO else RunPhase.PREPARING

    def _update_search(self, progress: Progress) -> None:
        self._updated = self._clock()
        if self._searching is None:
            self._searching = self._updated
            self._nodes_before = progress.nodes if self._job.improves else None
        share = _share(progress.share)
        if share is not None and progress.parallel is None:
            self._left.add(self._updated - self._searching, share)

    def _node_rate(self) -> float | None:
        """Return the nodes per second since the search began, or None if unknown.

        The time includes the verification of solutions. Nodes of earlier commands that worked on
        the run are not included.
        """
        nodes = self._own_nodes
        if nodes is None or self._searching is None or self._updated <= self._searching:
            return None
        return nodes / (self._updated - self._searching)

    @property
    def _own_nodes(self) -> int | None:
        """Number of nodes without those of earlier commands that worked on the run."""
        nodes, parallel = self._progress.nodes, self._parallel
        before = (self._nodes_before or 0) if parallel is None else parallel.nodes_before
        return None if nodes is None else nodes - before

    def _left_s(self, now: float) -> tuple[float, float] | None:
        """Return the range of seconds until the search or the limit on time or nodes ends the run.

        Returns None if no upper end is known, and in phases other than choosing a backend,
        preparing and searching.
        """
        if self._phase not in (RunPhase.CHOOSING, RunPhase.PREPARING, RunPhase.SEARCHING):
            return None
        left: tuple[float, float] | None = None
        if self._phase == RunPhase.SEARCHING:
            left = self._left.range_s() if self._parallel is None else self._parallel.left_s
            forecast_s, solve_s = self._progress.forecast_s, self._progress.solve_s
            if left is None and forecast_s is not None and solve_s < forecast_s * FORECAST_FACTOR:
                left = (
                    forecast_s / FORECAST_FACTOR - solve_s,
                    forecast_s * FORECAST_FACTOR - solve_s,
                )
        low, high = (0.0, math.inf) if left is None else left
        passed, bounds = now - self._updated, self._until_limits()
        low, high = (max(0.0, min([left_s - passed, *bounds])) for left_s in (low, high))
        return None if high == math.inf else (low, high)

    def _until_limits(self) -> list[float]:
        """Return the seconds until each limit whose time can be predicted."""
        limits, rate = self._job.limits, self._node_rate()
        bounds = []
        if limits.time_s is not None and self._so_far.is_ready:
            bounds.append(limits.time_s - self._so_far.charged_s)
        if limits.nodes is not None and rate:
            bounds.append((limits.nodes - (self._own_nodes or 0)) / rate)
        return bounds


def _share(share: float | None) -> float | None:
    """Clip a share to the range from 0 to 1; return None if it is unknown or not finite."""
    if share is None or not math.isfinite(share):
        return None
    return min(1.0, max(0.0, float(share)))


class TimeLeft:
    """Estimates the remaining time of a search, as a range, from its reported progress.

    The progress (the finished share of the tree) is an estimate that grows unevenly, because
    branches differ in size. The remaining time is therefore extrapolated from the average speeds
    over the whole search time so far, over its last half and over its last quarter.
    """

    def __init__(self) -> None:
        # Elapsed seconds and shares, in pairs: another thread may read them while a pair is added.
        self._samples: list[tuple[float, float]] = []

    def add(self, elapsed_s: float, share: float) -> None:
        """Add a share that was reported after `elapsed_s` seconds.

        `elapsed_s` must not decrease. A share below an earlier share counts as the earlier share.
        """
        before = self._samples[-1][1] if self._samples else 0.0
        self._samples.append((elapsed_s, max(before, share)))
        if len(self._samples) > MAX_SAMPLES:  # every second sample is enough
            del self._samples[1::2]

    def range_s(self) -> tuple[float, float] | None:
        """Return the minimum and the maximum of the remaining seconds after the last share.

        Returns None before `MIN_S` seconds or `MIN_SHARE` of the search, and if the share has not
        grown in the last quarter of the search time.
        """
        seconds, shares = zip((0.0, 0.0), *self._samples, strict=True)
        now, share = seconds[-1], shares[-1]
        if now < MIN_S or share < MIN_SHARE:
            return None
        gains = [share - float(np.interp(now * (1 - part), seconds, shares)) for part in PARTS]
        if min(gains) <= 0:
            return None
        left = [(1 - share) * now * part / gain for part, gain in zip(PARTS, gains, strict=True)]
        return min(left) / SOONER, max(left) * LATER


class BenchProgress:
    """The current progress of a bench, updated when a run of its plan begins or ends.

    `known` are the records of earlier runs, and `parallel` is the maximum number of runs at the
    same time. `clock` returns monotonic seconds.
    """

    def __init__(
        self,
        plan: SuitePlan,
        known: Iterable[Record] = (),
        parallel: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from dovetail.harness.records.summary import is_result
        from dovetail.harness.suite.bench import BenchSchedule

        records = [record for record in known if is_result(record)]
        self._parallel, self._clock = parallel, clock
        self._begun = clock()
        self._waiting = BenchSchedule(plan, records).waiting
        self._running: dict[tuple[str, int], tuple[PlannedRun, RunProgress]] = {}
        jobs, ended = plan.jobs, {(record.job.digest, record.repeat) for record in records}
        self._done = sum(job in jobs and repeat < plan.repeats for job, repeat in ended)
        self._failed = 0
        self._took = {record.job.digest: _took_s(record) for record in records}
        self._last: Fields | None = None
        self._over = False

    def begin(self, planned: PlannedRun, repeat: int) -> OnEvent:
        """Record that a run has begun, and return the function to call with each of its events.

        Several threads may call this method.
        """
        progress = RunProgress(planned.job, self._clock)
        self._running[planned.job.digest, repeat] = planned, progress
        return progress.update

    def ended(self, record: Record) -> None:
        """Record that a run has ended with this record."""
        from dovetail.harness.records.summary import REPEATABLE

        job, repeat, status = record.job.digest, record.repeat, record.result.status
        self._running.pop((job, repeat), None)
        if status != Status.INTERRUPTED:  # an interrupted run is repeated
            self._waiting = [
                (planned, number)
                for planned, number in self._waiting
                if planned.job.digest != job or (number != repeat and status in REPEATABLE)
            ]
            self._done += 1
            self._took[job] = _took_s(record)
        self._failed += status.is_error
        shown = ("puzzle", "backend", "job", "repeat", "status", "count", "total_s")
        self._last = json_fields(record, *shown)

    def end(self) -> None:
        """Record that no more runs follow."""
        self._over = True

    @property
    def is_over(self) -> bool:
        """Whether no run is current or waiting, or `end` has been called."""
        return self._over or not (self._running or self._waiting)

    def fields(self) -> Fields:
        """Return the current progress, as `--json-progress` prints it."""
        running = list(self._running.values())  # a copy, since other threads may begin runs
        waiting = [
            planned
            for planned, repeat in self._waiting
            if (planned.job.digest, repeat) not in self._running
        ]
        now = self._clock()
        shown = ("puzzle", "backend", "job", "phase", "elapsed_s")
        runs = [
            {**progress.fields(), "backend": planned.job.backend, "job": planned.job.digest}
            for planned, progress in running
        ]
        passed = [
            (run_plan, run["elapsed_s"]) for (run_plan, _), run in zip(running, runs, strict=True)
        ]
        return {
            "phase": "ended" if self.is_over else "running",
            "done": self._done,
            "planned": self._done + len(running) + len(waiting),
            "failed": self._failed,
            "running": [{key: run[key] for key in shown} for run in runs],
            "last": self._last,
            "elapsed_s": now - self._begun,
            "left_s": None if self.is_over else self._left_s(waiting, passed),
        }

    def _left_s(
        self, waiting: list[PlannedRun], running: list[tuple[PlannedRun, float]]
    ) -> tuple[float, float] | None:
        """Return the range of the remaining seconds.

        `running` has the seconds that each current run has taken so far. Returns None if a job has
        no time limit and has not been run before.
        """
        shortest = min(self._took.values(), default=0.0)
        lows, highs = [0.0], [0.0]
        for planned, passed in [*((planned, 0.0) for planned in waiting), *running]:
            soonest = latest = self._took.get(planned.job.digest)
            if soonest is None or latest is None:  # never run, so its time limit is the upper bound
                soonest, latest = shortest, planned.job.limits.time_s
            if latest is None:
                return None
            lows.append(max(0.0, min(soonest, latest) - passed))
            highs.append(max(0.0, latest - passed))
        # Runs are not divided, and the longest run may begin last.
        low = max(sum(lows) / self._parallel, *lows)
        return low, max(highs) + (sum(highs) - max(highs)) / self._parallel


def _took_s(record: Record) -> float:
    """Return the seconds of a whole run, including compiling and verification."""
    return (record.result.warm_up_s or 0.0) + record.result.total_s + (record.result.check_s or 0.0)
