"""Where a run stands, from what it tells and a clock, for those who watch it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from dovetail.harness.planning import AUTO
from dovetail.harness.run.events import Chosen, Compiling, Event, Finished, Progress, Started
from dovetail.harness.run.job import Job
from dovetail.harness.time_left import TimeLeft
from dovetail.models.outcome import Status

Fields = dict[str, Any]


class Stage(StrEnum):
    """What a run is at."""

    STARTING = "starting"  # a process, imports, what every task needs compiled
    CHOOSING = "choosing"  # a backend, where that is left to `auto`
    COMPILING = "compiling"
    PREPARING = "preparing"
    SEARCHING = "searching"
    COUNTING = "counting"  # before solutions can be drawn
    DRAWING = "drawing"
    ESTIMATING = "estimating"
    ENDED = "ended"


class RunStanding:
    """Hears the events of a job's run, and says where it stands at any moment.

    `clock` gives seconds that never run backwards.
    """

    def __init__(self, job: Job, clock: Callable[[], float] = time.monotonic) -> None:
        self._job, self._clock = job, clock
        self._begun = clock()
        self._counting: float | None = None  # since when the limit on time holds
        self._searching: float | None = None
        self._heard = self._begun
        self._stage = Stage.STARTING
        self._backend = job.backend
        self._progress = Progress(None, None, None)
        self._status: Status | None = None
        self._left = TimeLeft()

    def hear(self, event: Event) -> None:
        """Take what the run tells."""
        match event:
            case Compiling():
                self._stage = Stage.COMPILING if event.under_way else self._before_search
            case Started():
                self._stage, self._counting = self._before_search, self._clock()
            case Chosen():
                self._backend, self._stage = event.backend, Stage.PREPARING
            case Progress():
                self._progress = event
                self._stage = Stage.SEARCHING if event.prepared else Stage.PREPARING
                if event.prepared:
                    self._hear_search(event)
            case Finished():
                self._stage, self._status = Stage.ENDED, event.status
                count, nodes = event.count, event.nodes
                share = 1.0 if event.status == Status.EXHAUSTED else self._progress.share
                self._progress = Progress(count, nodes, share, event.searched)

    def enter(self, stage: Stage, told: Progress | None = None) -> None:
        """The same from work that has no events: what it is at, and how far."""
        self._stage, self._progress = stage, told or self._progress

    def end(self) -> None:
        """The run has ended, if need be without a result."""
        self._stage = Stage.ENDED

    def fields(self) -> Fields:
        """Where it stands now, as `--json-progress` prints it."""
        told, now = self._progress, self._clock()
        return {
            "stage": str(self._stage),
            "puzzle": self._job.puzzle.name,
            "backend": self._backend,
            "share": _share(told.share),
            "count": told.count,
            "nodes": told.nodes,
            "nodes_per_s": self._node_rate(),
            "elapsed_s": now - self._begun,
            "left_s": self._left_s(now),
            "status": None if self._status is None else str(self._status),
        }

    @property
    def _before_search(self) -> Stage:
        """What is done between compiling and the search."""
        return Stage.CHOOSING if self._backend == AUTO else Stage.PREPARING

    def _hear_search(self, told: Progress) -> None:
        self._heard = self._clock()
        if self._searching is None:
            self._searching = self._heard
        share = _share(told.share)
        if share is not None:
            self._left.add(self._heard - self._searching, share)

    def _node_rate(self) -> float | None:
        """Nodes per second since the search began; checking solutions is part of the time."""
        nodes = self._progress.nodes
        if nodes is None or self._searching is None or self._heard <= self._searching:
            return None
        return nodes / (self._heard - self._searching)

    def _left_s(self, now: float) -> tuple[float, float] | None:
        """The range of seconds left until the search, or a limit on time or nodes, ends the run."""
        if self._stage not in (Stage.CHOOSING, Stage.PREPARING, Stage.SEARCHING):
            return None
        told = self._left.range_s() if self._stage == Stage.SEARCHING else None
        low, high = (0.0, math.inf) if told is None else told
        passed, bounds = now - self._heard, self._until_limits(now)
        low, high = (max(0.0, min([left_s - passed, *bounds])) for left_s in (low, high))
        return None if high == math.inf else (low, high)

    def _until_limits(self, now: float) -> list[float]:
        """Seconds until each of the limits that can be foreseen."""
        limits, rate = self._job.limits, self._node_rate()
        bounds = []
        if limits.time_s is not None and self._counting is not None:
            bounds.append(self._counting + limits.time_s - now)
        if limits.nodes is not None and rate:
            bounds.append((limits.nodes - (self._progress.nodes or 0)) / rate)
        return bounds


def _share(share: float | None) -> float | None:
    """A share as a number from 0 to 1: what a search tells is its own reckoning."""
    if share is None or not math.isfinite(share):
        return None
    return min(1.0, max(0.0, float(share)))
