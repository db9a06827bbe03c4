"""Formulations beside scripts that state the same model directly, in thread CPU time.

python -m benchmarks.formulations_beside_scripts [ROUNDS]

Prints for each model the time of a search of dovetail, preparation included, divided by the time of
a script of about twenty lines: the median of paired rounds, with the least and the largest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from math import inf
from statistics import median
from typing import Any

import numpy as np
from ortools.sat.python import cp_model
from pychoco import Model

from dovetail.backends import threaded
from dovetail.backends.base import Budget
from dovetail.backends.registry import backend_named
from dovetail.models.request import Request
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load

BROKEN = Request.named("all", False, ["redundancy"])


def members(task: Task) -> list[list[int]]:
    """Return the options of each item."""
    cover = task.cover
    return [cover.option_of_member[its].tolist() for its in cover.members_by_item]


def choco_dual(task: Task) -> int:
    model = Model()
    chosen = model.boolvars(task.cover.option_count)
    integers = []
    for its in members(task):
        integers.append(model.intvar(0, len(its) - 1))
        model.bools_int_channeling([chosen[option] for option in its], integers[-1]).post()
    solver = model.get_solver()
    solver.set_min_dom_lb_search(*integers)
    return sum(1 for _ in iter(solver.solve, False))


def choco_table(task: Task) -> int:
    placements, model = task.placements, Model()
    assert placements is not None
    taken = np.zeros((len(placements), placements.cell_count), dtype=int)
    for option in range(len(placements)):
        taken[
            option, placements.member[placements.start[option] : placements.start[option + 1]]
        ] = 1
    grid = []
    for shape in range(len(placements.shapes)):
        grid.append(model.boolvars(placements.cell_count))
        model.table(grid[-1], taken[placements.shape == shape].tolist()).post()
    integers = []
    for cell in range(placements.cell_count):
        integers.append(model.intvar(0, len(grid) - 1))
        model.bools_int_channeling([row[cell] for row in grid], integers[-1]).post()
    solver = model.get_solver()
    solver.set_min_dom_lb_search(*integers)
    return sum(1 for _ in iter(solver.solve, False))


def cpsat_cover(task: Task) -> int:
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    chosen = [model.new_bool_var("") for _ in range(task.cover.option_count)]
    for its in members(task):
        model.add_exactly_one(chosen[option] for option in its)

    class Counter(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    counter = Counter()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.linearization_level = 0
    solver.solve(model, counter)
    return counter.found


def by_dovetail(backend: str, formulation: str) -> Callable[[Task], int]:
    """Return a function that searches with a formulation."""
    solver = backend_named(backend)
    config: Any = solver.config_type(formulation=formulation)

    def run(task: Task) -> int:
        search = solver.prepare(task, config)
        while search.advance(Budget(work=1 << 20)) is None:
            pass
        return search.count or 0

    return run


MODELS = [
    ("choco dual", "pentominoes-3x20", by_dovetail("choco", "dual"), choco_dual),
    ("choco table", "pentominoes-3x20", by_dovetail("choco", "table"), choco_table),
    ("cpsat cover", "pentominoes-3x20", by_dovetail("cpsat", "cover"), cpsat_cover),
]


def timed(function: Callable[[Task], int], name: str) -> tuple[float, int]:
    task = build_task(load(name), BROKEN)
    _ = task.cover
    begun = time.process_time()
    found = function(task)
    return time.process_time() - begun, found


def main(rounds: int) -> None:
    threaded.LONGEST_WAIT_S = inf  # nobody takes the solutions
    for title, puzzle, own, script in MODELS:
        ratios = []
        for _ in range(rounds + 1):
            (own_s, found), (script_s, expected) = timed(own, puzzle), timed(script, puzzle)
            assert found == expected
            ratios.append(own_s / script_s)
        ratios = ratios[1:]  # the first round imports and warms up
        print(f"{title}: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
