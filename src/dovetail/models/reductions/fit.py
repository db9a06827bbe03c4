"""The fit filter: placements beside which a cell or a shape has no placement left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements
from dovetail.models.reductions.kernels.layout import Columns, PlacementTable


def fit_filter(placements: Placements, *, to_fixed_point: bool = False) -> NDArray[np.bool_]:
    """Which placements to keep, shape (n,).

    A placement is dropped when, once it is made, some cell that must be filled or some shape
    that must still be used has no placement left that is disjoint from it. What is dropped is
    missing when others are tested. One pass from the last placement to the first, so that the
    last shape's go first: the order that drops as many as the article's first pass (227 of
    pentominoes-6x10 with X restricted; from the first to the last it is 203). With
    `to_fixed_point` passes are repeated until one drops nothing. Source: Busche 2011, "Fit
    Constraint Violations".
    """
    from dovetail.models.reductions.kernels.fit import drop_unfit  # imports numba

    min_count = np.array([shape.min_count for shape in placements.shapes], dtype=np.int64)
    kept = np.ones(len(placements), dtype=bool)
    drop_unfit(
        PlacementTable(placements.masks, placements.cells, placements.shape),
        _columns(placements),
        np.concatenate([~placements.optional, min_count]),
        np.array([shape.max_count for shape in placements.shapes], dtype=np.int64),
        to_fixed_point,
        kept,
    )
    return kept


def _columns(placements: Placements) -> Columns:
    """The placements that have each item, cells first, then shapes."""
    items = np.column_stack([placements.cells, placements.cell_count + placements.shape])
    used = items != NO_CELL
    item, placement = items[used], np.nonzero(used)[0]
    sizes = np.bincount(item, minlength=placements.cell_count + len(placements.shapes))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Columns(start, placement[np.argsort(item, kind="stable")].astype(np.int64))
