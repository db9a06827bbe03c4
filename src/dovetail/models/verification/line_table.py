"""Tables of rows of different lengths with vectorised lookup."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.models.symmetry import PADDING


class LineTable:
    """A row of numbers for each line, padded with −1; lines can be appended.

    Line −1 is empty, so that short rows of lines can be padded with −1 too.
    """

    def __init__(self) -> None:
        self._count = 0
        self._rows = np.full((1, 0), PADDING, np.int32)  # the last row stays that of line −1

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, lines: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of `lines`, shape (*lines.shape, width)."""
        return self._rows[lines]

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        """Append lines in amortised constant time each."""
        capacity, width = self._rows.shape
        width, needed = max([width, *map(len, rows)]), self._count + len(rows)
        if needed >= capacity or width > self._rows.shape[1]:
            grown = np.full((max(needed + 1, 2 * capacity), width), PADDING, np.int32)
            grown[: self._count, : self._rows.shape[1]] = self._rows[: self._count]
            self._rows = grown
        padded = [(*row, *(PADDING,) * (width - len(row))) for row in rows]
        self._rows[self._count : needed] = np.array(padded, np.int32).reshape(len(rows), width)
        self._count = needed
