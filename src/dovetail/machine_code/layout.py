"""Numbers that hand-written code and the tables that it reads have in common."""

LANES = 8  # words that are looked at together
BLOCK_LANES = 16  # items of `bitset` that are looked at together: two vectors of 512 bits
LANE_PLANES = 5  # bits of a number of options in one lane of a vector

# A key of `bitset` is a number of choices and, below it, a lane.
LANE_BITS = 32
NO_ITEM = 1 << 62
DEAD = -1
