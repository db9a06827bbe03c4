"""Puzzles as input of solvers: DIMACS CNF, OPB, MiniZinc and XCSP3.

Each file is the exact cover problem of a puzzle: a variable for every option, 1 if the option is
chosen. These formats are written and never read as puzzles; `formats.solver_output` reads the
solutions that solvers return for them.

| module | what is in it |
|---|---|
| `export` | the base class: a format that cannot be read |
| `constraints` | a cover problem as constraints on its options, common to all four |
| `clauses`, `counting` | clauses with auxiliary variables; bounds on sums as clauses |
| `dimacs`, `opb`, `minizinc`, `xcsp3` | the formats |
"""
