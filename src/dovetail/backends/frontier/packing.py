"""The problem that a packing puzzle is for the sweep."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.problem import MoveClasses, SweepProblem, sweep_problem
from dovetail.backends.frontier.sweep import best_order
from dovetail.backends.frontier.sweep_cells import sweep_cells
from dovetail.backends.shared.burnside import solutions_for_each
from dovetail.models.placements import Placements
from dovetail.models.task import Task
from dovetail.models.volumes import volume_supply


def packing_problem(task: Task) -> SweepProblem:
    """All of a task's placements, each of its shape and weight."""
    placements = task.placements
    assert placements is not None
    board, (rank, _) = sweep_cells(placements), _order(placements)
    distinct, move_class = np.unique(
        np.column_stack([placements.shape.astype(np.uint64), solutions_for_each(task)]),
        axis=0,
        return_inverse=True,
    )
    uses = np.zeros((len(distinct), len(placements.shapes)), dtype=np.int64)
    uses[np.arange(len(distinct)), distinct[:, 0].astype(np.int64)] = 1
    return sweep_problem(
        rank,
        board.cells,
        move_class.ravel().astype(np.int32),
        MoveClasses(uses, distinct[:, 1].copy()),
        shape_bounds(placements),
        board.optional,
        board.neighbours,
        volume_supply(placements).within_reach(),
    )


def shape_bounds(placements: Placements) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each shape is used, at least and at most."""
    min_count = np.array([shape.min_count for shape in placements.shapes], dtype=np.int64)
    max_count = np.array([shape.max_count for shape in placements.shapes], dtype=np.int64)
    return min_count, max_count


def window_needed(placements: Placements) -> int:
    """The span of the order that suits a puzzle best; beyond `WINDOW_BITS` it cannot be swept."""
    return _order(placements)[1]


@lru_cache(maxsize=1)  # a task is first refused or not, then prepared
def _order(placements: Placements) -> tuple[NDArray[np.int64], int]:
    """The ranks of cells in the order that suits a puzzle best, and its span."""
    board = sweep_cells(placements)
    return best_order(board.coordinates, board.positions, board.neighbours, board.cells)
