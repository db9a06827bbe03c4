"""The solutions that a symmetry leaves as they are, counted on a folded board.

That takes them to the number of classes: see `backends.shared.burnside`.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.counting import Counting
from dovetail.backends.frontier.packing import shape_bounds
from dovetail.backends.frontier.problem import MoveClasses, SweepProblem, sweep_problem
from dovetail.backends.frontier.sweep import WINDOW_BITS, orders, span
from dovetail.backends.frontier.sweep_cells import sweep_cells
from dovetail.backends.shared.memory_budget import MemoryBudget, RepresentationLimitError
from dovetail.models.options.packing import PackingOptions
from dovetail.models.placements import NO_CELL


def fixed_problem(options: PackingOptions, symmetry: NDArray[np.int32]) -> SweepProblem:
    """The solutions that a permutation of the options leaves as they are.

    Raises `RepresentationLimitError` where no order of the cells that are left fits a window.
    """
    placements, board = options.placements, sweep_cells(options.placements)
    covered, uses = _orbits(options, symmetry)
    columns, cell_class = np.unique(covered, axis=1, return_inverse=True)
    cell_class = cell_class.ravel()
    classes = columns.shape[1]
    largest = int(columns.sum(axis=1).max(initial=1))
    cells = np.full((len(columns), largest), NO_CELL, dtype=np.int64)
    rows, taken = np.nonzero(columns)
    cells[rows, np.arange(len(rows)) - np.searchsorted(rows, rows)] = taken
    every = orders(board.coordinates, board.positions)
    ranks = [_class_ranks(rank, cell_class, classes) for rank in every]
    rank = min(ranks, key=lambda one: span(one, cells))
    if span(rank, cells) > WINDOW_BITS:
        raise RepresentationLimitError(
            f"a symmetric solution needs a window of {span(rank, cells)} cells; the limit is "
            f"{WINDOW_BITS}"
        )
    must_fill = np.zeros(classes, dtype=bool)
    must_fill[cell_class[~board.optional]] = True
    distinct, move_class = np.unique(uses, axis=0, return_inverse=True)
    return sweep_problem(
        rank,
        cells,
        move_class.ravel().astype(np.int32),
        MoveClasses(distinct, np.ones(len(distinct), dtype=np.uint64)),
        shape_bounds(placements),
        ~must_fill,
        np.full((classes, 1), NO_CELL, dtype=np.int64),  # what lies side by side is not needed
        np.ones(classes + 1, dtype=bool),
    )


def _orbits(
    options: PackingOptions, symmetry: NDArray[np.int32]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """The orbits of placements that neither overlap nor cross.

    Which cells and crossing places they take, shape (orbits, cells), and how often they use shapes,
    (orbits, shapes).
    """
    placements = options.placements
    count, every = len(placements), np.arange(len(placements))
    board = sweep_cells(placements)
    own = np.zeros((count, len(board.optional)), dtype=np.uint8)
    row, column = np.nonzero(board.cells != NO_CELL)
    own[row, board.cells[row, column]] = 1
    shape = np.zeros((count, len(placements.shapes)), dtype=np.uint8)
    shape[every, placements.shape] = 1
    covered, uses, first = own.copy(), shape.copy(), every.copy()
    image, going_on = symmetry.astype(np.int64), np.ones(count, dtype=bool)
    while True:
        going_on &= image != every
        if not going_on.any():
            break
        covered[going_on] += own[image[going_on]]
        uses[going_on] += shape[image[going_on]]
        first = np.where(going_on, np.minimum(first, image), first)
        image = symmetry[image].astype(np.int64)
    max_count = np.array([one.max_count for one in placements.shapes])
    chosen = (
        (first == every) & (covered.max(axis=1, initial=0) <= 1) & (uses <= max_count).all(axis=1)
    )
    return covered[chosen].astype(bool), uses[chosen].astype(np.int64)


def _class_ranks(
    rank: NDArray[np.int64], cell_class: NDArray[np.int64], classes: int
) -> NDArray[np.int64]:
    """The ranks of classes of cells, by the first cell of each."""
    first = np.full(classes, len(rank), dtype=np.int64)
    np.minimum.at(first, cell_class, rank)
    ranks = np.empty(classes, dtype=np.int64)
    ranks[np.argsort(first)] = np.arange(classes)
    return ranks


def fixed_by(
    options: PackingOptions, symmetry: NDArray[np.int32], memory_budget: MemoryBudget
) -> Generator[None, None, int]:
    """Count the solutions that a permutation of the options leaves as they are."""
    counting = Counting(fixed_problem(options, symmetry), memory_budget)
    yield from counting.expand()
    yield from counting.meet()
    return counting.total
