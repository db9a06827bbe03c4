"""What the two FILA kernels and those who call them agree on."""

import numpy as np

# Entries of `progress`, an array of uint64 that a slice hands to the next.
REMAINING, SOLUTIONS, BUFFERED, PHASE = range(4)
PROGRESS_SIZE = 4

# What `reference` does next, kept in progress[PHASE].
DESCEND, RETURN = (np.uint64(phase) for phase in range(2))

# Heuristics by pieces remaining: the first open cell; of the cells with fewest open
# neighbours the one with fewest fits; the cell with fewest fits.
FIRST, ESTIMATE, SIZE = (np.uint64(rule) for rule in range(3))
