"""Formulations of edge matching, by a table of the options of each cell.

Each row of a cell's table is an option: a tile type in a rotation. With integers (`board_model`),
an inner edge has a variable for its colour. With booleans (`colour_model`), there are variables for
the options, and for each colour of each inner edge.

| formulation | constraints of a cell |
|---|---|
| `edge-variables` | tables of two variables: row and type, row and the colour of each edge |
| `4-edges` | the same tables, which filter only once the row or the colour has its value |
| `cell-table` | a table of type and colours, and of the row if these do not determine the option |
| `element` | the row selects type and colours |

An edge has the colour that its owner, one of the two cells, shows. If the other cell's colour
matches several colours, its row allows each of them. With integers, this needs a table in every
formulation, and every tile type is used as often as it has tiles.

Source of `4-edges` and `edge-variables`, also in booleans: T. Benoist and E. Bourreau, "Fast global
filtering for Eternity II", sections 2.2 and 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.models.formulations.cover import option_model
from dovetail.models.formulations.model import (
    BOOLEAN,
    AllDifferent,
    Cardinality,
    Clause,
    ConstraintModel,
    ElementConstraint,
    OptionKey,
    TableConstraint,
)
from dovetail.models.options.edges import NO_EDGE, EdgeOptions, edge_values
from dovetail.printable import printable

BoardFormulation = Literal["4-edges", "edge-variables", "cell-table", "element"]
NO_VALUE = -1


@dataclass(frozen=True, eq=False)
class CellRows:
    """Options of a cell with s inner edges, in r rows by type and sides.

    A row that allows several combinations of edge colours has several words; there are n words.

    | array | shape | meaning |
    |---|---|---|
    | `option` | (r,) | option of each row |
    | `row` | (n,) | number of the row of each word |
    | `kind` | (n,) | tile type of each word |
    | `colours` | (n, s) | colours of the edges of each word, in the order of `edges` |
    """

    option: NDArray[np.int64]
    row: NDArray[np.int64]
    kind: NDArray[np.int32]
    edges: list[int]  # number of each of the s inner edges
    colours: NDArray[np.int32]

    @property
    def words(self) -> NDArray[np.int64]:
        """Type and colours of each word, shape (n, 1 + s)."""
        return np.column_stack([self.kind, self.colours]).astype(np.int64)

    def numbered(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the pairs (row, value) by row, without repetition; `values` has shape (n,)."""
        pairs = np.column_stack([self.row, values])
        return pairs if len(self.row) == len(self.option) else np.unique(pairs, axis=0)


def cell_rows(options: EdgeOptions) -> list[CellRows]:
    """Return the rows of each cell; edges are numbered from 0."""
    order = np.lexsort([*options.sides.T[::-1], options.tile_type])
    colours, number = np.unique(options.sides, return_inverse=True)
    number = number.reshape(options.sides.shape)
    mates = list(map(options.puzzle.mates, colours.tolist()))
    # Values of an edge for each colour that its owner shows (`own`), and for each colour that the
    # other cell shows (`other`, padded with `NO_VALUE`).
    own = edge_values(options.puzzle, colours)[:, None]
    other = np.full((len(mates), max(map(len, mates), default=1)), NO_VALUE, dtype=np.int32)
    for values, its_mates in zip(other, mates, strict=True):
        values[: len(its_mates)] = edge_values(options.puzzle, np.array(its_mates, np.int32))
    rows = []
    for cell, (at, owned) in enumerate(zip(options.edges.at, options.edges.owned, strict=True)):
        its = order[options.cell[order] == cell]
        inner = np.flatnonzero(at != NO_EDGE)
        row, by_edge = np.arange(len(its)), list[NDArray[np.int32]]()
        for side in inner.tolist():
            allowed = (own if owned[side] else other)[number[its[row], side]]
            again, place = np.nonzero(allowed != NO_VALUE)
            row, by_edge = row[again], [each[again] for each in by_edge]
            by_edge.append(allowed[again, place])
        kind = options.tile_type[its][row]
        colours_of = np.array(by_edge, dtype=np.int32).reshape(len(inner), len(row)).T
        rows.append(CellRows(its, row, kind, at[inner].tolist(), colours_of))
    return rows


