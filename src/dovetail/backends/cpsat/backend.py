"""The backend `cpsat`: OR-Tools CP-SAT, on formulations without `IntegerRegular` and `Pair`.

A single worker enumerates solutions. With several workers, ortools 9.15 reports OPTIMAL for
enumerations with duplicates and omissions. Several workers therefore search for one solution only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dovetail.backends.base import Budget, Config, setting
from dovetail.backends.threaded import ModelBackend, ThreadedSearch
from dovetail.models.formulations.model import (
    CONSTRAINTS,
    BranchingKind,
    ConstraintModel,
    IntegerRegular,
    Pair,
)
from dovetail.models.formulations.registry import AUTO, ON_MEANING, Supported
from dovetail.models.outcome import Status
from dovetail.models.task import Task

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


Branching = Literal["auto", "input-order", "min-dom", "smallest"]
FORMULATIONS = Supported(*(CONSTRAINTS - {IntegerRegular, Pair}))


class CpSatSearch(ThreadedSearch):
    """A search of a model by a single call of `solve`.

    With several workers, the search ends at the first solution. The workers search in batches of a
    fixed amount of work and exchange clauses between two batches. The solution is therefore the
    same each time, whatever the speeds of the workers.
    """

    def __init__(self, source: ConstraintModel, config: CpSatConfig) -> None:
        from ortools.sat.python import cp_model

        from dovetail.backends.cpsat.posting import CpSatPosting

        super().__init__()
        self._cp_model = cp_model
        self._source = source
        posting = CpSatPosting(source)
        self._model = posting.model
        self._solver = cp_model.CpSolver()
        self.uses_threads = config.workers > 1
        parameters = self._solver.parameters
        parameters.num_workers = config.workers
        parameters.enumerate_all_solutions = not self.uses_threads
        parameters.interleave_search = self.uses_threads
        parameters.linearization_level = config.linearization_level
        parameters.random_seed = config.seed
        if config.branching != "auto" and not source.is_impossible:
            parameters.search_branching = cp_model.FIXED_SEARCH
            for phase in source.phases(config.on):
                posting.branch_on(phase, config.branching)

    def advance(self, budget: Budget) -> Status | None:
        return self._find_one() if self.uses_threads else self._enumerate(budget)

    def stop(self) -> None:
        """Stop the solver; its own time limit would include the pauses of `FoundSolutions`."""
        self._solver.stop_search()

    def _find_one(self) -> Status:
        """Search for one solution; return why the search ended."""
        cp_model = self._cp_model
        status = self._solve()
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            options = self._source.options(self._solver.response_proto.solution)
            self.found.add(options, is_last=True)
            return Status.SOLUTION_LIMIT
        return Status.EXHAUSTED if status == cp_model.INFEASIBLE else Status.TIME_LIMIT

    def _enumerate(self, budget: Budget) -> Status:
        """Search for all solutions that the budget allows; return why the search ended."""
        cp_model, source, found = self._cp_model, self._source, self.found

        class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
            def on_solution_callback(self) -> None:
                is_last = found.count + 1 == budget.solutions
                found.add(source.options(self.response_proto.solution), is_last=is_last)
                if is_last:
                    self.stop_search()

        status = self._solve(Collector())
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            return Status.EXHAUSTED
        if budget.solutions is not None and self.count >= budget.solutions:
            return Status.SOLUTION_LIMIT
        return Status.TIME_LIMIT

    def _solve(self, callback: cp_model.CpSolverSolutionCallback | None = None) -> Any:
        """Solve the model; return CP-SAT's status, or raise `RuntimeError` for an invalid model."""
        status = self._solver.solve(self._model, callback)
        self._native = {
            "branches": int(self._solver.num_branches),
            "conflicts": int(self._solver.num_conflicts),
            "restarts": int(self._solver.response_proto.num_restarts),
        }
        if status == self._cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT rejected the model: {self._model.validate()}")
        return status


@dataclass(frozen=True)
class CpSatConfig(Config):
    """Settings of `cpsat`."""

    formulation: str = setting(AUTO, FORMULATIONS.meaning, choices=FORMULATIONS.names)
    branching: Branching = setting(
        "auto",
        "Rule that picks the next variable: the first one, or the one with the smallest domain or "
        "the smallest value. Lowest values are tried first. auto is CP-SAT's own search.",
    )
    on: BranchingKind = setting("auto", f"{ON_MEANING} The kind is ignored if branching is auto.")
    linearization_level: Literal[0, 1, 2] = setting(
        0,
        "How much of the model is also solved as a linear program. 0 is by far the fastest "
        "for enumeration.",
    )
    seed: int = setting(0, "The solver's random seed.", least=0, most=2**31 - 1)
    workers: int = setting(
        1,
        "Number of the solver's workers. Several workers find one solution, the same each time, "
        "or prove that there is none. They need a limit of 1 solution, because CP-SAT counts "
        "wrongly with several workers.",
        least=1,
        most=1024,
    )


class CpSat(ModelBackend[CpSatConfig]):
    """Backend of OR-Tools CP-SAT, which counts branches and conflicts but no nodes."""

    name = "cpsat"
    summary = "OR-Tools CP-SAT, several formulations"
    extra, package, module = "cpsat", "ortools", "ortools"
    config_type = CpSatConfig
    formulations = FORMULATIONS

    def stops_at_first(self, config: CpSatConfig) -> str | None:
        if config.workers == 1:
            return None
        return (
            f"with {config.workers} workers CP-SAT finds one solution but counts wrongly; use "
            "a limit of 1 solution, or workers=1"
        )

    def warm_up(self) -> None:
        from ortools.sat.python import cp_model

        from dovetail.backends.cpsat import posting  # noqa: F401

        cp_model.CpSolver().solve(cp_model.CpModel())

    def prepare(self, task: Task, config: CpSatConfig) -> CpSatSearch:
        return CpSatSearch(self.model(task, config), config)
