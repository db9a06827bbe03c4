"""The numbers of SplitMix64, for the streams in plain Python, in numpy and in kernels.

A stream steps a counter of 64 bits and mixes it: shift and multiply, twice, and shift again.
G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

STEP = 0x9E37_79B9_7F4A_7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = 30, 27, 31
MASK = 2**64 - 1
