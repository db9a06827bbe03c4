"""What the automaton sweeps over: cells in a fixed order, and moves that fill some of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.sweep import WINDOW_BITS
from dovetail.models.placements import NO_CELL


@dataclass(frozen=True, eq=False)
class MoveClasses:
    """Classes of moves: those that use the same shapes and count the same number of times.

    `uses` says how often a move of a class uses each shape, shape (k, shapes), int64; `weight` how
    many times it counts, shape (k,), uint64.
    """

    uses: NDArray[np.int64]
    weight: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class SweepProblem:
    """Fill c cells, in their order, by m moves; shapes are used `min_count` to `max_count` times.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `optional` | (c,) | bool | cells that may stay empty |
    | `neighbours` | (c, degree) | int64 | numbers of cells, −1 where there is none |
    | `fillable` | (c + 1,) | bool | volumes that pieces may have within one part of the board |
    | `first_move` | (c + 1,) | int64 | moves whose lowest cell is v: from `first_move[v]` on |
    | `mask` | (m,) | uint64 | the cells of a move, bit 0 the lowest one |
    | `move_class`, `option` | (m,) | int32 | its class, and its number in the original problem |
    | `min_count`, `max_count` | (shapes,) | int64 | how often a shape is used |
    """

    optional: NDArray[np.bool_]
    neighbours: NDArray[np.int64]
    fillable: NDArray[np.bool_]
    first_move: NDArray[np.int64]
    mask: NDArray[np.uint64]
    move_class: NDArray[np.int32]
    option: NDArray[np.int32]
    move_classes: MoveClasses
    min_count: NDArray[np.int64]
    max_count: NDArray[np.int64]

    @property
    def cell_count(self) -> int:
        return len(self.optional)


def sweep_problem(
    rank: NDArray[np.int64],
    cells: NDArray[np.int64],
    move_class: NDArray[np.int32],
    move_classes: MoveClasses,
    bounds: tuple[NDArray[np.int64], NDArray[np.int64]],
    optional: NDArray[np.bool_],
    neighbours: NDArray[np.int64],
    fillable: NDArray[np.bool_],
) -> SweepProblem:
    """The problem of options whose `cells` are given in rows, padded with −1.

    `rank` says when each cell is filled; no option may span more than `WINDOW_BITS` of them. All
    cells, `optional` and `neighbours` too, are numbered as the puzzle does.
    """
    count = len(rank)
    order = np.argsort(rank)
    present = cells != NO_CELL
    ranks = np.where(present, rank[cells], count)
    lowest = ranks.min(axis=1, initial=count)
    mask = np.zeros(len(cells), dtype=np.uint64)
    for column in range(cells.shape[1]):
        bit = np.where(present[:, column], ranks[:, column] - lowest, 0).astype(np.uint64)
        assert not len(bit) or int(bit.max()) < WINDOW_BITS
        mask |= np.where(present[:, column], np.uint64(1) << bit, np.uint64(0))
    by_cell = np.argsort(lowest, kind="stable").astype(np.int32)
    near = np.where(neighbours == NO_CELL, NO_CELL, rank[neighbours])[order]
    return SweepProblem(
        optional=optional[order],
        neighbours=near,
        fillable=fillable,
        first_move=np.searchsorted(lowest[by_cell], np.arange(count + 1)).astype(np.int64),
        mask=mask[by_cell],
        move_class=move_class[by_cell],
        option=by_cell,
        move_classes=move_classes,
        min_count=bounds[0],
        max_count=bounds[1],
    )
