"""Solutions as solvers return them for a file of `formats.solver_input`.

| module | what it reads |
|---|---|
| `literals` | lines `v 1 -2 0` of SAT solvers, `v x1 -x2` of pseudo-Boolean solvers |
| `arrays` | `x = [0, 1];` of MiniZinc |
| `instantiations` | `<instantiation>` of XCSP3, alone or in `v` lines |

`recognition` finds which of them a file is. Variables are numbered as in the file that the solver
was given, and `options` turns the chosen options into a solution of the puzzle. These files are
read and never written.
"""
