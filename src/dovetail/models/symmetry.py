"""Symmetry of options and canonical forms of solutions.

A symmetry of a puzzle permutes its options (placements). The group is an int32 array of shape (g,
options), identity first. The canonical form of a solution is the lexicographically least of its
images, each sorted; solutions with the same canonical form are equal up to symmetry. Counting by
canonical forms is slow and simple: every faster way to count up to symmetry is tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from dovetail.models.arrays import PADDING

# Range of odd factors, whose powers are weights in the keys of rows. If different rows of a table
# have the same key, which is rare, the next factor is tried.
FIRST_FACTOR, LAST_FACTOR = 0x1E3779B97F4A7C15, 0x1E3779B97F4A8C15


class RowNumbers:
    """Finds rows in a table, shape (n, k), int32, and returns the number of the first equal row.

    The rows are sorted by keys of 64 bits. Different rows of the table have different keys. A row
    that is looked up is compared with the row that has the same key.
    """

    def __init__(self, table: NDArray[np.int32]) -> None:
        self._table = table
        for factor in range(FIRST_FACTOR, LAST_FACTOR, 2):
            factors = np.full(table.shape[1], factor, dtype=np.int64)
            self._weights = np.cumprod(factors)  # modulo 2**64
            keys = table @ self._weights
            self._order = np.argsort(keys, kind="stable")
            self._keys = keys[self._order]
            twin = np.flatnonzero(self._keys[1:] == self._keys[:-1])
            if np.array_equal(table[self._order[twin]], table[self._order[twin + 1]]):
                break

    def of(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the number of each of `rows`, shape (m, k), −1 for an unknown row."""
        if len(self._table) == 0:
            return np.full(len(rows), -1, dtype=np.int64)
        position = np.searchsorted(self._keys, rows @ self._weights)
        found = self._order[np.minimum(position, len(self._table) - 1)]
        return np.where((self._table[found] == rows).all(axis=1), found, -1)


def canonical_forms(solutions: NDArray[np.int32], group: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the canonical form of each solution, shape (n, k).

    `solutions` holds option numbers, rows shorter than k padded with −1; `group` has shape (g,
    options).
    """
    best = np.sort(solutions, axis=1)
    for permutation in group[1:]:
        image = np.sort(np.append(permutation, np.int32(PADDING))[solutions], axis=1)
        entry, other = _first_difference(image, best)
        best = np.where((entry < other)[:, None], image, best)
    return best


def _first_difference(
    rows: NDArray[np.int32], others: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the entry of each row, and of the other row, where they first differ, shape (n,).

    For equal rows, both are the first entry.
    """
    number, first = np.arange(len(rows)), (rows != others).argmax(axis=1)
    return rows[number, first], others[number, first]


def canonical_of_orbits(
    solutions: NDArray[np.int32],
    group: NDArray[np.int32],
    among: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """Return the `solutions` that are the canonical forms of their classes.

    A class whose canonical form is not in `solutions` is left out. With `among`, a mask of shape
    (options,), an image that has an option outside the mask is ignored.
    """
    return canonical_and_fixed(solutions, group, among)[0]


def canonical_and_fixed(
    solutions: NDArray[np.int32],
    group: NDArray[np.int32],
    among: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return `canonical_of_orbits` and the number of symmetries that fix each of its solutions."""
    fixed = np.ones(len(solutions), dtype=np.int64)
    if not solutions.size:
        return solutions, fixed * len(group)
    counts = None if among is None else np.append(among, True)
    ordered = np.sort(solutions, axis=1)
    for permutation in group[1:]:
        image = np.sort(np.append(permutation, np.int32(PADDING))[ordered], axis=1)
        entry, other = _first_difference(image, ordered)
        smaller = entry < other
        if counts is not None:
            smaller &= counts[image].all(axis=1)
        fixed += entry == other
        solutions, ordered, fixed = solutions[~smaller], ordered[~smaller], fixed[~smaller]
    return solutions, fixed


def permutations_of_group(
    cell_maps: NDArray[np.int32],
    options: int,
    permutation_by: Callable[[NDArray[np.int32]], NDArray[np.int32] | None],
) -> Iterator[NDArray[np.int32]]:
    """Yield the permutations of the options by a group of cell maps, without the identity.

    `cell_maps` has shape (g, cells), with distinct rows and the identity first. Permutations follow
    the order of their maps. `permutation_by` returns the permutation by a map, or None if the map
    is no symmetry. `permutation_by` is called for few of the maps: the symmetries form a subgroup,
    so that most of the permutations are products of others.
    """
    base, number = _base(cell_maps)

    def product(after: int, before: int) -> int:
        return number[cell_maps[after][cell_maps[before, base]].tobytes()]

    found = {0: np.arange(options, dtype=np.int32)}
    failed, generators = set[int](), list[int]()
    for new in range(len(cell_maps)):
        if new in found or new in failed:
            continue
        permutation = permutation_by(cell_maps[new])
        subgroup = list(found)
        if permutation is None:
            failed.update(product(new, element) for element in subgroup)
            continue
        found[new] = permutation
        generators.append(new)
        cosets = [new]
        for first in cosets:  # grows during the loop
            for element in subgroup:
                found[product(first, element)] = found[first][found[element]]
            for generator in generators:
                if (next_one := product(generator, first)) not in found:
                    found[next_one] = found[generator][found[first]]
                    cosets.append(next_one)
    yield from (found[element] for element in sorted(found) if element > 0)


def _base(cell_maps: NDArray[np.int32]) -> tuple[list[int], dict[bytes, int]]:
    """Return cells whose images distinguish all maps, and the map numbers by these images."""
    base = list[int]()
    while True:
        number: dict[bytes, int] = {}
        for index, images in enumerate(cell_maps[:, base]):
            other = number.setdefault(images.tobytes(), index)
            if other != index:
                base.append(int(np.argmax(cell_maps[index] != cell_maps[other])))
                break
        else:
            return base, number


class SolutionClasses:
    """Sorts solutions into classes under a group and passes on the first of each class.

    Keeps the canonical form of every class seen, so memory grows with the answer. Solutions may
    come in several arrays of different widths, padded with −1.
    """

    def __init__(self, group: NDArray[np.int32]) -> None:
        self._group = group
        self._seen: set[bytes] = set()

    def __len__(self) -> int:
        return len(self._seen)

    def first_of_class(self, solutions: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the first of the `solutions` in each class not seen before, in their order."""
        if solutions.shape[1] == 0:  # the empty solution, alone in its class
            fresh = [] if self._seen or not len(solutions) else [0]
            self._seen.update(b"" for _ in fresh)
            return solutions[fresh]
        forms = canonical_forms(solutions, self._group)
        fresh = []
        for number, form in enumerate(forms):
            key = form[form >= 0].tobytes()  # independent of the width of the rows
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(number)
        return solutions[fresh]
