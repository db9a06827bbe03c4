"""Descents that a search makes instead of trying every branch: its own steps, for estimates.

A kernel that has descents to make takes one branch of each node on the way down, as the `Guide`
says, and comes back to where the next one differs; it writes about the levels from there on.
Without descents it searches. Source: D. E. Knuth, "Estimating the efficiency of backtrack
programs", Mathematics of Computation 29, 1975.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# What stands in `paths` for a branch: one at random, which the kernel writes there; go no deeper.
RANDOM, END = (np.uint64(2**64 - number) for number in (1, 2))


class Guide(NamedTuple):
    """n descents of d levels at most; none for a search.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `paths` | (n, d) | uint64 | in and out: the branch to take of the node on each level, from 0 |
    | `begins` | (n,) | uint64 | the level from which a descent differs from the one before |
    | `widths` | (n, d) | float64 | out: how many branches this node has; 0 below the end |
    | `closing` | (n, d) | uint8 | out: 1 where the last branch is no placement |
    | `placed` | (n, d) | int64 | out: placements made before |
    | `solved` | (n,) | uint8 | out: solutions that the end of a descent stands for: mostly 0 or 1 |
    | `random` | (1,) | uint64 | the state of a random stream |
    """

    paths: NDArray[np.uint64]
    begins: NDArray[np.uint64]
    widths: NDArray[np.float64]
    closing: NDArray[np.uint8]
    placed: NDArray[np.int64]
    solved: NDArray[np.uint8]
    random: NDArray[np.uint64]


def descents(paths: NDArray[np.uint64], random: NDArray[np.uint64]) -> Guide:
    """Return the guide of descents along some paths."""
    shape = paths.shape
    begins = np.zeros(len(paths), dtype=np.uint64)
    if paths.size:  # a descent along the same path to its end begins at the root
        differs = (paths[1:] != paths[:-1]) | (paths[1:] >= END)
        begins[1:] = differs.argmax(axis=1)
    return Guide(
        paths,
        begins,
        np.zeros(shape),
        np.zeros(shape, dtype=np.uint8),
        np.zeros(shape, dtype=np.int64),
        np.zeros(len(paths), dtype=np.uint8),
        random,
    )


NO_DESCENTS = descents(np.empty((0, 0), dtype=np.uint64), np.zeros(1, dtype=np.uint64))
