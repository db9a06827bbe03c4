"""Sub-problems that wait, and those that workers have."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count

from dovetail.harness.workers.assignment import Assignment
from dovetail.harness.workers.base import Workers
from dovetail.harness.workers.checkpoint import StoredPart

UNRANKED = -math.inf


@dataclass
class Waiting:
    """A sub-problem that has no result yet, and how often it was handed out in vain.

    One that is searched `to_end` is not cut: its search does not say what it has left.
    """

    stored: StoredPart
    failures: int = 0
    to_end: bool = False

    @property
    def key(self) -> bytes:
        return self.stored.key

    @property
    def depth(self) -> int:
        """How many options it has taken."""
        return len(self.stored.part.taken)


class WorkList:
    """Waiting sub-problems: the first by the order of the search, or the shallowest one.

    An entry of a heap counts while it has the number that its sub-problem was added with last.
    """

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[int, Waiting]] = {}
        self._in_order: list[tuple[float, bytes, int]] = []
        self._by_depth: list[tuple[float, bytes, int]] = []
        self._added = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Waiting, rank: float | None = None) -> None:
        """Add a sub-problem; those without a rank come first, in the order of the search."""
        self._added += 1
        self._waiting[item.key] = (self._added, item)
        rank = UNRANKED if rank is None else rank
        heapq.heappush(self._in_order, (rank, item.key, self._added))
        heapq.heappush(self._by_depth, (item.depth, item.key, self._added))

    @property
    def first_is_ranked(self) -> bool:
        """Whether the first sub-problem has a rank, so that all have one."""
        self._drop_old(self._in_order)
        return self._in_order[0][0] != UNRANKED

    def next(self) -> Waiting:
        """Remove and return the first sub-problem."""
        return self._pop(self._in_order)

    def shallowest(self) -> Waiting:
        """Remove and return the sub-problem with the fewest options taken."""
        return self._pop(self._by_depth)

    def _pop(self, heap: list[tuple[float, bytes, int]]) -> Waiting:
        self._drop_old(heap)
        _, key, _ = heapq.heappop(heap)
        return self._waiting.pop(key)[1]

    def _drop_old(self, heap: list[tuple[float, bytes, int]]) -> None:
        """Remove the first entries of a heap as long as they do not count."""
        while self._waiting.get(heap[0][1], (0,))[0] != heap[0][2]:
            heapq.heappop(heap)


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
