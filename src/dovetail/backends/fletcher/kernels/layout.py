"""What the kernel and those who call it agree on."""

import numpy as np

# Entries of `progress`, an array of uint64 that a slice hands to the next.
REMAINING, SOLUTIONS, BUFFERED, PHASE, CELL_TESTS = range(5)
PROGRESS_SIZE = 5

# What the search does next, kept in progress[PHASE].
DESCEND, RETURN = (np.uint64(phase) for phase in range(2))

# Entries of a row of `stack`, by pieces remaining: where the target lies on the board, how many
# orientations fit there and how many of them wait to be placed (the last of them first),
# placements made and tried. Then come the words of the window, and behind them what fits.
POSITION, FITTING, WAITING, FITS, ATTEMPTS, WINDOW = (np.uint64(entry) for entry in range(6))
HEADER_SIZE = 5
