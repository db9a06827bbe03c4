"""Puzzles as MiniZinc models, in any formulation.

| variables | names |
|---|---|
| options | x[0], x[1], … |
| other booleans | y[0], y[1], … |
| integers | z0, z1, … |

Source: The MiniZinc Handbook, "Specification of MiniZinc", versions 2.5 and later. Each global
constraint has its own `include`, since some installations of Gecode reject `globals.mzn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from dovetail.models.formulations.model import (
    CONSTRAINTS,
    AllDifferent,
    Cardinality,
    Channel,
    Constraint,
    ElementConstraint,
    Linear,
    NoOverlap,
    OptionKey,
    Pair,
    Regular,
    TableConstraint,
)
from dovetail.models.formulations.registry import Supported
from dovetail.puzzles.formats.solver_files.solver_input import Literals, SolverInput, SumSyntax

PER_LINE = 40  # maximum number of digits in a line of output


@dataclass(eq=False)
class MiniZincSyntax(SumSyntax):
    """A model as a MiniZinc file; `minizinc --all-solutions` prints all of its solutions.

    The output is the array `x` of digits 0 and 1, at most `PER_LINE` in a line.
    """

    comment = "% {}"

    globals: set[str] = field(default_factory=set)

    def option_name(self, option: int) -> str:
        """Return the name of an option's variable, or of its digit in the output."""
        return f"x[{option}]"

    def sum(self, item: str, terms: list[str], relation: str, number: int, /) -> None:
        self._add(f"sum([{', '.join(terms)}]) {relation} {number}", item)

    def contradict(self, item: str, /) -> None:
        self._add("false", item)

    def any_of(self, _item: str, terms: list[str], /) -> str:
        return f"exists([{', '.join(terms)}])"

    def clause(self, clause: Literals) -> None:
        true = ", ".join(self.name(literal) for literal in clause if literal > 0)
        false = ", ".join(self.name(-literal) for literal in clause if literal < 0)
        self._add(f"clause([{true}], [{false}])")

    def post(self, constraint: Constraint) -> None:
        match constraint:
            case Channel(variable, booleans):
                for value, boolean in enumerate(booleans):
                    self._add(f"{self.name(boolean)} <-> {self.name(variable)} = {value}")
            case TableConstraint((first, second), rows, known=True):
                for value, its_rows in groupby(rows.tolist(), key=itemgetter(0)):
                    others = [other for _, other in its_rows]
                    allowed = f"= {others[0]}" if len(others) == 1 else f"in {set(others)}"
                    self._add(f"{self.name(first)} = {value} -> {self.name(second)} {allowed}")
            case TableConstraint(variables, rows):
                values = ", ".join(map(str, rows.ravel().tolist()))
                height, width = rows.shape
                table = f"array2d(1..{height}, 1..{width}, [{values}])"
                self._global("table", f"table({self._list(variables)}, {table})")
            case Regular():
                self._regular(constraint)
            case ElementConstraint(index, values, result):
                listed = ", ".join(map(str, values))
                self._add(f"[{listed}][{self.name(index)} + 1] = {self._number(result)}")
            case AllDifferent(variables):
                self._global("all_different", f"all_different({self._list(variables)})")
            case Cardinality(variables, counts):
                values = ", ".join(map(str, range(len(counts))))
                listed = ", ".join(map(str, counts))
                arguments = f"{self._list(variables)}, [{values}], [{listed}]"
                self._global("global_cardinality", f"global_cardinality({arguments})")
            case Linear(variables, factors, most):
                terms = [
                    f"{factor} * {self._number(variable)}"
                    for variable, factor in zip(variables, factors, strict=True)
                ]
                self._add(f"{' + '.join(terms)} <= {most}")
            case NoOverlap():
                self._no_overlap(constraint)
            case _:
                super().post(constraint)

    def _no_overlap(self, constraint: NoOverlap) -> None:
        x, y = self._list(constraint.x), self._list(constraint.y)
        widths, heights = self._list(constraint.widths), self._list(constraint.heights)
        self._global("diffn", f"diffn({x}, {y}, {widths}, {heights})")
        if constraint.cumulative:
            self._global("cumulative", f"cumulative({x}, {widths}, {heights}, {constraint.height})")
            self._global("cumulative", f"cumulative({y}, {heights}, {widths}, {constraint.width})")

    def _regular(self, regular: Regular) -> None:
        """Add an automaton, whose states and values are numbered from 1; 0 is failure."""
        states = 1 + max(max(state, following) for state, _, following in regular.transitions)
        symbols = 1 + max(value for _, value, _ in regular.transitions)
        table = [[0] * symbols for _ in range(states)]
        for state, value, following in regular.transitions:
            table[state][value] = following + 1
        values = ", ".join(str(number) for row in table for number in row)
        names = ", ".join(f"{self._number(variable)} + 1" for variable in regular.variables)
        final = ", ".join(str(state + 1) for state in regular.final)
        self._global(
            "regular",
            f"regular([{names}], {states}, {symbols}, "
            f"array2d(1..{states}, 1..{symbols}, [{values}]), 1, {{{final}}})",
        )

    def _global(self, name: str, constraint: str) -> None:
        self.globals.add(name)
        self._add(constraint)

    def _add(self, constraint: str, item: str = "") -> None:
        self.constraints.append(f"constraint {constraint};{f' % {item}' if item else ''}")

    def _number(self, variable: int) -> str:
        """Return an expression for the integer value of a variable."""
        name = self.name(variable)
        return name if name.startswith("z") else f"bool2int({name})"

    def _list(self, variables: Sequence[int]) -> str:
        return f"[{', '.join(map(self._number, variables))}]"

    @property
    def lines(self) -> list[str]:
        count, chosen = self.problem.option_count, self.model.option_count
        booleans = self.model.variable_count - chosen - len(self.integers)
        return [
            f"% exact cover with {count} options",
            *(f'include "{name}.mzn";' for name in sorted(self.globals)),
            *self.options(),
            *([f"array[0..{chosen - 1}] of var bool: x;"] if chosen else []),
            *self.further_variables(),
            *([f"array[0..{booleans - 1}] of var bool: y;"] if booleans else []),
            *(
                f"var {self._domain(variable)}: {self.name(variable)};"
                for variable in self.integers
            ),
            *self.constraints,
            self._solve(),
            *self._output(),
        ]

    def _solve(self) -> str:
        """Return the solve item; a search annotation tries the lowest values first."""
        if self.search is None:
            return "solve satisfy;"
        on, rule = self.search
        searches = [
            f"int_search({self._list(phase)}, {rule}, indomain_min)"
            for phase in self.model.phases(on)
        ]
        return f"solve :: seq_search([{', '.join(searches)}]) satisfy;"

    def _domain(self, variable: int) -> str:
        domain = self.model.domains[variable - 1]
        if isinstance(domain, range) and domain:
            return f"{domain[0]}..{domain[-1]}"
        return f"{{{', '.join(map(str, domain))}}}"

    def _output(self) -> list[str]:
        """Return the lines of the output item, which prints a digit for each option."""
        count = self.problem.option_count
        digits = [f"fix(x[{option}])" for option in range(count)]
        if self.model.keys:
            conditions: dict[int, list[str]] = {}
            for key in self.model.keys:
                for values, option in key.options.items():
                    conditions.setdefault(option, []).append(self._condition(key, values))
            digits = [
                f"exists([{', '.join(conditions.get(option, ['false']))}])"
                for option in range(count)
            ]
        shown = [f"show(bool2int({digit}))" for digit in digits]
        lines = [", ".join(shown[at : at + PER_LINE]) for at in range(0, count, PER_LINE)]
        text = ', ",\\n",\n'.join(f'join(", ", [{line}])' for line in lines)
        return [f'output ["x = [", {text}, "];\\n"];' if count else 'output ["x = [];\\n"];']

    def _condition(self, key: OptionKey, values: tuple[int, ...]) -> str:
        """Return the condition that a solution has the option with `values` in `key.options`."""
        pairs = zip(map(self.name, key.variables), values, strict=True)
        if key.value is None:
            parts = [f"fix({name}) = {value}" for name, value in pairs]
        else:
            parts = [f"fix({name}) = {key.value}" for name, value in pairs if value]
        return f"forall([{', '.join(parts)}])"


class MiniZinc(SolverInput):
    """MiniZinc: a model that prints an array `x` of digits, indexed by option."""

    name = "minizinc"
    title = "MiniZinc"
    summary = "exact cover as a MiniZinc model"
    suffixes = (".mzn",)
    begins = r"%|(array|constraint|include|int|par|solve|var)\b"
    syntax = MiniZincSyntax
    formulations = Supported(
        *(CONSTRAINTS - {Pair}),
        defaults={
            "packing": ["regular-cells", "cover"],
            "board": ["cover"],
            "cover": ["cover"],
        },
    )
