"""The contract of improvers: solvers that look for the best board by an objective.

The objective of a `BoardArrays` is the most matched edges, or the most tiles on a board that has no
mismatch but may have empty cells.

To add an improver, write a module with a config dataclass, an `Improver` and an `ImprovingSearch`,
and add a line to `registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import product
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, ConfigT
from dovetail.improvers.shared.board import BoardArrays, board_arrays, fill
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import Objective

Placed = NDArray[np.int32]
"""Tile · 4 + rotation by cell, shape (cells,), −1 for an empty cell."""
NO_SCORE = -1

# Kernels that are compiled for this board serve all boards: no type depends on size or colours.
SMALL_BOARD = EdgePuzzle("compiled", 2, 2, ((0, 1, 1, 0),) * 4)
WARM_UP_SLICES = 10  # slices of a search once it has found a board
MAX_WARM_UP_SLICES = 100  # largest number of slices of a search
WARM_UP_WORK = 100  # placements of a slice
GOOD_PART = 100  # a good score is below the best by at most 1 / GOOD_PART of the best, or by 1


def tiles_apart(placed: Placed, other: Placed) -> int:
    """Return the distance between two boards: the number of cells whose tiles differ."""
    return int(np.count_nonzero(placed // 4 != other // 4))


def is_good(score: int, best: int) -> bool:
    """Return whether `score` is at most 1 / `GOOD_PART` of `best`, or 1, below `best`.

    The result is False for `NO_SCORE`.
    """
    return score > NO_SCORE and best - score <= max(1, best // GOOD_PART)


class ImprovingSearch(ABC):
    """State of a search for better boards."""

    def __init__(self, board: BoardArrays) -> None:
        # Best board so far; only the hinted tiles before the first board is found.
        self.best: Placed = board.fixed.copy()
        # Score of `best` by the objective; `NO_SCORE` before the first board is found.
        self.score = NO_SCORE
        # A good board with other tiles than `best` in some cells, and its score, or None. Of the
        # good boards that `keep` compares, it keeps the one most different from `best`.
        self.other: tuple[Placed, int] | None = None

    def keep(self, placed: Placed, score: int) -> bool:
        """Make `placed` the best board if its score is higher, and update `other`.

        Returns whether the score is higher.
        """
        better = score > self.score
        rest = [(placed, score), *([] if self.other is None else [self.other])]
        if better:
            rest[0] = self.best, self.score
            self.best, self.score = placed, score
        good = [
            (tiles_apart(board, self.best), number)
            for number, (board, worth) in enumerate(rest)
            if is_good(worth, self.score)
        ]
        apart, number = max(good, default=(0, 0))
        self.other = rest[number] if apart else None
        return better

    def accept(self, placed: Placed) -> None:
        """Continue from the board `placed` of another search, even if it is not the best.

        By default, do nothing: a search that does not use the start of `Improver.begin` does not
        use this board either.
        """
        return

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Number of placements made."""

    @abstractmethod
    def advance(self, budget: Budget) -> bool:
        """Make about `budget.work` placements; return False if the search is exhausted.

        `budget.seconds` is the time left, None for no limit.
        """

    @property
    def counters(self) -> dict[str, int]:
        """Further counters of the improver, by name."""
        return {}


class Improver(ABC, Generic[ConfigT]):
    """A method that looks for the best board."""

    name: str
    summary: str
    """A line for lists of improvers."""
    config_type: type[ConfigT]
    objectives: tuple[Objective, ...] = (Objective.EDGES,)
    """Objectives that the improver supports."""

    def refuses(self, board: BoardArrays, config: ConfigT) -> str | None:
        """Return why the improver does not support a board, or None."""
        return None

    def warm_up(self, config: ConfigT) -> None:
        """Import and compile what a search with this config needs on any board.

        By default, run some slices of two searches of a small board for each objective: the first
        begins without tiles, the second with a full board, which may need other kernels. An
        improver that decides by the clock which kernels it runs overrides this method.
        """
        default = vars(self.config_type())
        # The default order, if there is an order: a list of cells is for a single board.
        config = replace(config, **{key: default[key] for key in default.keys() & {"order"}})
        for objective, starts in product(self.objectives, (False, True)):
            board = board_arrays(SMALL_BOARD, objective)
            placed = board.fixed.copy()
            fill(board, placed)
            start = placed if starts else None
            search, slices = self.begin(board, config, 1, start), 0
            for _ in range(MAX_WARM_UP_SLICES):  # a search that restarts early has no board
                if slices == WARM_UP_SLICES or not search.advance(Budget(WARM_UP_WORK)):
                    break
                slices += search.score > NO_SCORE

    @abstractmethod
    def begin(
        self, board: BoardArrays, config: ConfigT, seed: int, start: Placed | None
    ) -> ImprovingSearch:
        """Return a search; if `start` is a board, the search may begin with it."""


AnyImprover = Improver[Any]
