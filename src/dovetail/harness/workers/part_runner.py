"""Runner that searches parts of a plan in this process, or estimates how promising they are."""

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

# Backend of probes for the plans of all backends, since the option numbers are the same.
BACKEND = "dlx"
PROBES = 200
HOPELESS = -1e9
# Change of the natural logarithm of the size of a level from each level to the next, below the
# deepest level that probes reached. It is used if that level is also the largest.
UNKNOWN_SLOPE = -1.0


def promise_of(task: Task, part: SubProblem, seed: int) -> float:
    """Return the logarithm of the expected solutions per node of a part, or `HOPELESS`.

    `part` has the option numbers of the lowered puzzle. If no probe ends in a solution, the sizes
    of the levels that probes have reached are extrapolated.
    """
    within = task.lowered.task(Request(Symmetry.ALL), replace(part, cut_from=None))
    solver = backend_named(BACKEND)
    estimator = solver.tree_estimator(within, solver.config_type(), seed, 1)
    assert estimator is not None, "dlx estimates every tree"
    return _promise(estimator.levels(PROBES).mean(axis=0))


def _promise(levels: NDArray[np.float64]) -> float:
    """Return the logarithm of the expected solutions per node, or `HOPELESS`.

    `levels` has the mean number of nodes of each level; the last level has the solutions.
    """
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


# Number of solutions to be listed at which a search that returns parts is cut.
MAX_ROWS = 50_000

OnProgress = Callable[[Progress], None]


class _PartClock(RunClock):
    """The clock of a part; its time limit does not include preparing: every search advances."""

    @property
    def charged_s(self) -> float:
        return self.solving.wall_s


class PartRunner:
    """Searches parts of a plan; the lowered puzzle, kernels and verifier are created only once.

    Listed solutions are returned as the search finds them, without symmetry expansion. `cpu_clock`
    measures the processor seconds of results. Raises `DovetailError` if the backend refuses the
    puzzle, or if the puzzle is known to have no solution.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        memory_bytes: int | None = None,
        cpu_clock: Callable[[], float] | None = None,
    ) -> None:
        self._cpu_clock = cpu_clock
        # Maximum resident size of this process, determined once because it takes longer than a
        # small part.
        self.memory_bytes = memory_bytes or MemoryLimit(None).in_this_process
        self._session = Session(plan).begun()
        self._verifier = verifier_for(self._session.task)

    def reply(
        self,
        assignment: Assignment,
        interruption: Interruption | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result | Promise:
        """Search or probe a part, depending on the assignment."""
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
        """Search a part within the limits on seconds and nodes of its assignment.

        An `interruption` also ends the search. `remaining` of the result has the unexplored parts;
        it is None if the search cannot return them.
        """
        stops = Interruption(within=interruption)
        clock = _PartClock(assignment.seconds, stops, self._cpu_clock)
        limits = Limits(None, assignment.nodes, assignment.solutions, self.memory_bytes)
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
