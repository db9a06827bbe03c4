"""Filters of placements by parity, volume and fit.

Source: Busche 2011, "Parity Constraint Violations", "Volume Constraint Violations" and "Fit
Constraint Violations".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.packings.placements import NO_CELL, Placements
from dovetail.models.reductions.kernels.layout import (
    Columns,
    Flood,
    Parts,
    PlacementTable,
    Region,
    witnesses,
)
from dovetail.models.sums import cell_colours, parity_supply, placement_parities, volume_supply


def parity_filter(placements: Placements) -> NDArray[np.bool_]:
    """Return a mask of the placements to keep, shape (n,).

    A placement is dropped if the parities of the other pieces and of cells that stay empty cannot
    add up to the parity of the open cells that the placement leaves. Each placement is tested once.
    """
    pieces = parity_supply(placements)
    within_reach = [pieces.within_reach(without=number) for number in range(len(pieces.values))]
    others = np.array(within_reach, dtype=bool).reshape(-1, pieces.width)  # no rows without pieces
    left = int(cell_colours(placements).sum()) - placement_parities(placements)
    kept: NDArray[np.bool_] = others[pieces.class_of[placements.shape], left - pieces.min_sum]
    return kept


def volume_filter(placements: Placements) -> NDArray[np.bool_]:
    """Return a mask of the placements to keep, shape (n,).

    A placement is dropped if the open cells that it leaves have a connected part that no set of
    other pieces can fill by volume, with or without its optional cells. A single pass reaches the
    fixed point, since the test does not depend on other placements.
    """
    from dovetail.models.reductions.kernels.parts import cut_off, label_parts

    dropped = np.zeros(len(placements), dtype=bool)
    if len(placements):
        pieces = volume_supply(placements)
        others = [pieces.within_reach(without=number) for number in range(len(pieces.values))]
        count = placements.cell_count
        region = Region(placements.neighbours, placements.optional)
        parts = Parts(*(np.empty(count, dtype=np.int32) for _ in range(3)))
        flood = Flood(np.full(count, -1, dtype=np.int64), np.empty(count, dtype=np.int32))
        all_open = np.ones(count, dtype=np.uint8)
        found = label_parts(
            all_open,
            region.neighbours,
            region.optional,
            parts.part,
            parts.volume,
            parts.empty,
            flood.waiting,
        )
        cut_off(
            _table(placements),
            region,
            parts,
            found,
            np.concatenate(others).astype(np.uint8),
            pieces.class_of * pieces.width,
            flood,
            dropped,
        )
    return ~dropped


def fit_filter(placements: Placements, *, to_fixed_point: bool = False) -> NDArray[np.bool_]:
    """Return a mask of the placements to keep, shape (n,).

    A placement is dropped if it leaves no disjoint placement for some cell that must be filled or
    some shape that must still be used. Later tests ignore dropped placements. A pass goes from the
    last placement to the first, so that the last shape is filtered first; in this order, it drops
    as many placements as the first pass of the source. With `to_fixed_point`, passes are repeated
    until a pass drops nothing.
    """
    from dovetail.models.reductions.kernels.fit import drop_unfit

    min_count = np.array([shape.min_count for shape in placements.shapes], dtype=np.int64)
    kept = np.ones(len(placements), dtype=bool)
    drop_unfit(
        _table(placements),
        _columns(placements),
        np.concatenate([~placements.optional, min_count]),
        np.array([shape.max_count for shape in placements.shapes], dtype=np.int64),
        to_fixed_point,
        kept,
        witnesses(placements.cell_count + len(placements.shapes)),
    )
    return kept


def _table(placements: Placements) -> PlacementTable:
    return PlacementTable(placements.masks, placements.cells, placements.shape)


def _columns(placements: Placements) -> Columns:
    """Return the placements that have each item. Items are cells, then shapes."""
    items = np.column_stack([placements.cells, placements.cell_count + placements.shape])
    used = items != NO_CELL
    item, placement = items[used], np.nonzero(used)[0]
    sizes = np.bincount(item, minlength=placements.cell_count + len(placements.shapes))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Columns(start, placement[np.argsort(item, kind="stable")].astype(np.int64))
