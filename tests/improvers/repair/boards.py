"""Full boards for tests of `repair`, and what its kernels take of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.repair.improver import board_of, rules_of, walk_of
from dovetail.improvers.repair.kernels.windows import RepairBoard, RepairRules, Walk
from dovetail.improvers.shared.board import BoardArrays, board_arrays, fill
from dovetail.models.edges import Hint
from dovetail.puzzles.edge_boards import random_board

Arrays = tuple[RepairBoard, RepairRules, Walk]


def filled(
    width: int, height: int, seed: int, colours: int = 9, hints: int = 0
) -> tuple[BoardArrays, NDArray[np.int32]]:
    """A board filled greedily, some of whose cells, no neighbours, are hinted as they lie."""
    board = board_arrays(random_board(width, height, colours, seed))
    placed = board.fixed.copy()
    fill(board, placed)
    if not hints:
        return board, placed
    apart: list[int] = []
    for cell in range(board.cells):
        if len(apart) < hints and not set(board.neighbours[cell].tolist()) & set(apart):
            apart.append(cell)
    hinted = [
        Hint(*board.puzzle.geometry.position(cell), *divmod(int(placed[cell]), 4)) for cell in apart
    ]
    return board_arrays(replace(board.puzzle, hints=tuple(hinted))), placed


def arrays(
    board: BoardArrays,
    placed: NDArray[np.int32],
    operator: int,
    settings: dict[int, int],
    seed: int,
) -> Arrays:
    """What the kernels take, with one operator of destruction."""
    return board_of(board), rules_of([operator], settings), walk_of(board, placed, seed)
