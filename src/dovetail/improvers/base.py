"""What an improver is: a solver that looks for the board with the most matched edges.

To add one, write a module with a config dataclass, an `Improver` and an `Improvement`, and give it
a line in `registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, ConfigT
from dovetail.improvers.shared.board_arrays import BoardArrays

Lies = NDArray[np.int32]
"""Tile · 4 + rotation by cell, shape (cells,), −1 for an empty cell."""


NO_SCORE = -1


class Improvement(ABC):
    """One search for better boards under way.

    `best` is the best board so far, `score` its matched edges, `NO_SCORE` before there is any.
    """

    def __init__(self, board: BoardArrays) -> None:
        self.best: Lies = board.fixed.copy()
        self.score = NO_SCORE

    def keep(self, lies: Lies, score: int) -> bool:
        """Make a board the best one if its score is higher; return whether it is."""
        better = score > self.score
        if better:
            self.best, self.score = lies, score
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

    @abstractmethod
    def begin(
        self, board: BoardArrays, config: ConfigT, seed: int, start: Lies | None
    ) -> Improvement:
        """Return a search with a seed; where there is a `start`, it may improve that board."""


AnyImprover = Improver[Any]
