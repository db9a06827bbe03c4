"""The cover problem as a model for CP-SAT: one boolean per option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from dovetail.backends.cpsat.search import Lowered, SolutionValues
from dovetail.models.cover import UNCOLOURED, CoverProblem


def build(cover: CoverProblem) -> Lowered:
    """One boolean per option; bounds on primary items; colours of secondary items.

    A coloured item gets a boolean per colour, equal to "some chosen option gives it this
    colour". It is fixed by the options, so it does not multiply the solutions.
    """
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"option {o}") for o in range(cover.option_count)]
    for item, members in enumerate(_members_by_item(cover)):
        users = [chosen[cover.option_of_member[m]] for m in members]
        if item < cover.primary_count:
            low, high = int(cover.lower[item]), int(cover.upper[item])
            if (low, high) == (1, 1):
                model.add_exactly_one(users)
            elif (low, high) == (0, 1):
                model.add_at_most_one(users)
            else:
                model.add_linear_constraint(sum(users), low, high)
            continue
        rivals = []  # at most one of these: an uncoloured option, or a colour
        by_colour: dict[int, list[Any]] = {}
        for member, user in zip(members, users, strict=True):
            colour = int(cover.colour[member])
            if colour == UNCOLOURED:
                rivals.append(user)
            else:
                by_colour.setdefault(colour, []).append(user)
        for colour, same in by_colour.items():
            shown = same[0]
            if len(same) > 1:
                shown = model.new_bool_var(f"item {item} has colour {colour}")
                model.add_max_equality(shown, same)
            rivals.append(shown)
        model.add_at_most_one(rivals)

    def options(solution: SolutionValues) -> list[int]:
        return [o for o, variable in enumerate(chosen) if solution.boolean_value(variable)]

    return Lowered(model, options)


def _members_by_item(cover: CoverProblem) -> Iterator[NDArray[np.int64]]:
    """For each item, the numbers of its members."""
    order = np.argsort(cover.item, kind="stable")
    bounds = np.searchsorted(cover.item[order], np.arange(cover.item_count + 1))
    for item in range(cover.item_count):
        yield order[bounds[item] : bounds[item + 1]]
