"""Puzzles as DIMACS CNF, for SAT solvers and model counters.

Variables 1, 2, … are the options of a formulation (see `solver_input`). Further variables are
colours of edges, counters of bounds, and colours of secondary items.

Sources: "DIMACS Challenge: Satisfiability, suggested format", 1993. J. K. Fichte, M. Hecher and F.
Hamiti, "The Model Counting Competition 2020", JEA 2021, and the competition's description of its
format since 2021 (`c t`, `c p show`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from dovetail.errors import PuzzleError
from dovetail.models.formulations.model import Bound, Clause, Clauses, Exclusion
from dovetail.puzzles.formats.solver_files.solver_input import SolverInput, Syntax

MAX_COUNTERS = 2_000_000  # maximum number of auxiliary variables of counters
MAX_WITHOUT_COUNTER = 6  # maximum number of literals of a bound that gets no counter
MAX_PAIRS = 15  # maximum number of excluded pairs of options at an item; else colours are variables


@dataclass(eq=False)
class DimacsSyntax(Syntax):
    """A model as clauses.

    The lower bound 1 of a primary item becomes a clause. Other bounds become small clauses, or a
    counter if they have many literals. Options that give a secondary item different colours exclude
    each other pairwise if that takes few clauses; otherwise each colour has a variable.
    """

    comment = "c {}"

    def __post_init__(self) -> None:
        literals = (clause.literals for clause in self.model.of_type(Clause))
        self.clauses = Clauses(self.model.variable_count, literals)

    def add_constraints(self) -> None:
        counters = 0
        for item in self.model.of_type(Bound):
            counters += counter_size(len(item.variables), item.lower, item.upper)
            if counters > MAX_COUNTERS:
                raise PuzzleError(
                    f"CNF would need more than {MAX_COUNTERS:,} auxiliary variables to count the "
                    f"options of item {item.name} and those before it; OPB, MiniZinc and XCSP3 "
                    "express bounds without them"
                )
            add_bound(self.clauses, item.variables, item.lower, item.upper)
        for exclusion in self.model.of_type(Exclusion):
            self._exclude(exclusion)

    def name(self, variable: int) -> str:
        return f"variable {variable}"

    @property
    def lines(self) -> list[str]:
        count, clauses = self.model.option_count, self.clauses
        return [
            "c t pmc",
            f"c variables 1 to {count} are the options; others are determined by them",
            *self.options(),
            *self.further_variables(),
            f"p cnf {clauses.variable_count} {len(clauses.clauses)}",
            " ".join(["c p show", *(str(o + 1) for o in range(count)), "0"]),
            *(" ".join(map(str, clause)) + " 0" for clause in clauses.clauses),
        ]

    def _exclude(self, item: Exclusion) -> None:
        """Require that true variables of the item are all in the same class."""
        sizes = [len(variables) for variables in item.classes]
        pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
        if pairs > MAX_PAIRS:
            used = [self.clauses.any_of(variables) for variables in item.classes]
            add_bound(self.clauses, used, 0, 1)
            return
        for first, second in combinations(item.classes, 2):
            for variable, other in product(first, second):
                self.clauses.add(-variable, -other)


class Dimacs(SolverInput):
    """DIMACS CNF, with projection to the options."""

    name = "dimacs"
    title = "DIMACS CNF"
    summary = "exact cover as DIMACS CNF, for SAT solvers and model counters"
    suffixes = (".cnf",)
    begins = r"p cnf\b|c t p?w?mc\b"
    syntax = DimacsSyntax


def add_bound(clauses: Clauses, literals: Sequence[int], lower: int, upper: int) -> None:
    """Add clauses that require `lower` to `upper` of `literals` to be true; 0 <= lower <= upper.

    Few literals need no auxiliary variable: each set of `upper` + 1 literals has a clause that
    requires a false literal, and each set of n − `lower` + 1 of the n literals has a clause that
    requires a true literal. More literals are counted by a sequential counter. Its auxiliary
    variables are defined by equivalences, so that every choice of the literals within the bounds
    has exactly 1 extension, and the count is the same with and without projection.

    Source: C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005
    (the sequential counter, which for `upper` = 1 is the ladder). The paper defines auxiliary
    variables by implications in one direction, and this function in both directions.
    """
    count = len(literals)
    if lower > count:
        clauses.contradict()
        return
    if lower == 1:
        clauses.add(*literals)
    counted_from = lower if lower > 1 else 0
    if counter_size(count, lower, upper):
        _count(clauses, literals, counted_from, upper)
        return
    for some in combinations(literals, count - counted_from + 1) if counted_from else ():
        clauses.add(*some)
    for some in combinations(literals, upper + 1):
        clauses.add(*(-literal for literal in some))


def counter_size(count: int, lower: int, upper: int) -> int:
    """Return an upper bound on the auxiliary variables of `add_bound` for `count` literals.

    The bound is 0 if `add_bound` needs no counter.
    """
    if count <= MAX_WITHOUT_COUNTER or lower >= count or (lower <= 1 and upper >= count):
        return 0
    return (count - 1) * _height(count, lower, upper)


def _height(count: int, lower: int, upper: int) -> int:
    """Return the number up to which true literals are counted."""
    return max(lower if lower > 1 else 0, upper if upper < count else 0)


def _count(clauses: Clauses, literals: Sequence[int], lower: int, upper: int) -> None:
    """Require the bounds by counting all literals but the last.

    `reached[j]` is true exactly when more than j of the literals so far are true.
    """
    height = _height(len(literals), lower, upper)
    reached = [literals[0]]
    for literal in literals[1:-1]:
        if len(reached) >= upper:
            clauses.add(-literal, -reached[upper - 1])
        reached = [
            _reached(clauses, literal, reached, j) for j in range(min(len(reached) + 1, height))
        ]
    last = literals[-1]
    if len(reached) >= upper:
        clauses.add(-last, -reached[upper - 1])
    if lower:
        # If the last literal is false, `lower` other literals must be true, else `lower` - 1.
        before = reached[lower - 1 : lower]
        clauses.add(*before, last)
        clauses.add(*before, reached[lower - 2])


def _reached(clauses: Clauses, literal: int, before: list[int], j: int) -> int:
    """Return a variable that is true exactly if more than j literals up to `literal` are true.

    `before` has the variables for the literals before `literal`.
    """
    now = clauses.new_variable()
    already = before[j : j + 1]
    for earlier in already:
        clauses.add(-earlier, now)
    clauses.add(-now, *already, literal)
    if j == 0:
        clauses.add(-literal, now)
    else:
        clauses.add(-literal, -before[j - 1], now)
        clauses.add(-now, *already, before[j - 1])
    return now
