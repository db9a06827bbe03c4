"""How promising a sub-problem is: solutions per node, as random probes expect them.

That order found the only solution of the Eternity community's 10x10 board at prefix 92,907 of 20
million, among those with the most expected solutions per node.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.registry import backend_named
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task

# Probes go by dancing links, whatever the backend: its options have the same numbers.
BACKEND = "dlx"
PROBES = 200
HOPELESS = -1e9
# By how much, as a natural logarithm, levels shrink beyond the last one that probes have reached,
# where that was also the largest.
UNKNOWN_SLOPE = -1.0


def promise_of(task: Task, part: SubProblem, seed: int) -> float:
    """Return the logarithm of the expected solutions per node of a sub-problem, or `HOPELESS`.

    `part` is by the numbers of the lowered puzzle. Where no probe ends in a solution, the levels of
    the tree that probes have reached are continued in proportion.
    """
    within = task.lowered.task(Request(Symmetry.ALL), replace(part, cut_from=None))
    solver = backend_named(BACKEND)
    estimator = solver.tree_estimator(within, solver.config_type(), seed, 1)
    assert estimator is not None, "dlx estimates every tree"
    levels = estimator.levels(PROBES)
    assert levels is not None, "dlx estimates levels"
    return _promise(levels.mean(axis=0))


def _promise(levels: NDArray[np.float64]) -> float:
    """Return the promise of a tree with these nodes on each level, the solutions last."""
    nodes = levels[:-1].sum()
    reached = np.flatnonzero(levels)
    if not nodes or not len(reached):
        return HOPELESS
    last, largest = int(reached[-1]), int(levels.argmax())
    slope = UNKNOWN_SLOPE
    if last > largest:
        slope = math.log(levels[last] / levels[largest]) / (last - largest)
    solutions = math.log(levels[last]) + (len(levels) - 1 - last) * slope
    return solutions - math.log(nodes)
