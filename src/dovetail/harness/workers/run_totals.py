"""Totals of the results of sub-problems, and the limits of the whole run."""

from __future__ import annotations

import time
from dataclasses import dataclass

from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.job import Limits
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Parallel, Result
from dovetail.harness.workers.base import Workers
from dovetail.models.outcome import Counters, Status, added


@dataclass
class RunTotals:
    """The sums of all results so far, in all commands that have worked on a run.

    `counters` are None before the first result, `count` where a result has none. `workers` are the
    fewest and the most that this command has had.
    """

    counters: Counters | None = None
    count: int | None = 0
    verified: int = 0
    prepare_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int = 0
    done: int = 0
    cut: int = 0
    redone: int = 0
    audited: int = 0
    sittings: int = 1
    workers: tuple[int, int] = (0, 0)

    @property
    def nodes(self) -> int:
        """The nodes made, 0 where they are not counted."""
        return 0 if self.counters is None else self.counters.nodes or 0

    @property
    def counts_nodes(self) -> bool:
        """Whether nodes are counted, as far as is known."""
        return self.counters is None or self.counters.nodes is not None

    def add(self, result: Result, *, was_cut: bool) -> None:
        """Add a recorded result; unless the sub-problem `was_cut`, it was searched to its end."""
        self.cut += was_cut
        self.done += not was_cut
        self.add_unrecorded(result)

    def add_unrecorded(self, result: Result) -> None:
        """Add what a search has found that is not recorded."""
        before = self.counters
        self.counters = result.counters if before is None else added(before, result.counters)
        if self.count is not None:
            self.count = None if result.count is None else self.count + result.count
        self.verified += result.verified
        self.prepare_s += result.prepare_s
        self.solve_cpu_s += result.solve_cpu_s or 0.0
        self.check_s += result.check_s
        self.peak_bytes = max(self.peak_bytes, result.peak_bytes or 0)

    def count_workers(self, number: int) -> None:
        """Note how many workers there are at present."""
        fewest, largest = self.workers
        self.workers = (min(fewest or number, number), max(largest, number))

    def parallel(self, division: str) -> Parallel:
        """Return what became of the sub-problems so far, of which this command has had workers."""
        return Parallel(
            self.workers[1], division, self.done, self.cut, self.redone, self.audited, self.sittings
        )


MEMORY_POLL_S = 0.2


class RunLimits:
    """Says when a run is to end, and what an assignment may take of what is left.

    Limits are those of one command: one that goes on from a checkpoint has them anew. The memory is
    that of all workers on this machine together.
    """

    def __init__(
        self,
        limits: Limits,
        clock: RunClock,
        workers: Workers,
        collector: SolutionCollector | None,
        nodes_before: int,
    ) -> None:
        self._limits, self._clock, self._workers = limits, clock, workers
        self._collector, self._nodes_before = collector, nodes_before
        self._memory = MemoryLimit(limits.memory_bytes)
        self._memory_polled = time.monotonic()
        self.peak_bytes = 0

    @property
    def solutions(self) -> int | None:
        """The solutions of an assignment, beyond which nobody needs any."""
        return None if self._collector is None else self._collector.search_limits.solutions

    def nodes(self, made: int, limit: int | None, *, to_end: bool) -> int | None:
        """Return the node limit of an assignment after `made` nodes of the whole run.

        What is left is shared by the workers, unless the assignment is to be searched to its end.
        """
        if self._limits.nodes is None:
            return limit
        left = max(0, self._limits.nodes - (made - self._nodes_before))
        share = left if to_end else -(-left // max(1, self._workers.count))
        return share if limit is None else min(limit, share)

    def seconds(self, limit: float | None) -> float | None:
        """Return the time limit of an assignment in seconds, or None."""
        left_s = self._clock.left_s
        return limit if limit is None or left_s is None else max(0.0, min(limit, left_s))

    def reached(self, made: int) -> tuple[Status, str | None] | None:
        """Return the limit that ends the run and the reason, or None."""
        collector = self._collector
        if collector is not None and collector.error is not None:
            return Status.WRONG, None
        if collector is not None and collector.complete:
            return Status.SOLUTION_LIMIT, None
        cut = self._clock.cut()
        if cut is not None:
            return cut, None
        if self.overshoot(made) >= 0:
            return Status.NODE_LIMIT, None
        return self._memory_reached()

    def out_of_memory(self) -> tuple[Status, str | None]:
        """Return the status and reason of a run whose workers exceeded the memory limit."""
        return Status.MEMORY_LIMIT, self._memory.explained()

    def overshoot(self, made: int) -> int:
        """Return the number of nodes beyond the limit; less than 0 before it is reached."""
        return -1 if self._limits.nodes is None else made - self._nodes_before - self._limits.nodes

    def _memory_reached(self) -> tuple[Status, str | None] | None:
        if time.monotonic() < self._memory_polled + MEMORY_POLL_S:
            return None
        held = self._workers.held_bytes(self._memory.bytes)
        self._memory_polled = time.monotonic()
        self.peak_bytes = max(self.peak_bytes, held)
        return self.out_of_memory() if held > self._memory.bytes else None
