"""Any program as a backend: the program reads a file with the puzzle; its output is parsed.

| module | content |
|---|---|
| `backend` | the backend `command`, and a backend for each known program of other people |
| `config` | the settings that define a program, and the files that its command names |
| `search` | permission to run programs; a run of a program as a search; the parser of its output |
| `programs` | a script that runs solvers from Python packages |
"""
