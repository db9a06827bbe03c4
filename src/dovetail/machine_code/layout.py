"""Numbers that hand-written code shares with the code that builds its tables."""

LANES = 8  # number of words in a vector
BLOCK_LANES = 16  # number of items of `bitset` in a block: two vectors of 512 bits
LANE_PLANES = 5  # number of bits of a count of options in one lane of several vectors

# A key of `bitset` has the number of choices of an item in the high bits, and the lane of the item
# in the low bits.
LANE_BITS = 32
NO_ITEM = 1 << 62  # larger than every key: no item is open
DEAD = -1  # smaller than every key: an open item has no choice
