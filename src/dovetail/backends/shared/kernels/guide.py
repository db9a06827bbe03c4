"""Descents: paths down a search tree that a kernel takes, for estimates, in place of a search.

At each node of a descent, the kernel takes the branch that the `Guide` names. At the end of a
descent, the kernel goes back to the level at which the next descent differs, and fills the guide's
arrays from that level on. Without descents the kernel searches the whole tree. Source: D. E. Knuth,
"Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Special entries of `paths`. RANDOM: the kernel takes a random branch and stores the number of the
# branch in this entry. END: the descent ends at this node without taking a branch.
RANDOM, END = (np.uint64(2**64 - number) for number in (1, 2))


class Guide(NamedTuple):
    """Input and output of n descents with at most d levels; n is 0 for a search of the whole tree.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `paths` | (n, d) | uint64 | in and out: number of the branch taken at each level, from 0 |
    | `begins` | (n,) | uint64 | first level at which a descent may differ from its predecessor |
    | `widths` | (n, d) | float64 | out: number of branches of each node; 0 below the end |
    | `closing` | (n, d) | uint8 | out: 1 if the last branch of the node is no placement |
    | `placed` | (n, d) | int64 | out: number of placements made before the node |
    | `solved` | (n,) | uint8 | out: number of solutions at the end of a descent, mostly 0 or 1 |
    | `random` | (1,) | uint64 | in and out: state of a random stream |
    """

    paths: NDArray[np.uint64]
    begins: NDArray[np.uint64]
    widths: NDArray[np.float64]
    closing: NDArray[np.uint8]
    placed: NDArray[np.int64]
    solved: NDArray[np.uint8]
    random: NDArray[np.uint64]


def descents(paths: NDArray[np.uint64], random: NDArray[np.uint64]) -> Guide:
    """Return the guide of descents along the rows of `paths`; all outputs are 0."""
    shape = paths.shape
    begins = np.zeros(len(paths), dtype=np.uint64)
    if paths.size:  # argmax of all False is 0: a descent along the same path begins at the root
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
