"""Numbers that hand-written code shares with the code that builds its tables."""

LANES = 8  # number of words in a vector
BLOCK_LANES = 16  # number of items of `bitset` in a block: two vectors of 512 bits
LANE_PLANES = 5  # number of bits for the number of options in a lane of a vector

# A key of `bitset` has a number of choices in the high bits and a lane in the low bits.
LANE_BITS = 32
NO_ITEM = 1 << 62  # larger than every key: no item is open
DEAD = -1  # smaller than every key: an open item has no choice
