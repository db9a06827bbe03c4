"""MiniZinc: a model with an array `x` of truth values, one for each option.

    % option 0 is x[0]: A B X:2
    array[0..1] of var bool: x;
    constraint sum([x[0], x[1]]) = 1; % A
    solve satisfy;

There are no other variables, so that solvers list each solution once. The output is the array as
zeros and ones, a few to a line.

Source: the MiniZinc Handbook, "Specification of MiniZinc", versions 2.5 and later.
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

    def lines(self, problem: CoverProblem) -> list[str]:
        count = problem.option_count
        return [
            f"% exact cover with {count} options",
            *(f"% option {o} is x[{o}]: {option_text(problem, o)}" for o in range(count)),
            f"array[0..{count - 1}] of var bool: x;",
            *(line for item in bounded_items(problem) for line in _bound(item)),
            *(_exclude(item) for item in coloured_items(problem)),
            "solve satisfy;",
            _OUTPUT if count else r'output ["x = [];\n"];',
        ]


def _bound(item: BoundedItem) -> Iterator[str]:
    total = f"sum([{_variables(item.options)}])"
    if item.is_impossible:
        yield f"constraint false; % {item.name}"
    elif item.lower == item.upper:
        yield f"constraint {total} = {item.lower}; % {item.name}"
    else:
        if item.lower > 0:
            yield f"constraint {total} >= {item.lower}; % {item.name}"
        if item.upper < len(item.options):
            yield f"constraint {total} <= {item.upper}; % {item.name}"


def _exclude(item: ColouredItem) -> str:
    used = (
        f"x[{options[0]}]" if len(options) == 1 else f"exists([{_variables(options)}])"
        for options in item.classes
    )
    return f"constraint sum([{', '.join(used)}]) <= 1; % {item.name}"


def _variables(options: Iterable[int]) -> str:
    return ", ".join(f"x[{option}]" for option in options)
