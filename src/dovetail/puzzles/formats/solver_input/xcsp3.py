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
1 exactly when an option is chosen that gives a certain colour to a certain secondary item.

Source: F. Boussemart, C. Lecoutre, G. Audemard and C. Piette, "XCSP3-core: A Format for
Representing Constraint Satisfaction/Optimization Problems", 2020: constraints sum and maximum.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.constraints import (
    BoundedItem,
    ColouredItem,
    bounded_items,
    coloured_items,
    option_text,
)
from dovetail.puzzles.formats.solver_input.export import SolverInput


class Xcsp3(SolverInput):
    """Sums over the options, and maxima for the colours."""

    name = "xcsp3"
    title = "XCSP3"
    summary = "exact cover as XCSP3, for constraint solvers"
    suffixes = (".xml",)
    begins = r"<instance\b"

    def lines(self, problem: CoverProblem) -> list[str]:
        count = problem.option_count
        if count == 0:
            raise PuzzleError(f"XCSP3 has no empty arrays; {problem.name} has no options")
        constraints = _Constraints()
        for item in bounded_items(problem):
            constraints.bound(item)
        for coloured in coloured_items(problem):
            constraints.exclude(coloured)
        return [
            '<instance format="XCSP3" type="CSP">',
            *(_comment(f"option {o} is x[{o}]: {option_text(problem, o)}") for o in range(count)),
            "<variables>",
            f'<array id="x" size="[{count}]"> 0 1 </array>',
            *(
                [f'<array id="y" size="[{constraints.used_count}]"> 0 1 </array>']
                if constraints.used_count
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

    def __init__(self) -> None:
        self.used_count = 0
        self.lines: list[str] = []

    def bound(self, item: BoundedItem) -> None:
        variables = [f"x[{option}]" for option in item.options]
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

    def exclude(self, item: ColouredItem) -> None:
        used = [self._used(item.name, options) for options in item.classes]
        self._add("sum", item.name, used, "le,1")

    def _used(self, name: str, options: list[int]) -> str:
        """Return a variable that is 1 exactly when one of `options` is chosen."""
        variables = [f"x[{option}]" for option in options]
        if len(variables) == 1:
            return variables[0]
        used = f"y[{self.used_count}]"
        self.used_count += 1
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
