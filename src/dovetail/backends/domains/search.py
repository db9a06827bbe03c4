"""One search with edge domains: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.domains.arrays import SearchArrays
from dovetail.backends.domains.kernels import layout
from dovetail.backends.domains.levels import keep_branches, levels, untried_count
from dovetail.backends.domains.tables import Sizes
from dovetail.backends.shared.kernel_search import KernelSearch, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE, WORK
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.backends.shared.zoned_board import ZonedBoard

WORK_PER_WORD = 2  # of a budget's, for each word of a domain that is revised
MAX_BYTES = 2**29


class DomainsSearch(KernelSearch):
    """Searches a board. Rows of `take` are options by cell, the cells by zones."""

    native = MappingProxyType({"forced": layout.FORCED, "revisions": WORK})

    def __init__(self, board: ZonedBoard, arrays: SearchArrays) -> None:
        from dovetail.backends.domains.kernels.search import search

        self._kernel: Any = search
        self._tables, self._words, self._stack = arrays.tables, arrays.words, arrays.stack
        self._scratch, self._rules = arrays.scratch, arrays.rules
        cells, state = len(board.frames), arrays.stack.state
        solutions = SolutionBuffer(cells, np.int32, state)
        super().__init__(state, solutions, arrays.stack.fits[:0:-1], None, cells)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        revisions = max(1, work // (WORK_PER_WORD * len(self._words.domain)))
        reason: int = self._kernel(
            self._tables,
            self._words,
            self._stack,
            self._scratch,
            solutions,
            self._rules,
            np.uint64(nodes),
            self._state[WORK] + np.uint64(revisions),
        )
        return reason

    def _levels(self) -> Iterator[Level]:
        return levels(self._tables, self._words, self._stack)

    def _keep(self, options: Sequence[int]) -> None:
        keep_branches(self._tables, self._words, self._stack, options)

    def _branches(self) -> list[tuple[int, int]] | None:
        if not self._state[PHASE]:
            return None
        return [
            (int(self._stack.candidate_count[level]), untried_count(*at))
            for level in range(int(self._state[LEVEL]))
            for at in [(self._tables, self._words, self._stack, level)]
        ]


def too_large(board: ZonedBoard) -> str | None:
    """Why the records of a board would not fit, None if they do."""
    sizes, cells = Sizes.of(board), len(board.frames)
    edges = 2 * cells - board.geometry.width - board.geometry.height
    record_words = cells * sizes.domain + edges * sizes.colours
    needed = 8 * record_words * (cells + 1)
    if needed <= MAX_BYTES:
        return None
    return f"its records would take {needed:,} bytes; the limit is {MAX_BYTES:,}"
