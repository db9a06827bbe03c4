"""The remaining packing problem after some placements."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements, Shape

NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Remainder:
    """Some placements of a whole problem, on cells and shapes numbered anew."""

    placements: Placements
    options: NDArray[np.int32]
    """Numbers of the placements in the whole problem, shape (m,), int32."""
    cells: NDArray[np.int64]
    """Numbers of the cells in the whole problem, shape (c,), int64."""
    filled: NDArray[np.bool_]
    """True for cells that are filled already, shape (c,), bool."""

    @property
    def pieces(self) -> int:
        """Maximum number of pieces still to be placed."""
        return sum(shape.max_count for shape in self.placements.shapes)


def remainder(
    whole: Placements,
    placed: NDArray[np.int64] = NOTHING,
    among: NDArray[np.int32] | None = None,
    cells: NDArray[np.int64] | None = None,
) -> Remainder:
    """Return the problem that is left when the placements `placed` are made.

    A placement stays when it is disjoint from these, crosses none of them, its shape has a copy
    left, and it is in `among`, ascending; by default all placements are. Only the placements in
    `among` are examined: a large problem has far more placements than are left near the end. Shapes
    without a copy left are dropped. `cells` are the cells to keep, in the order of their new
    numbers, and have to include every open cell; by default the open cells alone.
    """
    taken = np.zeros(whole.cell_count + 1, dtype=bool)
    taken[whole.cells[placed]] = True
    taken[NO_CELL] = False  # entry for the padding
    if cells is None:
        cells = np.flatnonzero(~taken[:-1])
    number = np.full(whole.cell_count + 1, NO_CELL, dtype=np.int32)
    number[cells] = np.arange(len(cells), dtype=np.int32)

    used = np.bincount(whole.shape[placed], minlength=len(whole.shapes))
    open_shapes = np.array([shape.max_count for shape in whole.shapes], dtype=np.int64) > used
    if among is None:
        among = np.arange(len(whole), dtype=np.int32)
    options = among[open_shapes[whole.shape[among]]]
    options = options[~taken[whole.cells[options]].any(axis=1)]
    if whole.may_cross:
        crossed = np.zeros(len(whole.crossing_places) + 1, dtype=bool)
        crossed[whole.crossings[placed]] = True
        crossed[NO_CELL] = False
        options = options[~crossed[whole.crossings[options]].any(axis=1)]
    rows = np.sort(number[whole.cells[options]], axis=1)
    sizes = whole.sizes[options]
    placements = Placements(
        shapes=tuple(_left(whole.shapes[s], int(used[s])) for s in np.flatnonzero(open_shapes)),
        shape=(np.cumsum(open_shapes) - 1)[whole.shape[options]].astype(np.int32),
        orientation=whole.orientation[options],
        start=np.concatenate([[0], np.cumsum(sizes)]),
        member=rows[rows != NO_CELL],
        largest=whole.largest,
        coordinates=whole.coordinates[cells],
        optional=whole.optional[cells],
        neighbours=number[whole.neighbours[cells]],
        lattice=whole.lattice,
        crossings=whole.crossings[options],
        crossing_places=whole.crossing_places,
    )
    vars(placements)["cells"] = rows  # sets the cached property
    return Remainder(
        placements=placements,
        options=options,
        cells=cells,
        filled=taken[cells],
    )


def _left(shape: Shape, gone: int) -> Shape:
    """Return a shape after `gone` of its copies have been placed."""
    if not gone:
        return shape
    return replace(
        shape, min_count=max(0, shape.min_count - gone), max_count=shape.max_count - gone
    )
