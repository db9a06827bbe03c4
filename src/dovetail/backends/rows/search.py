"""A search by `rows`: the arrays of the kernel, and their levels.

The frame of a cell has the untried candidates of the cell in one word of slots. Candidates in later
words are looked up. A part of a search begins with candidates in a single word. An entry of `plan`
restricts the kernel to this word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, lgamma
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.board_code import MIN_NODES, board_code
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import RowsStack
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard, tables_of
from dovetail.backends.shared.kernel_search import KernelSearch, Level
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.errors import ConfigError
from dovetail.kernels.layout import LEVEL, OWN, WORD_BITS, WORK_SPENT

FRAME_SIZE, PLAN_SIZE = 1 << int(layout.FRAME_BITS), 1 << int(layout.PLAN_BITS)


@dataclass(frozen=True)
class WordCandidates:
    """Candidates of a cell in one word of `free`."""

    word: int
    row: int  # row of the tables
    bits: tuple[int, ...]


class RowsSearch(KernelSearch):
    """Search that tries every tile that fits in each cell of a board, cell after cell."""

    def __init__(self, board: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        from dovetail.backends.rows.kernels.search import search

        self._kernel = search
        self._board, self._identical_tiles, cells = board, identical_tiles, len(board.cells)
        self._tables = tables_of(board, identical_tiles)
        self._code = board_code(board, identical_tiles)
        if identical_tiles == "each":  # only one order of identical tiles counts as a solution
            copies = map(len, board.slots.copies.values())
            self.reported = exp(-sum(lgamma(count + 1) for count in copies))
        self._stack = RowsStack(
            free=np.tile(self._tables.free, cells),
            frames=np.zeros(cells * FRAME_SIZE, dtype=np.uint64),
            fits=np.zeros(cells, dtype=np.uint64),
            placed_at=np.zeros(board.slots.tiles, dtype=np.uint64),
            words=tuple(self._tables.free[:-1]),
            state=np.zeros(OWN, dtype=np.uint64),
        )
        self._frames = self._stack.frames.reshape(-1, FRAME_SIZE)
        self._free = self._stack.free.reshape(cells, -1)
        self._plan = self._tables.tables.plan.reshape(-1, PLAN_SIZE)
        self._begin()
        super().__init__(self._stack.state, cells, cells, self._stack.fits, dtype=np.uint64)

    def _begin(self) -> None:
        """Write the frame of the first cell, which has no known neighbours."""
        tables, word, frame = self._tables.tables, int(self._plan[0, layout.WORD]), self._frames[0]
        row = int(tables.step[self._board.section_at[0].start * self._board.colours])
        frame[layout.ENTRY], frame[layout.SLOT] = row * WORD_BITS, word * WORD_BITS
        frame[layout.LEFT] = tables.masks[row] & self._tables.free[word]
        frame[layout.STATE], frame[layout.BACK] = self._plan[0, layout.START], layout.NOTHING

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        """Search by the code of the board, if it can be used, and by the kernel for the rest."""
        left, guide = min(max(1, work), nodes - self.nodes), self._guide
        if self._code.is_compiled and left >= MIN_NODES and guide is None:
            reason, left = self._code.search(self._tables, self._stack, solutions, left)
            if reason != WORK_SPENT or left == 0:
                return self.why_ended(reason, nodes)
        before = self.nodes
        ended = self._kernel(
            self._tables.tables,
            self._tables.others,
            self._stack,
            solutions,
            guide or NO_DESCENTS,
            np.uint64(left),
        )
        if guide is None:
            self._code.made(self.nodes - before)
        return self.why_ended(ended, nodes)

    def compile_code(self) -> None:
        """Compile the code of the board, if the board can have code; wait until this is done."""
        self._code.wait()

    def take(self) -> NDArray[np.int32]:
        orientation = self._tables.orientation[super().take()]
        options: NDArray[np.int32] = self._board.orientations.option[self._board.cells, orientation]
        return options

    def _can_be_cut(self) -> bool:
        return self._identical_tiles == "once"  # with `each`, several candidates are one option

    def _levels(self) -> Iterator[Level]:
        last = int(self._stack.state[LEVEL])
        for depth in range(last + 1):
            entry = int(self._frames[depth, layout.ENTRY])
            untried = [self._options(depth, each) for each in self._untried(depth)]
            yield Level(self._option(depth, entry) if depth < last else None, untried)

    def _keep(self, options: Sequence[int]) -> None:
        # the new end is written into the plan, which no other search shares
        depth = int(self._stack.state[LEVEL])
        frame = self._frames[depth]
        for each in self._untried(depth):
            numbers = self._options(depth, each)
            if set(options) <= set(numbers):
                kept = [bit for bit, way in zip(each.bits, numbers, strict=True) if way in options]
                frame[layout.LEFT] = sum(1 << bit for bit in kept)
                frame[layout.ENTRY] = each.row * WORD_BITS
                frame[layout.SLOT] = each.word * WORD_BITS
                self._plan[depth, layout.END] = each.word + 1
                return
        raise ConfigError("sub-problem: rows does not branch on these options")

    def _branches(self) -> Iterator[tuple[int, int]]:
        for depth in range(int(self._stack.state[LEVEL]) + 1):
            words = self._board.section_at[depth].words
            entry, slot, left = self._frames[depth, [layout.ENTRY, layout.SLOT, layout.LEFT]]
            passed = int(slot) // WORD_BITS - words.first  # number of words that are done
            row = int(entry) // WORD_BITS - passed
            free = self._free[depth, words.first : words.first + words.size]
            fitting = self._tables.tables.masks[row : row + words.size] & free
            yield _ones(fitting), _ones(fitting[passed + 1 :]) + _ones(left)

    def _untried(self, depth: int) -> Iterator[WordCandidates]:
        """Yield the untried candidates of a cell, word by word in the order of the search."""
        frame, end = self._frames[depth], int(self._plan[depth, layout.END])
        row, word = (int(frame[each]) // WORD_BITS for each in (layout.ENTRY, layout.SLOT))
        left = int(frame[layout.LEFT])
        while True:
            bits = tuple(bit for bit in range(WORD_BITS) if left >> bit & 1)
            if bits:
                yield WordCandidates(word, row, bits)
            word, row = word + 1, row + 1
            if word >= end:
                return
            left = int(self._tables.tables.masks[row] & self._free[depth, word])

    def _options(self, depth: int, candidates: WordCandidates) -> list[int]:
        entries = (candidates.row * WORD_BITS + bit for bit in candidates.bits)
        return [self._option(depth, entry) for entry in entries]

    def _option(self, depth: int, entry: int) -> int:
        """Return the option that an entry of `seen` stands for in the cell at a depth."""
        orientation = self._tables.orientation[entry]
        return int(self._board.orientations.option[self._board.cells[depth], orientation])


def _ones(words: NDArray[np.uint64] | np.uint64) -> int:
    return int(np.bitwise_count(words).sum())
