"""Formulations with a boolean for each option; variable o + 1 is option o.

| formulation | further variables |
|---|---|
| `cover` | none |
| `pieces` | the placement of each piece that is used once |
| `dual` | the option that covers each item that is covered once |

The module `boards` has formulations with booleans for the colours of edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.formulations.model import ConstraintModel, Exclusion
from dovetail.printable import printable


def cover_model(
    cover: CoverProblem, channelled: Mapping[str, Sequence[int]] = MappingProxyType({})
) -> ConstraintModel:
    """Return the model with a bound for each primary and an exclusion for each secondary item.

    `channelled`: items that are covered exactly once, by kind. Each has an integer variable in
    place of the bound. For each kind, the search can branch on the integers of the kind and then on
    the options that these do not determine.
    """
    model = option_model(cover)
    integers: dict[int, int] = {}
    shown: dict[int, list[int]] = {}
    every = {item for its in channelled.values() for item in its}
    for item, members in enumerate(cover.members_by_item[: cover.primary_count]):
        name = printable(cover.item_names[item])
        users = (cover.option_of_member[members] + 1).tolist()
        if item in every:
            integers[item] = model.channel(users, range(len(users)), name)
            shown[item] = users
        else:
            model.bound(name, users, int(cover.lower[item]), int(cover.upper[item]))
    for name, classes in secondary_items(cover):
        if len(classes) > 1:
            model.constraints.append(Exclusion(name, [its for _, its in classes]))
    options = model.decisions["options"]
    for kind, its in channelled.items():
        known = {option for item in its for option in shown[item]}
        free = [option for option in options if option not in known]
        model.decisions[kind] = [integers[item] for item in its] + free
    if channelled:
        model.usual = (next(iter(channelled)),)
    return model


def option_model(cover: CoverProblem) -> ConstraintModel:
    """Return a model with a variable for each option and no constraints."""
    model = ConstraintModel()
    model.decisions["options"] = model.booleans(f"option {o}" for o in range(cover.option_count))
    model.usual = ("options",)
    return model


def secondary_items(cover: CoverProblem) -> Iterator[tuple[str, list[tuple[int, list[int]]]]]:
    """Yield each secondary item's name and its classes: (colour, variables of its options).

    Options that leave the item uncoloured come first, each in a separate class.
    """
    first = cover.primary_count
    for item, members in enumerate(cover.members_by_item[first:], start=first):
        by_colour: dict[int, list[int]] = {}
        classes = list[tuple[int, list[int]]]()
        variables, colours = cover.option_of_member[members] + 1, cover.colour[members]
        for variable, colour in zip(variables.tolist(), colours.tolist(), strict=True):
            if colour == UNCOLOURED:
                classes.append((colour, [variable]))
            else:
                by_colour.setdefault(colour, []).append(variable)
        yield printable(cover.item_names[item]), [*classes, *by_colour.items()]
