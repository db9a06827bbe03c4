"""A tile model as a model for CP-SAT.

In `4-edges` unit propagation is forward checking, since a row implies its colours and an edge has
one. But CP-SAT simplifies a model before it searches and learns clauses while it does, so that
neither model filters just what it would in a solver that only propagates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ortools.sat.python import cp_model

from dovetail.backends.cpsat.search import Lowered
from dovetail.backends.shared.tile_model import CellTable, TileModel
from dovetail.models.boolean_model import EdgeModel


def build(tiles: TileModel, edges: EdgeModel) -> Lowered:
    """By cell the row of its table and the type of its tile, and the colours of edges.

    Types and colours follow from the rows, so that they do not multiply the solutions.
    """
    model = cp_model.CpModel()
    if tiles.has_empty_cell:
        model.add_bool_or([])  # no variable may have an empty domain
        return Lowered(model, lambda _: [])
    colours = [
        model.new_int_var(1, tiles.colour_count, f"edge {e}") for e in range(tiles.edge_count)
    ]
    rows, kinds = [], []
    for number, cell in enumerate(tiles.cells):
        row = model.new_int_var(0, len(cell.option) - 1, f"row {number}")
        domain = cp_model.Domain.from_values(cell.tile_type.tolist())
        kind = model.new_int_var_from_domain(domain, f"type {number}")
        model.add_allowed_assignments([row, kind], cell.tile_rows)
        if edges == "edge-variables":
            for place, edge in enumerate(cell.edges):
                model.add_allowed_assignments([row, colours[edge]], cell.colour_rows(place))
        else:
            _add_known_edges(model, cell, row, [colours[edge] for edge in cell.edges])
        rows.append(row)
        kinds.append(kind)
    _add_all_different(model, tiles, kinds)

    def options(values: Iterable[int]) -> list[int]:
        of = tuple(values)
        return [
            int(cell.option[of[row.index]]) for cell, row in zip(tiles.cells, rows, strict=True)
        ]

    return Lowered(model, options)


def _add_known_edges(
    model: cp_model.CpModel, cell: CellTable, row: Any, colours: list[Any]
) -> None:
    """A row implies the colours of its edges; a colour that no row shows is not ruled out."""
    for number, shown in enumerate(cell.colour.tolist()):
        lies = _is(model, row, number)
        for colour, variable in zip(shown, colours, strict=True):
            model.add(variable == colour).only_enforce_if(lies)


def _add_all_different(model: cp_model.CpModel, tiles: TileModel, kinds: list[Any]) -> None:
    """Every type is used as often as it has tiles."""
    if tiles.all_tiles_differ:
        model.add_all_different(kinds)
        return
    for number, copies in enumerate(tiles.copies.tolist()):
        places = [
            _is(model, kind, number)
            for kind, cell in zip(kinds, tiles.cells, strict=True)
            if number in cell.tile_type
        ]
        model.add(sum(places) == copies)


def _is(model: cp_model.CpModel, variable: Any, value: int) -> Any:
    """A boolean that is true just when a variable has a value."""
    literal = model.new_bool_var(f"{variable.name} is {value}")
    model.add(variable == value).only_enforce_if(literal)
    model.add(variable != value).only_enforce_if(~literal)
    return literal
