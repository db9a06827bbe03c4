"""What workers have at present: sub-problems to be searched, searched again, or probed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count

from dovetail.harness.parallel.assignment import Assignment
from dovetail.harness.parallel.work_list import Waiting
from dovetail.harness.parallel.workers import Workers


class Purpose(Enum):
    """What an assignment is for: a result, a second one to compare, or how promising it is."""

    SEARCH = auto()
    AUDIT = auto()
    PROBE = auto()


@dataclass
class InFlight:
    """An assignment that a worker has; a search has made so many `nodes` at the last report."""

    assignment: Assignment
    waiting: Waiting
    worker: str
    purpose: Purpose
    since: float = field(default_factory=time.monotonic)
    cut_asked: float | None = None
    nodes: int = 0


class InFlights:
    """All that `workers` have, by the number of the assignment."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._numbers = count(1)
        self._by_number: dict[int, InFlight] = {}

    def __len__(self) -> int:
        return len(self._by_number)

    def __iter__(self) -> Iterator[InFlight]:
        return iter(self._by_number.values())

    @property
    def searches(self) -> list[InFlight]:
        """Those whose results are to be recorded, the one that has run longest first."""
        found = (one for one in self if one.purpose is Purpose.SEARCH)
        return sorted(found, key=lambda one: one.since)

    @property
    def nodes(self) -> int:
        """The nodes that searches have reported and that are in no result yet."""
        return sum(one.nodes for one in self if one.purpose is Purpose.SEARCH)

    def new_number(self) -> int:
        """Return a number for one more assignment."""
        return next(self._numbers)

    def submit(
        self,
        assignment: Assignment,
        waiting: Waiting,
        purpose: Purpose,
        *,
        avoid: str | None = None,
    ) -> bool:
        """Hand out an assignment; returns whether a worker took it, see `Workers.submit`."""
        worker = self._workers.submit(assignment, avoid=avoid)
        if worker is None:
            return False
        self._by_number[assignment.number] = InFlight(assignment, waiting, worker, purpose)
        return True

    def note(self, number: int, nodes: int) -> None:
        """Note the nodes that a search reports."""
        if number in self._by_number:
            self._by_number[number].nodes = nodes

    def take(self, number: int | None) -> InFlight | None:
        """Remove and return what has a number; None for one that was taken before."""
        return None if number is None else self._by_number.pop(number, None)
