"""What is left of a packing problem when some placements have been made."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements

NOTHING = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SubProblem:
    """Some placements of a whole problem, on cells and shapes numbered anew.

    `options` are their numbers in the whole problem, shape (m,), int32, and `cells` those of
    the cells, shape (c,), int64; `filled` says which cells are filled already, shape (c,), bool.
    """

    placements: Placements
    options: NDArray[np.int32]
    cells: NDArray[np.int64]
    filled: NDArray[np.bool_]

    @property
    def pieces(self) -> int:
        """How many pieces are to be placed."""
        return sum(shape.most for shape in self.placements.shapes)


def sub_problem(
    whole: Placements,
    placed: NDArray[np.int64] = NOTHING,
    left_out: NDArray[np.int64] = NOTHING,
    cells: NDArray[np.int64] | None = None,
) -> SubProblem:
    """What is left when the placements `placed` are made.

    A placement stays when it is disjoint from those, its shape has a copy left, and it is not
    in `left_out`. Shapes that have no copy left are dropped. `cells` are the cells to keep, in
    the order of their new numbers, and have to include every open one; by default these alone.
    """
    taken = np.zeros(whole.cell_count + 1, dtype=bool)
    taken[whole.cells[placed]] = True
    taken[NO_CELL] = False  # the padding's entry
    if cells is None:
        cells = np.flatnonzero(~taken[:-1])
    number = np.full(whole.cell_count + 1, NO_CELL, dtype=np.int32)
    number[cells] = np.arange(len(cells), dtype=np.int32)

    used = np.bincount(whole.shape[placed], minlength=len(whole.shapes)).tolist()
    shapes = [
        replace(shape, least=max(0, shape.least - gone), most=shape.most - gone)
        for shape, gone in zip(whole.shapes, used, strict=True)
    ]
    open_shapes = np.array([shape.most > 0 for shape in shapes], dtype=bool)
    stays = ~taken[whole.cells].any(axis=1) & open_shapes[whole.shape]
    stays[left_out] = False
    options = np.flatnonzero(stays)
    return SubProblem(
        placements=Placements(
            shapes=tuple(shape for shape in shapes if shape.most > 0),
            shape=(np.cumsum(open_shapes) - 1)[whole.shape[options]].astype(np.int32),
            cells=np.sort(number[whole.cells[options]], axis=1),
            coordinates=whole.coordinates[cells],
            optional=whole.optional[cells],
            neighbours=number[whole.neighbours[cells]],
            lattice=whole.lattice,
        ),
        options=options.astype(np.int32),
        cells=cells,
        filled=taken[cells],
    )
