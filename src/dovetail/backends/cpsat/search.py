"""One enumeration by CP-SAT."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.backends.base import Budget
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.outcome import Counters, Status

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Lowered:
    """A model for CP-SAT, and how to read the options of a solution that it has found."""

    model: cp_model.CpModel
    options: Callable[[cp_model.CpSolverSolutionCallback], Iterable[int]]


class CpSatSearch(ThreadedSearch):
    """The model, and what its one solve finds."""

    def __init__(self, lowered: Lowered, linearization_level: int, seed: int) -> None:
        from ortools.sat.python import cp_model

        super().__init__()
        self._cp_model = cp_model
        self._lowered = lowered
        self._solver = cp_model.CpSolver()
        parameters = self._solver.parameters
        parameters.num_workers = 1
        parameters.enumerate_all_solutions = True
        parameters.linearization_level = linearization_level
        parameters.random_seed = seed
        self._native: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    def advance(self, budget: Budget) -> Status | None:
        cp_model, lowered, found = self._cp_model, self._lowered, self.found
        if budget.seconds is not None:
            self._solver.parameters.max_time_in_seconds = max(0.0, budget.seconds)

        class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                found.add(lowered.options(self))
                if found.count == budget.solutions:
                    self.stop_search()

        status = self._solver.solve(lowered.model, Collector())
        self._native = {
            "branches": int(self._solver.num_branches),
            "conflicts": int(self._solver.num_conflicts),
        }
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Status.EXHAUSTED
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT rejected the model: {lowered.model.validate()}")
        if budget.solutions is not None and self.count >= budget.solutions:
            return Status.SOLUTION_LIMIT
        return Status.TIME_LIMIT
