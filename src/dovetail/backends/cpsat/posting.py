"""Constraint models in CP-SAT."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from ortools.sat.python import cp_model

from dovetail.backends.cpsat.backend import Branching
from dovetail.models.formulations.model import (
    BOOLEAN,
    AllDifferent,
    Bound,
    Cardinality,
    Channel,
    Clause,
    ConstraintModel,
    ElementConstraint,
    Exclusion,
    Linear,
    NoOverlap,
    Regular,
    TableConstraint,
)


class CpSatPosting:
    """A constraint model, posted in CP-SAT.

    `variables` are CP-SAT's variables for the variables of the model, in the same order. An
    impossible model has none. The values of additional variables follow from the values of
    `variables`, so that additional variables do not multiply the solutions.
    """

    def __init__(self, source: ConstraintModel) -> None:
        self.model = cp_model.CpModel()
        self._domains = source.domains
        self._literals: dict[tuple[int, int], Any] = {}
        if source.is_impossible:  # no variable may have an empty domain
            self.model.add_bool_or([])
            return
        self.variables = [
            self._variable(domain, name)
            for domain, name in zip(source.domains, source.names, strict=True)
        ]
        for constraint in source.constraints:
            POST[type(constraint)](self, constraint)

    def of(self, variables: Sequence[int]) -> list[Any]:
        """Return CP-SAT's variables for variables of the model, which are numbered from 1."""
        return [self.variables[variable - 1] for variable in variables]

    def _variable(self, domain: Sequence[int], name: str) -> Any:
        if domain == BOOLEAN:
            return self.model.new_bool_var(name)
        if isinstance(domain, range):
            return self.model.new_int_var(domain[0], domain[-1], name)
        return self.model.new_int_var_from_domain(cp_model.Domain.from_values(domain), name)

    def _is(self, variable: int, value: int) -> Any:
        """Return a boolean variable that is true exactly if `variable` has the value."""
        if (variable, value) not in self._literals:
            declared = self.variables[variable - 1]
            literal = self.model.new_bool_var(f"{declared.name} is {value}")
            self._equate(declared, value, literal)
            self._literals[variable, value] = literal
        return self._literals[variable, value]

    def _equate(self, variable: Any, value: int, literal: Any) -> None:
        self.model.add(variable == value).only_enforce_if(literal)
        self.model.add(variable != value).only_enforce_if(~literal)

    def bound(self, bound: Bound) -> None:
        users = self.of(bound.variables)
        if bound.is_impossible:
            self.model.add_bool_or([])
        elif (bound.lower, bound.upper) == (1, 1):
            self.model.add_exactly_one(users)
        elif (bound.lower, bound.upper) == (0, 1):
            self.model.add_at_most_one(users)
        else:
            self.model.add_linear_constraint(sum(users), bound.lower, bound.upper)

    def exclusion(self, exclusion: Exclusion) -> None:
        rivals = []
        for users in map(self.of, exclusion.classes):
            shown = users[0]
            if len(users) > 1:
                shown = self.model.new_bool_var(f"a colour of {exclusion.name}")
                self.model.add_max_equality(shown, users)
            rivals.append(shown)
        self.model.add_at_most_one(rivals)

    def clause(self, clause: Clause) -> None:
        self.model.add_bool_or(
            self.variables[abs(literal) - 1] if literal > 0 else ~self.variables[-literal - 1]
            for literal in clause.literals
        )

    def table(self, table: TableConstraint) -> None:
        rows = table.rows.tolist()
        if not table.known:
            self.model.add_allowed_assignments(self.of(table.variables), rows)
            return
        first, second = table.variables
        for value, its_rows in groupby(rows, key=itemgetter(0)):
            allowed = cp_model.Domain.from_values([other for _, other in its_rows])
            implied = self.model.add_linear_expression_in_domain(
                self.variables[second - 1], allowed
            )
            implied.only_enforce_if(self._is(first, value))

    def regular(self, regular: Regular) -> None:
        variables = self.of(regular.variables)
        self.model.add_automaton(variables, 0, regular.final, regular.transitions)

    def element(self, element: ElementConstraint) -> None:
        index, result = self.of([element.index, element.result])
        self.model.add_element(index, list(element.values), result)

    def all_different(self, constraint: AllDifferent) -> None:
        self.model.add_all_different(self.of(constraint.variables))

    def cardinality(self, constraint: Cardinality) -> None:
        for value, count in enumerate(constraint.counts):
            its = [v for v in constraint.variables if value in self._domains[v - 1]]
            self.model.add(sum(self._is(variable, value) for variable in its) == count)

    def channel(self, channel: Channel) -> None:
        (variable,) = self.of([channel.variable])
        booleans = self.of(channel.booleans)
        self.model.add_exactly_one(booleans)
        for value, boolean in enumerate(booleans):
            self._equate(variable, value, boolean)

    def no_overlap(self, constraint: NoOverlap) -> None:
        sides = [
            [self._interval(*pair) for pair in zip(starts, lengths, strict=True)]
            for starts, lengths in (
                (constraint.x, constraint.widths),
                (constraint.y, constraint.heights),
            )
        ]
        self.model.add_no_overlap_2d(*sides)
        if constraint.cumulative:
            along_x, along_y = sides
            self.model.add_cumulative(along_x, self.of(constraint.heights), constraint.height)
            self.model.add_cumulative(along_y, self.of(constraint.widths), constraint.width)

    def _interval(self, start: int, length: int) -> Any:
        first, size = self.of([start, length])
        if len(self._domains[length - 1]) == 1:
            return self.model.new_fixed_size_interval_var(first, self._domains[length - 1][0], "")
        last = self._domains[start - 1][-1] + self._domains[length - 1][-1]
        end = self.model.new_int_var(0, last, "")
        return self.model.new_interval_var(first, size, end, "")

    def linear(self, linear: Linear) -> None:
        terms = zip(self.of(linear.variables), linear.factors, strict=True)
        self.model.add(sum(variable * factor for variable, factor in terms) <= linear.most)

    def branch_on(self, variables: Sequence[int], branching: Branching) -> None:
        """Let CP-SAT's fixed search branch on the variables; `branching` is not `auto`."""
        rules = {
            "input-order": cp_model.CHOOSE_FIRST,
            "min-dom": cp_model.CHOOSE_MIN_DOMAIN_SIZE,
            "smallest": cp_model.CHOOSE_LOWEST_MIN,
        }
        rule = rules[branching]
        self.model.add_decision_strategy(self.of(variables), rule, cp_model.SELECT_MIN_VALUE)


POST: dict[type, Callable[[CpSatPosting, Any], None]] = {
    Bound: CpSatPosting.bound,
    Exclusion: CpSatPosting.exclusion,
    Clause: CpSatPosting.clause,
    TableConstraint: CpSatPosting.table,
    Regular: CpSatPosting.regular,
    ElementConstraint: CpSatPosting.element,
    AllDifferent: CpSatPosting.all_different,
    Cardinality: CpSatPosting.cardinality,
    Channel: CpSatPosting.channel,
    Linear: CpSatPosting.linear,
    NoOverlap: CpSatPosting.no_overlap,
}
