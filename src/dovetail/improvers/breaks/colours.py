"""Which colours are used up first: the tiles left at the end have fewer and match more easily."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.board_arrays import BoardArrays


def preferred_sides(board: BoardArrays, count: int) -> NDArray[np.uint32]:
    """How many sides of each orientation, shape (4 n,), have one of `count` colours.

    These are the rarest away from the frame.
    """
    inner = board.sides[board.frame == 0]
    times = np.bincount(inner.reshape(-1), minlength=board.colours)
    rarest = [int(colour) for colour in np.argsort(times, kind="stable") if times[colour]]
    sides: NDArray[np.uint32] = np.isin(board.sides, rarest[:count]).sum(axis=1).astype(np.uint32)
    return sides
