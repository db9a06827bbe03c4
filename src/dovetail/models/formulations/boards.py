"""Formulations of edge matching: a table of what may lie in each cell.

Row numbers tell the tile and its rotation in a cell; an inner edge has a variable for its colour.

| formulation | constraints of a cell |
|---|---|
| `edge-variables` | tables of two variables: row and type, row and the colour of each edge |
| `4-edges` | the same, used only once the row or the colour has its value |
| `cell-table` | one table: type and colours; no row |
| `element` | the row selects type and colours |

Every type of tiles is used as often as there are tiles.

Source of `4-edges` and `edge-variables`: T. Benoist and E. Bourreau, "Fast global filtering for
Eternity II", sections 2.2 and 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.models.formulations.model import (
    AllDifferent,
    Cardinality,
    ConstraintModel,
    ElementConstraint,
    OptionKey,
    TableConstraint,
)
from dovetail.models.options.edges import EdgeOptions

BoardFormulation = Literal["4-edges", "edge-variables", "cell-table", "element"]


@dataclass(frozen=True, eq=False)
class CellRows:
    """What may lie in a cell with s inner edges, in n rows by type and sides.

    | array | shape | meaning |
    |---|---|---|
    | `option` | (n,) | option |
    | `kind` | (n,) | type of the tile |
    | `colours` | (n, s) | colours of the edges, in the order of `edges` |
    """

    option: NDArray[np.int64]
    kind: NDArray[np.int64]
    edges: list[int]
    colours: NDArray[np.int64]


def cell_rows(options: EdgeOptions) -> list[CellRows]:
    """Return the rows of each cell; edges are numbered from 0."""
    cover, cells = options.cover, len(options.puzzle.geometry.positions)
    order = np.lexsort([*options.sides.T[::-1], options.tile_type])
    rows = []
    for cell in range(cells):
        its = order[options.cell[order] == cell]
        members = cover.start[its][:, None] + np.arange(2, 2 + _inner_sides(options, cell))
        edges = cover.item[members[0]] - cover.primary_count if len(its) else []
        colours = cover.colour[members][:, : len(edges)]
        rows.append(CellRows(its, options.tile_type[its], list(map(int, edges)), colours))
    return rows


def _inner_sides(options: EdgeOptions, cell: int) -> int:
    return len(list(options.puzzle.geometry.neighbours(cell)))


def board_model(options: EdgeOptions, formulation: BoardFormulation) -> ConstraintModel:
    """Return the model of a board."""
    rows = cell_rows(options)
    model = ConstraintModel()
    colours = sorted({int(colour) for cell in rows for colour in cell.colours.ravel()})
    edges = [
        model.variable(colours, name)
        for name in options.cover.item_names[options.cover.primary_count :]
    ]
    kinds = []
    for name, cell in zip(options.cover.item_names, rows, strict=False):
        kind = model.variable(sorted(set(cell.kind.tolist())), f"type in {name}")
        its_edges = [edges[edge] for edge in cell.edges]
        kinds.append(kind)
        if formulation == "cell-table":
            table = np.column_stack([cell.kind, cell.colours])
            model.constraints.append(TableConstraint([kind, *its_edges], table))
            words = map(tuple, table.tolist())
            of_word = dict(zip(words, cell.option.tolist(), strict=True))
            model.keys.append(OptionKey([kind, *its_edges], of_word))
            continue
        row = model.variable(range(len(cell.option)), f"row of {name}")
        model.keys.append(OptionKey.by_number(row, cell.option.tolist()))
        columns = [(kind, cell.kind), *zip(its_edges, cell.colours.T, strict=True)]
        for number, (variable, column) in enumerate(columns):
            if formulation == "element":
                model.constraints.append(ElementConstraint(row, column.tolist(), variable))
            else:
                numbered = np.column_stack([np.arange(len(column)), column])
                known = formulation == "4-edges" and number > 0
                model.constraints.append(TableConstraint([row, variable], numbered, known))
    copies = [len(kind.tiles) for kind in options.types]
    different = max(copies, default=1) == 1
    model.constraints.append(AllDifferent(kinds) if different else Cardinality(kinds, copies))
    cells = [key.variables[0] for key in model.keys]
    model.decisions["cells"] = cells + edges if formulation == "cell-table" else cells
    return model
