"""Formulations whose variables have options as values, with constraints on pairs of variables.

| formulation | variables |
|---|---|
| `cells` | the option that covers each item |
| `pieces` | the option of each copy of a piece or tile |

The options of two variables have to be compatible. In `cells`, both may have the same option.
`cells` has no variables for pieces if their volumes add up to the region's volume.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.formulations.model import ConstraintModel, OptionKey, Pair
from dovetail.models.options.base import Options
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.options.packing import PackingOptions
from dovetail.printable import printable


def piece_items(options: Options) -> range:
    """Return the items of pieces or tiles; none in a bare cover problem."""
    last = options.cover.primary_count
    if isinstance(options, PackingOptions):
        return range(last - len(options.placements.shapes), last)
    return range(last - len(options.types) if isinstance(options, EdgeOptions) else last, last)


def cells_model(options: Options) -> ConstraintModel:
    """Return the model with a variable for each primary item, but none for pieces if `_fills`."""
    cover, pieces = options.cover, piece_items(options)
    model = ConstraintModel()
    allowed = _together(cover, range(cover.item_count))
    np.fill_diagonal(allowed, val=True)
    items = range(cover.primary_count - (len(pieces) if _fills(options) else 0))
    variables = [_variable(model, cover, item) for item in items]
    for first, second in combinations(variables, 2):
        model.constraints.append(Pair(first, second, allowed))
    model.decisions["cells"] = variables
    return model


def pieces_model(options: Options) -> ConstraintModel:
    """Return the model with a variable for each copy; the options of equal copies ascend."""
    cover, pieces = options.cover, piece_items(options)
    model = ConstraintModel()
    others = [item for item in range(cover.item_count) if item not in pieces]
    allowed = _together(cover, others)
    np.fill_diagonal(allowed, val=False)
    ascending = np.triu(allowed, 1)
    variables = [
        (_variable(model, cover, item), item)
        for item in pieces
        for _ in range(int(cover.lower[item]))
    ]
    for (first, its), (second, other) in combinations(variables, 2):
        model.constraints.append(Pair(first, second, ascending if its == other else allowed))
    model.decisions["pieces"] = [variable for variable, _ in variables]
    model.usual = ("pieces",)
    return model


def _fills(options: Options) -> bool:
    """Return whether the volumes of all pieces add up to the number of all other primary items."""
    cover, pieces = options.cover, piece_items(options)
    cells = cover.primary_count - len(pieces)
    if isinstance(options, EdgeOptions):
        return len(pieces) == cells
    volumes = np.diff(cover.start) - 1
    users = [cover.option_of_member[cover.members_by_item[piece]] for piece in pieces]
    return all(map(len, users)) and sum(int(volumes[its].max()) for its in users) == cells


def _variable(model: ConstraintModel, cover: CoverProblem, item: int) -> int:
    """Add a variable for the option that covers an item, and its key; return its number."""
    domain = cover.option_of_member[cover.members_by_item[item]].tolist()
    variable = model.variable(domain, printable(cover.item_names[item]))
    model.keys.append(OptionKey([variable], {(option,): option for option in domain}))
    return variable


def _together(cover: CoverProblem, items: list[int] | range) -> NDArray[np.bool_]:
    """Return a mask of the pairs of options that do not clash on any of `items`.

    The shape is (options, options).
    """
    allowed = np.ones((cover.option_count, cover.option_count), dtype=bool)
    for item in items:
        members = cover.members_by_item[item]
        options, colours = cover.option_of_member[members], cover.colour[members]
        clash = (colours[:, None] != colours[None, :]) | (colours[:, None] == UNCOLOURED)
        allowed[np.ix_(options, options)] &= ~clash
    return allowed
