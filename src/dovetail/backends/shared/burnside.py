"""From the number of all solutions to that of their classes: the lemma of Burnside.

There are as many classes as solutions that a symmetry leaves as they are, on average over the
symmetries.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
from numpy.typing import NDArray

from dovetail.models.request import Symmetry
from dovetail.models.task import Task


def counts_add_up(task: Task) -> bool:
    """Return whether the counts of sub-problems add up to that of the whole.

    They do not where solutions that a symmetry leaves as they are have to be counted apart.
    """
    breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    complete = breaking is not None and breaking.complete
    return task.request.symmetry == Symmetry.ALL or len(task.group) == 1 or complete


def total_of(
    task: Task,
    every: int,
    fixed_by: Callable[[NDArray[np.int32]], Generator[None, None, int]],
) -> Generator[None, None, int]:
    """Return how many solutions were asked for, where there are `every` of them in all.

    `fixed_by` counts those that a permutation of all options leaves as they are. Where a piece is
    restricted so that all its orbits are whole, only the identity leaves any.
    """
    if task.request.symmetry == Symmetry.ALL:
        return every
    group, fixed = task.group, 0
    if not counts_add_up(task):
        known: dict[bytes, int] = {}
        for symmetry in group[1:]:
            inverse = np.argsort(symmetry).astype(symmetry.dtype)
            if inverse.tobytes() not in known:  # which leaves the same ones
                known[inverse.tobytes()] = yield from fixed_by(symmetry)
            known[symmetry.tobytes()] = known[inverse.tobytes()]
            fixed += known[symmetry.tobytes()]
    unique, rest = divmod(every + fixed, len(group))
    assert rest == 0, "the symmetries are a group"
    return unique


def solutions_for_each(task: Task) -> NDArray[np.uint64]:
    """Return how many solutions a solution with an option stands for (restricted pieces)."""
    breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if task.reduced is None or breaking is None:
        return np.ones(task.options.option_count, dtype=np.uint64)
    return np.maximum(1, breaking.orbit[task.reduced.kept]).astype(np.uint64)
