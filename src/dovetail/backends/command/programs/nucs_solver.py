"""Lists the solutions of an OPB file with the constraint solver NUCS (the package nucs).

Each variable of the file has values 0 and 1, each constraint is a linear propagator.

Source: Y. Georget, NUCS, a solver for constraint programming in numpy and numba, 2024.
"""

import json
import re
import sys

from nucs.problems.problem import Problem
from nucs.propagators.propagators import ALG_LINEAR_EQ_C, ALG_LINEAR_GEQ_C
from nucs.solvers.backtrack_solver import BacktrackSolver

ALGORITHMS = {"=": ALG_LINEAR_EQ_C, ">=": ALG_LINEAR_GEQ_C}

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
variables = int(re.findall(r"#variable= ([0-9]+)", text)[0])
options = int(re.findall(r"the first ([0-9]+) variables", text)[0])
problem = Problem([(0, 1)] * variables)
for line in text.splitlines():
    if not line.startswith("*"):
        *terms, relation, bound, _ = line.split()
        numbers = [int(name[1:]) - 1 for name in terms[1::2]]
        coefficients = [int(term) for term in terms[::2]]
        problem.add_propagator(ALGORITHMS[relation], numbers, [*coefficients, int(bound)])
solver = BacktrackSolver(problem, log_level="ERROR")
for solution in solver.solve():
    chosen = [option for option in range(options) if solution[option]]
    sys.stdout.write(json.dumps({"solution": chosen}) + "\n")
statistics = solver.get_statistics_as_dictionary()
figures = {
    "choices": int(statistics["SOLVER_CHOICE_NB"]),
    "backtracks": int(statistics["SOLVER_BACKTRACK_NB"]),
    "propagations": int(statistics["PROPAGATOR_FILTER_NB"]),
}
sys.stdout.write(json.dumps(figures) + "\n")
