"""Volumes: how many cells pieces fill together."""

from __future__ import annotations

import numpy as np

from dovetail.models.placements import NO_CELL, Placements
from dovetail.models.sums import Supply, supply


def volume_supply(placements: Placements) -> Supply:
    """What volumes sets of the pieces have: each may be used or not, and fill another part."""
    values = [frozenset((0, size)) for size in shape_sizes(placements)]
    copies = [shape.most for shape in placements.shapes]
    return supply(values, copies, frozenset((0,)), 0, placements.cell_count)


def shape_sizes(placements: Placements) -> list[int]:
    """How many cells each shape has; 1 for one that has no placement at all."""
    cells = np.count_nonzero(placements.cells != NO_CELL, axis=1)
    sizes = np.ones(len(placements.shapes), dtype=np.int64)
    sizes[placements.shape] = cells
    return [int(size) for size in sizes]