def colour_model(options: EdgeOptions, *, implied: bool) -> ConstraintModel:
    """Return the model of a board with booleans for options and for the colours of edges.

    An option implies a colour of each of its edges. With `implied`, a colour also implies, in each
    of the two cells, an option that shows or matches it. A colour without such options in one of
    the cells is excluded.
    """
    cover, cell_of = options.cover, options.cell.tolist()
    model = option_model(cover)
    for item, members in enumerate(cover.members_by_item[: cover.primary_count]):
        users = (cover.option_of_member[members] + 1).tolist()
        name = printable(cover.item_names[item])
        model.bound(name, users, int(cover.lower[item]), int(cover.upper[item]))
    allowed = [set[tuple[int, int]]() for _ in options.edges.names]
    for cell in cell_rows(options):
        for edge, colours in zip(cell.edges, cell.colours.T.tolist(), strict=True):
            allowed[edge].update(zip((cell.option[cell.row] + 1).tolist(), colours, strict=True))
    for name, pairs in zip(options.edges.names, allowed, strict=True):
        users_of, colours_of = dict[int, list[int]](), dict[int, list[int]]()
        for variable, colour in sorted(pairs):
            users_of.setdefault(colour, []).append(variable)
            colours_of.setdefault(variable, []).append(colour)
        shown = {
            colour: model.variable(BOOLEAN, f"edge colour {name}:{colour}") for colour in users_of
        }
        sides = sorted({cell_of[variable - 1] for variable in colours_of})
        for colour, its in users_of.items():
            model.constraints += [
                Clause((-variable, *(shown[own_colour] for own_colour in colours_of[variable])))
                for variable in its
                if colours_of[variable][0] == colour
            ]
            if implied:
                model.constraints += [
                    Clause((-shown[colour], *(user for user in its if cell_of[user - 1] == side)))
                    for side in sides
                ]
        model.bound(name, list(shown.values()), 1, 1)
    return model


def board_model(options: EdgeOptions, formulation: BoardFormulation) -> ConstraintModel:
    """Return the model of a board with integers, in a formulation of the module's table."""
    rows = cell_rows(options)
    model = ConstraintModel()
    colours = sorted({int(colour) for cell in rows for colour in cell.colours.ravel()})
    edges = [model.variable(colours, name) for name in options.edges.names]
    kinds = []
    for name, cell in zip(options.cover.item_names, rows, strict=False):
        kind = model.variable(sorted(set(cell.kind.tolist())), f"type in {name}")
        its_edges = [edges[edge] for edge in cell.edges]
        kinds.append(kind)
        if formulation == "cell-table":
            words = map(tuple, cell.words.tolist())
            of_word = dict(zip(words, cell.option[cell.row].tolist(), strict=True))
            if len(of_word) == len(cell.row):
                model.constraints.append(TableConstraint([kind, *its_edges], cell.words))
                model.keys.append(OptionKey([kind, *its_edges], of_word))
                continue
        row = model.variable(range(len(cell.option)), f"row of {name}")
        model.keys.append(OptionKey.by_number(row, cell.option.tolist()))
        if formulation == "cell-table":
            table = np.column_stack([cell.row, cell.words])
            model.constraints.append(TableConstraint([row, kind, *its_edges], table))
            continue
        columns = [(kind, cell.kind), *zip(its_edges, cell.colours.T, strict=True)]
        for number, (variable, column) in enumerate(columns):
            numbered = cell.numbered(column)
            if formulation == "element" and len(numbered) == len(cell.option):
                values = numbered[:, 1].tolist()
                model.constraints.append(ElementConstraint(row, values, variable))
            else:
                known = formulation == "4-edges" and number > 0
                model.constraints.append(TableConstraint([row, variable], numbered, known))
    copies = [len(kind.tiles) for kind in options.types]
    different = max(copies, default=1) == 1
    model.constraints.append(AllDifferent(kinds) if different else Cardinality(kinds, copies))
    cells = [key.variables[0] for key in model.keys]
    model.decisions["cells"] = cells + edges if formulation == "cell-table" else cells
    return model
