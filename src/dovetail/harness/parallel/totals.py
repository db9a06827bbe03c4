"""What the results of sub-problems come to."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.run.result import Parallel, Result
from dovetail.models.outcome import Counters, added


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
