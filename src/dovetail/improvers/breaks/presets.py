"""Published methods for one size of board: schedule, order of filling, colours used up first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from dovetail.models.board_geometry import Position


@dataclass(frozen=True)
class Preset:
    """From how many tiles on each mismatch is allowed, and what else the method prescribes.

    `quotas` are (cells, sides), ascending, with straight lines between them: so many sides must be
    of the preferred colours once so many cells of the order are filled; nothing is asked before the
    first and beyond the last. The order goes through `in_rows` cells row by row, then through what
    is left by columns. With `apart`, no tile has two sides that do not match.
    """

    cells: int
    depths: tuple[int, ...]
    quotas: tuple[tuple[int, float], ...]
    in_rows: int
    restart_nodes: int
    apart: bool

    @property
    def max_quota(self) -> int:
        """The most sides of preferred colours that are asked for."""
        return max(map(self.quota, range(self.cells)))

    def quota(self, filled: int) -> int:
        """The sides of preferred colours that a board with so many filled cells must have."""
        for (low, before), (high, after) in pairwise(self.quotas):
            if low < filled <= high:
                return int(before + (after - before) * (filled - low) / (high - low))
        return 0

    def order(self, width: int, height: int) -> list[Position]:
        """All cells of a board, from the bottom left."""
        by_rows = [(x, y) for y in range(height) for x in range(width)]
        return by_rows[: self.in_rows] + sorted(by_rows[self.in_rows :])


# J. Blackwood, 2020, as published. That the frame's other cells come among inner ones beyond depth
# 180 is published, in which order is not: columns, the first of which is where the first mismatch
# unlocks, are ours.
PRESETS = {
    "blackwood": Preset(
        cells=256,
        depths=(201, 206, 211, 216, 221, 225, 229, 233, 237, 239),
        quotas=((16, 0), (26, 28), (56, 71), (76, 89), (102, 106), (160, 119)),
        in_rows=180,
        restart_nodes=50_000_000_000,
        apart=True,
    ),
}
