"""The heuristics of a schedule, as arrays from which the kernel picks items."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.dlx.kernels.layout import (
    FEWEST_OPEN,
    FIRST_ORDER,
    HAND_OVER,
    ITEM_HEURISTICS,
    DlxRules,
)
from dovetail.backends.shared.schedule import ESTIMATE, FIRST, SIZE, Stage, unknown_order
from dovetail.models.lattices.cell_orders import cell_ranks
from dovetail.models.options.base import CellItems, Options

MIN_FIT = Stage("dlx", SIZE)
OWN_HEURISTICS = tuple(letter for letter in ITEM_HEURISTICS if letter != SIZE)

# Function that returns the ranks of a problem's cells in the order with a given name.
Ranks = Callable[[str], NDArray[np.int64]]


def misfit(stages: Sequence[Stage], options: Options) -> str | None:
    """Return why the stages cannot pick items of this puzzle, or None."""
    if len(stages) > 1 and options.placements_per_solution is None:
        return (
            "solutions vary in their number of placements, so stages by pieces remaining are "
            f"undefined; expected one stage, not {len(stages)}"
        )
    by_cell = [stage for stage in stages if stage.heuristic not in ITEM_HEURISTICS]
    if by_cell and options.cells is None:
        return (
            f"stage {by_cell[0]} picks cells, but the problem has no cells; valid heuristics: "
            f"{', '.join(ITEM_HEURISTICS)}"
        )
    if options.cells is None:
        return None
    ordered = (stage for stage in by_cell if stage.heuristic != ESTIMATE)
    return unknown_order(ordered, options.cells.positions)


def build_rules(
    stages: Sequence[Stage],
    items: int,
    cells: CellItems | None,
    placements: int | None,
    max_taken: int,
    hand_over: int | None = None,
    ranks_of: Ranks | None = None,
) -> DlxRules:
    """Return the arrays for stages that fit a problem of `items` items.

    `placements` is the number of options of every solution; it may be None for a single stage. The
    search takes at most `max_taken` options. Without `cells`, no stage may pick cells. After
    `hand_over` options, the search branches only on items with at most 1 choice. `ranks_of` returns
    the ranks of cells in an order; by default they are computed from the positions of `cells`.
    """
    required = 0 if cells is None else cells.required
    heuristic = np.empty(max_taken + 1, dtype=np.uint64)
    guarded_items = np.empty(max_taken + 1, dtype=np.uint64)
    ranks = [np.empty(0, dtype=np.uint64)]
    for stage in stages:
        taken = 0 if placements is None else placements - stage.remaining(placements)[0]
        guarded_items[taken:] = required if stage.heuristic in (FIRST, ESTIMATE) else items
        if stage.heuristic in ITEM_HEURISTICS:
            heuristic[taken:] = ITEM_HEURISTICS[stage.heuristic].rule
        elif stage.heuristic == ESTIMATE:
            heuristic[taken:] = FEWEST_OPEN
        else:
            assert cells is not None
            heuristic[taken:] = FIRST_ORDER + len(ranks) - 1
            order = stage.heuristic
            by_cell = ranks_of(order) if ranks_of else cell_ranks(order, cells.positions)
            ranks.append(by_cell[cells.item < required].astype(np.uint64))
    if hand_over is not None:
        heuristic[hand_over:] = HAND_OVER
        guarded_items[hand_over:] = items
    near_start, near = _neighbours(cells, required)
    return DlxRules(
        cells=np.uint64(required),
        heuristic=heuristic,
        guarded_items=guarded_items,
        ranks=np.concatenate(ranks),
        near_start=near_start,
        near=near,
    )


def _neighbours(
    cells: CellItems | None, required: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    if cells is None:
        return np.zeros(1, dtype=np.uint64), np.empty(0, dtype=np.uint64)
    numbers = cells.neighbours[cells.item < required]
    present = numbers >= 0
    near_start = np.zeros(required + 1, dtype=np.uint64)
    near_start[1:] = np.cumsum(present.sum(axis=1))
    return near_start, cells.item[numbers[present]].astype(np.uint64)
