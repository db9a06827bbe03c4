"""Constraint models: variables with finite domains, and the constraints that solvers post.

Variables are numbered from 1, so that a literal is a signed variable as in DIMACS: −3 is "variable
3 is false". A boolean variable has the domain 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

Literals = tuple[int, ...]


class Clauses:
    """A growing set of clauses and the number of their variables."""

    def __init__(self, variable_count: int, clauses: Iterable[Literals] = ()) -> None:
        self.variable_count = variable_count
        self.clauses = list(clauses)

    def add(self, *literals: int) -> None:
        """Add a clause: some literal in `literals` is true."""
        self.clauses.append(literals)

    def new_variable(self) -> int:
        """Return a new variable, which is in no clause yet."""
        self.variable_count += 1
        return self.variable_count

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly if some literal in `literals` is true."""
        if len(literals) == 1:
            return literals[0]
        variable = self.new_variable()
        for literal in literals:
            self.add(-literal, variable)
        self.add(-variable, *literals)
        return variable

    def contradict(self) -> None:
        """Make the set unsatisfiable without the empty clause, which some programs cannot read."""
        never = self.new_variable()
        self.add(never)
        self.add(-never)


BOOLEAN = range(2)
BranchingKind = Literal["auto", "items", "cells", "pieces", "options", "all"]


@dataclass(frozen=True)
class Bound:
    """At least `lower` and at most `upper` of the boolean variables are true.

    Both bounds are between 0 and the number of variables, except for a `lower` that cannot be met.
    """

    name: str
    """Printable name of the item or edge that is bounded."""
    variables: Sequence[int]
    lower: int
    upper: int

    @property
    def is_impossible(self) -> bool:
        """True if no assignment satisfies the bounds."""
        return self.lower > len(self.variables)


@dataclass(frozen=True)
class Exclusion:
    """All true boolean variables belong to the same class."""

    name: str
    """Printable name of the item."""
    classes: Sequence[Sequence[int]]
    """Variables of each class: the options that give the item the same colour, or a single option
    that leaves it uncoloured."""


@dataclass(frozen=True)
class Clause:
    """At least one literal is true."""

    literals: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TableConstraint:
    """The values of the variables are a row of the table, shape (rows, variables)."""

    variables: Sequence[int]
    rows: NDArray[np.int64]
    known: bool = False
    """True to filter less, if the solver can. With Choco, such a table filters only once one of its
    2 variables has its value (forward checking). With CP-SAT, the table becomes implications from
    the values of the first variable, by which the rows are sorted."""


@dataclass(frozen=True)
class Regular:
    """An automaton accepts the values of the boolean variables, in their order.

    State 0 is the initial state. Transitions are (state, value, next state).
    """

    variables: Sequence[int]
    transitions: Sequence[tuple[int, int, int]]
    final: Sequence[int]


@dataclass(frozen=True)
class IntegerRegular(Regular):
    """`Regular` with integer variables, for which CP-SAT enumerates solutions several times."""


@dataclass(frozen=True, eq=False)
class Pair:
    """The values of two variables are compatible: `allowed` is True at this pair of values."""

    first: int
    second: int
    allowed: NDArray[np.bool_]


@dataclass(frozen=True)
class ElementConstraint:
    """The variable `result` has the value `values[i]`, where i is the value of variable `index`."""

    index: int
    values: Sequence[int]
    result: int


@dataclass(frozen=True)
class AllDifferent:
    """No two variables have the same value."""

    variables: Sequence[int]


@dataclass(frozen=True)
class Cardinality:
    """Value v is taken by exactly `counts[v]` of the variables, for v from 0."""

    variables: Sequence[int]
    counts: Sequence[int]


@dataclass(frozen=True)
class Channel:
    """`booleans[i]` is true exactly if the variable has the value with index i in its domain."""

    variable: int
    booleans: Sequence[int]


@dataclass(frozen=True)
class Linear:
    """The sum of all variables, each times its factor, is at most `most`."""

    variables: Sequence[int]
    factors: Sequence[int]
    most: int


@dataclass(frozen=True)
class NoOverlap:
    """Boxes are disjoint; their lower left corners (x, y), widths and heights are variables.

    `cumulative` adds the redundant constraint that the boxes over each column fit into `height` and
    the boxes over each row into `width`.
    """

    x: Sequence[int]
    y: Sequence[int]
    widths: Sequence[int]
    heights: Sequence[int]
    width: int
    height: int
    cumulative: bool


Constraint = (
    Bound
    | Exclusion
    | Clause
    | TableConstraint
    | Regular
    | IntegerRegular
    | Pair
    | ElementConstraint
    | AllDifferent
    | Cardinality
    | Channel
    | Linear
    | NoOverlap
)


