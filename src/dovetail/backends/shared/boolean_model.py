"""Puzzles as clauses and cardinalities over booleans, for any solver that takes these.

There is a boolean for each option. All others are fixed by these, so that a solver which goes
through the assignments finds each solution once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.tile_model import CellTable, EdgeModel, TileModel
from dovetail.models.cover import UNCOLOURED, CoverProblem


@dataclass(frozen=True)
class Cardinality:
    """At least `low` and at most `high` of `variables` are true; 0 <= low <= high."""

    variables: tuple[int, ...]
    low: int
    high: int


@dataclass
class BooleanModel:
    """Constraints over variables numbered from 1, of which a prefix stands for options.

    Variable v stands for the option `options[v - 1]`. A clause is a list of literals, v or −v for
    "not v", and an empty one makes the model unsatisfiable. `open_variables` are those of options
    that could be added to a solution and leave another one.
    """

    options: list[int]
    open_variables: list[int] = field(default_factory=list)
    variable_count: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    cardinalities: list[Cardinality] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.variable_count = len(self.options)

    def new_variable(self) -> int:
        """Return the number of a further variable."""
        self.variable_count += 1
        return self.variable_count

    def add_cardinality(self, variables: Iterable[int], low: int, high: int) -> None:
        """At least `low` and at most `high` of the variables; what cannot be is an empty clause."""
        its = tuple(variables)
        if low > len(its):
            self.clauses.append([])
        elif low > 0 or high < len(its):
            self.cardinalities.append(Cardinality(its, low, min(high, len(its))))

    def any_of(self, variables: list[int]) -> int:
        """Return a variable that is true just when one of the variables is."""
        if len(variables) == 1:
            return variables[0]
        shown = self.new_variable()
        self.clauses += [[-variable, shown] for variable in variables]
        self.clauses.append([-shown, *variables])
        return shown


def cover_model(cover: CoverProblem) -> BooleanModel:
    """A cardinality for each item; of a secondary one, over its colours and uncoloured options.

    An option is open if none of its items has to be covered a fixed number of times: with an item
    that has, no option can be added to a solution.
    """
    fixed = np.append(cover.lower == cover.upper, np.zeros(cover.item_count, bool))
    closed = np.bincount(
        cover.option_of_member, weights=fixed[cover.item], minlength=cover.option_count
    )
    model = BooleanModel(
        options=list(range(cover.option_count)),
        open_variables=(np.flatnonzero(closed == 0) + 1).tolist(),
    )
    for item, members in enumerate(_members_by_item(cover)):
        users = (cover.option_of_member[members] + 1).tolist()
        if item < cover.primary_count:
            model.add_cardinality(users, int(cover.lower[item]), int(cover.upper[item]))
            continue
        by_colour: dict[int, list[int]] = {}
        for user, colour in zip(users, cover.colour[members].tolist(), strict=True):
            by_colour.setdefault(colour, []).append(user)
        rivals = by_colour.pop(UNCOLOURED, [])
        rivals += [model.any_of(same) for same in by_colour.values()]
        model.add_cardinality(rivals, 0, 1)
    return model


def edge_model(tiles: TileModel, edges: EdgeModel) -> BooleanModel:
    """One row of its table for each cell, one colour for each edge; every tile is used once.

    A row implies the colours of its edges. With `edge-variables` a colour also implies one of the
    rows that show it, on both sides.
    """
    model = BooleanModel(options=[o for cell in tiles.cells for o in cell.option.tolist()])
    colours = [
        [model.new_variable() for _ in range(tiles.colour_count)] for _ in range(tiles.edge_count)
    ]
    by_type: list[list[int]] = [[] for _ in tiles.copies]
    begin = 1
    for cell in tiles.cells:
        rows = list(range(begin, begin + len(cell.option)))
        begin += len(rows)
        model.add_cardinality(rows, 1, 1)
        for row, tile_type in zip(rows, cell.tile_type.tolist(), strict=True):
            by_type[tile_type].append(row)
        _add_edges(model, cell, rows, colours, edges)
    for its in colours:
        model.add_cardinality(its, 1, 1)
    for its, copies in zip(by_type, tiles.copies.tolist(), strict=True):
        model.add_cardinality(its, copies, copies)
    return model


def _add_edges(
    model: BooleanModel,
    cell: CellTable,
    rows: list[int],
    colours: list[list[int]],
    edges: EdgeModel,
) -> None:
    """What the rows of a cell mean for the colours of its edges, and the other way round."""
    for place, edge in enumerate(cell.edges):
        showing: dict[int, list[int]] = {colour: [] for colour in colours[edge]}
        for row, colour in zip(rows, cell.colour[:, place].tolist(), strict=True):
            shown = colours[edge][colour - 1]
            model.clauses.append([-row, shown])
            showing[shown].append(row)
        if edges == "edge-variables":
            model.clauses += [[-shown, *its] for shown, its in showing.items()]


def _members_by_item(cover: CoverProblem) -> Iterator[NDArray[np.int64]]:
    """For each item, the numbers of its members."""
    order = np.argsort(cover.item, kind="stable")
    bounds = np.searchsorted(cover.item[order], np.arange(cover.item_count + 1))
    for item in range(cover.item_count):
        yield order[bounds[item] : bounds[item + 1]]
