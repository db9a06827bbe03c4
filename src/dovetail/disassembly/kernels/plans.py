"""The arrays of plans: what a search finds, and what is checked."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Columns of `node`: the assembly, the node of the separation that left the part (−1 for none), 1
# for the half that leaves there, the first of its moves, and how many; 0 moves: it is locked.
NODE_ASSEMBLY, NODE_PARENT, NODE_LEAVES, NODE_FIRST, NODE_MOVES = range(5)
NODE_SIZE = 5


class Plans(NamedTuple):
    """Separations, assembly by assembly: room for n of them and of locked parts, and for h moves.

    An assembly of p pieces has less than 2 p of these parts, so n is enough for all.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (n, 5) | int64 | see above |
    | `part` | (n,) | uint64 | the pieces of the part |
    | `move` | (h, 2) | int32 | direction and steps of each move; the last of a node separates, |
    |        |        |       | and has 0 steps |
    | `moved` | (h,) | uint64 | the pieces that move |
    """

    node: NDArray[np.int64]
    part: NDArray[np.uint64]
    move: NDArray[np.int32]
    moved: NDArray[np.uint64]
