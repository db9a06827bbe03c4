"""One search by `rows`: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.rows.board_code import MIN_NODES, board_code
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import Stack
from dovetail.backends.rows.parts import keep_branches, parts_left
from dovetail.backends.rows.tables import IdenticalTiles, OrderedBoard, first_row, tables_of
from dovetail.backends.shared.parts import replay
from dovetail.backends.shared.slices import SolutionBuffer, node_limit, status_of
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem


class RowsSearch(Search):
    """Puts into each cell of a board in turn every tile that fits."""

    def __init__(self, board: OrderedBoard, identical_tiles: IdenticalTiles) -> None:
        from dovetail.backends.rows.kernels.search import search

        self._kernel: Any = search
        self._board, self._cells = board, len(board.cells)
        self._identical_tiles = identical_tiles
        self._tables = tables_of(board, identical_tiles)
        self._code = board_code(board, identical_tiles)
        self._stack = Stack(
            free=self._tables.free.copy(),
            frames=self._before_the_first(),
            fits=np.zeros(self._cells, dtype=np.uint64),
            placed_at=np.zeros(board.slots.tiles, dtype=np.uint64),
            progress=np.zeros(layout.PROGRESS_SIZE, dtype=np.uint64),
        )
        self._solutions = SolutionBuffer(
            self._cells, np.uint64, self._stack.progress, layout.BUFFERED
        )

    @property
    def count(self) -> int:
        return int(self._stack.progress[layout.SOLUTIONS])

    @property
    def nodes(self) -> int:
        """How many tiles have been put down."""
        return int(self._stack.fits.sum())

    @property
    def counters(self) -> Counters:
        fits = {self._cells - depth: made for depth, made in enumerate(self._stack.fits.tolist())}
        return Counters(self.nodes, None, None, fits)

    def advance(self, budget: Budget) -> Status | None:
        from dovetail.kernels.slices import NODE_LIMIT, WORK_SPENT

        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        solutions = self._solutions.open_for(budget)
        if solutions is None:
            return None
        max_nodes = node_limit(budget, 0)
        made, found = self.nodes, self.count
        reason = self._search(solutions, min(max_nodes, max(1, budget.work)))
        if reason == WORK_SPENT and self.nodes - made >= max_nodes:
            reason = NODE_LIMIT
        return status_of(reason, budget, self.count - found)

    def _search(self, solutions: NDArray[np.uint64], nodes: int) -> int:
        """Search on by the board's code, if it has one, and to the last node by the kernel."""
        from dovetail.kernels.slices import WORK_SPENT

        native = self._code.search
        if native is not None and nodes >= MIN_NODES:
            reason, nodes = native(self._tables.tables.plan, self._stack, solutions, nodes)
            if reason != WORK_SPENT or nodes == 0:
                return reason
        made = self.nodes
        ended: int = self._kernel(
            self._tables.tables, self._tables.others, self._stack, solutions, np.uint64(nodes)
        )
        self._code.made(self.nodes - made)
        return ended

    def compile_code(self) -> None:
        """Give the board its code now, if it can have any."""
        self._code.wait()

    def take(self) -> NDArray[np.int32]:
        orientation = self._tables.orientation[self._solutions.take()]
        options: NDArray[np.int32] = self._board.orientations.option[self._board.cells, orientation]
        return options

    def begin_within(self, part: SubProblem) -> None:
        # keeping a word to itself changes the plan, which other searches do not share
        def keep(options: Sequence[int]) -> None:
            keep_branches(self._board, self._tables, self._stack, options)

        replay(self, part, keep)
        self._stack.fits[:] = 0

    def remaining(self) -> tuple[SubProblem, ...] | None:
        if self._identical_tiles == "each":  # then several candidates are one option
            return None
        return parts_left(self._board, self._tables, self._stack)

    def progress(self) -> float | None:
        """The share of the tree, were all that fits in a cell equally large branches."""
        masks, free = self._tables.tables.masks, self._tables.free.copy()
        depth = int(self._stack.progress[layout.DEPTH])
        share, done = 1.0, 0.0
        frames = self._stack.frames.reshape(self._cells, -1)
        for number, frame in enumerate(frames[: depth + 1]):
            words = self._board.section_at[number].words
            passed = int(frame[layout.AT]) - words.first  # words of this cell
            row = int(frame[layout.ROW]) - passed
            free_here = free[words.first : words.first + words.count]
            fitting = masks[row : row + words.count] & free_here
            waiting = _ones(fitting[passed + 1 :]) + _ones(frame[layout.LEFT])
            under_way = number < depth
            share /= max(1, _ones(fitting))
            done += share * (_ones(fitting) - waiting - under_way)
            if under_way:
                self._tables.put_down(free, int(frame[layout.SLOT]))
        return done

    def _before_the_first(self) -> NDArray[np.uint64]:
        """The frames before anything is put down, shape (n · 8,)."""
        tables, section = self._tables.tables, self._board.section_at[0]
        frames = np.zeros((self._cells, 1 << int(layout.FRAME_BITS)), dtype=np.uint64)
        word = section.words.first
        row, before = first_row(self._board, self._tables), self._tables.free[word]
        frames[0, layout.LEFT] = tables.masks[row] & before
        frames[0, layout.ROW], frames[0, layout.AT], frames[0, layout.BEFORE] = row, word, before
        frames[0, layout.STATE] = tables.plan[layout.START]
        return frames.reshape(-1)


def _ones(words: NDArray[np.uint64]) -> int:
    return int(np.bitwise_count(words).sum())
