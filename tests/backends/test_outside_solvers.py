"""Solvers that are Python packages: clingo, CaDiCaL, CP-SAT, python-constraint2."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.backends.cpsat.backend import CpSatConfig, CpSatSearch
from dovetail.backends.registry import backend_named
from dovetail.backends.sat import Encoding, blocking_clause, open_variables
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.cover import CoverProblem
from dovetail.models.formulations.boards import board_model
from dovetail.models.formulations.cover import cover_model
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.loading import load
from oracle.answers import counted, solved
from oracle.brute_force import covers
from oracle.strategies import cover_problems

ALL = Request(Symmetry.ALL, listing=True)
EDGE_MODELS = ("4-edges", "edge-variables")
# A planar packing, a solid, a board, a bare cover, and a board whose tiles have twins.
COUNTS = [
    ("pentominoes-5x6-FLNPUY", 40),
    ("diabolical-cube", 624),
    ("edges-4-b3i3-1", 4),
    ("langford-7", 52),
    ("edges-5-b4i4-1", 8),
]
# A setting of each solver, its values, and the names of the solver's own figures.
SOLVERS: dict[str, tuple[str, tuple[object, ...], set[str]]] = {
    "clingo": (
        "configuration",
        ("frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"),
        {"choices", "conflicts"},
    ),
    "sat": ("encoding", get_args(Encoding), {"decisions", "conflicts", "propagations"}),
    "cpsat": ("linearization_level", (0, 1), {"branches", "conflicts", "restarts"}),
}
INSTALLED = [name for name in SOLVERS if backend_named(name).missing() is None]
each_solver = pytest.mark.parametrize("solver", INSTALLED)


@each_solver
@given(problem=cover_problems(), data=st.data())
@settings(max_examples=25, deadline=None)
def test_random_covers(solver: str, problem: CoverProblem, data: st.DataObject) -> None:
    """The solutions are those of trying every set of options, with bounds and colours."""
    setting, values, _ = SOLVERS[solver]
    config = {setting: data.draw(st.sampled_from(values))}
    finished, solutions = solved(problem, ALL, solver, config)
    assert solutions == covers(problem)
    assert finished.count == len(solutions)


def test_a_cell_that_nothing_fits() -> None:
    """No board, and no variable without a value, which CP-SAT cannot have."""
    options = build_task(load("edges-4-b3i3-1"), ALL).edges
    assert options is not None
    options = options.subset(np.flatnonzero(options.cell != 5))
    search = CpSatSearch(board_model(options, "edge-variables"), CpSatConfig())
    assert search.advance(Budget(work=1)) == Status.EXHAUSTED
    assert search.count == 0


@given(problem=cover_problems(), data=st.data())
@settings(max_examples=35, deadline=None)
def test_a_blocking_clause_rules_out_one_solution(
    problem: CoverProblem, data: st.DataObject
) -> None:
    """Also where options may be added to a solution, as bounds and optional items allow."""
    solutions = sorted(covers(problem))
    if not solutions:
        return
    model, blocked = cover_model(problem), data.draw(st.sampled_from(solutions))
    clause = blocking_clause([option + 1 for option in blocked], open_variables(model))
    kept = [its for its in solutions if any((abs(x) - 1 in its) == (x > 0) for x in clause)]
    assert kept == [its for its in solutions if its != blocked]


TWO = {"workers": 2}
ONE = Limits(solutions=1)
REFUSAL = (
    "with 2 workers CP-SAT finds one solution but counts wrongly; use a limit of 1 solution, or "
    "workers=1"
)


def job(puzzle: Puzzle, limits: Limits = ONE) -> Job:
    """A job for two workers."""
    return Job(puzzle, Request(Symmetry.ALL), "cpsat", TWO, limits)


@pytest.mark.parametrize("solutions", [None, 2])
def test_counting_is_refused(solutions: int | None) -> None:
    """And any limit but one solution; the reason names what to set."""
    finished = finish(execute(job(queens(6), Limits(solutions=solutions))))
    assert (finished.status, finished.count, finished.reason) == (Status.SKIPPED, None, REFUSAL)


@pytest.mark.parametrize("model", ["4-edges"])
def test_one_solution(model: str) -> None:
    """Verified, and the same one in a second run."""
    request = Request(Symmetry.ALL, listing=True)
    board = load("edges-4-b3i3-1")
    config = {**TWO, "formulation": model}
    (finished, found), again = (solved(board, request, "cpsat", config, ONE) for _ in range(2))
    assert (finished.status, finished.count, finished.verified) == (Status.SOLUTION_LIMIT, 1, 1)
    assert len(found) == 1
    assert again[1] == found
    assert found < solved(board, request, "dlx", {})[1]
    assert again[0].answer == finished.answer


def test_no_solution() -> None:
    """The whole tree is searched, so that 0 is the count."""
    finished = finish(execute(job(load("queens-3"))))
    assert (finished.status, finished.count, finished.reason) == (Status.EXHAUSTED, 0, None)


@pytest.mark.parametrize(
    ("symmetry", "labelled", "reduce"), [("mirror", True, ()), ("unique", False, ("redundancy=P",))]
)
def test_any_solution_will_do(symmetry: str, labelled: bool, reduce: tuple[str, ...]) -> None:
    """Also one that a count does not let through, because its class has a lesser form."""
    request = Request.named(symmetry, labelled, reduce, listing=True)
    finished, found = solved(load("soma-cube"), request, "cpsat", TWO, ONE)
    assert (finished.status, finished.count, len(found)) == (Status.SOLUTION_LIMIT, 1, 1)


def test_in_a_child_process() -> None:
    """With the processor time of all workers, and the limits of any run."""
    finished = finish(run_watched(job(queens(12))))
    assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, 1)
    assert finished.solve_cpu_s is not None
    assert finished.counters.native["branches"] >= 0


CONSTRAINT_SOLVERS = ["backtracking", "recursive"]


@pytest.mark.parametrize("solver", CONSTRAINT_SOLVERS)
def test_forward_checking_saves_assignments(solver: str) -> None:
    """The solutions are the same."""
    checked, plain = (
        counted(load("queens-6"), "constraint", config={"solver": solver, "forward_check": check})
        for check in (True, False)
    )
    assert checked.count == plain.count == 4
    assert plain.nodes == 1_038
    assert checked.nodes is not None
    assert checked.nodes < plain.nodes / 6
