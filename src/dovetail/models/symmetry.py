"""Symmetry of options and canonical forms of solutions.

A symmetry of a puzzle permutes its options (placements). The group of them is an int32
array of shape (g, options), identity first. The canonical form of a solution is the
lexicographically least of its images, each sorted; solutions with the same canonical form
are one solution seen from several sides. This is slow and plainly right: every faster way
to count up to symmetry is tested against it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PADDING = -1


def match_rows(table: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number in `table` of each of `rows`, −1 where it is missing.

    Both have shape (…, k); the rows of `table` are distinct.
    """
    if len(table) == 0 or table.shape[1] == 0:
        return np.full(len(rows), -1 if len(table) == 0 else 0, dtype=np.int64)
    keys = _as_keys(table)
    order = np.argsort(keys)
    wanted = _as_keys(rows)
    position = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = order[position]
    return np.where(keys[found] == wanted, found, -1)


def canonical_forms(
    solutions: NDArray[np.int32],
    group: NDArray[np.int32],
    among: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """The canonical form of each solution, shape (n, k).

    `solutions` holds option numbers, rows shorter than k padded with −1; `group` has shape
    (g, options). With `among`, shape (options,), only images count whose options are all of these,
    as those of `solutions` are.
    """
    counts = None if among is None else np.append(among, True)
    best = np.sort(solutions, axis=1)
    for permutation in group[1:]:
        with_padding = np.append(permutation, np.int32(PADDING))
        image = np.sort(with_padding[solutions], axis=1)
        differs = image != best
        first = differs.argmax(axis=1)[:, None]
        smaller = np.take_along_axis(image, first, 1) < np.take_along_axis(best, first, 1)
        if counts is not None:
            smaller &= counts[image].all(axis=1, keepdims=True)
        best = np.where(smaller, image, best)
    return best


def canonical_of_orbits(
    solutions: NDArray[np.int32],
    group: NDArray[np.int32],
    among: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """Those of `solutions` that are canonical forms: of a closed set, one of each class."""
    forms = canonical_forms(solutions, group, among)
    is_canonical = (forms == np.sort(solutions, axis=1)).all(axis=1)
    minimal: NDArray[np.int32] = solutions[is_canonical]
    return minimal


class SolutionClasses:
    """Sorts solutions into classes under a group and lets the first of each class through.

    Keeps the canonical form of every class seen, so memory grows with the answer. Solutions may
    come in several arrays, padded with −1 to widths of their own.
    """

    def __init__(self, group: NDArray[np.int32]) -> None:
        self._group = group
        self._seen: set[bytes] = set()

    def __len__(self) -> int:
        return len(self._seen)

    def first_of_class(self, solutions: NDArray[np.int32]) -> NDArray[np.int32]:
        """Those of `solutions` whose class has not been seen before, in their order."""
        if solutions.shape[1] == 0:  # the empty solution, alone in its class
            fresh = [] if self._seen or not len(solutions) else [0]
            self._seen.update(b"" for _ in fresh)
            return solutions[fresh]
        forms = canonical_forms(solutions, self._group)
        fresh = []
        for number, form in enumerate(forms):
            key = form[form >= 0].tobytes()  # the same, however wide the rows are
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(number)
        return solutions[fresh]


def _as_keys(rows: NDArray[np.int32]) -> NDArray[np.void]:
    """Each row as one opaque value, comparable as a whole."""
    contiguous = np.ascontiguousarray(rows, dtype=np.int32)
    keys: NDArray[np.void] = contiguous.view(np.dtype((np.void, 4 * rows.shape[1]))).ravel()
    return keys
