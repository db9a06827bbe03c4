"""Workers in the test's own process, whose schedule a seed decides: cuts, losses, late results."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from dovetail.harness.parallel.assignment import (
    Assignment,
    PartResult,
    result_from_bytes,
    result_to_bytes,
)
from dovetail.harness.parallel.part_runner import PartRunner
from dovetail.harness.parallel.workers import Done, Lost, Searching, WorkerEvent, Workers
from dovetail.harness.run.plan import Plan

Change = Callable[[str, bytes, PartResult], PartResult]


@dataclass
class Odds:
    """How often a sub-problem is cut, and how often its worker is lost or answers twice.

    No sub-problem loses more than two workers, unless it loses every one.
    """

    cut: float = 0.5
    lost: float = 0.1
    twice: float = 0.1


class InlineWorkers(Workers):
    """So many workers that search one after another, in a random order."""

    can_cut = True

    def __init__(
        self, count: int, seed: int, odds: Odds | None = None, change: Change | None = None
    ) -> None:
        self.count = count
        self._random, self._odds = random.Random(seed), odds or Odds()
        self._change = change
        self._running: dict[str, Assignment] = {}
        self._names = [f"worker {number}" for number in range(1, count + 1)]
        self._lost = Counter[bytes]()
        self._whole: set[bytes] = set()
        self._late: list[WorkerEvent] = []
        self.searched: list[bytes] = []

    def begin(self, plan: Plan, *, listing: bool) -> None:
        self._runner = PartRunner(plan, listing=listing)

    def free(self) -> int:
        return self.count - len(self._running)

    def are_idle(self) -> bool:
        return not self._running

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str:
        free = [name for name in self._names if name not in self._running]
        name = self._random.choice([one for one in free if one != avoid] or free)
        self._running[name] = assignment
        if avoid is not None:  # an audit, which is to be searched to its end
            self._whole.add(assignment.key)
        return name

    def cut(self, key: bytes) -> None:
        pass  # they are cut at random

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        events, self._late = self._late, []
        if not self._running:
            return events
        name = self._random.choice(sorted(self._running))
        assignment = self._running.pop(name)
        lost = self._random.random() < self._odds.lost
        if lost and (self._odds.lost == 1 or self._lost[assignment.key] < 2):
            self._lost[assignment.key] += 1
            return [*events, Lost(name, assignment.key, "it was killed")]
        self.searched.append(assignment.key)
        result = self._searched(assignment)
        if self._change is not None:
            result = self._change(name, assignment.key, result)
        done = Done(name, assignment.key, result_from_bytes(result_to_bytes(result)))
        if self._random.random() < self._odds.twice:
            self._late.append(done)
        return [*events, Searching(name, assignment.key, 1), done]

    def held_bytes(self, limit: int | None) -> int:
        return 0

    def close(self) -> None:
        self._running.clear()

    def _searched(self, assignment: Assignment) -> PartResult:
        cuts = assignment.key not in self._whole and assignment.part.cut_from is not None
        if assignment.nodes is None and cuts and self._random.random() < self._odds.cut:
            assignment = replace(assignment, nodes=self._random.choice([0, 1, 5, 30, 200]))
        result = self._runner.run(assignment)
        if result.remaining is None:
            self._whole.add(assignment.key)  # it is not cut again
        return result
