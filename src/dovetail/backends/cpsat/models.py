"""Models of CP-SAT: the boolean model of a cover problem, and tile models of edge matching."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Any

from ortools.sat.python import cp_model

from dovetail.backends.cpsat.backend import Lowered
from dovetail.backends.shared.tiles import CellTable, TileModel
from dovetail.models.boolean_model import Bound, EdgeModel, cover_model
from dovetail.models.cover import CoverProblem


def lower_cover(cover: CoverProblem) -> Lowered:
    """Lower a cover problem: a boolean per option, bounds of primary items, colours of secondary.

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
    """Require at least `lower` and at most `upper` of the options of an item."""
    if bound.is_impossible:
        model.add_bool_or([])
    elif (bound.lower, bound.upper) == (1, 1):
        model.add_exactly_one(users)
    elif (bound.lower, bound.upper) == (0, 1):
        model.add_at_most_one(users)
    else:
        model.add_linear_constraint(sum(users), bound.lower, bound.upper)


def lower_tiles(tiles: TileModel, edges: EdgeModel) -> Lowered:
    """Lower a tile model: by cell the row of its table and its type, and the colours of edges.

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
    """Let a row imply the colours of its edges; a colour that no row shows is not ruled out."""
    for number, shown in enumerate(cell.colour.tolist()):
        lies = _is(model, row, number)
        for colour, variable in zip(shown, colours, strict=True):
            model.add(variable == colour).only_enforce_if(lies)


def _add_all_different(model: cp_model.CpModel, tiles: TileModel, kinds: list[Any]) -> None:
    """Require every type as often as it has tiles."""
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
    """Return a boolean that is true just when a variable has a value."""
    literal = model.new_bool_var(f"{variable.name} is {value}")
    model.add(variable == value).only_enforce_if(literal)
    model.add(variable != value).only_enforce_if(~literal)
    return literal
