"""OPB: linear constraints on variables that are 0 or 1, for pseudo-Boolean solvers.

    * #variable= 2 #constraint= 1
    * option 0 is x1: A B X:2
    +1 x1 +1 x2 = 1 ;

Variable x1 is option 0. Variables beyond the options are auxiliary and determined by them: each
is 1 exactly when an option is chosen that gives a certain colour to a certain secondary item, or,
in models of boards, to a certain edge.

Source: O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the
Competitions of Pseudo-Boolean Solvers", 2012: `>=` and `=` only, the header first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.models.boolean_model import BooleanModel, Bound, Exclusion
from dovetail.models.clauses import Clause
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.export import SolverInput, option_text


class Opb(SolverInput):
    """Linear constraints, one line each."""

    name = "opb"
    title = "OPB"
    summary = "exact cover as OPB, for pseudo-Boolean solvers"
    suffixes = (".opb",)
    begins = r"\*$"  # the header as far as its first #

    def lines(self, problem: CoverProblem, model: BooleanModel) -> list[str]:
        count = model.option_count
        constraints = _Constraints(model.variable_count)
        for bound in model.bounds:
            constraints.bound(bound)
        for exclusion in model.exclusions:
            constraints.exclude(exclusion)
        for clause in model.clauses:
            constraints.clause(clause)
        return [
            f"* #variable= {constraints.variable_count} #constraint= {len(constraints.lines)}",
            f"* the first {count} variables are the options; others are determined by them",
            *(f"* option {o} is x{o + 1}: {option_text(problem, o)}" for o in range(count)),
            *(
                f"* edge colour {text} is x{variable}"
                for variable, text in enumerate(model.edge_colours, start=count + 1)
            ),
            *constraints.lines,
        ]


class _Constraints:
    """The constraints so far, and how many variables they have."""

    def __init__(self, variable_count: int) -> None:
        self.variable_count = variable_count
        self.lines: list[str] = []

    def bound(self, item: Bound) -> None:
        if item.is_impossible:
            # A sum of nothing cannot be written; one variable never is 2.
            self.variable_count = max(self.variable_count, 1)
            self._add(_terms([1]), ">= 2")
        elif item.lower == item.upper:
            self._add(_terms(item.variables), f"= {item.lower}")
        else:
            if item.lower > 0:
                self._add(_terms(item.variables), f">= {item.lower}")
            if item.upper < len(item.variables):
                self._add(_terms(item.variables, -1), f">= {-item.upper}")

    def exclude(self, item: Exclusion) -> None:
        used = [self._used(variables) for variables in item.classes]
        self._add(_terms(used, -1), ">= -1")

    def clause(self, clause: Clause) -> None:
        terms = (f"{'+' if literal > 0 else '-'}1 x{abs(literal)}" for literal in clause)
        self._add(terms, f">= {1 - sum(literal < 0 for literal in clause)}")

    def _used(self, variables: list[int]) -> int:
        """Return a variable that is 1 exactly when one of `variables` is."""
        if len(variables) == 1:
            return variables[0]
        self.variable_count += 1
        used = self.variable_count
        self._add([*_terms(variables), f"-1 x{used}"], ">= 0")
        self._add([*_terms(variables, -1), f"+{len(variables)} x{used}"], ">= 0")
        return used

    def _add(self, terms: Iterable[str], relation: str) -> None:
        self.lines.append(" ".join([*terms, relation, ";"]))


def _terms(variables: Iterable[int], factor: int = 1) -> Iterator[str]:
    return (f"{factor:+} x{variable}" for variable in variables)
