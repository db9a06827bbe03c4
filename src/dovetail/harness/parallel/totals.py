"""What the results of sub-problems come to."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.harness.parallel.assignment import PartResult
from dovetail.models.outcome import Counters, added


@dataclass
class PartTotals:
    """The sums of all results so far, and the largest `peak_bytes`.

    `counters` are None before the first result, `count` where a result has none.
    """

    counters: Counters | None = None
    count: int | None = 0
    verified: int = 0
    prepare_s: float = 0.0
    solve_cpu_s: float = 0.0
    check_s: float = 0.0
    peak_bytes: int = 0

    def add(self, result: PartResult) -> None:
        """Add a result."""
        before = self.counters
        self.counters = result.counters if before is None else added(before, result.counters)
        if self.count is not None:
            self.count = None if result.count is None else self.count + result.count
        self.verified += result.verified
        self.prepare_s += result.prepare_s
        self.solve_cpu_s += result.solve_cpu_s
        self.check_s += result.check_s
        self.peak_bytes = max(self.peak_bytes, result.peak_bytes or 0)
