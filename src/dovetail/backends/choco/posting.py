"""Constraint models in Choco."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pychoco import Model, backend
from pychoco._utils import make_int_2d_array, make_intvar_array
from pychoco.constraints.constraint import Constraint as Posted
from pychoco.objects.automaton.finite_automaton import FiniteAutomaton
from pychoco.variables.intvar import IntVar

from dovetail.backends.choco.backend import Consistency
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
    IntegerRegular,
    Linear,
    NoOverlap,
    Regular,
    TableConstraint,
)


class ChocoPosting:
    """A constraint model, posted in Choco.

    `variables` are Choco's variables for the variables of the model, in the same order.
    """

    def __init__(
        self, source: ConstraintModel, all_different: Consistency, *, learning: bool
    ) -> None:
        self.model = Model(lcg=learning)
        self._complete = all_different == "complete"
        self.variables = [self._variable(domain) for domain in source.domains]
        for constraint in source.constraints:
            POST[type(constraint)](self, constraint)

    def of(self, variables: Sequence[int]) -> list[IntVar]:
        """Return Choco's variables for variables of the model, which are numbered from 1."""
        return [self.variables[variable - 1] for variable in variables]

    def _variable(self, domain: Sequence[int]) -> IntVar:
        if domain == BOOLEAN:
            return self.model.boolvar()
        if isinstance(domain, range):
            return self.model.intvar(domain[0], domain[-1])
        return self.model.intvar(list(domain))

    def bound(self, bound: Bound) -> None:
        self._between(self.of(bound.variables), bound.lower, bound.upper)

    def _between(self, booleans: list[IntVar], lower: int, upper: int) -> None:
        if lower > len(booleans):
            self.model.arithm(self.model.boolvar(), ">", 1).post()
        elif lower == upper:
            self.model.sum(booleans, "=", lower).post()
        else:
            if lower > 0:
                self.model.sum(booleans, ">=", lower).post()
            if upper < len(booleans):
                self.model.sum(booleans, "<=", upper).post()

    def exclusion(self, exclusion: Exclusion) -> None:
        shown = []
        for variables in map(self.of, exclusion.classes):
            if len(variables) == 1:
                shown.append(variables[0])
            else:
                shown.append(self.model.boolvar())
                self.model.max(shown[-1], variables).post()
        self._between(shown, 0, 1)

    def clause(self, clause: Clause) -> None:
        true = [self.variables[literal - 1] for literal in clause.literals if literal > 0]
        false = [self.variables[-literal - 1] for literal in clause.literals if literal < 0]
        self.model.add_clauses(true, false)

    def table(self, table: TableConstraint) -> None:
        variables, rows = self.of(table.variables), table.rows.tolist()
        if not table.known:
            self.model.table(variables, rows).post()
            return
        handles = make_intvar_array(variables), make_int_2d_array(rows)
        Posted(backend.table(self.model._handle, *handles, True, "FC"), self.model).post()

    def regular(self, regular: Regular) -> None:
        automaton = FiniteAutomaton()
        states = 1 + max(max(state, following) for state, _, following in regular.transitions)
        for _ in range(states):
            automaton.add_state()
        automaton.set_initial_state(0)
        automaton.set_final(*regular.final)
        for state, value, following in regular.transitions:
            automaton.add_transition(state, following, value)
        self.model.regular(self.of(regular.variables), automaton).post()

    def element(self, element: ElementConstraint) -> None:
        index, result = self.of([element.index, element.result])
        self.model.element(result, list(element.values), index).post()

    def all_different(self, constraint: AllDifferent) -> None:
        consistency = "AC" if self._complete else "FC"
        self.model.all_different(self.of(constraint.variables), consistency).post()

    def cardinality(self, constraint: Cardinality) -> None:
        """Post the counts of values; for weak consistency, only as upper bounds.

        With upper bounds only, Choco filters as weakly as disequalities do.
        """
        counts = [self.model.intvar(n if self._complete else 0, n) for n in constraint.counts]
        values = list(range(len(counts)))
        consistency = "AC" if self._complete else "DEFAULT"
        variables = self.of(constraint.variables)
        self.model.global_cardinality(variables, values, counts, consistency=consistency).post()

    def channel(self, channel: Channel) -> None:
        (variable,) = self.of([channel.variable])
        self.model.bools_int_channeling(self.of(channel.booleans), variable).post()

    def no_overlap(self, constraint: NoOverlap) -> None:
        x, y, widths, heights = map(
            self.of, (constraint.x, constraint.y, constraint.widths, constraint.heights)
        )
        self.model.diff_n(x, y, widths, heights, constraint.cumulative).post()
        if constraint.cumulative:
            self._cumulative(x, widths, heights, constraint.height)
            self._cumulative(y, heights, widths, constraint.width)

    def _cumulative(
        self, starts: list[IntVar], lengths: list[IntVar], demands: list[IntVar], capacity: int
    ) -> None:
        tasks = []
        for start, length in zip(starts, lengths, strict=True):
            least = start.get_lb() + length.get_lb()
            end = self.model.intvar(least, start.get_ub() + length.get_ub())
            tasks.append(self.model.task(start, length, end))
        self.model.cumulative(tasks, demands, self.model.intvar(capacity)).post()

    def linear(self, linear: Linear) -> None:
        variables = self.of(linear.variables)
        self.model.scalar(variables, list(linear.factors), "<=", linear.most).post()


POST: dict[type, Callable[[ChocoPosting, Any], None]] = {
    Bound: ChocoPosting.bound,
    Exclusion: ChocoPosting.exclusion,
    Clause: ChocoPosting.clause,
    TableConstraint: ChocoPosting.table,
    Regular: ChocoPosting.regular,
    IntegerRegular: ChocoPosting.regular,
    ElementConstraint: ChocoPosting.element,
    AllDifferent: ChocoPosting.all_different,
    Cardinality: ChocoPosting.cardinality,
    Channel: ChocoPosting.channel,
    Linear: ChocoPosting.linear,
    NoOverlap: ChocoPosting.no_overlap,
}
