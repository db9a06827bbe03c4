"""The contract of improvers: solvers that look for the board with the most matched edges.

To add one, write a module with a config dataclass, an `Improver` and an `ImprovingSearch`, and give
it a line in `registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, ConfigT
from dovetail.improvers.shared.board import BoardArrays, board_arrays, fill
from dovetail.models.edges import EdgePuzzle

Placed = NDArray[np.int32]
"""Tile · 4 + rotation by cell, shape (cells,), −1 for an empty cell."""
NO_SCORE = -1

# What is compiled for it serves every board: its size and its colours are no part of any type.
SMALL_BOARD = EdgePuzzle("compiled", 2, 2, ((0, 1, 1, 0),) * 4)
WARM_UP_SLICES = 10  # once there is a board
MAX_WARM_UP_SLICES = 100
WARM_UP_WORK = 100  # placements of a slice


class ImprovingSearch(ABC):
    """A search for better boards under way.

    `best` is the best board so far, `score` its matched edges, `NO_SCORE` before there is any.
    """

    def __init__(self, board: BoardArrays) -> None:
        self.best: Placed = board.fixed.copy()
        self.score = NO_SCORE

    def keep(self, placed: Placed, score: int) -> bool:
        """Make a board the best if its score is higher; return whether it is."""
        better = score > self.score
        if better:
            self.best, self.score = placed, score
        return better

    @property
    @abstractmethod
    def nodes(self) -> int:
        """How many placements have been made."""

    @abstractmethod
    def advance(self, budget: Budget) -> bool:
        """Search on for about `budget.work` placements; False once there is nothing left to try.

        `budget.seconds` is the time left, None for no limit.
        """

    @property
    def counters(self) -> dict[str, int]:
        """Further figures, by the improver's own names."""
        return {}


class Improver(ABC, Generic[ConfigT]):
    """A way to look for the board with the most matched edges.

    `summary` is a line for lists.
    """

    name: str
    summary: str
    config_type: type[ConfigT]

    def refuses(self, board: BoardArrays, config: ConfigT) -> str | None:
        """Return the reason this improver cannot take a board, or None."""
        return None

    def warm_up(self, config: ConfigT) -> None:
        """Import and compile what a search with this config needs on any board.

        A dry run does that here: slices of two searches of a small board, the first from the hints
        and the second from a full board, which may need different code. An improver whose course
        depends on the time overrides it.
        """
        board = board_arrays(SMALL_BOARD)
        placed = board.fixed.copy()
        fill(board, placed)
        for start in (None, placed):
            search, slices = self.begin(board, config, 1, start), 0
            for _ in range(MAX_WARM_UP_SLICES):  # a search that restarts early scores nothing
                if slices == WARM_UP_SLICES or not search.advance(Budget(WARM_UP_WORK)):
                    break
                slices += search.score > NO_SCORE

    @abstractmethod
    def begin(
        self, board: BoardArrays, config: ConfigT, seed: int, start: Placed | None
    ) -> ImprovingSearch:
        """Return a search with a seed; where there is a `start`, it may improve that board."""


AnyImprover = Improver[Any]
