"""The tables of `skyline`, and the limit on their size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.skyline.kernels.layout import AXES, UNRANKED, Boxes
from dovetail.models.packings.placements import Placements

MAX_ENTRIES = 1 << 28


def too_large(placements: Placements) -> str | None:
    """Return why the table of options would be too large, or None."""
    kinds = len(set(zip(placements.shape.tolist(), placements.orientation.tolist(), strict=True)))
    if (entries := kinds * placements.cell_count) > MAX_ENTRIES:
        return f"its table would have {entries:,} entries; the limit is {MAX_ENTRIES:,}"
    return None


def boxes_of(placements: Placements, group: NDArray[np.int32]) -> Boxes:
    """Return the box and the types of pieces; the longest axis of the box becomes its height.

    `group`, shape (g, options), has the symmetries to be broken, the identity first.
    """
    cells = placements.coordinates - placements.coordinates.min(axis=0)
    # The longest axis, the height, comes first: it changes slowest in the order of the cells.
    order = np.argsort(-cells.max(axis=0), kind="stable")

    def upright(rows: NDArray[np.int64], missing: int) -> NDArray[np.int64]:
        """Return rows with the axes of the box in `order`; `missing` stands for a missing axis."""
        there = rows[:, order]
        return np.insert(there, [1] * (AXES - len(order)), missing, axis=1)

    cells, corner, across = map(upright, (cells, *placements.corners), (0, 0, 1))
    extent = cells.max(axis=0) + 1
    kinds, which = np.unique(
        np.column_stack([-across.prod(axis=1), placements.shape, across]),
        axis=0,
        return_inverse=True,
    )
    option = np.full((len(kinds), extent.prod()), -1, dtype=np.int32)
    at = np.ravel_multi_index(tuple(corner.T), extent)
    option[which.ravel(), at] = np.arange(len(corner))
    full = np.empty(extent.prod(), dtype=np.bool_)
    full[np.ravel_multi_index(tuple(cells.T), extent)] = ~placements.optional
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
        full=full,
        places=_scarcest(placements, np.column_stack([which.ravel(), corner]), extent),
        rank=rank,
        least=least,
    )


def _scarcest(
    placements: Placements, lying: NDArray[np.int64], extent: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the array `places` of `Boxes`: places of the required piece with the fewest places.

    The array is empty if no piece is required. `lying`, shape (options, 4), has the type and the
    first corner of each option.
    """
    counts = np.bincount(placements.shape, minlength=len(placements.shapes))
    needed = [number for number, shape in enumerate(placements.shapes) if shape.min_count > 0]
    if not needed:
        return np.empty((0, 3), dtype=np.int64)
    rows = lying[placements.shape == min(needed, key=lambda number: counts[number])]
    places = np.column_stack([rows[:, 0], rows[:, 2] * extent[2] + rows[:, 3], rows[:, 1]])
    return places[np.argsort(-places[:, 2], kind="stable")]


def _ranks(
    corner: NDArray[np.int64],
    sides: NDArray[np.int64],
    volume: NDArray[np.int64],
    extent: NDArray[np.int64],
    group: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the arrays `rank` and `least` of `Boxes`.

    Options in the first corner have ranks. A symmetry that maps an option from another corner to
    the first corner gives the option the rank of its image. A solution represents its class if no
    symmetry gives one of its options a lower rank than its option in the first corner has.
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
