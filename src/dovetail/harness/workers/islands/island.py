"""An island: a process that searches for better boards, and its messages.

A worker process that gets an `Island` compiles its kernels and replies `Started`. The next message
begins the search, further messages are boards to continue from, and None ends the search. The
search sends `IslandReport`s; the last of them has a status.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from dovetail.harness.improving import ImprovingRun
from dovetail.harness.run.clock import Interruption, Stopwatch
from dovetail.harness.run.events import Event, Started
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.workers.process import asked_for, receive, send
from dovetail.improvers.base import NO_SCORE, Placed
from dovetail.models.outcome import Status
from dovetail.platform.system import STDIN, is_readable

REPORT_S = 0.5  # seconds without a better board after which the next slice ends with a report

ScoredBoard = tuple[Placed, int]


@dataclass(frozen=True)
class Island:
    """The job of an island, with its seed, its limits and the board from which it starts."""

    job: Job


@dataclass(frozen=True)
class IslandReport:
    """The state of the search of an island."""

    nodes: int = 0
    cpu_s: float = 0.0
    counters: Mapping[str, int] = field(default_factory=dict)
    # The best board, and the good board that differs most from the best board. A board that does
    # not exist is left out.
    boards: tuple[ScoredBoard, ...] = ()
    # None while the search goes on.
    status: Status | None = None

    @property
    def score(self) -> int:
        """Score of the best board; `NO_SCORE` if there is no board."""
        return self.boards[0][1] if self.boards else NO_SCORE


class _IslandRun(ImprovingRun):
    """An improvement that sends its boards to the parent process, without verifying the boards."""

    def __init__(self, job: Job, replies: IO[bytes]) -> None:
        super().__init__(job)
        self.interruption, self._due = Interruption(), 0.0
        self._messages, self._replies = asked_for(), replies

    def report(self) -> None:
        """Send an `IslandReport` of the present state."""
        search = self._search
        assert search is not None, "the search has begun"
        best = [] if search.score == NO_SCORE else [(search.best, search.score)]
        boards = (*best, *([] if search.other is None else [search.other]))
        cpu_s, self._due = self._solving.cpu_s, time.monotonic() + REPORT_S
        report = IslandReport(search.nodes, cpu_s, search.counters, boards, self.status)
        send(self._replies, report)

    def _take_better(self, placed: Placed, score: int) -> Iterator[Event]:
        while not self.interruption.requested and is_readable(STDIN):
            message = receive(self._messages)
            if message is None:
                self.interruption.request()
            elif self._search is not None:
                self._search.accept(message)
        if score > self._score or time.monotonic() >= self._due:
            self._best, self._score = placed, score
            self.report()
        yield from ()


def search_island(island: Island, replies: IO[bytes]) -> None:
    """Compile the kernels and, after the next message, search for better boards.

    The search ends at a limit, at its own end, or at the message None.
    """
    warming, run = Stopwatch(), _IslandRun(island.job, replies)
    with warming:
        run.warm_up()
    MemoryLimit(island.job.limits.memory_bytes).hold_in_this_process()
    send(replies, Started(warming.wall_s))
    receive(asked_for())
    for _ in run.improve(run.interruption):
        pass
    run.report()
