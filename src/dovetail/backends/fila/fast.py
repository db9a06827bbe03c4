"""The fast kernel's search of one sub-problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fila.descent import Descent, Variant
from dovetail.backends.fila.fast_levels import keep_branches, levels
from dovetail.backends.fila.kernels import layout
from dovetail.backends.fila.kernels.fast_layout import AnyOrder, Lists, Repeats
from dovetail.backends.fila.kernels.layout import Stack
from dovetail.backends.fila.tables import (
    aligned,
    as_words,
    full_row,
    image_lists,
    image_masks,
    joined,
    max_covered,
    near_masks,
)
from dovetail.backends.shared.kernel_search import Level
from dovetail.backends.shared.kernels.state import LEVEL
from dovetail.kernels.lanes import LANES
from dovetail.models.placements import NO_CELL, Placements, cell_masks
from dovetail.models.remainder import Remainder

MAX_IN_THREE_DIGITS = 7  # binary ones


class FastDescent(Descent):
    """The same tree as the reference kernel's; attempts are not counted.

    `words` are those of a board with a bit for each cell, for each shape behind them, and one more.
    """

    work_per_node = MappingProxyType({"f": 2, "e": 6, "s": 60})

    def _build(self, problem: Remainder, nof: bool, variant: Variant) -> None:
        from dovetail.backends.fila.kernels import fast

        self._kernel: Any
        self._kernel, placements, words = fast, problem.placements, variant.words
        cells, shapes = placements.cell_count, len(placements.shapes)
        if self._stop == 0:  # the last piece fills every open cell, so that any of them will do
            self._heuristic[1:2] = layout.FIRST
        lists = []
        for ordered in self._ordered:
            near = max_covered(placements, ordered=ordered)
            lists.append(
                image_lists(
                    placements,
                    near if nof else near.cut(0),
                    ordered=ordered,
                    by_shape=False,
                    block=LANES,
                    bits=LANES,
                    words=words,
                )
            )
        start, images = joined(lists)
        # a last block, of empty boards, as of a placement and a shape of their own
        last, empty_board = int(start[-1]) // LANES, len(placements) + 1
        images = np.append(images, np.full(LANES, empty_board, dtype=np.uint32))
        taken = np.hstack([placements.cells, (cells + placements.shape)[:, None]])
        no_image, nothing = full_row(words), np.zeros((1, words), dtype=np.uint64)
        rows = np.vstack([cell_masks(taken, 64 * words), no_image, nothing])
        filled = np.concatenate([problem.filled, np.zeros(shapes, dtype=bool)])
        self._board = tuple(as_words(filled[None, :], words, beyond=True)[0])
        self._stack = Stack(
            rows=aligned((self._pieces + 2) * fast.STACK_SIZE),
            pieces=np.uint64(self._pieces),
            state=self._state,
            saved=np.zeros(words, dtype=np.uint64),
        )
        self._stack.rows.fill(0)
        self._root()[[fast.BLOCK, fast.END, fast.FITTING]] = last, last + 1, 1
        self._state[LEVEL] = self._pieces + 1
        self._lists = Lists(
            near=near_masks([one.near for one in lists], words),
            cells=np.uint64(cells),
            start=np.append(start // LANES, np.uint32(last)),
            masks=image_masks(rows, images, LANES),
            images=images,
        )
        self._any_order = None
        if len(lists) > 1:
            every_cell = np.ones((1, cells), dtype=bool)
            steps, sides = _steps(placements, variant.cell_words)
            self._any_order = AnyOrder(
                cells_of=tuple(as_words(every_cell, variant.cell_words, beyond=False)[0]),
                steps=steps,
                sides=sides,
                heuristic=self._heuristic,
            )
        self._many = True if len(placements.neighbours.T) > MAX_IN_THREE_DIGITS else None
        self._repeats = None
        if variant.repeats:
            self._repeats = Repeats(
                shape_of=np.append(placements.shape, [shapes, shapes]).astype(np.uint32),
                shape_bit=(cells + np.arange(shapes + 1)).astype(np.uint64),
                copies=np.array(
                    [*(shape.max_count for shape in placements.shapes), 1], dtype=np.uint64
                ),
            )

    def _root(self) -> NDArray[np.uint64]:
        """The stack's row above the first level."""
        row: NDArray[np.uint64] = self._rows()[self._pieces + 1]
        return row

    def _levels(self) -> Iterator[Level]:
        return levels(self._kernel, self._lists, self._stack, self._repeats, self._board)

    def _keep(self, options: Sequence[int]) -> None:
        level = int(self._state[LEVEL]) - 1
        self._place_next()
        keep_branches(self._kernel, self._lists, self._stack, self._board, level, options)

    @classmethod
    def bits_for(cls, cells: int, shapes: int) -> int:
        return cells + shapes + 1  # a bit that is always set: what is no image then never fits

    def _search(self, solutions: NDArray[np.int32], nodes: Any) -> int:
        reason: int = self._kernel.search(
            self._lists,
            self._any_order,
            self._many,
            self._repeats,
            self._board,
            self._stack,
            solutions,
            # a root that has not been looked behind takes part in the count
            nodes + self._root()[self._kernel.FITTING],
        )
        self._board = tuple(self._stack.saved)
        return reason

    def _counted_by_remaining(self) -> tuple[NDArray[np.uint64], None]:
        return self._rows()[:, self._kernel.FITS], None

    def _branches(self) -> list[tuple[int, int]]:
        kernel, rows = self._kernel, self._rows().astype(np.int64)
        begin, block, end = (rows[:, e] for e in (kernel.BEGIN, kernel.BLOCK, kernel.END))
        return [
            (int(end[level] - begin[level]), int(end[level] - block[level]) - 1)
            for level in range(self._pieces, int(self._state[LEVEL]), -1)
        ]

    def _rows(self) -> NDArray[np.uint64]:
        """The stack by pieces remaining."""
        return self._stack.rows.reshape(self._pieces + 2, -1)


def _steps(placements: Placements, words: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """How far the numbers of neighbours lie apart, and which cells have a neighbour there.

    Steps are modulo the bits of so many words, shape (k,); cells are bits, shape (k · words,).
    """
    cells = placements.cell_count
    row, column = np.nonzero(placements.neighbours != NO_CELL)
    apart = placements.neighbours[row, column] - row
    steps = np.unique(apart)
    flags = np.zeros((len(steps), cells), dtype=bool)
    flags[np.searchsorted(steps, apart), row] = True
    return (steps % (64 * words)).astype(np.uint64), as_words(flags, words, beyond=False).ravel()
