"""The boolean model of a cover problem as a model for CP-SAT."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Any

from ortools.sat.python import cp_model

from dovetail.backends.cpsat.search import Lowered
from dovetail.models.boolean_model import Bound, cover_model
from dovetail.models.cover import CoverProblem


def build(cover: CoverProblem) -> Lowered:
    """One boolean per option; bounds on primary items; colours of secondary items.

    A coloured item gets a boolean per colour, equal to "some chosen option gives it this
    colour". It is fixed by the options, so it does not multiply the solutions.
    """
    model, constraints = cp_model.CpModel(), cover_model(cover)
    chosen = [model.new_bool_var(f"option {o}") for o in range(cover.option_count)]
    for bound in constraints.bounds:
        _add_bound(model, bound, [chosen[variable - 1] for variable in bound.variables])
    for exclusion in constraints.exclusions:
        rivals = []
        for variables in exclusion.classes:
            shown = chosen[variables[0] - 1]
            if len(variables) > 1:
                shown = model.new_bool_var(f"a colour of {exclusion.name}")
                model.add_max_equality(shown, [chosen[variable - 1] for variable in variables])
            rivals.append(shown)
        model.add_at_most_one(rivals)

    def options(values: Iterable[int]) -> Iterable[int]:
        return compress(range(cover.option_count), values)  # options are the first variables

    return Lowered(model, options)


def _add_bound(model: cp_model.CpModel, bound: Bound, users: list[Any]) -> None:
    """At least `lower` and at most `upper` of the options of an item."""
    if bound.is_impossible:
        model.add_bool_or([])
    elif (bound.lower, bound.upper) == (1, 1):
        model.add_exactly_one(users)
    elif (bound.lower, bound.upper) == (0, 1):
        model.add_at_most_one(users)
    else:
        model.add_linear_constraint(sum(users), bound.lower, bound.upper)
