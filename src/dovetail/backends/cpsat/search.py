"""One search by CP-SAT: an enumeration by one worker, or several that look for one solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail.backends.base import Budget
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.outcome import Counters, Status

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Lowered:
    """A model for CP-SAT, and how to read the options of a solution that it has found.

    `options` is called with the values of all variables, in the order of their indices: asking
    CP-SAT for one after another took a sixth of its time to enumerate the solutions of 8 queens.
    """

    model: cp_model.CpModel
    options: Callable[[Iterable[int]], Iterable[int]]


class CpSatSearch(ThreadedSearch):
    """The model, and what its one solve finds.

    With several workers the solve ends at the first solution. They search in batches of a fixed
    amount of work and exchange what they have learned in between, so that the solution is the same
    each time, however fast they are.
    """

    def __init__(
        self, lowered: Lowered, linearization_level: int, seed: int, workers: int = 1
    ) -> None:
        from ortools.sat.python import cp_model

        super().__init__()
        self._cp_model = cp_model
        self._lowered = lowered
        self._solver = cp_model.CpSolver()
        self.uses_threads = workers > 1
        parameters = self._solver.parameters
        parameters.num_workers = workers
        parameters.enumerate_all_solutions = not self.uses_threads
        parameters.interleave_search = self.uses_threads
        parameters.linearization_level = linearization_level
        parameters.random_seed = seed
        self._native: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    def advance(self, budget: Budget) -> Status | None:
        return self._find_one() if self.uses_threads else self._enumerate(budget)

    def stop(self) -> None:
        """As of `ThreadedSearch`: a limit of CP-SAT's own would count the pauses."""
        self._solver.stop_search()

    def _find_one(self) -> Status:
        """Search for one solution."""
        cp_model, lowered = self._cp_model, self._lowered
        status = self._solve()
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.found.add(lowered.options(self._solver.response_proto.solution), is_last=True)
            return Status.SOLUTION_LIMIT
        return Status.EXHAUSTED if status == cp_model.INFEASIBLE else Status.TIME_LIMIT

    def _enumerate(self, budget: Budget) -> Status:
        """Search for all solutions, or as many as the budget has."""
        cp_model, lowered, found = self._cp_model, self._lowered, self.found

        class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                is_last = found.count + 1 == budget.solutions
                found.add(lowered.options(self.response_proto.solution), is_last=is_last)
                if is_last:
                    self.stop_search()

        status = self._solve(Collector())
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Status.EXHAUSTED
        if budget.solutions is not None and self.count >= budget.solutions:
            return Status.SOLUTION_LIMIT
        return Status.TIME_LIMIT

    def _solve(self, callback: cp_model.CpSolverSolutionCallback | None = None) -> Any:
        """Solve the model and return CP-SAT's status; raises `RuntimeError` for a wrong model."""
        model = self._lowered.model
        status = self._solver.solve(model, callback)
        self._native = {
            "branches": int(self._solver.num_branches),
            "conflicts": int(self._solver.num_conflicts),
        }
        if status == self._cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT rejected the model: {model.validate()}")
        return status
