"""Any program as a backend: it reads a file with the puzzle, and its output is parsed.

| module | what it does |
|---|---|
| `backend` | the backend `command`, and programs that others maintain, each a backend |
| `config` | the settings that define a program, and the files that its command names |
| `search` | permission to run programs; one run of a program as a search, and what its lines say |
| `programs` | a script that runs solvers which are Python packages |
"""
