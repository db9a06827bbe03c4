"""The state that a search keeps between the slices of its kernel.

`state` is an array of uint64. Its first entries are common to all kernels; entries of a single
kernel begin at `OWN`.

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

PHASE, LEVEL, NODES, WORK, BUFFERED, SOLUTIONS, DESCENT, OWN = range(8)
