"""The backend `sat`: CaDiCaL 1.5.3 through python-sat; blocking clauses lead to all solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dovetail.backends.base import Budget, Config, setting
from dovetail.backends.threaded import ModelBackend, ThreadedSearch
from dovetail.models.formulations.model import Bound, ConstraintModel
from dovetail.models.formulations.registry import AUTO, BOOLEANS, Supported
from dovetail.models.outcome import Status
from dovetail.models.task import Task

Encoding = Literal[
    "pairwise",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "bitwise",
    "ladder",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
]
ONLY_AT_MOST_ONE = ("pairwise", "bitwise", "ladder")
FOR_OTHER_BOUNDS = "seqcounter"
SLICE_CONFLICTS = 1_000


def clauses(model: ConstraintModel, encoding: Encoding) -> Iterator[Iterable[int]]:
    """Yield the clauses of the model; the clauses of bounds may have additional variables.

    If the encoding supports only "at most 1", other bounds are encoded by sequential counters.
    """
    plain, bounds = model.clauses_and_bounds()
    yield from plain.clauses
    last = plain.variable_count
    for bound in bounds:
        for clause in _encoded(bound, encoding, last):
            last = max([last, *map(abs, clause)])
            yield clause


def _encoded(bound: Bound, encoding: Encoding, last: int) -> Iterator[list[int]]:
    """Yield the clauses of a bound; additional variables are numbered from `last` + 1."""
    variables, lower, upper = list(bound.variables), bound.lower, bound.upper
    if bound.is_impossible:
        yield []
    elif lower == 1:
        yield variables
    elif lower == len(variables):
        yield from ([variable] for variable in variables)
    elif lower > 1:
        false = [-variable for variable in variables]
        for clause in _at_most(false, len(variables) - lower, encoding, last):
            last = max(last, *map(abs, clause))
            yield clause
    if upper < len(variables):
        yield from _at_most(variables, upper, encoding, last)


def _at_most(literals: list[int], bound: int, encoding: Encoding, last: int) -> list[list[int]]:
    """Return clauses for "at most `bound` of the literals are true"; 1 <= bound < len(literals)."""
    from pysat.card import CardEnc, EncType

    chosen = FOR_OTHER_BOUNDS if bound > 1 and encoding in ONLY_AT_MOST_ONE else encoding
    encoded = CardEnc.atmost(literals, bound, top_id=last, encoding=getattr(EncType, chosen))
    return encoded.clauses  # type: ignore[no-any-return]


class SatSearch(ThreadedSearch):
    """A search of the formula, with a blocking clause for each solution found.

    CaDiCaL holds the interpreter while it searches. Each call of CaDiCaL has a limit of conflicts
    and keeps the learned clauses. The limits of the search are checked between calls.
    """

    def __init__(self, model: ConstraintModel, encoding: Encoding) -> None:
        from pysat.solvers import Cadical153

        super().__init__()
        self._option_count = model.option_count
        self._open = open_variables(model)
        self._solver = Cadical153(bootstrap_with=clauses(model, encoding))

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
        """Store the solution that the solver has found, and add its blocking clause."""
        values = self._solver.get_model()[: self._option_count]
        chosen = [value for value in values if value > 0]
        self._solver.add_clause(blocking_clause(chosen, self._open))
        self.found.add((variable - 1 for variable in chosen), is_last=is_last)


def open_variables(model: ConstraintModel) -> list[int]:
    """Return the variables of options whose addition to a solution may give another solution.

    These are the options without an item that has to be covered a fixed number of times.
    """
    fixed = (bound for bound in model.of_type(Bound) if bound.lower == bound.upper)
    closed = {variable for bound in fixed for variable in bound.variables}
    return [variable for variable in range(1, model.option_count + 1) if variable not in closed]


def blocking_clause(chosen: list[int], open_variables: list[int]) -> list[int]:
    """Return the clause that rules out the solution with the options `chosen`, and no other.

    `chosen` has the variables of these options. Any other solution lacks a chosen option, or has
    all chosen options and more. The additional options are open: an option that is not open has an
    item with a fixed count, which would be covered too often.
    """
    its = set(chosen)
    added = [variable for variable in open_variables if variable not in its]
    return [-variable for variable in chosen] + added


FORMULATIONS = Supported(*BOOLEANS)


@dataclass(frozen=True)
class SatConfig(Config):
    """Settings of `sat`."""

    formulation: str = setting(AUTO, FORMULATIONS.meaning, choices=FORMULATIONS.names)
    encoding: Encoding = setting(
        "pairwise",
        "How 'at most one' and other bounds become clauses, by the names of python-sat. pairwise, "
        "ladder and bitwise can only encode 'at most one'; other bounds then use seqcounter.",
    )


class Sat(ModelBackend[SatConfig]):
    """Backend for every cover problem; decisions of the solver do not count as nodes."""

    name = "sat"
    summary = "CaDiCaL by python-sat, exact-cover model or models of edge matching"
    extra, package, module = "sat", "python-sat", "pysat"
    config_type = SatConfig
    formulations = FORMULATIONS

    def warm_up(self) -> None:
        model = ConstraintModel()
        model.bound("either", model.booleans(["one", "other"]), 1, 1)
        SatSearch(model, "pairwise")

    def prepare(self, task: Task, config: SatConfig) -> SatSearch:
        return SatSearch(self.model(task, config), config.encoding)
