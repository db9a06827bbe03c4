"""Counts the models of a DIMACS CNF file with the model counter d4 (the package py_d4).

A formula without variables, on which d4 divides by zero, is counted here.

Source: J.-M. Lagniez and P. Marquis, "An Improved Decision-DNNF Compiler", IJCAI 2017.
"""

import json
import sys

from py_d4 import Solver

with open(sys.argv[1], encoding="utf-8") as file:
    _, _, variables, clauses = next(line for line in file if line.startswith("p ")).split()
answer: dict[str, object]
if variables == "0":
    answer = {"count": int(clauses == "0")}
else:
    result = Solver(sys.argv[1]).count()
    answer = {
        "count": result.getResult(),
        "decision_nodes": result.getNbDecisionNodes(),
        "recursive_calls": result.getNbRecursiveCalls(),
        "splits": result.getNbSplits(),
        "solve_s": result.getSolveTime(),
    }
# what d4 has printed itself may not have ended its line
sys.stdout.write(f"\n{json.dumps(answer)}\n")
