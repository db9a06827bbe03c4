"""Edge-matching puzzles as classical constraint models, for any solver of such models.

A cell has a variable for the tile that lies in it and a variable for the tile together with its
rotation; an inner edge has a variable for its colour. A table says what goes together in a cell.
Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", sections 2.2 and 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.tile_orientations import NO_OPTION, tile_orientations
from dovetail.models.options.edges import EdgeOptions


@dataclass(frozen=True, eq=False)
class CellTable:
    """The n orientations that may lie in a cell with s inner edges: the rows of its table.

    The variable of the tile together with its rotation has a row's number as its value. It settles
    the row, so that tables of this variable and another variable are as strong as the whole.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tile_type` | (n,) | int32 | the type of the tile |
    | `colour` | (n, s) | int32 | the colours that the edges have then, from 1 up |
    | `option` | (n,) | int32 | the option of the orientation |

    `edges` are the numbers of the inner edges: north, east, south, west.
    """

    edges: tuple[int, ...]
    tile_type: NDArray[np.int32]
    colour: NDArray[np.int32]
    option: NDArray[np.int32]

    @property
    def tile_rows(self) -> list[list[int]]:
        """Row number and type, by row."""
        return [[row, kind] for row, kind in enumerate(self.tile_type.tolist())]

    def colour_rows(self, place: int) -> list[list[int]]:
        """Return the row number and the colour of entry `place` of `edges`, by row."""
        return [[row, colour] for row, colour in enumerate(self.colour[:, place].tolist())]


@dataclass(frozen=True, eq=False)
class TileModel:
    """The tables of all cells, by cell number; how many edges and colours there are.

    `copies[t]` tiles are of type t, int32. Colours are numbered from 1 to `colour_count`; an edge
    has the colour that the tile to its left or below shows, signed or not.
    """

    cells: tuple[CellTable, ...]
    copies: NDArray[np.int32]
    edge_count: int
    colour_count: int

    @property
    def has_empty_cell(self) -> bool:
        """Whether nothing may lie in some cell, for which solvers have no variable."""
        return any(len(cell.option) == 0 for cell in self.cells)

    @property
    def all_tiles_differ(self) -> bool:
        """True if no two tiles have the same type."""
        return bool((self.copies == 1).all())


def tile_model(options: EdgeOptions) -> TileModel:
    """Return the tables of what the options put into each cell, rows by type and colours shown."""
    orientations, geometry = tile_orientations(options), options.puzzle.geometry
    shown = orientations.shown
    colour = np.column_stack(
        [shown[:, :2], orientations.mate[shown[:, 2:]]]
    )  # south and west: the mate's
    edges = geometry.edge_numbers
    cells = []
    for cell in range(len(orientations.option)):
        its = np.flatnonzero(orientations.option[cell] != NO_OPTION)
        sides = [side for side, _ in geometry.neighbours(cell)]
        cells.append(
            CellTable(
                edges=tuple(edges[cell, side] for side in sides),
                tile_type=orientations.tile_type[its],
                colour=colour[its][:, sides],
                option=orientations.option[cell, its],
            )
        )
    return TileModel(tuple(cells), orientations.copies, len(edges) // 2, len(orientations.mate) - 1)
