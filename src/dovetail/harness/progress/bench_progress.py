"""The progress of a bench: completed, current and waiting runs, and the remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from dovetail.harness.progress.run_progress import Fields, RunProgress
from dovetail.harness.records.fields import json_fields
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import REPEATABLE, is_result
from dovetail.harness.suite.bench import Schedule
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.runs import OnEvent
from dovetail.models.outcome import Status


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
        records = [record for record in known if is_result(record)]
        self._parallel, self._clock = parallel, clock
        self._begun = clock()
        self._waiting = Schedule(plan, records).waiting
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
        low = high = 0.0
        for planned, passed in [*((planned, 0.0) for planned in waiting), *running]:
            soonest = latest = self._took.get(planned.job.digest)
            if soonest is None or latest is None:  # never run, so its time limit is the upper bound
                soonest, latest = shortest, planned.job.limits.time_s
            if latest is None:
                return None
            low += max(0.0, min(soonest, latest) - passed)
            high += max(0.0, latest - passed)
        return low / self._parallel, high / self._parallel


def _took_s(record: Record) -> float:
    """Return the seconds of a whole run, including compiling and verification."""
    return (record.result.warm_up_s or 0.0) + record.result.total_s + (record.result.check_s or 0.0)
