"""Possible sums of pieces: the volumes and the parities of sets of pieces.

Every piece contributes one of a few values, given by its shape. Shapes with the same values make a
class, and the numbers of pieces left in each class determine which sums are within reach. Source:
Busche 2011, the "parity state object"; volumes are treated alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 2**26

Values = frozenset[int]


@dataclass(frozen=True, eq=False)
class Supply:
    """Pieces and their possible contributions, in classes."""

    class_of: NDArray[np.int64]
    """Class of each shape, shape (shapes,), int64."""
    values: tuple[Values, ...]
    """Possible contributions of a piece of each class."""
    copies: tuple[int, ...]
    """Number of pieces of each class."""
    base: Values
    """Possible sums without any piece."""
    min_sum: int
    """Least sum considered."""
    max_sum: int
    """Greatest sum considered."""

    @property
    def width(self) -> int:
        """Number of sums considered."""
        return self.max_sum - self.min_sum + 1

    def first(self) -> NDArray[np.bool_]:
        """Return a mask of the sums without any piece, shape (width,)."""
        sums = np.zeros(self.width, dtype=bool)
        sums[[value - self.min_sum for value in self.base]] = True
        return sums

    def within_reach(self, without: int | None = None) -> NDArray[np.bool_]:
        """Return a mask of the sums of all pieces, or without a piece of the class `without`.

        The mask has shape (width,); its first entry is for `min_sum`.
        """
        sums = self.first()
        for number, values in enumerate(self.values):
            before, copies = None, self.copies[number] - (number == without)
            if copies > 0 and 1 <= len(values) <= 2 and max(values) - min(values) < self.width:
                sums = _all_added(sums, min(values), max(values), copies)
                continue
            for left in range(copies, 0, -1):
                after = _added(sums, values)
                if before is not None and np.array_equal(after, before):  # alternates from here on
                    sums = after if left % 2 else sums
                    break
                before, sums = sums, after
        return sums


@dataclass(frozen=True, eq=False)
class SumTable:
    """The sums within reach of every set of pieces that can be left."""

    reachable: NDArray[np.uint8]
    """Consecutive rows of `width` sums, a row for each state, uint8."""
    step: NDArray[np.int64]
    """Distance back to the row after a piece of each shape is placed, int64, a multiple of the
    width."""
    start: int
    """Offset of the row for all pieces."""
    width: int


def supply(
    values: Sequence[Values], copies: Sequence[int], base: Values, min_sum: int, max_sum: int
) -> Supply:
    """Return the supply of shapes with these values and numbers of copies."""
    classes = list(dict.fromkeys(values))
    number = np.array([classes.index(one) for one in values], dtype=np.int64)
    together = np.bincount(number, weights=copies, minlength=len(classes)).astype(int)
    return Supply(number, tuple(classes), tuple(together.tolist()), base, min_sum, max_sum)


def too_large(pieces: Supply, what: str) -> str | None:
    """Return a message if the table of a supply of `what` would be too large, else None."""
    size = prod(copies + 1 for copies in pieces.copies) * pieces.width
    if size <= MAX_BYTES:
        return None
    return (
        f"{what}: the table of sums for {len(pieces.copies)} kinds of pieces would take "
        f"{size:,} bytes; the limit is {MAX_BYTES:,}"
    )


def table_of(pieces: Supply) -> SumTable:
    """Return the table of a supply that is not `too_large`."""
    sizes = [copies + 1 for copies in pieces.copies]
    rows = pieces.first()[None, :]
    for values, copies in zip(pieces.values, pieces.copies, strict=True):
        stack = [rows]
        for _ in range(copies):
            stack.append(_added(stack[-1], values))
        rows = np.concatenate(stack)  # this class is the most significant digit of the row
    steps = np.array([1, *accumulate(sizes, mul)], dtype=np.int64) * pieces.width
    return SumTable(
        reachable=rows.ravel().astype(np.uint8),
        step=steps[pieces.class_of],
        start=(len(rows) - 1) * pieces.width,
        width=pieces.width,
    )


def _all_added(sums: NDArray[np.bool_], low: int, high: int, copies: int) -> NDArray[np.bool_]:
    """Return the sums plus `low` or `high`, `copies` times; sums beyond the ends are lost.

    The result is as if copies were added in sequence: in some order of the copies every
    intermediate sum is within the ends, since these are at least `high` − `low` apart.
    """
    step, width = max(1, high - low), len(sums)
    rows = -(-width // step)
    counts = np.zeros((rows + 1) * step, dtype=np.int64)
    counts[step : step + width] = sums
    counts = counts.reshape(-1, step).cumsum(axis=0)  # counts sums that are whole steps below

    def up_to(number: NDArray[np.int64]) -> NDArray[np.int64]:
        return counts[np.clip(number // step, -1, rows - 1) + 1, number % step]

    number = np.arange(width)
    reached: NDArray[np.bool_] = up_to(number - copies * low) > up_to(number - copies * high - step)
    return reached


def _added(sums: NDArray[np.bool_], values: Values) -> NDArray[np.bool_]:
    """Return the sums plus any of `values`; sums beyond the ends are lost."""
    width = sums.shape[-1]
    result = np.zeros_like(sums)
    for value in values:
        if abs(value) < width:
            low, high = max(0, value), width + min(0, value)
            result[..., low:high] |= sums[..., low - value : high - value]
    return result
