"""Formulations of packings of rectangles, by the corners of the pieces.

| formulation | constraints |
|---|---|
| `boxes` | no two pieces overlap; the pieces over a column or a row fit into it (cumulative) |
| `no-overlap` | no two pieces overlap |

Copies of a piece are ordered by their corners, column by column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.errors import shorten
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions

if TYPE_CHECKING:
    from dovetail.models.formulations.model import ConstraintModel

DIMENSION, SPACE = 2, 3


def are_boxes(options: PackingOptions) -> bool:
    """Return whether the puzzle fills a rectangle without optional cells with rectangles."""
    placements = options.placements
    is_flat = placements.coordinates.shape[1] == DIMENSION
    return is_flat and not placements.optional.any() and not_boxes(options) is None


def not_boxes(options: PackingOptions) -> str | None:
    """Return why a puzzle does not pack boxes into a box, made of squares or cubes; else None.

    Puzzles without any placement are refused too.
    """
    placements = options.placements
    if placements.lattice.wraps:
        return "it does not support regions that wrap"
    if not isinstance(placements.lattice, SquareLattice) or placements.lattice.dimension > SPACE:
        return "it supports boxes of squares or cubes only"
    if not len(placements):
        return "it supports pieces that fit into the region only"
    if np.prod(np.ptp(placements.coordinates, axis=0) + 1) != placements.cell_count:
        return "it supports regions that are a rectangle or a box only"
    for piece in options.puzzle.pieces:
        if len(piece.cells) != np.prod(np.ptp(np.array(piece.cells), axis=0) + 1):
            return f"it supports rectangles and boxes only, unlike {shorten(piece.name)}"
    return None


def boxes_model(options: PackingOptions, *, cumulative: bool) -> ConstraintModel:
    """Return the model with variables for each copy's corner and sides, largest pieces first.

    `cumulative` adds the constraint of the same name of `NoOverlap`.
    """
    from dovetail.models.formulations.model import (
        ConstraintModel,
        Linear,
        NoOverlap,
        OptionKey,
        TableConstraint,
    )

    placements = options.placements
    corner, sides = placements.corners
    width, height = (np.ptp(placements.coordinates, axis=0) + 1).tolist()
    model = ConstraintModel(usual=("x", "y", "width"), in_phases=True)
    boxes: list[list[int]] = []
    owners = [np.flatnonzero(placements.shape == s) for s in range(len(placements.shapes))]
    volumes = [placements.sizes[members].max(initial=0) for members in owners]
    for number in sorted(range(len(owners)), key=lambda shape: -volumes[shape]):
        shape, members = placements.shapes[number], owners[number]
        rows = np.column_stack([corner[members], sides[members]])
        whole = len(rows) == np.prod([len(set(column)) for column in rows.T.tolist()])
        of_row = dict(zip(map(tuple, rows.tolist()), members.tolist(), strict=True))
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
