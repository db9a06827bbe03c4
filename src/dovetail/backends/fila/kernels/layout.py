"""What the two FILA kernels and those who call them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# What `reference` does next, the phase of its state. The level of both kernels is how many pieces
# remain.
DESCEND, RETURN = (np.uint64(phase) for phase in range(2))

# Heuristics by pieces remaining: the first open cell; of the cells with fewest open
# neighbours the one with fewest fits; the cell with fewest fits.
FIRST, ESTIMATE, SIZE = (np.uint64(rule) for rule in range(3))


class Stack(NamedTuple):
    """What a slice hands to the next, for p pieces to place.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `rows` | (rows · width,) | uint64 | by pieces remaining; see the kernels |
    | `pieces` | () | uint64 | p |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    | `saved` | (words,) | uint64 | out: the board; of `reference` then what is available |
    """

    rows: NDArray[np.uint64]
    pieces: np.uint64
    state: NDArray[np.uint64]
    saved: NDArray[np.uint64]
