"""A search for boxes: the kernel's arrays, and their levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.kernel_search import NOT_BRANCHED, KernelSearch, Level, SolutionBuffer
from dovetail.backends.skyline.kernels import layout
from dovetail.backends.skyline.kernels.layout import BASE, CORNER, TRIED, WIDTH, Boxes, SkylineStack
from dovetail.backends.skyline.tables import boxes_of
from dovetail.errors import ConfigError
from dovetail.kernels.layout import LEVEL, PHASE
from dovetail.models.placements import Placements


class SkylineSearch(KernelSearch):
    """Fills a corner at a time with every type of piece that fits."""

    def __init__(self, placements: Placements, size: int | None) -> None:
        from dovetail.backends.skyline.kernels.search import search

        self._kernel: Any = search
        self._boxes = boxes_of(placements)
        copies = np.array([shape.max_count for shape in placements.shapes], dtype=np.int64)
        volume = int(self._boxes.extent.prod())
        pieces = min(int(copies.sum()), volume)
        self._stack = _stack(self._boxes, copies, pieces)
        state = self._stack.state
        solutions = SolutionBuffer(pieces, np.int32, state)
        super().__init__(state, solutions, self._stack.fits, None, size)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        reason: int = self._kernel(self._boxes, self._stack, solutions, work, nodes)
        return reason

    def _levels(self) -> Iterator[Level] | None:
        if self._boxes.spare:  # a branch may leave a cell empty, which is no option
            return None
        return self._options_by_level()

    def _options_by_level(self) -> Iterator[Level]:
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
            raise ConfigError("sub-problem: skyline does not branch on its options there")
        branches[: len(kept)] = branches[kept]
        row[WIDTH], row[TRIED] = len(kept), 0

    def _branches(self) -> list[tuple[int, int]]:
        entered = int(self._state[LEVEL]) + (self._state[PHASE] != layout.ENTER)
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
    """Return the stack before the root, where the box is empty."""
    depth = pieces + boxes.spare + 1
    return SkylineStack(
        heights=np.zeros(boxes.extent[1:].prod(), dtype=np.int64),
        copies=copies,
        levels=np.zeros((depth, layout.LEVEL_SIZE), dtype=np.int64),
        branches=np.zeros((depth, len(boxes.shape) + 1), dtype=np.int64),
        fits=np.zeros(pieces + 1, dtype=np.int64),
        lost=np.zeros((layout.AXES, layout.LONGEST + 1), dtype=np.int64),
        ends=np.zeros(boxes.extent[layout.COLUMN], dtype=np.int64),
        state=np.zeros(layout.STATE_SIZE, dtype=np.uint64),
    )
