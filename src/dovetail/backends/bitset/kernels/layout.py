"""What the bitset kernels and those who call them agree on."""

LANES = 16  # items of a block, which are looked at together: two vectors of 512 bits

# Entries of a row of `frames`: how many options the frame has and how many words they take, how
# many blocks its items take; where its part of `names`, `planes` and `table` begins; the level
# that it was packed at.
OPTIONS, WORDS, BLOCKS, NAMES, PLANES, TABLE, PACKED_AT = range(7)
FRAME_SIZE = 7

# Entries of a row of `stack`: the lane of the item branched on, how many branches it has, how many
# of them have been begun, the option taken last, how many lanes of the frame are closed.
LANE, WIDTH, TRIED, TAKEN, CLOSED = range(5)
STACK_SIZE = 5

# Entries of `state`, an array of uint64 that a slice hands to the next.
LEVEL, FRAME, PLACED, NODES, STEPS, SOLUTIONS, BUFFERED, PACKS, DONE = range(9)
STATE_SIZE = 9
