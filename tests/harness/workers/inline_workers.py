"""Workers in the test's own process, whose schedule a seed decides: cuts, losses, late results."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Promise,
    Searching,
    WorkerEvent,
    Workers,
)
from dovetail.harness.workers.worker import PartRunner

Change = Callable[[str, Assignment, Result], Result]
BUDGETS = (0, 1, 5, 30, 200)


@dataclass
class Odds:
    """How often a sub-problem is cut, and how often its worker is lost or answers twice.

    No sub-problem loses more than two workers, unless it loses every one.
    """

    cut: float = 0.5
    lost: float = 0.1
    twice: float = 0.1


class InlineWorkers(Workers):
    """A number of workers that search one after another, in a random order.

    The time limit of an assignment is replaced by a random number of nodes, so that a seed decides
    the schedule.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        odds: Odds | None = None,
        change: Change | None = None,
    ) -> None:
        self.count = count
        self._random, self._odds = random.Random(seed), odds or Odds()
        self._change = change
        self._running: dict[str, Assignment] = {}
        self._names = [f"worker {number}" for number in range(1, count + 1)]
        self._lost = Counter[bytes]()
        self._stopped = False
        self._late: list[WorkerEvent] = []
        self.searched: list[bytes] = []

    def begin(self, plan: Plan) -> None:
        self._runner = PartRunner(plan)

    def free(self) -> int:
        return self.count - len(self._running)

    def are_idle(self) -> bool:
        return not self._running

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        names = self._names if self.count == 1 else [one for one in self._names if one != avoid]
        free = [one for one in names if one not in self._running]
        if not free:
            return None
        name = self._random.choice(free)
        self._running[name] = assignment
        return name

    def stop(self) -> list[int]:
        """Take back some assignments, and cut the others."""
        self._stopped = True
        names = [name for name in sorted(self._running) if self._random.random() < 0.3]
        return [self._running.pop(name).number for name in names]

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        events, self._late = self._late, []
        if not self._running:
            return events
        name = self._random.choice(sorted(self._running))
        assignment = self._running.pop(name)
        lost = self._random.random() < self._odds.lost
        if lost and (self._odds.lost == 1 or self._lost[assignment.key] < 2):
            self._lost[assignment.key] += 1
            return [*events, Lost(name, assignment.number, "it was killed")]
        self.searched.append(assignment.key)
        reply = self._reply(assignment)
        if self._change is not None and isinstance(reply, Result):
            reply = self._change(name, assignment, reply)
        done = Done(name, assignment, reply)
        if self._random.random() < self._odds.twice:
            self._late.append(replace(done, worker=f"{name}, late"))
        return [*events, Searching(assignment.number, 1, name), done]

    def held_bytes(self, limit: int | None) -> int:
        return 0

    def close(self) -> None:
        self._running.clear()

    def _reply(self, assignment: Assignment) -> Result | Promise:
        cuts = self._stopped or self._random.random() < self._odds.cut
        nodes = assignment.nodes
        if cuts and nodes is None and not assignment.to_end:
            nodes = self._random.choice(BUDGETS)
        assignment = replace(assignment, nodes=nodes, seconds=None)
        return self._runner.reply(assignment)
