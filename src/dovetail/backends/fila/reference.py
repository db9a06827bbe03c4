"""The reference kernel's search of one sub-problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.descent import Descent, Variant
from dovetail.backends.fila.kernels.layout import Stack
from dovetail.backends.fila.kernels.reference_layout import (
    AnyOrder,
    Begun,
    Lists,
    Position,
    Sizes,
)
from dovetail.backends.fila.reference_levels import keep_branches, levels
from dovetail.backends.fila.tables import (
    as_words,
    full_row,
    image_lists,
    image_masks,
    joined,
    near_masks,
    neighbours,
)
from dovetail.backends.shared.kernel_search import Level
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.kernels.lanes import LANES
from dovetail.models.placements import NO_CELL, cell_masks
from dovetail.models.remainder import Remainder


class ReferenceDescent(Descent):
    """The article's algorithm; lists are distinguished by up to eight neighbours of a cell."""

    work_per_node = MappingProxyType({"f": 3, "e": 30, "s": 150})

    def _build(self, problem: Remainder, nof: bool, variant: Variant) -> None:
        from dovetail.backends.fila.kernels import reference

        self._kernel: Any
        self._kernel, placements, words = reference, problem.placements, variant.words
        cells, shapes = placements.cell_count, len(placements.shapes)
        lists = []
        for ordered in self._ordered:
            near = neighbours(placements, ordered=ordered).cut(LANES if nof else 0)
            lists.append(
                image_lists(placements, near, ordered=ordered, by_shape=True, block=1, words=words)
            )
        start, images = joined(lists)
        # room behind the last list, since eight images are tried at a time
        images = np.append(images, np.full(LANES, len(placements), dtype=np.uint32))
        rows = np.vstack([cell_masks(placements.cells, 64 * words), full_row(words)])
        length = np.concatenate([one.length for one in lists]).reshape(-1, max(1, shapes))
        shape_words = variant.shape_words
        every_shape = as_words(np.ones((1, shapes), dtype=bool), shape_words, beyond=False)
        self._position = Position(
            board=tuple(as_words(problem.filled[None, :], words, beyond=True)[0]),
            available=tuple(every_shape[0]),
        )
        max_groups = int((-(-length // LANES)).sum(axis=1).max(initial=0))
        width = reference.HEADER_SIZE + reference.GROUP_SIZE * (max_groups + 1)
        self._stack = Stack(
            rows=np.zeros((self._pieces + 1) * width, dtype=np.uint64),
            pieces=np.uint64(self._pieces),
            state=self._state,
            saved=np.zeros(words + shape_words, dtype=np.uint64),
        )
        copies = np.array([shape.max_count for shape in placements.shapes], dtype=np.uint64)
        self._copies = copies if variant.repeats else None
        self._lists = Lists(
            near=near_masks([one.near for one in lists], words),
            full=as_words(length > 0, shape_words, beyond=False).ravel(),
            start=start,
            masks=image_masks(rows, images, len(images)),
            images=images,
            sizes=Sizes(
                cells=np.uint64(cells),
                shapes=np.uint64(shapes),
                first_bits=np.uint64(lists[0].bits),
                any_bits=np.uint64(lists[-1].bits),
                any_base=np.uint64(cells << lists[0].bits),
                stride=np.uint64(len(images)),
            ),
        )
        self._any_order = None
        if len(lists) > 1:
            adjacent = _adjacent(placements.neighbours, cells, words)
            self._any_order = AnyOrder(adjacent, self._heuristic)

    def _levels(self) -> Iterator[Level]:
        return levels(self._kernel, self._lists, self._stack)

    def _keep(self, options: Sequence[int]) -> None:
        level = int(self._state[LEVEL])
        self._place_next()
        keep_branches(self._kernel, self._lists, self._stack, level, options)

    @classmethod
    def bits_for(cls, cells: int, shapes: int) -> int:
        del shapes
        return cells

    def _search(self, solutions: NDArray[np.int32], nodes: Any) -> int:
        reason: int = self._kernel.search(
            self._lists,
            self._any_order,
            self._copies,
            Begun(self._stack, self._position),
            solutions,
            self._hooks,
            None if self._guide is NO_DESCENTS else self._guide,
            nodes,
        )
        words, saved = len(self._position.board), self._stack.saved
        self._position = Position(tuple(saved[:words]), tuple(saved[words:]))
        return reason

    def _counted_by_remaining(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        rows = self._rows()
        return rows[:, self._kernel.FITS], rows[:, self._kernel.ATTEMPTS]

    def _branches(self) -> list[tuple[int, int]]:
        rows, kernel = self._rows().astype(np.int64), self._kernel
        branches = []
        for level in range(self._pieces, int(self._state[LEVEL]), -1):
            row = rows[level]
            group, groups, where = row[kernel.NEXT], row[kernel.GROUPS], row[kernel.WHERE :]
            # the group of the image under way is the next one, unless that was its last image
            placed = row[kernel.SHAPE] << int(kernel.SHAPE_SHIFT) | row[kernel.AT]
            if group == groups or not 0 <= placed - where[group] < LANES:
                group -= kernel.GROUP_SIZE
            branches.append((int(groups), int(groups - group) - 1))
        return branches

    def _rows(self) -> NDArray[np.uint64]:
        """The stack by pieces remaining."""
        return self._stack.rows.reshape(self._pieces + 1, -1)


def _adjacent(near: NDArray[np.int32], cells: int, words: int) -> NDArray[np.uint64]:
    """The neighbours of each cell as bits, shape (c · words,)."""
    flags = np.zeros((cells, cells + 1), dtype=bool)
    flags[np.arange(cells)[:, None], near] = True  # NO_CELL: a last column
    return as_words(flags[:, :NO_CELL], words, beyond=False).ravel()
