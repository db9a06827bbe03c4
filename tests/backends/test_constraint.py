"""`constraint` counts the assignments that its solver makes, as a plain search counts them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from oracle.strategies import cover_problems

SOLVERS = ["backtracking", "optimized", "recursive"]


def solved(puzzle: Puzzle, solver: str, *, forward_check: bool) -> Result:
    config = {"solver": solver, "forward_check": forward_check}
    return finish(execute(Job(puzzle, Request(Symmetry.ALL), "constraint", config)))


def solutions_and_assignments(problem: CoverProblem) -> tuple[int, int]:
    """Those of a search without forward checking, which assigns items with few options first.

    An option that covers two primary items is the value of both.
    """
    colours: list[dict[int, int]] = [{} for _ in range(problem.option_count)]
    for option, item, colour in zip(
        problem.option_of_member.tolist(),
        problem.item.tolist(),
        problem.colour.tolist(),
        strict=True,
    ):
        colours[option][item] = colour
    domains = [
        [option for option, its in enumerate(colours) if item in its]
        for item in range(problem.primary_count)
    ]
    domains.sort(key=len)

    def agree(one: int, other: int) -> bool:
        first, second = colours[one], colours[other]
        return one == other or all(
            first[item] == second[item] != UNCOLOURED for item in first.keys() & second.keys()
        )

    def search(level: int, chosen: tuple[int, ...]) -> tuple[int, int]:
        if level == len(domains):
            return 1, 0
        found = made = 0
        for option in domains[level]:
            made += 1
            if all(agree(other, option) for other in chosen):
                below, tried = search(level + 1, (*chosen, option))
                found, made = found + below, made + tried
        return found, made

    return search(0, ()) if all(domains) else (0, 0)


@pytest.mark.parametrize("solver", SOLVERS)
@given(problem=cover_problems(unit_bounds=True))
@settings(max_examples=15)
def test_assignments(solver: str, problem: CoverProblem) -> None:
    """Each of them is counted, also one that contradicts another."""
    finished = solved(problem, solver, forward_check=False)
    assert (finished.count, finished.nodes) == solutions_and_assignments(problem)


@pytest.mark.parametrize("solver", SOLVERS)
def test_forward_checking_saves_assignments(solver: str) -> None:
    """The solutions are the same."""
    checked, plain = (
        solved(load("queens-6"), solver, forward_check=check) for check in (True, False)
    )
    assert checked.count == plain.count == 4
    assert plain.nodes == 1_038
    assert checked.nodes is not None
    assert checked.nodes < plain.nodes / 6
