"""A board under repair: what chooses its windows, what accepts boards, and the best one so far."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from dovetail.improvers.base import Placed
from dovetail.improvers.repair.kernels import layout
from dovetail.improvers.repair.kernels.layout import Board, Rules, Walk
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.greedy import score

DESTROY = {
    "rectangle": layout.RECTANGLE,
    "component": layout.COMPONENT,
    "random": layout.RANDOM,
    "mismatched": layout.MISMATCHED,
}
MIN_TEMPERATURE = 0.01  # matched edges
MAX_WORSE = 8  # a board that is so many edges worse is never accepted


class BoardWalk:
    """From board to board, each of which differs from the one before in a window.

    Boards are accepted by annealing, at a temperature in matched edges that falls with the time
    left. `arrays` are what the kernels take.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: Placed,
        destroy: tuple[str, ...],
        settings: dict[int, int],
        temperature: float,
        seed: int,
    ) -> None:
        self.board, self._temperature = board, temperature
        self._all_s: float | None = None
        self.arrays = (
            board_of(board),
            rules_of([DESTROY[name] for name in destroy], settings),
            walk_of(board, placed, seed),
        )
        self.cool(None)

    @property
    def placed(self) -> Placed:
        """The board that is repaired next."""
        return self.arrays[2].placed

    @property
    def best(self) -> Placed:
        """The best board so far."""
        return self.arrays[2].best.copy()

    def progress(self, entry: int) -> int:
        """A figure of `progress`, see the kernels' layout."""
        return int(self.arrays[2].progress[entry])

    def cool(self, left_s: float | None) -> None:
        """Set the temperature by the share of the time that is left; keep it without a limit."""
        heat = 1.0
        if left_s is not None:
            self._all_s = self._all_s or max(left_s, 1e-3)
            heat = max(0.0, min(1.0, left_s / self._all_s))
        temperature = max(MIN_TEMPERATURE, self._temperature * heat)
        _, rules, _ = self.arrays
        rules.acceptance[:] = [exp(-worse / temperature) for worse in range(MAX_WORSE)]

    def window(self) -> list[int]:
        """The cells of the next window, in the order of filling."""
        from dovetail.improvers.repair.kernels import destroy

        choose: Any = destroy.choose
        count = choose(*self.arrays)
        return [int(cell) for cell in self.arrays[2].cells[:count]]

    def count(self, *, placements: int = 0, proved: bool = False) -> None:
        """Count tiles that were laid, and a refill that is proved to be the best one."""
        progress = self.arrays[2].progress
        progress[layout.PLACEMENTS] += placements
        progress[layout.PROVED] += proved

    def settle(self, placed: Placed) -> None:
        """Go on from a board if it is accepted."""
        from dovetail.improvers.repair.kernels import rounds

        settle: Any = rounds.settle
        _, rules, walk = self.arrays
        walk.trial[:] = placed
        settle(rules, walk, score(self.board, placed))


def board_of(board: BoardArrays) -> Board:
    """A board as the kernels take it."""
    size = np.array([board.puzzle.width, board.puzzle.height], dtype=np.int64)
    arrays = board.sides, board.frame, board.cell_frame, board.neighbours, board.fixed
    return Board(*arrays, size)


def rules_of(operators: list[int], settings: dict[int, int]) -> Rules:
    """Rules with some entries of `settings`, which accept what is no worse."""
    numbers = np.zeros(layout.SETTINGS_SIZE, dtype=np.int64)
    for entry, number in settings.items():
        numbers[entry] = number
    return Rules(np.array(operators, dtype=np.int64), numbers, np.zeros(MAX_WORSE))


def walk_of(board: BoardArrays, placed: Placed, seed: int) -> Walk:
    """A walk that begins at a full board."""
    cells = board.cells
    trial, chosen, order, mismatches = (np.zeros(cells, dtype=np.int32) for _ in range(4))
    progress = np.zeros(layout.PROGRESS_SIZE, dtype=np.int64)
    progress[layout.SCORE] = progress[layout.BEST] = score(board, placed)
    return Walk(
        placed=placed.copy(),
        best=placed.copy(),
        trial=trial,
        cells=chosen,
        order=order,
        mismatches=mismatches,
        mark=np.zeros(cells, dtype=np.uint8),
        random=np.array([seed], dtype=np.uint64),
        progress=progress,
    )
