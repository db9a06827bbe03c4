"""`dlx` beside xcover on the same cover problems: ratios of thread CPU time.

Run with `pytest benchmarks -s`. The two are run in turn, after one run each that compiles;
what is printed is the median of the ratios. Nothing is asserted about time; counts are.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import pytest

from dovetail.backends.base import Budget
from dovetail.backends.dlx.backend import DlxSearch
from dovetail.backends.xcover import solutions
from dovetail.models.cover import CoverProblem
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from golden.test_dlx_nodes import x_in_the_quadrant

ROUNDS = 7


def dlx(problem: CoverProblem, pieces: int | None) -> Callable[[], int]:
    """A search by `dlx`, its tables built; every solution is listed."""
    search = DlxSearch(problem, pieces)

    def run() -> int:
        while search.advance(Budget(work=5_000_000)) is None:
            search.take()
        return search.count

    return run


def xcover(problem: CoverProblem) -> Callable[[], int]:
    """A search by xcover, its arrays built; every solution is listed."""
    found = solutions(problem)
    return lambda: sum(1 for _ in found)


def timed(run: Callable[[], int]) -> tuple[float, int]:
    """Seconds of this thread's processor time, and what `run` returned."""
    begun = time.thread_time()
    count = run()
    return time.thread_time() - begun, count


@pytest.mark.parametrize(
    ("name", "count"), [("pentominoes-6x10, X confined", 2339), ("soma-cube", 11520)]
)
def test_solve_time(name: str, count: int) -> None:
    """Target: at most 0.85 of xcover's time on both."""
    puzzle = load(name) if name == "soma-cube" else x_in_the_quadrant()
    options = lower(puzzle, Request(Symmetry.ALL)).options
    problem, pieces = options.cover, options.placements_per_solution
    ratios, ours, theirs = [], [], []
    for number in range(ROUNDS + 1):
        our_s, our_count = timed(dlx(problem, pieces))
        their_s, their_count = timed(xcover(problem))
        assert our_count == their_count == count
        if number:  # the first round compiles
            ratios.append(our_s / their_s)
            ours.append(our_s)
            theirs.append(their_s)
    print(
        f"\n{name}: dlx {median(ours):.3f} s, xcover {median(theirs):.3f} s, ratio "
        f"{median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}, {ROUNDS} rounds)"
    )
