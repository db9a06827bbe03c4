"""Published schedules of mismatches, each for one size of board."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Preset:
    """From how many tiles on each mismatch is allowed, and how many sides of the preferred colours
    a board must have.

    `quotas` are (tiles, sides), ascending, with straight lines between them: nothing is asked
    before the first and beyond the last.
    """

    cells: int
    depths: tuple[int, ...]
    quotas: tuple[tuple[int, float], ...] = ()

    def quota(self, tiles: int) -> int:
        """The sides of preferred colours that a board with so many tiles must have."""
        for (low, before), (high, after) in pairwise(self.quotas):
            if low < tiles <= high:
                return int(before + (after - before) * (tiles - low) / (high - low))
        return 0


# J. Blackwood, 2020, as published: three colours are used up first, one of them on the frame.
PRESETS = {
    "blackwood": Preset(
        cells=256,
        depths=(201, 206, 211, 216, 221, 225, 229, 233, 237, 239),
        quotas=((16, 0), (26, 28), (56, 71), (76, 89), (102, 106), (160, 119)),
    ),
}
