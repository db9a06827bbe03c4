"""What a refill is: a way to fill windows of a board again."""

from __future__ import annotations

from abc import ABC, abstractmethod

from dovetail.backends.base import Budget
from dovetail.improvers.repair.walk import BoardWalk


class Refill(ABC):
    """Takes windows off the board of a walk and fills them, over and over."""

    def __init__(self, walk: BoardWalk) -> None:
        self._walk = walk

    @abstractmethod
    def advance(self, budget: Budget) -> None:
        """Go on for about `budget.work` placements; `budget.seconds` is the time left."""
