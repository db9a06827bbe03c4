"""Geometry of the items that are cells in a cover problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class CellItems:
    """The c cells of a puzzle, by number, as items of its cover problem.

    The cells that must be filled are the first `required` items, in the order of their numbers;
    cells that may stay empty are secondary items.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `item` | (c,) | int32 | item of each cell |
    | `positions` | (c, dimension) | float64 | position in space |
    | `neighbours` | (c, degree) | int32 | cell numbers, −1 for none |
    """

    required: int
    item: NDArray[np.int32]
    positions: NDArray[np.float64]
    neighbours: NDArray[np.int32]
