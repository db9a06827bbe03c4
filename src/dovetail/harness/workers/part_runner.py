"""Search the sub-problems of a plan in this process, or probe how promising they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.registry import backend_named
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.collector import SolutionCollector
from dovetail.harness.run.events import Found, Progress
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Limits, Plan
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session
from dovetail.harness.workers.assignment import Assignment, Promise
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task
from dovetail.models.verification.dispatch import verifier_for

# Probes go by dancing links, whatever the backend: its options have the same numbers.
BACKEND = "dlx"
PROBES = 200
HOPELESS = -1e9
# By how much, as a natural logarithm, levels shrink beyond the last one that probes have reached,
# where that was also the largest.
UNKNOWN_SLOPE = -1.0


def promise_of(task: Task, part: SubProblem, seed: int) -> float:
    """Return the logarithm of the expected solutions per node of a sub-problem, or `HOPELESS`.

    `part` is by the numbers of the lowered puzzle. Where no probe ends in a solution, the levels of
    the tree that probes have reached are continued in proportion.
    """
    within = task.lowered.task(Request(Symmetry.ALL), replace(part, cut_from=None))
    solver = backend_named(BACKEND)
    estimator = solver.tree_estimator(within, solver.config_type(), seed, 1)
    assert estimator is not None, "dlx estimates every tree"
    levels = estimator.levels(PROBES)
    assert levels is not None, "dlx estimates levels"
    return _promise(levels.mean(axis=0))


def _promise(levels: NDArray[np.float64]) -> float:
    """Return the promise of a tree with these nodes on each level, the solutions last."""
    nodes = levels[:-1].sum()
    reached = np.flatnonzero(levels)
    if not nodes or not len(reached):
        return HOPELESS
    last, largest = int(reached[-1]), int(levels.argmax())
    slope = UNKNOWN_SLOPE
    if last > largest:
        slope = math.log(levels[last] / levels[largest]) / (last - largest)
    solutions = math.log(levels[last]) + (len(levels) - 1 - last) * slope
    return solutions - math.log(nodes)


# A sub-problem whose search can be cut is cut when it has found so many solutions to be listed.
MAX_ROWS = 50_000

OnProgress = Callable[[Progress], None]


class PartRunner:
    """What the searches of a plan's sub-problems share: the lowered puzzle, kernels, a verifier.

    Where the plan lists solutions, they are returned as the search finds them. Raises
    `DovetailError` for a plan whose puzzle its backend refuses, or that is known to have no
    solution.
    """

    def __init__(self, plan: Plan, *, memory_bytes: int | None = None) -> None:
        # found once: it takes longer than a small sub-problem
        self._memory_bytes = memory_bytes or MemoryLimit(None).in_this_process
        self._session = Session(plan).begun()
        self._verifier = verifier_for(self._session.task)

    def reply(
        self,
        assignment: Assignment,
        interruption: Interruption | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result | Promise:
        """Search or probe a sub-problem, as is asked."""
        if assignment.probes:
            seed = self._session.plan.seed
            return Promise(promise_of(self._session.task, assignment.part, seed))
        return self.run(assignment, interruption, on_progress)

    def run(
        self,
        assignment: Assignment,
        interruption: Interruption | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result:
        """Search a sub-problem to its end, or until it is cut.

        It is cut at the limits of the assignment, and when `interruption` is requested.
        """
        clock = RunClock(assignment.seconds, Interruption(within=interruption))
        limits = Limits(None, assignment.nodes, assignment.solutions, self._memory_bytes)
        session = self._session.within(assignment.part, limits, clock)
        collector = SolutionCollector(
            session.plan,
            session.task,
            limits,
            clock,
            verifier=self._verifier,
            as_found=session.plan.request.listing,
        )
        cuts = session.backend.cuts and not assignment.to_end
        rows, listed = [], 0
        finished: Result | None = None
        for event in session.search(collector):
            match event:
                case Found():
                    rows.append(event.options)
                    listed += len(event.options)
                    if cuts and listed >= MAX_ROWS:
                        clock.interruption.request()
                case Progress():
                    if on_progress is not None:
                        on_progress(event)
                case Result():
                    finished = event
        assert finished is not None, "a run ends with Result"
        found = np.concatenate(rows) if rows else np.empty((0, 0), dtype=np.int32)
        return replace(finished, rows=found)
