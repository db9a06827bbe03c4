"""The counts that the contract expects, counted again by the tests' own brute force."""

from __future__ import annotations

import pytest
from hypothesis import given

from dovetail.harness.contract import cases as contract_cases
from dovetail.harness.contract.cases import BOARDS, CASES, COUNTS, COVERS, PACKINGS, Case
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from oracle.brute_force import boards, covers, labelled_boards, packings
from oracle.strategies import cover_problems


def is_plain(puzzle: PackingPuzzle) -> bool:
    """Whether the oracle counts such a puzzle."""
    listed = any(piece.placements is not None for piece in puzzle.pieces)
    ranges = any(piece.min_count != piece.max_count for piece in puzzle.pieces)
    return not (puzzle.optional or listed or ranges) and len(puzzle.region) < 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts(case: Case) -> None:
    """All that brute force can count: every solution, without symmetry."""
    assert COUNTS.get(case.puzzle.name, case.count) == case.count or case.symmetry != "all"
    if case.symmetry != "all":
        return
    match case.puzzle:
        case EdgePuzzle() as board if case.labelled:
            assert case.count == len(labelled_boards(board))
        case EdgePuzzle() as board:
            assert case.count == len(boards(board))
        case PackingPuzzle() as puzzle if is_plain(puzzle) and not case.labelled:
            assert case.count == packings(puzzle)
        case CoverProblem() as problem:
            assert case.count == len(contract_cases.covers(problem))


def test_puzzles_of_all_families_are_there() -> None:
    """Packing, edge matching, and covers with secondary items, colours and bounds."""
    assert {type(case.puzzle) for case in PACKINGS} == {PackingPuzzle}
    assert {type(case.puzzle) for case in BOARDS} == {EdgePuzzle}
    problems = [case.puzzle for case in COVERS if isinstance(case.puzzle, CoverProblem)]
    assert any(problem.item_count > problem.primary_count for problem in problems)
    assert any(problem.colour.any() for problem in problems)
    assert not all(problem.unit_bounds for problem in problems)
    assert {case.symmetry for case in CASES} == {"all", "unique", "mirror"}


@given(problem=cover_problems())
def test_brute_force(problem: CoverProblem) -> None:
    """It finds what trying every set of options finds."""
    assert contract_cases.covers(problem) == covers(problem)
