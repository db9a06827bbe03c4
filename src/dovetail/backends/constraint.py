"""The backend `constraint`: python-constraint2, a plain backtracking CSP solver.

python-constraint2 is the maintained successor of python-constraint; both packages install the
module `constraint`. A variable stands for a primary item in the formulation `cells`, and for a copy
of a piece or tile in `pieces`. The domain of a variable is a set of options. A constraint of two
variables allows the pairs of options that can be in the same solution. The solvers check the
constraints of a variable whenever they assign a value to it. The first of these constraints counts
assignments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config, setting
from dovetail.backends.threaded import Deadline, ModelBackend, ThreadedSearch
from dovetail.models.formulations.model import ConstraintModel, Pair
from dovetail.models.formulations.registry import AUTO, Supported
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

# Largest number of options. A table of compatible options may have an entry for each pair of them.
MAX_OPTIONS = 10_000
FORMULATIONS = Supported(
    Pair, defaults={"packing": ["cells", "pieces"], "board": ["pieces"], "cover": ["cells"]}
)
ASSIGNMENTS_PER_CHECK = 256  # assignments between two checks of the time; about a millisecond


@dataclass(frozen=True)
class ConstraintConfig(Config):
    """Settings of `constraint`."""

    formulation: str = setting(AUTO, FORMULATIONS.meaning, choices=FORMULATIONS.names)
    solver: Literal["backtracking", "optimized", "recursive"] = setting(
        "backtracking",
        "Solver of python-constraint2. backtracking next assigns the variable with the most "
        "constraints and, among equals, the one with the fewest values left; optimized sorts the "
        "variables in the same way once, before the search; recursive is backtracking as a "
        "recursive function.",
    )
    forward_check: bool = setting(
        True, "Rule out values of unassigned variables as soon as a variable is set."
    )


class Constraint(ModelBackend[ConstraintConfig]):
    """Backend for small puzzles, of about six pieces.

    A node is an assignment, counted before the other constraints on the variable are checked.
    """

    name = "constraint"
    summary = "python-constraint2, backtracking over pieces, tiles or items"
    extra, package, module = "constraint", "python-constraint2", "constraint"
    node_meaning = "an assignment of an option to a variable"
    config_type = ConstraintConfig
    formulations = FORMULATIONS

    def refuses(self, task: Task, config: ConstraintConfig) -> str | None:
        if task.cover.option_count > MAX_OPTIONS:
            return (
                f"the puzzle has {task.cover.option_count:,} options; the limit is {MAX_OPTIONS:,}"
            )
        return super().refuses(task, config)

    def warm_up(self) -> None:
        import constraint  # noqa: F401  (imported here so that `prepare` is not slowed down)

    def prepare(self, task: Task, config: ConstraintConfig) -> ConstraintSearch:
        return ConstraintSearch(self.model(task, config), config)


class ConstraintSearch(ThreadedSearch):
    """A search that takes solutions from the iterator of python-constraint2."""

    def __init__(self, source: ConstraintModel, config: ConstraintConfig) -> None:
        import constraint

        solvers = {
            "backtracking": constraint.BacktrackingSolver,
            "optimized": constraint.OptimizedBacktrackingSolver,
            "recursive": constraint.RecursiveBacktrackingSolver,
        }
        super().__init__()
        self._problem = constraint.Problem(solvers[config.solver](config.forward_check))
        self._assignments = _assignments(constraint.Constraint)
        self._source = source
        if source.is_impossible:
            return
        for variable, domain in enumerate(source.domains, start=1):
            self._problem.addVariable(variable, domain)
            self._problem.addConstraint(self._assignments, [variable])
        lookups: dict[int, _Lookup] = {}
        for pair in source.of_type(Pair):
            if id(pair.allowed) not in lookups:
                lookups[id(pair.allowed)] = _Lookup(pair.allowed)
            self._problem.addConstraint(lookups[id(pair.allowed)], [pair.first, pair.second])

    @property
    def counters(self) -> Counters:
        return Counters(nodes=self._assignments.made)

    def advance(self, budget: Budget) -> Status | None:
        if self._source.is_impossible:
            return Status.EXHAUSTED
        if self._source.variable_count == 0:  # nothing to cover: the solution has no options
            self.found.add(())
            return Status.EXHAUSTED
        self._assignments.limit, self._assignments.deadline = budget.nodes, self.deadline(budget)
        try:
            for values in self._problem.getSolutionIter():
                ordered = [values[variable] for variable in sorted(values)]
                self.found.add(sorted(set(self._source.options(ordered))))
                if self.found.count == budget.solutions:
                    return Status.SOLUTION_LIMIT
        except _LimitError as limit:
            return limit.status
        return Status.EXHAUSTED


class _LimitError(Exception):
    """Raised when a limit on nodes or time is reached."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


def _assignments(base: type) -> Any:
    """Return a constraint that counts assignments and accepts all; `base` is its base class.

    An assignment raises `_LimitError` if `limit` assignments have been `made`. Every
    `ASSIGNMENTS_PER_CHECK` assignments, the constraint also raises `_LimitError` if the `deadline`
    is over. If `limit` is None, assignments are not limited.
    """

    class Assignments(base):  # type: ignore[misc]
        made: int = 0
        limit: int | None = None
        deadline: Deadline

        def __call__(self, *_: object) -> bool:
            if self.made == self.limit:
                raise _LimitError(Status.NODE_LIMIT)
            if self.made % ASSIGNMENTS_PER_CHECK == 0 and self.deadline.is_over:
                raise _LimitError(Status.TIME_LIMIT)
            self.made += 1
            return True

        def preProcess(self, *_: object) -> None:  # noqa: N802  (the solver's name)
            """Do nothing; the inherited method drops constraints on a single variable."""

    return Assignments()


class _Lookup:
    """A constraint on two variables, given by a table of the pairs of values allowed."""

    def __init__(self, table: NDArray[np.bool_]) -> None:
        self._rows = [row.tobytes() for row in table]  # Python indexes bytes fastest

    def __call__(self, first: int, second: int) -> bool:
        return bool(self._rows[first][second])
