"""Formulations of packings of rectangles, by the corners of the pieces.

| formulation | constraints |
|---|---|
| `boxes` | no two pieces overlap; the pieces over a column or a row fit into it (cumulative) |
| `no-overlap` | no two pieces overlap |

Copies of a piece are ordered by their corners, column by column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.formulations.model import (
    ConstraintModel,
    Linear,
    NoOverlap,
    OptionKey,
    TableConstraint,
)
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.options.packing import PackingOptions

DIMENSION = 2


def are_boxes(options: PackingOptions) -> bool:
    """Return whether a rectangle without optional cells is filled with rectangles."""
    placements = options.placements
    if (
        not isinstance(placements.lattice, SquareLattice)
        or placements.coordinates.shape[1] != DIMENSION
    ):
        return False
    if placements.optional.any() or not len(placements):
        return False
    size = np.ptp(placements.coordinates, axis=0) + 1
    own = [tuple(piece.cells) for piece in options.puzzle.pieces]
    filled = all(len(cells) == np.prod(np.ptp(np.array(cells), axis=0) + 1) for cells in own)
    return bool(np.prod(size) == placements.cell_count) and filled


def _corners(options: PackingOptions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lower left corner and the sides of each placement, both of shape (n, 2).

    The cells of a placement ascend, so that the first and the last are opposite corners.
    """
    placements = options.placements
    cells = placements.coordinates - placements.coordinates.min(axis=0)
    first = cells[placements.member[placements.start[:-1]]]
    last = cells[placements.member[placements.start[1:] - 1]]
    return first, last - first + 1


def boxes_model(options: PackingOptions, *, cumulative: bool) -> ConstraintModel:
    """Return the model with the corner and the sides of each copy, largest pieces first."""
    placements = options.placements
    corner, sides = _corners(options)
    width, height = (np.ptp(placements.coordinates, axis=0) + 1).tolist()
    model = ConstraintModel(usual=("x", "y", "width"), in_phases=True)
    boxes: list[list[int]] = []
    owners = [np.flatnonzero(placements.shape == s) for s in range(len(placements.shapes))]
    volumes = [placements.sizes[own].max(initial=0) for own in owners]
    for number in sorted(range(len(owners)), key=lambda shape: -volumes[shape]):
        shape, own = placements.shapes[number], owners[number]
        rows = np.column_stack([corner[own], sides[own]])
        whole = len(rows) == np.prod([len(set(column)) for column in rows.T.tolist()])
        of_row = dict(zip(map(tuple, rows.tolist()), own.tolist(), strict=True))
        for copy in range(shape.max_count):
            box = [
                model.variable(sorted(set(column)), f"{axis} of {shape.name}")
                for axis, column in zip(("x", "y", "width", "height"), rows.T.tolist(), strict=True)
            ]
            if not whole:
                model.constraints.append(TableConstraint(box, rows))
            if copy:
                factors = [height + 1, 1, -height - 1, -1]
                model.constraints.append(Linear([*boxes[-1][:2], *box[:2]], factors, -1))
            model.keys.append(OptionKey(box, of_row))
            boxes.append(box)
    x, y, widths, heights = (list(column) for column in zip(*boxes, strict=True))
    model.constraints.append(NoOverlap(x, y, widths, heights, width, height, cumulative))
    model.decisions = {"x": x, "y": y, "width": widths}
    return model
