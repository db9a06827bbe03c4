"""Levels of a search by colour pairs: what is left to be tried there, and how to begin there.

A level has the candidates of the cell branched on that have not been tried. Which cell that is
depends on random choices and on failures elsewhere: a part therefore takes the cells of its
options, and starts with a fresh random stream and no conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.sizes import Sizes
from dovetail.backends.colorpair.tables import Tables
from dovetail.backends.shared.kernel_search import NOT_BRANCHED, Level
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.board_geometry import SIDES


@dataclass(frozen=True)
class Levels:
    """The levels of a search: its tables, the memory that it works on and their sizes."""

    tables: Tables
    memory: NDArray[np.uint64]
    sizes: Sizes

    def levels(self) -> Iterator[Level]:
        """Yield the levels of a search that is not exhausted."""
        if not self.memory[PHASE]:
            yield NOT_BRANCHED
            return
        for level in range(self._depth + 1):
            cell, taken = int(self.memory[self._header(layout.BRANCH) + level]), None
            if level < self._depth:
                place = int(self.memory[self._header(layout.PLACE) + cell])
                taken = int(self.tables.option[cell, place])
            yield Level(taken, [self.tables.option[cell][_bits(self._candidates(level))].tolist()])

    def branches(self) -> list[tuple[int, int]]:
        """Return how many candidates each level has, and how many of them are untried."""
        counts = self._header(layout.CANDIDATE_COUNT)
        return [
            (
                int(self.memory[counts + level]),
                int(np.bitwise_count(self._candidates(level)).sum()),
            )
            for level in range(self._depth + 1)
        ]

    def keep_branches(self, options: Sequence[int]) -> None:
        """Branch on the cell of some options, which are all to be tried there.

        Raises `ConfigError` where they are no candidates of one open cell.
        """
        level = self._depth
        cells = np.unique(np.nonzero(np.isin(self.tables.option, options))[0])
        kept = np.empty(0, dtype=np.int64)
        if self.memory[PHASE] and len(cells) == 1:
            kept = self._places(level, int(cells[0]), options)
        if len(kept) != len(options):
            raise ConfigError("sub-problem: colorpair does not branch on its options there")
        candidates = self._candidates(level)
        candidates[:] = 0
        for place in kept.tolist():
            candidates[place // WORD_BITS] |= np.uint64(1 << place % WORD_BITS)
        self.memory[self._header(layout.BRANCH) + level] = cells[0]
        self.memory[self._header(layout.CANDIDATE_COUNT) + level] = len(kept)

    @property
    def _depth(self) -> int:
        return int(self.memory[LEVEL])

    def _header(self, entry: np.uint64, row: int = 0) -> int:
        return int(self.tables.words[row + int(entry)])

    def _candidates(self, level: int) -> NDArray[np.uint64]:
        """The words of the candidates of a level that have not been tried."""
        begin = self._header(layout.CANDIDATES) + level * self.sizes.domain
        return self.memory[begin : begin + self.sizes.domain]

    def _places(self, level: int, cell: int, options: Sequence[int]) -> NDArray[np.int64]:
        """The places of options in the domain of a cell that fit there; of twins, the first."""
        fitting = _bits(self._fitting(level, cell))
        _, first = np.unique(self.tables.option[cell, fitting], return_index=True)
        places = fitting[np.sort(first)]
        return places[np.isin(self.tables.option[cell, places], options)]

    def _fitting(self, level: int, cell: int) -> NDArray[np.uint64]:
        """What fits in a cell by what is known on a level; nothing if the cell is not open."""
        words, memory = self.tables.words, self.memory
        record = self._header(layout.RECORDS) + level * self._header(layout.RECORD_WORDS)
        is_open = int(memory[record + self._header(layout.OPEN) + cell // WORD_BITS])
        if not is_open >> cell % WORD_BITS & 1:
            return np.zeros(self.sizes.domain, dtype=np.uint64)
        row = self._header(layout.CELL_ROWS) + cell * int(layout.CELL_ROW)
        codes = int(memory[record + self._header(layout.KNOWN) + cell])
        stride = self._header(layout.COLOURS) + 1
        begins = [self._header(layout.ALLOWED, row)]
        for side in SIDES:
            code = codes >> side * int(layout.CODE_BITS) & int(layout.CODE_MASK)
            begins.append(
                self._header(layout.FITS, row) + (side * stride + code) * self.sizes.domain
            )
        free = record + self._header(layout.FREE, row)
        fitting = np.tile(memory[free : free + self.sizes.tiles], self.sizes.planes)
        for begin in begins:
            fitting &= words[begin : begin + self.sizes.domain]
        return fitting


def _bits(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The numbers of the bits that are set, ascending."""
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
