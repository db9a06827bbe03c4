"""Volumes: numbers of cells that pieces fill together."""

from __future__ import annotations

import numpy as np

from dovetail.models.placements import Placements
from dovetail.models.sums import Supply, Values, supply


def volume_supply(placements: Placements) -> Supply:
    """Return the supply of volumes of sets of pieces within a part of the open cells.

    Each piece may be used in the part or not. A piece that is not connected may have some of its
    connected parts there and others elsewhere.
    """
    values = [_volumes_of(sizes) for sizes in _connected_sizes(placements)]
    copies = [shape.max_count for shape in placements.shapes]
    return supply(values, copies, frozenset((0,)), 0, placements.cell_count)


def shape_sizes(placements: Placements) -> list[int]:
    """Return the number of cells of each shape; 1 for a shape without placements."""
    return [sum(sizes) or 1 for sizes in _connected_sizes(placements)]


def _connected_sizes(placements: Placements) -> list[list[int]]:
    """Return the sizes of each shape's connected parts; empty without a placement."""
    found = list[list[int]]([] for _ in placements.shapes)
    for shape, example in zip(*np.unique(placements.shape, return_index=True), strict=True):
        begin, end = placements.start[example : example + 2]
        left = set(placements.member[begin:end].tolist())
        while left:
            part = [left.pop()]
            for cell in part:  # grows during the loop
                near = left.intersection(placements.neighbours[cell].tolist())
                left -= near
                part += near
            found[shape].append(len(part))
    return found


def _volumes_of(sizes: list[int]) -> Values:
    """Return all sums of subsets of `sizes`."""
    sums = {0}
    for size in sizes:
        sums |= {size + before for before in sums}
    return frozenset(sums)
