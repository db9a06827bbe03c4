"""Boards filled greedily, and scored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.board_arrays import BoardArrays


def score(board: BoardArrays, placed: NDArray[np.int32]) -> int:
    """The number of matched edges of a board, shape (n,), −1 for an empty cell."""
    from dovetail.improvers.shared.kernels import matches

    count: Any = matches.score
    return int(count(board.sides, board.neighbours, placed))


def fill(board: BoardArrays, placed: NDArray[np.int32]) -> int:
    """Fill the empty cells of `placed` and return the score.

    The next cell is always one with most neighbours, and gets the tile that matches most of them.
    """
    from dovetail.improvers.shared.kernels import matches

    used = np.zeros(board.cells, dtype=np.uint8)
    used[placed[placed >= 0] // 4] = 1
    lay: Any = matches.fill
    lay(board.sides, board.frame, board.cell_frame, board.neighbours, placed, used)
    return score(board, placed)
