"""OPB: linear constraints on variables that are 0 or 1, for pseudo-Boolean solvers.

    * #variable= 2 #constraint= 1
    * option 0 is x1: A B X:2
    +1 x1 +1 x2 = 1 ;

Variable x1 is option 0. Variables beyond the options are auxiliary and determined by them: each
is 1 exactly when an option is chosen that gives a certain colour to a certain secondary item.

Source: O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the
Competitions of Pseudo-Boolean Solvers", 2012: `>=` and `=` only, the header first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.constraints import (
    BoundedItem,
    ColouredItem,
    bounded_items,
    coloured_items,
    option_text,
)
from dovetail.puzzles.formats.solver_input.export import SolverInput


class Opb(SolverInput):
    """Linear constraints, one line each."""

    name = "opb"
    title = "OPB"
    summary = "exact cover as OPB, for pseudo-Boolean solvers"
    suffixes = (".opb",)
    begins = r"\*$"  # the header as far as its first #

    def lines(self, problem: CoverProblem) -> list[str]:
        count = problem.option_count
        constraints = _Constraints(count)
        for item in bounded_items(problem):
            constraints.bound(item)
        for coloured in coloured_items(problem):
            constraints.exclude(coloured)
        options = range(count)
        return [
            f"* #variable= {constraints.variable_count} #constraint= {len(constraints.lines)}",
            f"* the first {count} variables are the options; others are determined by them",
            *(f"* option {o} is x{o + 1}: {option_text(problem, o)}" for o in options),
            *constraints.lines,
        ]


class _Constraints:
    """The constraints so far, and how many variables they have."""

    def __init__(self, option_count: int) -> None:
        self.variable_count = option_count
        self.lines: list[str] = []

    def bound(self, item: BoundedItem) -> None:
        variables = [option + 1 for option in item.options]
        if item.is_impossible:
            # A sum of nothing cannot be written; one variable never is 2.
            self.variable_count = max(self.variable_count, 1)
            self._add(_terms([1]), ">= 2")
        elif item.lower == item.upper:
            self._add(_terms(variables), f"= {item.lower}")
        else:
            if item.lower > 0:
                self._add(_terms(variables), f">= {item.lower}")
            if item.upper < len(variables):
                self._add(_terms(variables, -1), f">= {-item.upper}")

    def exclude(self, item: ColouredItem) -> None:
        used = [self._used(options) for options in item.classes]
        self._add(_terms(used, -1), ">= -1")

    def _used(self, options: list[int]) -> int:
        """Return a variable that is 1 exactly when one of `options` is chosen."""
        variables = [option + 1 for option in options]
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
