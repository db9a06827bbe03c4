"""A script that runs solvers from Python packages: it reads a file and prints lines of JSON.

The first argument is the solver, the second its file. The script imports nothing from dovetail. It
is an example of a program whose output the backend `command` reads.
"""

import json
import re
import sys
from collections.abc import Callable
from typing import Any


def d4(path: str) -> None:
    """Count the models of a DIMACS CNF file with the model counter d4 (the package py_d4).

    A formula without variables is counted here, because d4 would divide by zero.

    Source: J.-M. Lagniez and P. Marquis, "An Improved Decision-DNNF Compiler", IJCAI 2017.
    """
    from py_d4 import Solver

    with open(path, encoding="utf-8") as file:
        _, _, variables, clauses = next(line for line in file if line.startswith("p ")).split()
    if variables == "0":
        _answer(count=int(clauses == "0"))
        return
    result = Solver(path).count()
    sys.stdout.write("\n")  # d4 may have printed a line without its end
    _answer(
        count=result.getResult(),
        decision_nodes=result.getNbDecisionNodes(),
        recursive_calls=result.getNbRecursiveCalls(),
        splits=result.getNbSplits(),
        solve_s=result.getSolveTime(),
    )


def ganak(path: str) -> None:
    """Count the models of a DIMACS CNF file with the model counter Ganak (the package pyganak).

    Models are counted over the variables of lines `c p show`. The counts are correct only with high
    probability, because Ganak recognises parts of a formula by a hash.

    Source: S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A Scalable Probabilistic Exact Model
    Counter", IJCAI 2019.
    """
    from pyganak import Counter  # type: ignore[import-not-found]

    counter = Counter()
    shown: list[int] = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if line.startswith("p cnf"):
                counter.new_vars(int(words[2]))
            elif line.startswith("c p show"):
                shown += map(int, words[3:-1])
            elif words and words[0] != "c":
                counter.add_clause([int(word) for word in words[:-1]])
    counter.set_sampling_set(shown)
    _answer(count=str(counter.count()))


def nucs(path: str) -> None:
    """List the solutions of an OPB file with the constraint solver NUCS (the package nucs).

    Each variable of the file has the values 0 and 1. Each constraint becomes a linear propagator.

    Source: Y. Georget, NUCS, a solver for constraint programming in numpy and numba, 2024.
    """
    from nucs.problems.problem import Problem
    from nucs.propagators.propagators import ALG_LINEAR_EQ_C, ALG_LINEAR_GEQ_C
    from nucs.solvers.backtrack_solver import BacktrackSolver

    algorithms = {"=": ALG_LINEAR_EQ_C, ">=": ALG_LINEAR_GEQ_C}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    variables = int(re.findall(r"#variable= ([0-9]+)", text)[0])
    options = int(re.findall(r"the first ([0-9]+) variables", text)[0])
    problem = Problem([(0, 1)] * variables or [(0, 0)])  # NUCS needs a variable
    for line in text.splitlines():
        if not line.startswith("*"):
            *terms, relation, bound, _ = line.split()
            numbers = [int(name[1:]) - 1 for name in terms[1::2]]
            coefficients = [int(term) for term in terms[::2]]
            problem.add_propagator(algorithms[relation], numbers, [*coefficients, int(bound)])
    solver = BacktrackSolver(problem, log_level="ERROR")
    count = 0
    for solution in solver.solve():
        count += 1
        _answer(solution=[option for option in range(options) if solution[option]])
    statistics = solver.get_statistics_as_dictionary()
    _answer(
        count=count,
        choices=int(statistics["SOLVER_CHOICE_NB"]),
        backtracks=int(statistics["SOLVER_BACKTRACK_NB"]),
        propagations=int(statistics["PROPAGATOR_FILTER_NB"]),
    )


def _answer(**values: Any) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(values) + "\n")


if __name__ == "__main__":
    solvers: dict[str, Callable[[str], None]] = {"d4": d4, "ganak": ganak, "nucs": nucs}
    solvers[sys.argv[1]](sys.argv[2])