class OptionKey(NamedTuple):
    """Variables whose values identify an option of a solution.

    If `value` is None, the keys of `options` are the values of the variables. Otherwise a key has 1
    for each variable whose value is `value`, and 0 for each other variable.
    """

    variables: Sequence[int]
    options: Mapping[tuple[int, ...], int]
    value: int | None = None

    @classmethod
    def by_number(cls, variable: int, options: Sequence[int]) -> OptionKey:
        """Return the key of a variable whose value is the index of the option in `options`."""
        return cls([variable], {(number,): option for number, option in enumerate(options)})

    def option(self, values: Sequence[int]) -> int:
        """Return the option for the values of all variables of the model."""
        its_values = [values[variable - 1] for variable in self.variables]
        if self.value is None:
            return self.options[tuple(its_values)]
        return self.options[tuple([value == self.value for value in its_values])]


CONSTRAINTS = frozenset[type[Constraint]](get_args(Constraint))
ConstraintT = TypeVar("ConstraintT", bound=Constraint)


@dataclass(eq=False)
class ConstraintModel:
    """Variables and constraints of a puzzle.

    The variables that identify a solution determine all other variables. So a solver that
    enumerates the assignments finds each solution once.
    """

    domains: list[Sequence[int]] = field(default_factory=list)
    """Values of each variable, ascending."""
    names: list[str] = field(default_factory=list)
    """Meaning of each variable."""
    constraints: list[Constraint] = field(default_factory=list)
    decisions: dict[str, list[int]] = field(default_factory=dict)
    """Variables to branch on, by kind: items, cells, pieces or options. The variables of each kind
    identify a solution; in a model of boxes, the kinds x, y and width do so only together."""
    usual: tuple[str, ...] = ("cells",)
    """Kinds to branch on by default."""
    in_phases: bool = False
    """True for a model of boxes: the kinds of `usual` are branched on one after another, each
    beginning with the variable that has the smallest value."""
    keys: list[OptionKey] = field(default_factory=list)
    """Keys of a solution's options, maybe repeated; empty if the first variables are options."""

    @property
    def variable_count(self) -> int:
        return len(self.domains)

    @property
    def is_impossible(self) -> bool:
        """True if a variable has no value."""
        return not all(map(len, self.domains))

    def variable(self, domain: Sequence[int], name: str) -> int:
        """Add a variable and return its number."""
        self.domains.append(domain)
        self.names.append(name)
        return len(self.domains)

    def booleans(self, names: Iterable[str]) -> list[int]:
        """Add boolean variables and return their numbers."""
        return [self.variable(BOOLEAN, name) for name in names]

    def channel(self, booleans: Sequence[int], domain: Sequence[int], name: str) -> int:
        """Add a variable, channelled to a boolean for each value; return its number."""
        variable = self.variable(domain, name)
        self.constraints.append(Channel(variable, booleans))
        return variable

    def bound(self, name: str, variables: Sequence[int], lower: int, upper: int) -> None:
        """Require that `lower` to `upper` of the variables are true, if this can be violated."""
        if lower > 0 or upper < len(variables):
            self.constraints.append(Bound(name, variables, lower, min(upper, len(variables))))

    def phases(self, on: str) -> list[list[int]]:
        """Return lists of variables to branch on, one list after another.

        `on` is a kind of variables, `all`, or `auto` for `usual`. A kind that the model lacks is
        replaced by `auto`. There is a single list unless `in_phases`.
        """
        kinds = self.usual if on not in (*self.decisions, "all") else (on,)
        lists = [self.decisions[kind] for kind in (self.decisions if kinds == ("all",) else kinds)]
        return lists if self.in_phases else [[variable for phase in lists for variable in phase]]

    def options(self, values: Sequence[int]) -> list[int]:
        """Return the options of a solution; `values` has the value of each variable, in order.

        An option may be repeated.
        """
        if not self.keys:
            return list(compress(range(self.option_count), values))
        return [key.option(values) for key in self.keys]

    @property
    def option_count(self) -> int:
        """Number of boolean variables for options; these variables come first."""
        return len(self.decisions.get("options", ()))

    def of_type(self, kind: type[ConstraintT]) -> list[ConstraintT]:
        """Return the constraints of a type."""
        return [constraint for constraint in self.constraints if isinstance(constraint, kind)]

    def clauses_and_bounds(self) -> tuple[Clauses, list[Bound]]:
        """Return a model of booleans without exclusions, for solvers of clauses and bounds only.

        Each class of several variables gets a further variable, which is true exactly if a variable
        of the class is true.
        """
        clauses = Clauses(self.variable_count, (each.literals for each in self.of_type(Clause)))
        bounds = self.of_type(Bound)
        for exclusion in self.of_type(Exclusion):
            shown = list(map(clauses.any_of, exclusion.classes))
            bounds.append(Bound(exclusion.name, shown, 0, 1))
        return clauses, bounds
