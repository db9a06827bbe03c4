"""The state that a search keeps between the slices of its kernel.

`state` is an array of uint64. Its first entries are those below; a kernel's own begin at `OWN`.
"""

# What the kernel does next, where it can be interrupted in several places; the level it is on;
# nodes made; work done in the kernel's own steps; solutions waiting in the buffer; solutions found;
# descents made.
PHASE, LEVEL, NODES, WORK, BUFFERED, SOLUTIONS, DESCENT, OWN = range(8)
