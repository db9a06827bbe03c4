"""Numbers that kernels and their callers share.

Kernels that search in slices keep an array `state` of uint64 between the slices. Its first entries
are common to all kernels; entries of a single kernel begin at `OWN`.

| entry | meaning |
|---|---|
| `PHASE` | the kernel's next step; optional: for kernels with several places to stop |
| `LEVEL` | the current level |
| `NODES` | nodes made; optional: `rows`, `fila`, `fletcher` count nodes by level only |
| `WORK` | work in kernel steps; optional: not in `rows`, `fila`, `fletcher`; left in `frontier` |
| `BUFFERED` | solutions in the buffer |
| `SOLUTIONS` | solutions found |
| `DESCENT` | descents made; optional: for kernels that make descents |
"""

WORD_BITS = 64  # elements of a set in a word

PHASE, LEVEL, NODES, WORK, BUFFERED, SOLUTIONS, DESCENT, OWN = range(8)

# Reasons for the end of a slice: what kernels that search in slices return.
EXHAUSTED, WORK_SPENT, BUFFER_FULL, NODE_LIMIT, STOPPED_AT_REMAINING = range(5)

# SplitMix64: a stream steps a counter of 64 bits and mixes it by shifts and multiplications.
# G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
STEP = 0x9E37_79B9_7F4A_7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = 30, 27, 31
MASK = 2**64 - 1
