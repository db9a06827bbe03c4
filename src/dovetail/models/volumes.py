"""Volumes: how many cells pieces fill together."""

from __future__ import annotations

import numpy as np

from dovetail.models.placements import Placements
from dovetail.models.sums import Supply, Values, supply


def volume_supply(placements: Placements) -> Supply:
    """What volumes sets of pieces have within one part of the open cells.

    Each piece may be used there or not. Of a piece that is not connected some parts may lie
    there and others elsewhere.
    """
    values = [_volumes_of(sizes) for sizes in _connected_sizes(placements)]
    copies = [shape.max_count for shape in placements.shapes]
    return supply(values, copies, frozenset((0,)), 0, placements.cell_count)


def shape_sizes(placements: Placements) -> list[int]:
    """How many cells each shape has; 1 for one that has no placement at all."""
    return [sum(sizes) or 1 for sizes in _connected_sizes(placements)]


def _connected_sizes(placements: Placements) -> list[list[int]]:
    """The sizes of the connected parts of each shape; none for one without a placement."""
    found = list[list[int]]([] for _ in placements.shapes)
    for shape, example in zip(*np.unique(placements.shape, return_index=True), strict=True):
        begin, end = placements.start[example : example + 2]
        left = set(placements.member[begin:end].tolist())
        while left:
            part = [left.pop()]
            for cell in part:  # grows while it is walked
                near = left.intersection(placements.neighbours[cell].tolist())
                left -= near
                part += near
            found[shape].append(len(part))
    return found


def _volumes_of(sizes: list[int]) -> Values:
    """The volumes of any of some parts together."""
    sums = {0}
    for size in sizes:
        sums |= {size + before for before in sums}
    return frozenset(sums)
