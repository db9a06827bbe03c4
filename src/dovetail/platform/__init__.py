"""Everything that differs between operating systems: no other package asks which one this is.

On Linux the kernel keeps limits, and everything that a run has started ends with it. On macOS and
Windows puzzles are solved and counted; functions that need Linux are refused by name.

| module | contents | elsewhere than on Linux |
|---|---|---|
| `system` | the name of the system, signals, locks of files | no forks on Windows |
| `resources` | memory, cores, processor time, limits | memory of the machine and cores only |
| `processes` | process trees, child processes, programs | no trees; programs are refused |
| `supervisor` | the parent of a child process | not used |

Modules of the standard library that exist on some systems only are imported here and nowhere else.
"""
