"""A tile model as variables and constraints of Choco."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dovetail.backends.choco.bindings import forward_checking_table
from dovetail.backends.shared.tile_model import TileModel
from dovetail.models.boolean_model import EdgeModel

if TYPE_CHECKING:
    from pychoco import Model
    from pychoco.variables.intvar import IntVar

AllDifferent = Literal["complete", "weak"]


def build(
    tiles: TileModel, edges: EdgeModel, all_different: AllDifferent
) -> tuple[Model, list[IntVar]]:
    """The model, and by cell the variable of the row of its table.

    A row settles the type and all colours, so that tables of two variables filter as much as one
    of all of them, in a third of the time. In `4-edges` they work only from a variable that has
    its value: a row gives its edges their colours, and a colour takes from the other cell the rows
    that do not show it. Until then an edge may have any colour, whatever can still lie beside it.
    """
    from pychoco import Model

    model = Model()
    colours = [model.intvar(1, tiles.colour_count) for _ in range(tiles.edge_count)]
    rows, kinds = [], []
    for cell in tiles.cells:
        row = model.intvar(0, len(cell.option) - 1)
        kind = model.intvar(sorted(set(cell.tile_type.tolist())))
        model.table([row, kind], cell.tile_rows).post()
        for place, edge in enumerate(cell.edges):
            pair = (row, colours[edge])
            if edges == "edge-variables":
                model.table(pair, cell.colour_rows(place)).post()
            else:
                forward_checking_table(model, pair, cell.colour_rows(place))
        rows.append(row)
        kinds.append(kind)
    _add_all_different(model, tiles, kinds, all_different)
    return model, rows


def _add_all_different(
    model: Model, tiles: TileModel, kinds: list[IntVar], strength: AllDifferent
) -> None:
    """Every tile is used once, every type as often as it has tiles.

    The cardinality constraint is AllDifferent for values that several variables have, and filters
    the same where all tiles differ, but takes two to three times as long. Its counts between 0 and
    the number of tiles make it as weak as disequalities.
    """
    complete = strength == "complete"
    if tiles.all_tiles_differ:
        model.all_different(kinds, "AC" if complete else "FC").post()
        return
    copies = tiles.copies.tolist()
    used = [model.intvar(number if complete else 0, number) for number in copies]
    consistency = "AC" if complete else "DEFAULT"
    model.global_cardinality(kinds, list(range(len(copies))), used, consistency=consistency).post()
