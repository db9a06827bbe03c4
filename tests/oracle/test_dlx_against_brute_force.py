"""`dlx` finds what trying everything finds."""

from __future__ import annotations

from hypothesis import assume, given, settings

from dovetail.harness.run.job import Limits
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from oracle.answers import counted, listed
from oracle.brute_force import boards, covers, packings
from oracle.strategies import cover_problems, edge_puzzles, packing_puzzles


@given(cover_problems())
@settings(max_examples=140)
def test_every_cover_is_found_once(problem: CoverProblem) -> None:
    """Random problems with bounds and colours: the same set of solutions."""
    finished, solutions = listed(problem)
    assert finished.status == Status.EXHAUSTED
    assert finished.count == len(solutions)
    assert solutions == covers(problem)


@given(packing_puzzles())
@settings(max_examples=40)
def test_every_packing_is_counted(puzzle: PackingPuzzle) -> None:
    """Random regions in one to four dimensions, random pieces with repeats."""
    finished = counted(puzzle, limits=Limits(solutions=5_000))
    assume(finished.status == Status.EXHAUSTED)
    assert finished.count == packings(puzzle)


@given(edge_puzzles())
@settings(max_examples=15)
def test_every_board_is_counted(puzzle: EdgePuzzle) -> None:
    """Random boards, signed and not, equal tiles interchangeable."""
    assert counted(puzzle).count == len(boards(puzzle))
