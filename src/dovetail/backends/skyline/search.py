"""A search by `skyline`: the arrays of the kernel, the levels, and the images of solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.kernel_search import NO_LIMIT, NOT_BRANCHED, KernelSearch, Level
from dovetail.backends.skyline.kernels import layout
from dovetail.backends.skyline.kernels.layout import BASE, CORNER, TRIED, WIDTH, Boxes, SkylineStack
from dovetail.backends.skyline.tables import boxes_of
from dovetail.errors import ConfigError
from dovetail.kernels.layout import LEVEL, PHASE
from dovetail.models.outcome import Status
from dovetail.models.packings.placements import Placements

# Numbers of rows of the hash table of dead states, and of solutions whose images are made at once.
KNOWN, REPRESENTATIVES = 1 << 20, 64


class SkylineSearch(KernelSearch):
    """Search that fills one corner at a time, with every type of piece that fits.

    `group`, shape (g, options), has the symmetries to be broken, the identity first. The kernel
    finds a representative of each class of solutions, or several representatives, which have the
    same option, or none, in the first corner of the box. The search returns all images of one
    representative of each class.
    """

    native = MappingProxyType({"hits": layout.HITS, "saved": layout.SAVED})

    def __init__(self, placements: Placements, size: int | None, group: NDArray[np.int32]) -> None:
        from dovetail.backends.skyline.kernels.search import search

        self._kernel = search
        self._boxes, self._group = boxes_of(placements, group), group
        copies = np.array([shape.max_count for shape in placements.shapes], dtype=np.int64)
        pieces = min(int(copies.sum()), int(self._boxes.extent.prod()))
        self._stack = _stack(self._boxes, copies, pieces)
        state, fits = self._stack.state, self._stack.fits
        super().__init__(state, pieces, size, fits, max_rows=REPRESENTATIVES)
        self.levels = pieces + self._boxes.spare
        self._images, self._returned, self._taken = self._solutions.take(), 0, 0
        self._ended: Status | None = None

    @property
    def count(self) -> int:
        return self._returned

    @property
    def tree_nodes(self) -> int:
        return self.nodes + int(self._state[layout.SAVED])

    def advance(self, budget: Budget) -> Status | None:
        """Search on, unless images that were made before are still to be returned."""
        allowed = NO_LIMIT if budget.solutions is None else budget.solutions
        if allowed <= 0:
            return Status.SOLUTION_LIMIT
        if self._returned - self._taken < len(self._images):
            return self._return(allowed)
        status = super().advance(replace(budget, solutions=None))
        self._ended = status if status == Status.EXHAUSTED else None  # not a limit of this budget
        rows, guide = super().take(), self._guide
        classes = _classes(rows, self._boxes, self._group)
        if guide is not None:
            if len(rows) and len(self._group) > 1:
                guide.solved[np.flatnonzero(guide.solved)[-len(rows) :]] = [*map(len, classes)]
            return status
        self._images = np.vstack([self._images, *classes])
        return self._return(allowed) or status

    def _return(self, allowed: int) -> Status | None:
        waiting = len(self._images) - (self._returned - self._taken)
        self._returned += min(allowed, waiting)
        if allowed <= waiting:
            return Status.SOLUTION_LIMIT
        return self._ended

    def take(self) -> NDArray[np.int32]:
        ready = self._returned - self._taken
        rows, self._images, self._taken = self._images[:ready], self._images[ready:], self._returned
        return rows

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        return self._kernel(self._boxes, self._stack, solutions, self._guide, work, nodes)

    def _can_be_cut(self) -> bool:
        waiting = self._taken + len(self._images) > self._returned
        return not (self._boxes.spare or waiting)  # a branch that leaves a cell empty has no option

    def _levels(self) -> Iterator[Level]:
        last = int(self._stack.state[LEVEL])
        for level in range(last + 1):
            if level == last and self._state[PHASE] != layout.BRANCH:
                if self._state[PHASE] == layout.ENTER:
                    yield NOT_BRANCHED
                return
            row = self._stack.levels[level]
            options = self._options(level)
            taken = options[row[TRIED] - 1] if level < last else None
            yield Level(taken, [options[row[TRIED] :]])

    def _keep(self, options: Sequence[int]) -> None:
        level = int(self._stack.state[LEVEL])
        row, branches = self._stack.levels[level], self._stack.branches[level]
        kept = [k for k, option in enumerate(self._options(level)) if option in options]
        if len(kept) != len(options):
            raise ConfigError("sub-problem: skyline does not branch on these options")
        branches[: len(kept)] = branches[kept]
        row[WIDTH], row[TRIED] = len(kept), 0
        self._stack.keys[level, layout.BEFORE] = layout.NOT_ALL

    def _branches(self) -> list[tuple[int, int]] | None:
        entered = int(self._state[LEVEL]) + (self._state[PHASE] != layout.ENTER)
        if not entered:
            return None
        levels = self._stack.levels[:entered]
        untried = levels[:, WIDTH] - levels[:, TRIED]
        return list(zip(levels[:, WIDTH].tolist(), untried.tolist(), strict=True))

    def _options(self, level: int) -> list[int]:
        """Return the options that the branches of a level place."""
        row = self._stack.levels[level]
        at = row[BASE] * len(self._stack.heights) + row[CORNER]
        types = self._stack.branches[level, : row[WIDTH]]
        options: list[int] = self._boxes.option[types, at].tolist()
        return options


def _stack(boxes: Boxes, copies: NDArray[np.int64], pieces: int) -> SkylineStack:
    """Return the stack of a search that has not begun; the box is empty."""
    depth = pieces + boxes.spare + 1
    return SkylineStack(
        heights=np.zeros(boxes.extent[1:].prod(), dtype=np.int64),
        copies=copies,
        levels=np.zeros((depth, layout.LEVEL_SIZE), dtype=np.int64),
        branches=np.zeros((depth, len(boxes.shape) + 1), dtype=np.int64),
        fits=np.zeros(pieces + 1, dtype=np.int64),
        sums=np.zeros(layout.AXES, dtype=np.uint64),
        lost=np.zeros((layout.AXES, layout.LONGEST + 1), dtype=np.int64),
        ends=np.zeros(boxes.extent[layout.COLUMN], dtype=np.int64),
        keys=np.zeros((depth, layout.KEY_SIZE), dtype=np.uint64),
        known=np.zeros((KNOWN, 2), dtype=np.uint64),
        state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
    )


def _classes(
    rows: NDArray[np.int32], boxes: Boxes, group: NDArray[np.int32]
) -> list[NDArray[np.int32]]:
    """Return the images of each solution, an array for each row of `rows`.

    The array is empty if another solution of the class gives the images, which happens if several
    representatives have the same option, or none, in the first corner. Without symmetries or rows,
    the result is a single array, `rows`.
    """
    if len(group) == 1 or not len(rows):
        return [rows]
    images = np.sort(np.pad(group, ((0, 0), (0, 1)), constant_values=-1)[:, rows], axis=2)[
        :, :, ::-1
    ]
    rank, least = (
        np.append(ranks, layout.UNRANKED)[images].min(axis=2) for ranks in (boxes.rank, boxes.least)
    )
    classes = []
    for number in range(len(rows)):
        orbit, which = np.unique(images[:, number], axis=0, return_index=True)
        is_representative = (rank <= least)[which, number]
        is_first = np.array_equal(orbit[np.argmax(is_representative)], images[0, number])
        classes.append(orbit if is_first else orbit[:0])
    return classes
