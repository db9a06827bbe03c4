"""One search by colour pairs: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.kernels.layout import Settings, Stack, Words
from dovetail.backends.colorpair.levels import Levels
from dovetail.backends.colorpair.pair_numbers import PairNumbers, first_orientations
from dovetail.backends.colorpair.sizes import Sizes
from dovetail.backends.colorpair.tables import Tables
from dovetail.backends.shared.kernel_search import KernelSearch, Level
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.backends.shared.kernels.state import PHASE, WORK
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.backends.shared.zoned_board import ZonedBoard
from dovetail.kernels.slices import EXHAUSTED
from dovetail.kernels.word_size import WORD_BITS

WORK_PER_PLACEMENT = 32  # of a budget's
MAX_BYTES = 2**29


def too_large(board: ZonedBoard, config: ColorPairConfig) -> str | None:
    """Why the arrays of a board would not fit; None if they do.

    What grows fastest counts: records, of which tiles have six pairs at most, ordered candidates,
    and what is looked up by colours.
    """
    cells, colours, sizes = len(board.frames), len(board.orientations.mate), Sizes.of(board)
    max_pairs = len(board.zones) + 6 * len(first_orientations(board.orientations))
    sets = len(board.zones) * sizes.tiles + 4 * sizes.cells
    if config.single_colours:
        sets += len(board.zones) * colours
    records = (cells + 2) * (sets + 2 * colours + cells + max_pairs + 1)
    if config.value_order != "given":
        records += (cells + 1) * (1 + WORD_BITS * sizes.domain)
    by_colour = 2 * len(board.zones) * (colours + 1) + len(board.planes) * 4 * sizes.domain
    needed = 8 * (records + by_colour * (colours + 1))
    if needed <= MAX_BYTES:
        return None
    return f"its arrays would take {needed:,} bytes; the limit is {MAX_BYTES:,}"


class ColorPairSearch(KernelSearch):
    """Searches a board. Rows of `take` are options by cell."""

    native = MappingProxyType(
        {
            "forced": int(layout.FORCED),
            "probes": int(layout.PROBES),
            "levels_jumped": int(layout.JUMPED),
        }
    )

    def __init__(self, board: ZonedBoard, config: ColorPairConfig) -> None:
        from dovetail.backends.colorpair.kernels.search import search

        self._kernel: Any = search
        cells, sizes = len(board.frames), Sizes.of(board)
        pairs = PairNumbers(board, opposites=config.opposite)
        self._tables = Tables(board, sizes, pairs, config)
        ordered = len(board.zones) * sizes.tiles if config.value_order != "given" else 0
        memory, self._exhausted = self._tables.memory, False
        self._stack_levels = Levels(self._tables, memory, sizes)
        self._words = Words(
            tiles=_zeros(sizes.tiles),
            cells=_zeros(sizes.cells),
            domain=_zeros(sizes.domain),
            colours=_zeros(int(config.single_colours)),
            values=_zeros(int(config.value_order != "given")),
        )
        self._stack = Stack(
            memory=memory,
            factor=np.ones(pairs.none + 1 + ordered * WORD_BITS),
            random=np.array([config.seed], dtype=np.uint64),
            fits=np.zeros(cells + 1, dtype=np.uint64),
        )
        self._settings = Settings(
            rules=np.uint64(sum(int(getattr(layout, rule)) for rule in config.rules)),
            choice=np.uint64(getattr(layout, config.choice.replace("-", "_").upper())),
            shaving=np.uint64(config.largest_shaven),
        )
        solutions = SolutionBuffer(cells, np.int32, memory)
        self.levels = cells
        super().__init__(memory, solutions, self._stack.fits[:0:-1], None, cells)

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        guide, stack = None, self._stack
        if self._guide is not NO_DESCENTS:
            guide, stack = self._guide, stack._replace(random=stack.random.copy())
        reason: int = self._kernel(
            self._tables.words,
            self._words,
            stack,
            solutions,
            self._settings,
            guide,
            np.uint64(nodes),
            self._state[WORK] + np.uint64(max(1, work // WORK_PER_PLACEMENT)),
        )
        self._exhausted |= reason == EXHAUSTED and guide is None
        return reason

    def take(self) -> NDArray[np.int32]:
        options: NDArray[np.int32] = self._tables.option[np.arange(self._size or 0), super().take()]
        return options

    def _levels(self) -> Iterable[Level]:
        return () if self._exhausted else self._stack_levels.levels()

    def _keep(self, options: Sequence[int]) -> None:
        self._stack_levels.keep_branches(options)

    def _branches(self) -> list[tuple[int, int]] | None:
        return self._stack_levels.branches() if self._state[PHASE] else None


def _zeros(words: int) -> tuple[Any, ...]:
    return (np.uint64(0),) * words
