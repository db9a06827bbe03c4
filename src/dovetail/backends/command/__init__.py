"""Any program as a backend: it is given a file with the puzzle, and its output is read.

| module | what it does |
|---|---|
| `backend` | the backend `command`, and programs that others maintain, each a backend |
| `definition` | the settings that define a program, and the files that its command names |
| `program` | permission to run programs; a program under way: its lines, its limits, its end |
| `search` | one run of a program as a search; what its lines say: a count, solutions, figures |
| `programs` | scripts that run solvers which are Python packages |
"""
