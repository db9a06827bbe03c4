"""A search by colour pairs: the arrays of its kernel, and the levels of its stack.

A level has the untried candidates of the cell branched on. The choice of this cell depends on
random numbers, and thus on the nodes searched before. The search of a part therefore begins by
branching on the cells of the part's options. It has a new random stream, and no conflicts of other
parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.kernels.layout import ColorPairStack, ColorPairWords, Settings
from dovetail.backends.colorpair.tables import (
    ColorPairSizes,
    ColorPairTables,
    PairNumbers,
    first_orientations,
)
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, KernelSearch, Level
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.backends.shared.tiles import ZonedBoard
from dovetail.errors import ConfigError
from dovetail.kernels.bits import bits_of, members_of, zeros
from dovetail.kernels.layout import EXHAUSTED, LEVEL, PHASE, WORD_BITS, WORK
from dovetail.models.boards.geometry import SIDES

WORK_PER_PLACEMENT = 32  # steps of `Budget.work`
MAX_BYTES = 2**29


def too_large(board: ZonedBoard, config: ColorPairConfig) -> str | None:
    """Return a refusal if the arrays of a board would need too much memory, else None.

    The estimate covers the parts that grow fastest: records (with at most six pairs for each type),
    ordered candidates, and tables by colours.
    """
    cells, colours, sizes = (
        len(board.frames),
        len(board.orientations.mate),
        ColorPairSizes.of(board),
    )
    max_pairs = len(board.zones) + 6 * len(first_orientations(board.orientations))
    sets = len(board.zones) * sizes.tiles + 4 * sizes.cells
    if config.single_colours:
        sets += len(board.zones) * colours
    records = (cells + 2) * (sets + 2 * colours + cells + max_pairs + 1)
    if config.value_order != "given":
        records += (cells + 1) * (1 + WORD_BITS * sizes.domain)
    by_colour = 2 * len(board.zones) * (colours + 1) + len(board.planes) * 4 * sizes.domain
    needed = 8 * (records + by_colour * (colours + 1))
    return memory_refusal("its arrays", needed, MAX_BYTES)


class ColorPairSearch(KernelSearch):
    """A search of a board. A row of `take` has the option of each cell."""

    native = MappingProxyType(
        {
            "forced": int(layout.FORCED),
            "probes": int(layout.PROBES),
            "levels_jumped": int(layout.JUMPED),
        }
    )

    def __init__(self, board: ZonedBoard, config: ColorPairConfig) -> None:
        from dovetail.backends.colorpair.kernels.search import search

        self._kernel = search
        cells, sizes = len(board.frames), ColorPairSizes.of(board)
        pairs = PairNumbers(board, opposites=config.opposite)
        self._tables = ColorPairTables(board, sizes, pairs, config)
        ordered = len(board.zones) * sizes.tiles if config.value_order != "given" else 0
        memory, self._exhausted = self._tables.memory, False
        self._words = ColorPairWords(
            tiles=zeros(sizes.tiles),
            cells=zeros(sizes.cells),
            domain=zeros(sizes.domain),
            colours=zeros(int(config.single_colours)),
            values=zeros(int(config.value_order != "given")),
        )
        self._stack = ColorPairStack(
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
        super().__init__(memory, cells, cells, self._stack.fits[:0:-1])

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        guide, stack = self._guide, self._stack
        if self._exhausted:  # levels that were jumped over still have candidates
            return EXHAUSTED
        if guide is not None:
            stack = stack._replace(random=stack.random.copy())
        reason = self._kernel(
            self._tables.words,
            self._words,
            stack,
            solutions,
            self._settings,
            guide or NO_DESCENTS,
            np.uint64(nodes),
            self._state[WORK] + np.uint64(max(1, work // WORK_PER_PLACEMENT)),
        )
        self._exhausted |= reason == EXHAUSTED and guide is None
        return reason

    def take(self) -> NDArray[np.int32]:
        options: NDArray[np.int32] = self._tables.option[np.arange(self.levels), super().take()]
        return options

    def _levels(self) -> Iterator[Level]:
        if self._exhausted:
            return
        if not self._state[PHASE]:
            yield NOT_BRANCHED
            return
        for level, cell in enumerate(self._branch_cells()):
            option, taken = self._tables.option[cell], None
            if level < self._depth:
                taken = int(option[int(self._state[self._header(layout.PLACE) + cell])])
            yield Level(taken, [option[members_of(self._candidates(level))].tolist()])

    def _branches(self) -> list[tuple[int, int]] | None:
        if not self._state[PHASE]:
            return None
        counts = self._state[self._header(layout.CANDIDATE_COUNT) :][: self._depth + 1].tolist()
        untried = (len(members_of(self._candidates(level))) for level in range(len(counts)))
        return list(zip(counts, untried, strict=True))

    def _keep(self, options: Sequence[int]) -> None:
        level = self._depth
        cells = np.unique(np.nonzero(np.isin(self._tables.option, options))[0])
        kept = np.empty(0, dtype=np.int64)
        if self._state[PHASE] and len(cells) == 1:
            kept = self._places(level, int(cells[0]), options)
        if len(kept) != len(options):
            raise ConfigError("sub-problem: colorpair does not branch on these options")
        domain = np.isin(np.arange(len(self._words.domain) * WORD_BITS), kept)
        self._candidates(level)[:] = bits_of(domain, len(self._words.domain))
        self._state[self._header(layout.BRANCH) + level] = cells[0]
        self._state[self._header(layout.CANDIDATE_COUNT) + level] = len(kept)

    @property
    def _depth(self) -> int:
        return int(self._state[LEVEL])

    def _branch_cells(self) -> list[int]:
        """Return the cell branched on at each level."""
        cells: list[int] = self._state[self._header(layout.BRANCH) :][: self._depth + 1].tolist()
        return cells

    def _header(self, entry: np.uint64, row: int = 0) -> int:
        return int(self._tables.words[row + int(entry)])

    def _candidates(self, level: int) -> NDArray[np.uint64]:
        """Return a view of the untried candidates of a level."""
        words = len(self._words.domain)
        return self._state[self._header(layout.CANDIDATES) + level * words :][:words]

    def _places(self, level: int, cell: int, options: Sequence[int]) -> NDArray[np.int64]:
        """Return the bits, in the domain of a cell, of those `options` that fit the cell.

        If several bits stand for an option, only the first is returned. The result is empty if the
        cell is not open.
        """
        words, record = self._tables.words, self._header(layout.RECORDS)
        record += level * self._header(layout.RECORD_WORDS)
        is_open = int(self._state[record + self._header(layout.OPEN) + cell // WORD_BITS])
        if not is_open >> cell % WORD_BITS & 1:
            return np.empty(0, dtype=np.int64)
        row = self._header(layout.CELL_ROWS) + cell * int(layout.CELL_ROW)
        codes = int(self._state[record + self._header(layout.KNOWN) + cell])
        size, stride = len(self._words.domain), self._header(layout.COLOURS) + 1
        begins = [self._header(layout.ALLOWED, row)]
        for side in SIDES:
            code = codes >> side * int(layout.CODE_BITS) & int(layout.CODE_MASK)
            begins.append(self._header(layout.FITS, row) + (side * stride + code) * size)
        free = record + self._header(layout.FREE, row)
        tiles = self._state[free : free + len(self._words.tiles)]
        fitting = np.tile(tiles, size // len(tiles))
        for begin in begins:
            fitting &= words[begin : begin + size]
        places = members_of(fitting)
        _, first = np.unique(self._tables.option[cell, places], return_index=True)
        places = places[np.sort(first)]
        return places[np.isin(self._tables.option[cell, places], options)]
