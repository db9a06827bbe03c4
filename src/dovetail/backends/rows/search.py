"""A search by `rows`: the kernel's arrays, and their levels.

A frame has the candidates of its cell that are still to be tried in a word; candidates in the words
behind it are looked up. A part has a single word, so that the kernel can be kept within it.
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
from dovetail.backends.shared.kernel_search import KernelSearch, Level, SolutionBuffer
from dovetail.backends.shared.kernels.guide import NO_DESCENTS
from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator
from dovetail.errors import ConfigError
from dovetail.kernels.layout import LEVEL, OWN, WORD_BITS, WORK_SPENT

FRAME_SIZE, PLAN_SIZE = 1 << int(layout.FRAME_BITS), 1 << int(layout.PLAN_BITS)


@dataclass(frozen=True)
class WordCandidates:
    """Candidates of a cell in a word of `free`: the word, their row of the tables, their bits."""

    word: int
    row: int
    bits: tuple[int, ...]


class RowsSearch(KernelSearch):
    """Puts into each cell of a board in turn every tile that fits."""

    def __init__(self, board: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        from dovetail.backends.rows.kernels.search import search

        self._kernel: Any = search
        self._board, self.levels = board, len(board.cells)
        self._identical_tiles = identical_tiles
        self._tables = tables_of(board, identical_tiles)
        self._code = board_code(board, identical_tiles)
        self._stack = RowsStack(
            free=np.tile(self._tables.free, self.levels),
            frames=np.zeros(self.levels * FRAME_SIZE, dtype=np.uint64),
            fits=np.zeros(self.levels, dtype=np.uint64),
            placed_at=np.zeros(board.slots.tiles, dtype=np.uint64),
            words=tuple(self._tables.free[:-1]),
            state=np.zeros(OWN, dtype=np.uint64),
        )
        self._frames = self._stack.frames.reshape(-1, FRAME_SIZE)
        self._free = self._stack.free.reshape(self.levels, -1)
        self._plan = self._tables.tables.plan.reshape(-1, PLAN_SIZE)
        self._begin()
        state = self._stack.state
        solutions = SolutionBuffer(self.levels, np.uint64, state)
        super().__init__(state, solutions, self._stack.fits, None, self.levels)

    def _begin(self) -> None:
        """Write the frame of the first cell, of which no neighbour is known."""
        tables, word, frame = self._tables.tables, int(self._plan[0, layout.WORD]), self._frames[0]
        row = int(tables.step[self._board.section_at[0].start * self._board.colours])
        frame[layout.ENTRY], frame[layout.SLOT] = row * WORD_BITS, word * WORD_BITS
        frame[layout.LEFT] = tables.masks[row] & self._tables.free[word]
        frame[layout.STATE], frame[layout.BACK] = self._plan[0, layout.START], layout.NOTHING

    def _slice(self, solutions: NDArray[Any], work: int, nodes: int) -> int:
        """Search on by the board's code, if it has one, and to the last node by the kernel."""
        left, guide = min(max(1, work), nodes - self.nodes), self._guide
        if self._code.is_compiled and left >= MIN_NODES and guide is NO_DESCENTS:
            reason, left = self._code.search(self._tables, self._stack, solutions, left)
            if reason != WORK_SPENT or left == 0:
                return self.why_ended(reason, nodes)
        made = self.nodes
        ended: int = self._kernel(
            self._tables.tables,
            self._tables.others,
            self._stack,
            solutions,
            guide,
            np.uint64(left),
        )
        if guide is NO_DESCENTS:
            self._code.made(self.nodes - made)
        return self.why_ended(ended, nodes)

    def compile_code(self) -> None:
        """Give the board its code now, if it can have any."""
        self._code.wait()

    @property
    def reported(self) -> float:
        """The share of full boards that are solutions: identical tiles in one order of many."""
        if self._identical_tiles == "once":
            return 1.0
        return exp(-sum(lgamma(len(copies) + 1) for copies in self._board.slots.copies.values()))

    def take(self) -> NDArray[np.int32]:
        orientation = self._tables.orientation[super().take()]
        options: NDArray[np.int32] = self._board.orientations.option[self._board.cells, orientation]
        return options

    def _levels(self) -> Iterator[Level] | None:
        if self._identical_tiles == "each":  # then several candidates are one option
            return None
        return self._options_by_level()

    def _options_by_level(self) -> Iterator[Level]:
        last = int(self._stack.state[LEVEL])
        for depth in range(last + 1):
            entry = int(self._frames[depth, layout.ENTRY])
            untried = [self._options(depth, each) for each in self._untried(depth)]
            yield Level(self._option(depth, entry) if depth < last else None, untried)

    def _keep(self, options: Sequence[int]) -> None:
        # keeping a word to itself changes the plan, which other searches do not share
        depth = int(self._stack.state[LEVEL])
        frame = self._frames[depth]
        for each in self._untried(depth):
            numbers = self._options(depth, each)
            if set(options) <= set(numbers):
                kept = [bit for bit, own in zip(each.bits, numbers, strict=True) if own in options]
                frame[layout.LEFT] = sum(1 << bit for bit in kept)
                frame[layout.ENTRY] = each.row * WORD_BITS
                frame[layout.SLOT] = each.word * WORD_BITS
                self._plan[depth, layout.END] = each.word + 1
                return
        raise ConfigError("sub-problem: rows does not branch on its options there")

    def _branches(self) -> Iterator[tuple[int, int]]:
        for depth in range(int(self._stack.state[LEVEL]) + 1):
            words = self._board.section_at[depth].words
            entry, slot, left = self._frames[depth, [layout.ENTRY, layout.SLOT, layout.LEFT]]
            passed = int(slot) // WORD_BITS - words.first  # words of this cell
            row = int(entry) // WORD_BITS - passed
            free = self._free[depth, words.first : words.first + words.size]
            fitting = self._tables.tables.masks[row : row + words.size] & free
            yield _ones(fitting), _ones(fitting[passed + 1 :]) + _ones(left)

    def _untried(self, depth: int) -> Iterator[WordCandidates]:
        """Yield the candidates that have not been put down, word by word in their order."""
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
        """Return the option that an entry of `seen` is in the cell of a depth."""
        orientation = self._tables.orientation[entry]
        return int(self._board.orientations.option[self._board.cells[depth], orientation])


class RowsTreeEstimator(GuidedTreeEstimator):
    """Counts solutions as the search reports them."""

    def __init__(
        self, search: RowsSearch, seed: int, prefix_width: int, population: int = 0
    ) -> None:
        super().__init__(search, search.levels, seed, prefix_width, population)
        self._reported = search.reported

    def levels(self, estimates: int) -> NDArray[np.float64]:
        levels = super().levels(estimates)
        levels[:, -1] *= self._reported
        return levels


def _ones(words: NDArray[np.uint64] | np.uint64) -> int:
    return int(np.bitwise_count(words).sum())
