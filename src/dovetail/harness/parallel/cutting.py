"""When workers are asked for what they have of a sub-problem."""

from __future__ import annotations

import time

from dovetail.harness.parallel.in_flight import InFlight, InFlights
from dovetail.harness.parallel.workers import Workers

# A running sub-problem is cut when workers have nothing to do, but not sooner than after this.
MIN_SEARCH_S = 0.1
# A cut that is not answered is asked for again.
CUT_AGAIN_S = 2.0
# With a checkpoint in a file no result is further away than this.
CHECKPOINT_S = 10.0


def cut_running(in_flight: InFlights, workers: Workers, *, idle: int, keeps: bool) -> None:
    """Ask for parts of what has run longest.

    As many as there are `idle` workers, and if a file `keeps` results, those that are late.
    """
    now = time.monotonic()
    for running in in_flight.searches:
        took_s = now - running.since
        helps = idle > 0 and took_s > MIN_SEARCH_S
        late = keeps and took_s > CHECKPOINT_S
        if running.assignment.to_end or not (helps or late):
            continue
        idle -= 1
        if running.cut_asked is None or now > running.cut_asked + CUT_AGAIN_S:
            _cut(running, workers, now)


def cut_all(in_flight: InFlights, workers: Workers) -> None:
    """Ask for everything that can be cut."""
    for running in in_flight.searches:
        if not running.assignment.to_end:
            _cut(running, workers, time.monotonic())


def _cut(running: InFlight, workers: Workers, now: float) -> None:
    running.cut_asked = now
    workers.cut(running.assignment.number)
