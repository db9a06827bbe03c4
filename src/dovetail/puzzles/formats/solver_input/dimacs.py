"""DIMACS CNF: clauses for SAT solvers and model counters.

    c t pmc
    c option 0 is variable 1: A B X:2
    p cnf 3 4
    c p show 1 2 0
    1 2 0

Variable v is option v - 1. Variables beyond the options are auxiliary and determined by them, so
that the models are the solutions with projection and without. A primary item is a clause for its
lower bound 1 and pairs or a counter for the rest, see `counting`. The classes of a secondary item
exclude one another pairwise where that takes few clauses; otherwise each colour has a variable.
The models of boards have variables for the colours of edges after those of the options.

Source: "DIMACS Challenge: Satisfiability, suggested format", 1993; J. K. Fichte, M. Hecher and
F. Hamiti, "The Model Counting Competition 2020", JEA 2021, and the competition's description of
its format since 2021 (`c t`, `c p show`).
"""

from __future__ import annotations

from itertools import combinations, product

from dovetail.errors import PuzzleError
from dovetail.models.boolean_model import BooleanModel, Exclusion
from dovetail.models.clauses import Clauses
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.counting import bound, counter_size
from dovetail.puzzles.formats.solver_input.export import SolverInput, option_text

MAX_COUNTERS = 2_000_000  # auxiliary variables
MAX_PAIRS = 15  # of options of different classes, without a variable for each colour


class Dimacs(SolverInput):
    """Clauses, with the options as projection."""

    name = "dimacs"
    title = "DIMACS CNF"
    summary = "exact cover as DIMACS CNF, for SAT solvers and model counters"
    suffixes = (".cnf",)
    begins = r"p cnf\b|c t p?w?mc\b"

    def lines(self, problem: CoverProblem, model: BooleanModel) -> list[str]:
        count = model.option_count
        clauses = model_clauses(model)
        return [
            "c t pmc",
            f"c variables 1 to {count} are the options; others are determined by them",
            *(f"c option {o} is variable {o + 1}: {option_text(problem, o)}" for o in range(count)),
            *(
                f"c edge colour {text} is variable {variable}"
                for variable, text in enumerate(model.edge_colours, start=count + 1)
            ),
            f"p cnf {clauses.variable_count} {len(clauses.clauses)}",
            " ".join(["c p show", *(str(o + 1) for o in range(count)), "0"]),
            *(" ".join(map(str, clause)) + " 0" for clause in clauses.clauses),
        ]


def model_clauses(model: BooleanModel) -> Clauses:
    """Return the model as clauses; raises `PuzzleError` for bounds that need too many."""
    clauses = Clauses(model.variable_count, model.clauses)
    counters = 0
    for item in model.bounds:
        counters += counter_size(len(item.variables), item.lower, item.upper)
        if counters > MAX_COUNTERS:
            raise PuzzleError(
                f"CNF would need more than {MAX_COUNTERS:,} auxiliary variables to count the "
                f"options of item {item.name} and those before it; OPB, MiniZinc and XCSP3 "
                "express bounds without them"
            )
        bound(clauses, item.variables, item.lower, item.upper)
    for exclusion in model.exclusions:
        _exclude(clauses, exclusion)
    return clauses


def _exclude(clauses: Clauses, item: Exclusion) -> None:
    """Require that variables of at most one class are true."""
    sizes = [len(one) for one in item.classes]
    pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    if pairs > MAX_PAIRS:
        bound(clauses, [clauses.any_of(one) for one in item.classes], 0, 1)
        return
    for first, second in combinations(item.classes, 2):
        for one, other in product(first, second):
            clauses.add(-one, -other)
