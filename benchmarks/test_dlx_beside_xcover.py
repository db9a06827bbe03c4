"""`dlx` beside xcover on the same cover problems: ratios of thread CPU time.

Run with `pytest benchmarks -s`. The two are run in turn, after one run each that compiles;
what is printed is the median of the ratios. Nothing is asserted about time; counts are.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest
from benchmarks.timing import Contender, answers, beside, in_turn, seconds, sliced, xcover

from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from oracle.answers import packing

ROUNDS = 7


@pytest.mark.parametrize(("name", "count"), [("pentominoes-6x10", 2339), ("soma-cube", 11520)])
def test_solve_time(name: str, count: int) -> None:
    """Target: at most 0.85 of xcover's time on both."""
    puzzle = packing(name)
    if name != "soma-cube":  # X held to its 8 placements in one quadrant
        x = next(piece for piece in puzzle.pieces if piece.name == "X")
        quadrant = (
            tuple((a + dx, b + dy) for a, b in x.cells) for dx, dy in product(range(4), range(2))
        )
        puzzle = puzzle.restricted("X", tuple(quadrant))
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    problem, pieces = options.cover, options.placements_per_solution
    contenders: dict[str, Contender] = {
        "dlx": lambda: sliced(DlxSearch(problem, pieces)),
        "xcover": partial(xcover, problem),
    }
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    assert set(answers(timings)) == {count}
    print(f"\n{name}, rounds: {ROUNDS}, prepare + solve, medians:")
    for contender, each in timings.items():
        print(f"  {contender}: {seconds(each)}")
    print(f"  dlx / xcover: {beside(timings['dlx'], timings['xcover'])}; target 0.85")
