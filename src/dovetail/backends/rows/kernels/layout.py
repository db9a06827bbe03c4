"""What the kernel and those who call it agree on."""

import numpy as np

# What a tile demands of its four neighbours, north, east, south, west, is in one word.
COLOUR_BITS = 16
COLOUR_MASK = np.uint64(2**COLOUR_BITS - 1)

# Slot s is bit s % 64 of word s // 64.
SLOT_BITS = np.uint64(6)

# Entries of `progress`, an array of uint64 that a slice hands to the next.
DEPTH, SOLUTIONS, BUFFERED = range(3)
PROGRESS_SIZE = 3

# A row of `plan`, by depth: which words of `free` have the tiles that may lie in the cell, and
# how the next cell's row is found: the state to start from, how many of its neighbours are
# looked at, the shift and mask that take the last colour out of what is put down here (mask 0:
# there is none), and from NEIGHBOURS on, for each neighbour filled before this cell, where in
# `frames` its demands are and the shift that takes the colour out of them.
WORD, WORDS, START, EARLIER, SHIFT, MASK, NEIGHBOURS = (np.uint64(entry) for entry in range(7))
PLAN_BITS = np.uint64(4)  # a row has 16 entries, the last two unused

# A row of `frames`, by depth: candidates not yet tried, the row that they come from and the
# number of their word of `free`, what this word held before any was put down, and the state for
# the next cell before its last colour is read; then what was put down: its demands, its entry in
# `shows` and its slot.
LEFT, ROW, AT, BEFORE, STATE, DEMANDS, ENTRY, SLOT = (np.uint64(entry) for entry in range(8))
FRAME_BITS = np.uint64(3)
