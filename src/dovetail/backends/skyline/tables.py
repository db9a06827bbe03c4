"""The arrays of a search for boxes, and the tasks that have none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.skyline.kernels.layout import AXES, UNRANKED, Boxes
from dovetail.models.placements import Placements

MAX_ENTRIES = 1 << 28


def too_large(placements: Placements) -> str | None:
    """Return why the table of options would be too large, or None."""
    kinds = len(set(zip(placements.shape.tolist(), placements.orientation.tolist(), strict=True)))
    if (entries := kinds * placements.cell_count) > MAX_ENTRIES:
        return f"its table would have {entries:,} entries; the limit is {MAX_ENTRIES:,}"
    return None


def boxes_of(placements: Placements, group: NDArray[np.int32]) -> Boxes:
    """Return the box and the types of its pieces; the longest axis of the box is its height.

    `group`, shape (g, options), has the symmetries to be broken, the identity first.
    """
    extent = np.ptp(placements.coordinates, axis=0) + 1
    first, sides = placements.corners
    order = np.argsort(-extent, kind="stable")  # the first axis is the slowest of cells
    missing = np.ones((len(first), AXES - len(extent)), dtype=np.int64)
    across = np.hstack([sides[:, order[:1]], missing, sides[:, order[1:]]])
    extent = np.array([extent[order[0]], *missing[0], *extent[order[1:]]])
    kinds, which = np.unique(
        np.column_stack([-across.prod(axis=1), placements.shape, across]),
        axis=0,
        return_inverse=True,
    )
    corner = np.hstack([first[:, order[:1]], missing - 1, first[:, order[1:]]])
    option = np.full((len(kinds), extent.prod()), -1, dtype=np.int32)
    at = (corner[:, 0] * extent[1] + corner[:, 1]) * extent[2] + corner[:, 2]
    option[which.ravel(), at] = np.arange(len(first))
    volumes = np.zeros(len(placements.shapes), dtype=np.int64)
    volumes[kinds[:, 1]] = -kinds[:, 0]
    needed = sum(s.min_count * v for s, v in zip(placements.shapes, volumes.tolist(), strict=True))
    rank, least = _ranks(corner, across, volumes[placements.shape], extent, group)
    return Boxes(
        extent=extent,
        shape=kinds[:, 1].copy(),
        sides=kinds[:, 2:].copy(),
        option=option,
        spare=int(extent.prod()) - needed if placements.optional.any() else 0,
        unused=np.array([s.max_count - s.min_count for s in placements.shapes], dtype=np.int64),
        rank=rank,
        least=least,
    )


def _ranks(
    corner: NDArray[np.int64],
    sides: NDArray[np.int64],
    volume: NDArray[np.int64],
    extent: NDArray[np.int64],
    group: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ranks in the first corner and the least ranks; see `Boxes`.

    A symmetry that maps an option in a corner to the first corner gives it the rank there. The
    representative of a solution has there the least rank that any symmetry can bring there.
    """
    is_first = (corner == 0).all(axis=1)
    rank = np.full(len(corner), UNRANKED, dtype=np.int64)
    first = np.flatnonzero(is_first)
    rank[first[np.argsort(-volume[first], kind="stable")]] = np.arange(len(first))
    least = np.full(len(corner), UNRANKED, dtype=np.int64)
    if len(group) > 1:
        touching = ((corner == 0) | (corner + sides == extent)).all(axis=1)
        least[touching] = rank[group[:, touching]].min(axis=0)
    return rank, least
