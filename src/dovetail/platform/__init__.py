"""What systems have in different ways: the only package that asks which one this is.

On Linux everything is kept: limits by the kernel, the end of whatever a run has started. On macOS
and Windows puzzles are solved and counted, and what cannot be kept is refused by name.

| module | what is in it | elsewhere than on Linux |
|---|---|---|
| `system` | which system this is | |
| `limits` | limits that the kernel keeps | a limit on memory is refused |
| `memory` | memory of processes and of the machine | of the machine only |
| `processor` | cores, clocks and the load of the machine | no load |
| `process_tree` | a process and all that descend from it | the process alone |
| `child` | a child that ends with this process | one that starts others leaves them |
| `supervisor` | the parent of such a child | is not used |
| `parent` | the end of a child whose parent has ended | noticed within a second |
| `program` | a program with all that it starts | is refused |
| `signals` | signals that end a process | those that there are |
| `disk` | locks of files, names of files on the disk | |

Modules that exist on some systems only are imported here and nowhere else.
"""
