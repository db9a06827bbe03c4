"""The orientations of tiles: what solvers of edge-matching puzzles number, colours and all.

An orientation is a tile type with a rotation. An option puts an orientation into a cell; the same
orientation may lie in many cells, so that tables by orientation are smaller than tables by option.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.models.options.edges import EdgeOptions

NO_OPTION = -1
NO_ORIENTATION = -1


@dataclass(frozen=True, eq=False)
class TileOrientations:
    """m orientations of t types in c cells, with k colours numbered from 0, the frame's.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tile_type` | (m,) | int32 | the type, ascending: orientations of a type are consecutive |
    | `shown` | (m, 4) | int32 | colours shown: north, east, south, west |
    | `mate` | (k,) | int32 | the colour that the other side of an edge must show |
    | `copies` | (t,) | int32 | how many tiles there are of each type |
    | `option` | (c, m) | int32 | the option with that orientation in that cell, −1 for none |

    The options may be fewer than the frame allows: hints and reductions have taken some out. In
    unsigned puzzles `mate` is the identity.
    """

    tile_type: NDArray[np.int32]
    shown: NDArray[np.int32]
    mate: NDArray[np.int32]
    copies: NDArray[np.int32]
    option: NDArray[np.int32]


def warm_up() -> None:
    """Have numpy import what `unique` needs, which takes longer than most boards do."""
    np.unique(np.zeros(1))


def tile_orientations(options: EdgeOptions) -> TileOrientations:
    """Return the orientations of some options, sorted by type and then by the colours shown."""
    puzzle = options.puzzle
    rows = np.column_stack([options.tile_type, options.sides])
    order = np.lexsort(rows.T[::-1])
    in_order = rows[order]
    begins = np.ones(len(rows), dtype=bool)  # an orientation, among the rows in order
    begins[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    distinct, orientation = in_order[begins], np.empty(len(rows), dtype=np.int64)
    orientation[order] = np.cumsum(begins) - 1
    sign = -1 if puzzle.signed else 1
    sides = distinct[:, 1:]
    values = np.unique(np.concatenate([[0], sides.ravel(), sign * sides.ravel()]))
    values = values[np.lexsort((values, np.abs(values)))]  # the frame's first, then by size
    number = {int(value): n for n, value in enumerate(values)}
    option = np.full((puzzle.width * puzzle.height, len(distinct)), NO_OPTION, dtype=np.int32)
    option[options.cell, orientation] = np.arange(options.option_count, dtype=np.int32)
    shown = np.array([number[int(value)] for value in sides.ravel()], dtype=np.int32)
    return TileOrientations(
        tile_type=distinct[:, 0].astype(np.int32),
        shown=shown.reshape(sides.shape),
        mate=np.array([number[sign * int(value)] for value in values], dtype=np.int32),
        copies=np.array([len(kind.tiles) for kind in options.types], dtype=np.int32),
        option=option,
    )
