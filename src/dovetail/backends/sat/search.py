"""One search by CaDiCaL: a solution at a time, each ruled out by a clause before the next one."""

from __future__ import annotations

from dovetail.backends.base import Budget
from dovetail.backends.sat.formula import Encoding, clauses
from dovetail.backends.threaded import ThreadedSearch
from dovetail.models.boolean_model import BooleanModel
from dovetail.models.outcome import Counters, Status

SLICE_CONFLICTS = 1_000


class SatSearch(ThreadedSearch):
    """The formula, with a clause more for each solution that has been found.

    CaDiCaL keeps the interpreter to itself while it searches. It stops after some conflicts, and
    goes on with what it has learned: in between, limits are met.
    """

    def __init__(self, model: BooleanModel, encoding: Encoding) -> None:
        from pysat.solvers import Cadical153

        super().__init__()
        self._option_count = model.option_count
        self._open = open_variables(model)
        self._solver = Cadical153(bootstrap_with=clauses(model, encoding))
        self._native: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        return Counters(native=self._native)

    def advance(self, budget: Budget) -> Status | None:
        deadline = self.deadline(budget)
        while self.count != budget.solutions:
            if deadline.is_over:
                return Status.TIME_LIMIT
            self._solver.conf_budget(SLICE_CONFLICTS)
            satisfiable = self._solver.solve_limited()
            figures = self._solver.accum_stats()
            self._native = {
                name: figures[name] for name in ("decisions", "conflicts", "propagations")
            }
            if satisfiable is False:
                return Status.EXHAUSTED
            if satisfiable:
                self._take_solution(is_last=self.count + 1 == budget.solutions)
        return Status.SOLUTION_LIMIT

    def _take_solution(self, *, is_last: bool) -> None:
        """Keep the solution that the solver has, and rule it out."""
        values = self._solver.get_model()[: self._option_count]
        chosen = [value for value in values if value > 0]
        self._solver.add_clause(blocking_clause(chosen, self._open))
        self.found.add((variable - 1 for variable in chosen), is_last=is_last)


def open_variables(model: BooleanModel) -> list[int]:
    """Return those of options that could be added to a solution and leave another one.

    With an item that has to be covered a fixed number of times, no option can.
    """
    fixed = (bound for bound in model.bounds if bound.lower == bound.upper)
    closed = {variable for bound in fixed for variable in bound.variables}
    return [variable for variable in range(1, model.option_count + 1) if variable not in closed]


def blocking_clause(chosen: list[int], open_variables: list[int]) -> list[int]:
    """Return the clause that rules out one solution and no other.

    Another solution lacks an option of it, or adds some. If it only adds some, all of these are
    open: any other has an item that is then covered once more, and its bounds do not allow that.
    """
    its = set(chosen)
    added = [variable for variable in open_variables if variable not in its]
    return [-variable for variable in chosen] + added
