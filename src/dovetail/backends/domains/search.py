"""One search with edge domains: the kernel's arrays, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.domains.arrays import SearchArrays
from dovetail.backends.domains.kernels import layout
from dovetail.backends.domains.parts import keep_branches, parts_left
from dovetail.backends.domains.tables import Sizes
from dovetail.backends.shared.parts import replay
from dovetail.backends.shared.slices import SolutionBuffer, node_limit, status_of
from dovetail.backends.shared.zoned_board import ZonedBoard
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

WORK_PER_WORD = 2  # of a budget's, for each word of a domain that is revised
MAX_BYTES = 2**29


class DomainsSearch(Search):
    """Searches a board. Rows of `take` are options by cell, the cells by zones."""

    def __init__(self, board: ZonedBoard, arrays: SearchArrays) -> None:
        from dovetail.backends.domains.kernels.search import search

        self._kernel: Any = search
        self._cells = len(board.frames)
        self._tables, self._words, self._stack = arrays.tables, arrays.words, arrays.stack
        self._scratch, self._rules = arrays.scratch, arrays.rules
        self._solutions = SolutionBuffer(self._cells, np.int32, self._stack.state, layout.BUFFERED)

    @property
    def count(self) -> int:
        return int(self._stack.state[layout.SOLUTIONS])

    @property
    def counters(self) -> Counters:
        state, by_remaining = self._stack.state.tolist(), self._stack.fits.tolist()
        fits = {remaining: by_remaining[remaining] for remaining in range(self._cells, 0, -1)}
        native = {"forced": state[layout.FORCED], "revisions": state[layout.REVISIONS]}
        return Counters(state[layout.NODES], None, None, fits, native)

    def advance(self, budget: Budget) -> Status | None:
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        solutions = self._solutions.open_for(budget)
        if solutions is None:
            return None
        before = self.count
        state = self._stack.state
        revisions = max(1, budget.work // (WORK_PER_WORD * len(self._words.domain)))
        reason = self._kernel(
            self._tables,
            self._words,
            self._stack,
            self._scratch,
            solutions,
            self._rules,
            np.uint64(node_limit(budget, int(state[layout.NODES]))),
            state[layout.REVISIONS] + np.uint64(revisions),
        )
        return status_of(reason, budget, self.count - before)

    def take(self) -> NDArray[np.int32]:
        return self._solutions.take()

    def begin_within(self, part: SubProblem) -> None:
        def keep(options: Sequence[int]) -> None:
            keep_branches(self._tables, self._words, self._stack, options)

        replay(self, part, keep)
        for entry in (layout.NODES, layout.FORCED, layout.REVISIONS):
            self._stack.state[entry] = 0
        self._stack.fits[:] = 0

    def remaining(self) -> tuple[SubProblem, ...]:
        return parts_left(self._tables, self._words, self._stack)

    def progress(self) -> float | None:
        """The share of the tree, were all candidates of a cell equally large branches."""
        stack, domain_words = self._stack, len(self._words.domain)
        if not stack.state[layout.BEGUN]:
            return None
        depth, done, share = int(stack.state[layout.DEPTH]), 0.0, 1.0
        if depth == 0:
            return 1.0
        for level in range(depth):
            begin = level * int(self._words.record) + int(self._tables.domains_at)
            begin += int(stack.branch[level]) * domain_words
            left = stack.records[begin : begin + domain_words]
            candidate_count = int(stack.candidate_count[level])
            waiting = int(np.bitwise_count(left).sum())
            share /= candidate_count
            done += share * (candidate_count - waiting - 1)
        return done + share  # what was begun on the last level is done


def too_large(board: ZonedBoard) -> str | None:
    """Why the records of a board would not fit, None if they do."""
    sizes, cells = Sizes.of(board), len(board.frames)
    edges = 2 * cells - board.geometry.width - board.geometry.height
    record_words = cells * sizes.domain + edges * sizes.colours
    needed = 8 * record_words * (cells + 1)
    if needed <= MAX_BYTES:
        return None
    return f"its records would take {needed:,} bytes; the limit is {MAX_BYTES:,}"
