"""Parts of a search by Fletcher's or de Bruijn's program: what is left, and how to begin there.

A row of the stack has the orientations that fit at its target. Those that wait come first, the
last of them next; behind them is the one that was placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.fletcher.kernels import layout
from dovetail.backends.shared.kernels.state import LEVEL, PHASE
from dovetail.errors import ConfigError

POSITION, FITTING, WAITING = map(int, (layout.POSITION, layout.FITTING, layout.WAITING))


@dataclass(frozen=True)
class Rows:
    """The stack of a search: `rows` by pieces remaining, whose orientations begin at `found`.

    The board has so many `places`.
    """

    rows: NDArray[np.uint64]
    state: NDArray[np.uint64]
    found: int
    places: int

    @property
    def remaining(self) -> int:
        """How many pieces remain."""
        return int(self.state[LEVEL])

    @property
    def descends(self) -> bool:
        """Whether what fits behind the piece placed last is still to be looked up."""
        return bool(self.state[PHASE] == layout.DESCEND)

    def keys(self, remaining: int, numbers: slice) -> NDArray[np.uint64]:
        """The kernel's numbers of some placements of a row: orientation · `places` + target."""
        row = self.rows[remaining]
        orientations = row[self.found : self.found + int(row[FITTING])][numbers]
        keys: NDArray[np.uint64] = orientations * np.uint64(self.places) + row[POSITION]
        return keys

    @property
    def keys_above(self) -> NDArray[np.uint64]:
        """The numbers of what is placed and of what waits, in all rows that were looked up."""
        rows = range(self.remaining + 1, len(self.rows))
        looked_up = [self.keys(row, slice(int(self.rows[row, WAITING]) + 1)) for row in rows]
        return np.concatenate([np.empty(0, dtype=np.uint64), *looked_up])

    def placed(self, remaining: int) -> NDArray[np.uint64]:
        """The number of the placement made in a row, shape (1,)."""
        waiting = int(self.rows[remaining, WAITING])
        return self.keys(remaining, slice(waiting, waiting + 1))

    def untried(self, remaining: int) -> NDArray[np.uint64]:
        """The numbers of those that wait in a row, next one first."""
        return self.keys(remaining, slice(int(self.rows[remaining, WAITING])))[::-1]

    def keep(self, keys: Sequence[int]) -> None:
        """Take back what was placed last, and leave only some placements to be made in its row.

        Raises `ConfigError` where not all of them fit there.
        """
        remaining = self.remaining + 1
        row, waiting = self.rows[remaining], int(self.rows[remaining, WAITING])
        fits = np.isin(self.keys(remaining, slice(None)), np.array(keys, dtype=np.uint64))
        kept = row[self.found : self.found + len(fits)][fits]
        if len(kept) != len(keys):
            raise ConfigError("sub-problem: fletcher does not branch on its options there")
        placed = row[self.found + waiting]
        row[self.found : self.found + len(kept)] = kept
        row[self.found + len(kept)] = placed  # the kernel takes it back
        row[WAITING], row[FITTING] = len(kept), len(kept) + 1
        self.state[PHASE] = layout.RETURN
