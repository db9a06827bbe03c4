"""Puzzles as input of solvers: DIMACS CNF, OPB, MiniZinc and XCSP3.

Each file is a boolean model of a puzzle (`models.boolean_model`): a variable for every option, 1 if
the option is chosen. These formats are written and never read as puzzles; `formats.solver_output`
reads the solutions that solvers return for them.

| module | what is in it |
|---|---|
| `export` | the base class: a format that cannot be read |
| `counting` | bounds on sums as clauses |
| `dimacs`, `opb`, `minizinc`, `xcsp3` | the formats |
"""
