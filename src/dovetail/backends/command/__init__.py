"""Any program as a backend: it is given a file with the puzzle, and its output is read.

| module | what it does |
|---|---|
| `backend` | the settings that define a program, and the backend `command` |
| `known` | definitions of programs that others maintain, each a backend |
| `permission` | whether programs may be run |
| `placeholders` | the words of a command that stand for files, and writing them |
| `program` | a program under way: its lines, its limits, its end |
| `answers` | what its lines say: a count, solutions, figures |
| `search` | one run of a program as a search |
| `programs` | scripts that run solvers which are Python packages |
"""
