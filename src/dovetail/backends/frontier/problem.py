"""The problem that the automaton sweeps over: cells in a fixed order, and moves that fill cells.

The cells are the open cells of a puzzle and the places where pieces may cross. At most one piece
takes a crossing place, which may stay empty and has no neighbours. Cells are filled along the axes
or along parallel lines; `best_order` chooses among these orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.state_search import (
    RepresentationLimitError,
    orbits_of,
    solutions_for_each,
)
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.placements import NO_CELL, Placements
from dovetail.models.sums import volume_supply
from dovetail.models.task import Task

WINDOW_BITS = 64
DIRECTIONS = 24  # lines of triangles, hexagons and half squares lie at multiples of 15°
# Factor by which the number of frontier shapes grows with each further cell of width: pentominoes
# have 35, 208, 1,193 and 6,755 shapes for the widths 3, 4, 5 and 6.
GROWTH = 5.7


@dataclass(frozen=True, eq=False)
class SweepProblem:
    """The problem to fill c cells, in their order, by m moves.

    Moves of a class use the same shapes and count the same number of times. There are k classes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `optional` | (c,) | bool | cells that may stay empty |
    | `neighbours` | (c, degree) | int64 | neighbours of each cell, −1 for a missing neighbour |
    | `fillable` | (c + 1,) | bool | volumes that pieces may have within one part of the board |
    | `first_move` | (c + 1,) | int64 | first move with lowest cell v; moves ascend by this cell |
    | `mask` | (m,) | uint64 | the cells of a move; bit 0 is its lowest cell |
    | `option` | (m,) | int32 | the placement of a move, or its orbit in a folded problem |
    | `move_class` | (m,) | int32 | the class of a move |
    | `uses` | (k, shapes) | int64 | how often a move of a class uses each shape |
    | `weight` | (k,) | uint64 | how many times a move of a class counts |
    | `min_count`, `max_count` | (shapes,) | int64 | how often a shape must, and may, be used |
    """

    optional: NDArray[np.bool_]
    neighbours: NDArray[np.int64]
    fillable: NDArray[np.bool_]
    first_move: NDArray[np.int64]
    mask: NDArray[np.uint64]
    option: NDArray[np.int32]
    move_class: NDArray[np.int32]
    uses: NDArray[np.int64]
    weight: NDArray[np.uint64]
    min_count: NDArray[np.int64]
    max_count: NDArray[np.int64]

    @property
    def cell_count(self) -> int:
        return len(self.optional)


class SweepCells(NamedTuple):
    """The c cells of a sweep, crossing places last, and the cells of each placement, at most n.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `taken` | (placements, n) | int64 | the cells of each placement, padded with −1 |
    | `coordinates`, `positions` | (c, dimension) | int64, float64 | on the lattice, in space |
    | `neighbours` | (c, degree) | int64 | neighbours of each cell, −1 for a missing neighbour |
    | `optional` | (c,) | bool | cells that may stay empty |
    """

    taken: NDArray[np.int64]
    coordinates: NDArray[np.int64]
    positions: NDArray[np.float64]
    neighbours: NDArray[np.int64]
    optional: NDArray[np.bool_]


def packing_problem(task: Task) -> SweepProblem:
    """Return the problem whose moves are the placements of a task, with their weights."""
    placements = task.placements
    assert placements is not None
    cells, rank, _ = _ordered_cells(placements)
    distinct, move_class = np.unique(
        np.column_stack([placements.shape.astype(np.uint64), solutions_for_each(task)]),
        axis=0,
        return_inverse=True,
    )
    uses = np.zeros((len(distinct), len(placements.shapes)), dtype=np.int64)
    uses[np.arange(len(distinct)), distinct[:, 0].astype(np.int64)] = 1
    fillable = volume_supply(placements).within_reach()
    weight = distinct[:, 1].copy()
    return _problem(placements, cells, rank, move_class.ravel(), uses, weight, fillable)


def fixed_problem(options: PackingOptions, symmetry: NDArray[np.int32]) -> SweepProblem:
    """Return the problem of the solutions that a permutation of the options maps to themselves.

    The moves are orbits of placements. The board is folded: cells that the same orbits cover are
    merged. Raises `RepresentationLimitError` if no order of the cells lets all moves fit a window.
    """
    placements = options.placements
    cells = sweep_cells(placements)
    covered, uses = _orbits(placements, cells, symmetry)
    columns, folded = np.unique(covered, axis=1, return_inverse=True)
    folded, count = folded.ravel(), columns.shape[1]
    rows, cell = np.nonzero(columns)
    largest = int(columns.sum(axis=1).max(initial=1))
    taken = np.full((len(columns), largest), NO_CELL, dtype=np.int64)
    taken[rows, np.arange(len(rows)) - np.searchsorted(rows, rows)] = cell
    ranks = [_folded(rank, folded, count) for rank in orders(cells.coordinates, cells.positions)]
    rank = min(ranks, key=lambda order: span(order, taken))
    if span(rank, taken) > WINDOW_BITS:
        raise RepresentationLimitError(
            f"a symmetric solution needs a window of {span(rank, taken)} cells; the limit is "
            f"{WINDOW_BITS}"
        )
    optional = np.ones(count, dtype=bool)
    optional[folded[~cells.optional]] = False
    distinct, move_class = np.unique(uses, axis=0, return_inverse=True)
    no_neighbours = np.full((count, 1), NO_CELL, dtype=np.int64)  # adjacency is not needed
    return _problem(
        placements,
        cells._replace(taken=taken, neighbours=no_neighbours, optional=optional),
        rank,
        move_class.ravel(),
        distinct,
        np.ones(len(distinct), dtype=np.uint64),
        np.ones(count + 1, dtype=bool),
    )


def window_needed(placements: Placements) -> int:
    """Return the span of the best order of cells; at most `WINDOW_BITS` can be swept."""
    return _ordered_cells(placements)[2]


def packed_bits(max_count: NDArray[np.int64]) -> int:
    """Return the number of bits of a set of shapes that are used at most `max_count` times."""
    return sum(int(times).bit_length() for times in max_count)


def sweep_cells(placements: Placements) -> SweepCells:
    """Return the cells of a sweep: the open cells, then the places where pieces may cross."""
    p, taken = placements, placements.cells.astype(np.int64)
    neighbours = p.neighbours.astype(np.int64)
    if not p.may_cross:
        return SweepCells(taken, p.coordinates, p.positions, neighbours, p.optional)
    count = len(p.crossing_places)
    crossed = np.where(p.crossings == NO_CELL, NO_CELL, p.cell_count + p.crossings.astype(np.int64))
    return SweepCells(
        np.concatenate([taken, crossed], axis=1),
        np.concatenate([p.coordinates, np.array(p.crossing_places, dtype=np.int64)]),
        np.concatenate([p.positions, _positions_of_crossings(p)]),
        np.pad(neighbours, ((0, count), (0, 0)), constant_values=NO_CELL),
        np.append(p.optional, np.ones(count, dtype=bool)),
    )


def _positions_of_crossings(placements: Placements) -> NDArray[np.float64]:
    """Return for each crossing place the mean of the centres of the placements that take it."""
    p = placements
    present = p.cells != NO_CELL
    at = np.where(present[:, :, None], p.positions[p.cells], 0.0).sum(axis=1)
    middles = at / present.sum(axis=1)[:, None]
    rows, columns = np.nonzero(p.crossings != NO_CELL)
    place = p.crossings[rows, columns]
    total = np.zeros((len(p.crossing_places), p.positions.shape[1]))
    np.add.at(total, place, middles[rows])
    uses = np.bincount(place, minlength=len(total))
    return total / np.maximum(uses, 1)[:, None]


def orders(
    coordinates: NDArray[np.int64], positions: NDArray[np.float64]
) -> list[NDArray[np.int64]]:
    """Return the ranks of cells in several orders: by the axes, and along lines of a plane.

    Each result has shape (c,). `positions`, shape (c, dimension), are the cells' positions in
    space. Lines are used only in a plane whose cells are not squares.
    """
    axes = permutations(range(coordinates.shape[1]))
    found = [_ranks([coordinates[:, axis] for axis in order]) for order in axes]
    if positions.shape[1] == 2 and not np.array_equal(coordinates, positions):
        x, y = positions.T
        for angle in 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS:
            along, across = (
                np.cos(angle) * x + np.sin(angle) * y,
                np.cos(angle) * y - np.sin(angle) * x,
            )
            # Rounded, so that all cells of a line have equal keys.
            found.append(_ranks([along.round(6), across.round(6)]))
    return found


def _ranks(keys: Sequence[NDArray[np.int64] | NDArray[np.float64]]) -> NDArray[np.int64]:
    """Return the ranks of cells that are sorted by the first key, then by the next, and so on."""
    return np.argsort(np.lexsort(keys[::-1]))


def span(rank: NDArray[np.int64], cells: NDArray[np.int64]) -> int:
    """Return the largest number of cells from the first to the last cell of a placement.

    `cells` has a row for each placement, padded with −1.
    """
    if not len(cells):
        return 0
    ranks = np.where(cells == NO_CELL, -1, rank[cells])
    highest = ranks.max(axis=1)
    lowest = np.where(cells == NO_CELL, highest[:, None], ranks).min(axis=1)
    return int((highest - lowest).max()) + 1


def shapes_expected(rank: NDArray[np.int64], neighbours: NDArray[np.int64]) -> float:
    """Return an estimate of the number of frontier shapes, up to a constant factor.

    The length of a frontier is the number of unfilled cells beside filled cells.
    """
    count = len(rank)
    near = np.where(neighbours == NO_CELL, count, np.append(rank, count)[neighbours])
    first = np.minimum(near.min(axis=1, initial=count), rank)
    change = np.zeros(count + 2, dtype=np.int64)
    np.add.at(change, first + 1, 1)  # a cell is in the frontier once its first neighbour is filled
    np.add.at(change, rank + 1, -1)  # and until it is filled itself
    return float(np.sum(GROWTH ** np.minimum(np.cumsum(change), 200.0)))


def best_order(cells: SweepCells) -> tuple[NDArray[np.int64], int]:
    """Return the ranks of cells in the best order, and the span of this order.

    The best order is the order with the fewest expected shapes among the orders that fit a window,
    or, if no order fits, the order with the least span.
    """
    found = [(rank, span(rank, cells.taken)) for rank in orders(cells.coordinates, cells.positions)]
    fitting = [order for order in found if order[1] <= WINDOW_BITS]
    if not fitting:
        return min(found, key=lambda order: order[1])
    return min(fitting, key=lambda order: shapes_expected(order[0], cells.neighbours))


@lru_cache(maxsize=1)  # checking a task and preparing its search both need the order
def _ordered_cells(placements: Placements) -> tuple[SweepCells, NDArray[np.int64], int]:
    """Return the cells of a sweep, their ranks in the best order, and the span of this order."""
    cells = sweep_cells(placements)
    return cells, *best_order(cells)


def _problem(
    placements: Placements,
    cells: SweepCells,
    rank: NDArray[np.int64],
    move_class: NDArray[np.int64],
    uses: NDArray[np.int64],
    weight: NDArray[np.uint64],
    fillable: NDArray[np.bool_],
) -> SweepProblem:
    """Return the problem of moves that take the rows of `cells.taken`.

    `rank` is the order in which cells are filled. No move may span more than `WINDOW_BITS` cells in
    this order.
    """
    count, order = len(rank), np.argsort(rank)
    present = cells.taken != NO_CELL
    ranks = np.where(present, rank[cells.taken], count)
    lowest = ranks.min(axis=1, initial=count)
    bits = np.where(present, ranks - lowest[:, None], 0).astype(np.uint64)
    assert int(bits.max(initial=0)) < WINDOW_BITS
    mask = np.bitwise_or.reduce(np.where(present, np.uint64(1) << bits, np.uint64(0)), axis=1)
    by_cell = np.argsort(lowest, kind="stable").astype(np.int32)
    neighbours = cells.neighbours
    return SweepProblem(
        optional=cells.optional[order],
        neighbours=np.where(neighbours == NO_CELL, NO_CELL, rank[neighbours])[order],
        fillable=fillable,
        first_move=np.searchsorted(lowest[by_cell], np.arange(count + 1)).astype(np.int64),
        mask=mask[by_cell],
        option=by_cell,
        move_class=move_class[by_cell].astype(np.int32),
        uses=uses,
        weight=weight,
        min_count=np.array([shape.min_count for shape in placements.shapes], dtype=np.int64),
        max_count=np.array([shape.max_count for shape in placements.shapes], dtype=np.int64),
    )


def _orbits(
    placements: Placements, cells: SweepCells, symmetry: NDArray[np.int32]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return the cells and the shapes of each orbit whose placements fit together.

    These placements neither overlap nor cross, and use no shape too often. The first array says
    which cells an orbit takes, shape (orbits, cells). The second array says how often an orbit uses
    each shape, shape (orbits, shapes).
    """
    orbit = orbits_of(symmetry)
    covered = np.zeros((len(placements), len(cells.optional)), dtype=np.uint8)
    row, column = np.nonzero(cells.taken != NO_CELL)
    np.add.at(covered, (orbit[row], cells.taken[row, column]), 1)
    uses = np.zeros((len(placements), len(placements.shapes)), dtype=np.int64)
    np.add.at(uses, (orbit, placements.shape), 1)
    max_count = np.array([shape.max_count for shape in placements.shapes])
    chosen = (
        (orbit == np.arange(len(placements)))
        & (covered.max(axis=1, initial=0) <= 1)
        & (uses <= max_count).all(axis=1)
    )
    return covered[chosen].astype(bool), uses[chosen]


def _folded(rank: NDArray[np.int64], folded: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the ranks of folded cells, each by the first cell that was merged into it."""
    first = np.full(count, len(rank), dtype=np.int64)
    np.minimum.at(first, folded, rank)
    return np.argsort(np.argsort(first))
