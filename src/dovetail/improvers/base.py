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


class Improvement(ABC):
    """One search for better boards under way."""

    @property
    @abstractmethod
    def score(self) -> int:
        """Matched edges of the best board so far; −1 before there is any."""

    @property
    @abstractmethod
    def best(self) -> Lies:
        """The best board so far."""

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
        """Return a search that has a seed of its own, from a board to improve if there is one."""


AnyImprover = Improver[Any]
