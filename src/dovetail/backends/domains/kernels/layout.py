"""What the kernels and those who call them agree on."""

# Entries of `state`, an array of uint64 that a slice hands to the next.
BEGUN, DEPTH, NODES, SOLUTIONS, BUFFERED, FORCED, REVISIONS = range(7)
STATE_SIZE = 7

# Which cell is branched on, see `kernels.choose`.
PER_EDGE, FEWEST = range(2)
