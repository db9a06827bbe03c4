"""Verification of covers: every item is within its bounds, and the colours of an item agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many, span
from dovetail.models.arrays import PADDING
from dovetail.models.cover import UNCOLOURED, CoverProblem

# Maximum of the number of items times the number of solutions in a batch.
COUNTED_AT_ONCE = 2**20


class CoverVerifier:
    """Verifier of solutions of a bare cover problem; it counts the uses of items in batches."""

    def __init__(self, problem: CoverProblem) -> None:
        self._problem = problem
        self._at_once = max(1, COUNTED_AT_ONCE // max(1, problem.item_count))

    def check(self, rows: NDArray[np.int32]) -> str | None:
        """Return the error of the first bad row, or None.

        `rows`, shape (n, k), hold option numbers, padded with −1.
        """
        for first in range(0, len(rows), self._at_once):
            error = self._error(rows[first : first + self._at_once])
            if error is not None:
                return error
        return None

    def error_in(self, chosen: Sequence[int]) -> str | None:
        """Return the error of a solution, given by the numbers of its options, or None."""
        if len(set(chosen)) != len(chosen):
            return "an option is chosen twice"
        for option in chosen:  # before the conversion to 32 bits, where −1 is padding
            if not 0 <= option < self._problem.option_count:
                return f"there is no option {option}"
        return self.check(np.array(chosen, dtype=np.int32)[None, :])

    def _error(self, rows: NDArray[np.int32]) -> str | None:
        """Return the error of the first bad row of a batch, or None."""
        bad = _repeats(rows) | np.any(self._unknown(rows), axis=1)
        named = int(np.argmax(bad)) if bad.any() else len(rows)
        error = self._cover_error(rows[:named])
        if error is not None or named == len(rows):
            return error
        row = rows[named]
        if _repeats(row[None, :])[0]:
            return "an option is chosen twice"
        return f"there is no option {row[self._unknown(row)][0]}"

    def _unknown(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return a mask of the numbers that are neither options nor padding."""
        unknown: NDArray[np.bool_] = (rows < PADDING) | (rows >= self._problem.option_count)
        return unknown

    def _cover_error(self, rows: NDArray[np.int32]) -> str | None:
        """Return the error of the first bad row of known, distinct options, or None."""
        problem, primary = self._problem, self._problem.primary_count
        row, member = self._members(rows)
        item, colour = problem.item[member], problem.colour[member]
        place = row * problem.item_count + item
        times = np.bincount(place, minlength=len(rows) * problem.item_count)
        times = times.reshape(len(rows), problem.item_count)
        given = np.zeros(times.size, dtype=np.int32)
        given[place] = colour  # any of the colours that the item is given
        uncoloured_twice = (colour == UNCOLOURED) & (times.ravel()[place] > 1)
        clash = (item >= primary) & ((colour != given[place]) | uncoloured_twice)
        bounded = times[:, :primary]
        outside = (bounded < problem.lower) | (bounded > problem.upper)
        bad = np.any(outside, axis=1)
        bad[row[clash]] = True
        if not bad.any():
            return None
        first = int(np.argmax(bad))
        if outside[first].any():
            i = int(np.argmax(outside[first]))
            return (
                f"item {problem.item_names[i]} is covered {how_many(int(times[first, i]), 'time')}"
                f"; expected {span(problem.lower[i], problem.upper[i])}"
            )
        i = int(item[clash & (row == first)][0])
        return f"item {problem.item_names[i]} has different colours, or no colour, in two options"

    def _members(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the row and the number of each member that the options in `rows` have."""
        row, column = np.nonzero(rows != PADDING)
        options, start = rows[row, column], self._problem.start
        sizes = start[options + 1] - start[options]
        before = np.cumsum(sizes) - sizes
        member = np.repeat(start[options] - before, sizes) + np.arange(int(sizes.sum()))
        return np.repeat(row, sizes), member


def _repeats(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return a mask of the rows that contain a number twice, not counting padding."""
    ascending = np.sort(rows, axis=1)
    same = (ascending[:, 1:] == ascending[:, :-1]) & (ascending[:, 1:] != PADDING)
    repeated: NDArray[np.bool_] = np.any(same, axis=1)
    return repeated
