"""MiniZinc: a model with an array `x` of truth values, one for each option.

    % option 0 is x[0]: A B X:2
    array[0..1] of var bool: x;
    constraint sum([x[0], x[1]]) = 1; % A
    solve satisfy;

There are no other variables, except that models of boards have an array `y` for the colours of
edges, determined by `x`: solvers list each solution once. The output is `x` as zeros and ones, a
few to a line.

Source: the MiniZinc Handbook, "Specification of MiniZinc", versions 2.5 and later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dovetail.models.boolean_model import BooleanModel, Bound, Exclusion
from dovetail.models.clauses import Clause
from dovetail.models.cover import CoverProblem
from dovetail.puzzles.formats.solver_input.export import SolverInput, option_text

_OUTPUT = r"""output ["x = ["] ++ [
  show(bool2int(fix(x[o]))) ++
  if o == max(index_set(x)) then "" elseif o mod 40 == 39 then ",\n" else ", " endif
  | o in index_set(x)
] ++ ["];\n"];"""


class MiniZinc(SolverInput):
    """A model that lists all solutions with `minizinc --all-solutions`."""

    name = "minizinc"
    title = "MiniZinc"
    summary = "exact cover as a MiniZinc model"
    suffixes = (".mzn",)
    begins = r"%|(array|constraint|include|int|par|solve|var)\b"

    def lines(self, problem: CoverProblem, model: BooleanModel) -> list[str]:
        count = model.option_count
        names = [f"x[{o}]" for o in range(count)]
        names += [f"y[{colour}]" for colour in range(len(model.edge_colours))]
        constraints = _Constraints(names)
        return [
            f"% {'edge matching' if model.edge_colours else 'exact cover'} with {count} options",
            *(f"% option {o} is x[{o}]: {option_text(problem, o)}" for o in range(count)),
            f"array[0..{count - 1}] of var bool: x;",
            *_edge_colours(model.edge_colours),
            *(line for bound in model.bounds for line in constraints.bound(bound)),
            *map(constraints.exclude, model.exclusions),
            *map(constraints.clause, model.clauses),
            "solve satisfy;",
            _OUTPUT if count else r'output ["x = [];\n"];',
        ]


class _Constraints:
    """Constraints in the names of the variables."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def bound(self, item: Bound) -> Iterator[str]:
        total = f"sum([{self._listed(item.variables)}])"
        if item.is_impossible:
            yield f"constraint false; % {item.name}"
        elif item.lower == item.upper:
            yield f"constraint {total} = {item.lower}; % {item.name}"
        else:
            if item.lower > 0:
                yield f"constraint {total} >= {item.lower}; % {item.name}"
            if item.upper < len(item.variables):
                yield f"constraint {total} <= {item.upper}; % {item.name}"

    def exclude(self, item: Exclusion) -> str:
        used = (
            self._listed(variables)
            if len(variables) == 1
            else f"exists([{self._listed(variables)}])"
            for variables in item.classes
        )
        return f"constraint sum([{', '.join(used)}]) <= 1; % {item.name}"

    def clause(self, clause: Clause) -> str:
        true = self._listed(literal for literal in clause if literal > 0)
        false = self._listed(-literal for literal in clause if literal < 0)
        return f"constraint clause([{true}], [{false}]);"

    def _listed(self, variables: Iterable[int]) -> str:
        return ", ".join(self._names[variable - 1] for variable in variables)


def _edge_colours(texts: list[str]) -> Iterator[str]:
    """The array of colours of edges, if there are any."""
    if texts:
        yield from (f"% edge colour {text} is y[{n}]" for n, text in enumerate(texts))
        yield f"array[0..{len(texts) - 1}] of var bool: y;"
