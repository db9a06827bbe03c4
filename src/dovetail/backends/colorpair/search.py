"""One search by colour pairs: the kernel's arrays, and what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.kernels.layout import Settings, Stack, Words
from dovetail.backends.colorpair.pair_numbers import PairNumbers, first_orientations
from dovetail.backends.colorpair.parts import Levels
from dovetail.backends.colorpair.sizes import Sizes
from dovetail.backends.colorpair.tables import Tables
from dovetail.backends.shared.parts import replay
from dovetail.backends.shared.slices import SolutionBuffer, node_limit, status_of
from dovetail.backends.shared.zoned_board import ZonedBoard
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.outcome import Counters, Status
from dovetail.models.sub_problem import SubProblem

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


class ColorPairSearch(Search):
    """Searches a board. Rows of `take` are options by cell."""

    def __init__(self, board: ZonedBoard, config: ColorPairConfig) -> None:
        from dovetail.backends.colorpair.kernels.search import search

        self._kernel: Any = search
        self._cells, self._sizes = len(board.frames), Sizes.of(board)
        pairs = PairNumbers(board, opposites=config.opposite)
        self._tables = Tables(board, self._sizes, pairs, config)
        ordered = len(board.zones) * self._sizes.tiles if config.value_order != "given" else 0
        self._memory, self._exhausted = self._tables.memory, False
        self._levels = Levels(self._tables, self._memory, self._sizes)
        self._words = Words(
            tiles=_zeros(self._sizes.tiles),
            cells=_zeros(self._sizes.cells),
            domain=_zeros(self._sizes.domain),
            colours=_zeros(int(config.single_colours)),
            values=_zeros(int(config.value_order != "given")),
        )
        self._stack = Stack(
            memory=self._memory,
            factor=np.ones(pairs.none + 1 + ordered * WORD_BITS),
            random=np.array([config.seed], dtype=np.uint64),
            fits=np.zeros(self._cells + 1, dtype=np.uint64),
        )
        self._settings = Settings(
            rules=np.uint64(sum(int(getattr(layout, rule)) for rule in config.rules)),
            choice=np.uint64(getattr(layout, config.choice.replace("-", "_").upper())),
            shaving=np.uint64(config.largest_shaven),
        )
        self._solutions = SolutionBuffer(self._cells, np.int32, self._memory, int(layout.BUFFERED))

    @property
    def count(self) -> int:
        return int(self._memory[layout.SOLUTIONS])

    @property
    def counters(self) -> Counters:
        memory = self._memory
        by_remaining = self._stack.fits.tolist()
        fits = {remaining: by_remaining[remaining] for remaining in range(self._cells, 0, -1)}
        native = {
            "forced": int(memory[layout.FORCED]),
            "probes": int(memory[layout.PROBES]),
            "levels_jumped": int(memory[layout.JUMPED]),
        }
        return Counters(int(memory[layout.NODES]), None, None, fits, native)

    def advance(self, budget: Budget) -> Status | None:
        memory = self._memory
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        solutions = self._solutions.open_for(budget)
        if solutions is None:
            return None
        before = self.count
        placements = max(1, budget.work // WORK_PER_PLACEMENT)
        reason = self._kernel(
            self._tables.words,
            self._words,
            self._stack,
            solutions,
            self._settings,
            np.uint64(node_limit(budget, int(memory[layout.NODES]))),
            memory[layout.WORK] + np.uint64(placements),
        )
        status = status_of(reason, budget, self.count - before)
        self._exhausted |= status == Status.EXHAUSTED
        return status

    def take(self) -> NDArray[np.int32]:
        places = self._solutions.take()
        options: NDArray[np.int32] = self._tables.option[np.arange(self._cells), places]
        return options

    def begin_within(self, part: SubProblem) -> None:
        replay(self, part, self._levels.keep_branches)
        for entry in (layout.NODES, layout.FORCED, layout.PROBES, layout.JUMPED, layout.WORK):
            self._memory[entry] = 0
        self._stack.fits[:] = 0

    def remaining(self) -> tuple[SubProblem, ...]:
        return () if self._exhausted else self._levels.parts_left()

    def progress(self) -> float | None:
        """The share of the tree, were all candidates of a cell equally large branches."""
        memory, header = self._memory, self._tables.words
        if not memory[layout.BEGUN]:
            return None
        words, done, share = self._sizes.domain, 0.0, 1.0
        depth = int(memory[layout.DEPTH])
        for level in range(depth + 1):
            begin = int(header[layout.CANDIDATES]) + level * words
            waiting = int(np.bitwise_count(memory[begin : begin + words]).sum())
            candidate_count = int(memory[int(header[layout.CANDIDATE_COUNT]) + level])
            share /= max(1, candidate_count)
            done += share * (candidate_count - waiting - (level < depth))
        return done


def _zeros(words: int) -> tuple[Any, ...]:
    return (np.uint64(0),) * words
