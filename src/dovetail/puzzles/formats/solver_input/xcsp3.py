"""XCSP3: constraints as XML, for constraint solvers.

    <instance format="XCSP3" type="CSP">
    <!-- option 0 is x[0]: A B X:2 -->
    <variables>
    <array id="x" size="[2]"> 0 1 </array>
    </variables>
    <constraints>
    <sum note="A"> <list> x[0] x[1] </list> <condition> (eq,1) </condition> </sum>
    </constraints>
    </instance>

Variable x[o] is 1 if option o is chosen. Variables y[0], y[1], … are determined by these: each is
1 exactly when an option is chosen that gives a certain colour to a certain secondary item, or, in
models of boards, to a certain edge. A clause is a sum, in which negated variables count −1.

Source: F. Boussemart, C. Lecoutre, G. Audemard and C. Piette, "XCSP3-core: A Format for
Representing Constraint Satisfaction/Optimization Problems", 2020: constraints sum and maximum.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from dovetail.errors import PuzzleError
from dovetail.models.boolean_model import BooleanModel, Bound, Exclusion
from dovetail.models.clauses import Clause
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.export import SolverInput, option_text


class Xcsp3(SolverInput):
    """Sums over the options, and maxima for the colours."""

    name = "xcsp3"
    title = "XCSP3"
    summary = "exact cover as XCSP3, for constraint solvers"
    suffixes = (".xml",)
    begins = r"<instance\b"

    def lines(self, problem: CoverProblem, model: BooleanModel) -> list[str]:
        count = model.option_count
        if count == 0:
            raise PuzzleError(f"XCSP3 has no empty arrays; {problem.name} has no options")
        constraints = _Constraints(count, len(model.edge_colours))
        for bound in model.bounds:
            constraints.bound(bound)
        for exclusion in model.exclusions:
            constraints.exclude(exclusion)
        for clause in model.clauses:
            constraints.clause(clause)
        return [
            '<instance format="XCSP3" type="CSP">',
            *(_comment(f"option {o} is x[{o}]: {option_text(problem, o)}") for o in range(count)),
            *(
                _comment(f"edge colour {text} is y[{n}]")
                for n, text in enumerate(model.edge_colours)
            ),
            "<variables>",
            f'<array id="x" size="[{count}]"> 0 1 </array>',
            *(
                [f'<array id="y" size="[{constraints.colour_count}]"> 0 1 </array>']
                if constraints.colour_count
                else []
            ),
            "</variables>",
            "<constraints>",
            *constraints.lines,
            "</constraints>",
            "</instance>",
        ]


class _Constraints:
    """The constraints so far, and how many variables `y` they have."""

    def __init__(self, option_count: int, colour_count: int) -> None:
        self._option_count = option_count
        self.colour_count = colour_count
        self.lines: list[str] = []

    def bound(self, item: Bound) -> None:
        variables = self._names(item.variables)
        if item.is_impossible:
            # A sum of nothing cannot be written; one variable never is 2.
            self._add("sum", item.name, ["x[0]"], "eq,2")
        elif item.lower == item.upper:
            self._add("sum", item.name, variables, f"eq,{item.lower}")
        else:
            if item.lower > 0:
                self._add("sum", item.name, variables, f"ge,{item.lower}")
            if item.upper < len(variables):
                self._add("sum", item.name, variables, f"le,{item.upper}")

    def exclude(self, item: Exclusion) -> None:
        used = [self._used(item.name, self._names(variables)) for variables in item.classes]
        self._add("sum", item.name, used, "le,1")

    def clause(self, clause: Clause) -> None:
        names = " ".join(self._names(map(abs, clause)))
        factors = " ".join("1" if literal > 0 else "-1" for literal in clause)
        lower = 1 - sum(literal < 0 for literal in clause)
        self.lines.append(
            f"<sum> <list> {names} </list> <coeffs> {factors} </coeffs> "
            f"<condition> (ge,{lower}) </condition> </sum>"
        )

    def _names(self, variables: Iterable[int]) -> list[str]:
        count = self._option_count
        return [f"x[{v - 1}]" if v <= count else f"y[{v - 1 - count}]" for v in variables]

    def _used(self, name: str, variables: list[str]) -> str:
        """Return a variable that is 1 exactly when one of `variables` is."""
        if len(variables) == 1:
            return variables[0]
        used = f"y[{self.colour_count}]"
        self.colour_count += 1
        self._add("maximum", name, variables, f"eq,{used}")
        return used

    def _add(self, constraint: str, name: str, variables: Iterable[str], condition: str) -> None:
        self.lines.append(
            f"<{constraint} note={quoteattr(name)}> <list> {' '.join(variables)} </list> "
            f"<condition> ({condition}) </condition> </{constraint}>"
        )


def _comment(text: str) -> str:
    """An XML comment, in which two hyphens may not meet."""
    return f"<!-- {text.replace('--', '- -').replace('--', '- -')} -->"
