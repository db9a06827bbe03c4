"""Numbers that kernels and their callers share.

Kernels that search in slices keep an array `state` of uint64 between the slices. Its first entries
have the same meaning for all kernels. Entries that only one kernel has begin at `OWN`.

| entry | meaning |
|---|---|
| `PHASE` | next step of the kernel, if it can stop at several places |
| `LEVEL` | current level |
| `NODES` | number of nodes; not in `rows`, `fila`, `fletcher`, which count nodes by level only |
| `WORK` | steps of work done, in `frontier` steps left; not in `rows`, `fila`, `fletcher` |
| `BUFFERED` | number of solutions in the buffer |
| `SOLUTIONS` | number of solutions found |
| `DESCENT` | number of descents, in kernels that make descents |
"""

WORD_BITS = 64  # number of possible members of a set for which a word has bits

PHASE, LEVEL, NODES, WORK, BUFFERED, SOLUTIONS, DESCENT, OWN = range(8)

# Reasons why a slice ended; a kernel returns one of them.
EXHAUSTED, WORK_SPENT, BUFFER_FULL, NODE_LIMIT, STOPPED_AT_REMAINING = range(5)

# SplitMix64: a stream steps a counter of 64 bits and mixes it by shifts and multiplications.
# G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
STEP = 0x9E37_79B9_7F4A_7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = 30, 27, 31
MASK = 2**64 - 1
