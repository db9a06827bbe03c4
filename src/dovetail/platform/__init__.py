"""Differences between operating systems: no other package checks the system.

On Linux the kernel enforces limits, and all processes that a run has started end with it. On macOS
and Windows puzzles are solved and counted; functions that need Linux are refused by name.

| module | contents | elsewhere than on Linux |
|---|---|---|
| `system` | the name of the system, signals, locks of files | no forks on Windows |
| `resources` | memory, cores, processor time, limits | memory of the machine and cores only |
| `processes` | process trees, child processes, programs | no trees; programs are refused |
| `supervisor` | the parent of a child process | not used |

Standard library modules that exist only on some systems are imported only here.
"""
