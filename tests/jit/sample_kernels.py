"""Kernels that show what they are given; the functions themselves are their twins."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel


class Pair(NamedTuple):
    """An array, and whatever else."""

    numbers: NDArray[np.int64]
    other: object


def digest_rows(rows: Any) -> Any:
    """A number that depends on the place of each entry, and on the shape."""
    found = np.int64(7)
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            found = (found * 31 + np.int64(rows[row, column])) % 1_000_003
    return found


def add_pair(pair: Any, factor: Any) -> Any:
    """The numbers are added up in place; how many, and the last sum."""
    total = np.int64(0)
    for place in range(len(pair.numbers)):
        total += pair.numbers[place]
        pair.numbers[place] = total
    return len(pair.numbers), total * factor


def has_other(pair: Any) -> Any:
    """Whether the second member is an array."""
    return pair.other is not None


def half(number: Any) -> Any:
    """Half of it, as a float."""
    return number / 2.0


def passed(number: Any) -> Any:
    """The number itself."""
    return number


def cleared(numbers: Any) -> None:
    """Nothing is returned."""
    numbers[:] = 0


rows_digest: Any = kernel(digest_rows)
pair_added: Any = kernel(add_pair)
pair_has_other: Any = kernel(has_other)
halved: Any = kernel(half)
returned: Any = kernel(passed)
clear: Any = kernel(cleared)


def scaled(number: Any) -> Any:
    """By a helper of numba's, which a process without numba does not have."""
    return math.ldexp(number, 2)


def reciprocal(number: Any) -> Any:
    """Of 0 there is none."""
    return 1 // number


scale = kernel(scaled)
reciprocals = kernel(reciprocal)


@kernel
def doubled(pair: Any) -> None:
    """Each number, in place."""
    for place in range(len(pair.numbers)):
        pair.numbers[place] *= 2


@kernel
def tripled(pair: Any) -> None:
    """Each number, in place."""
    for place in range(len(pair.numbers)):
        pair.numbers[place] *= 3
