"""The boolean model of covers and boards: each solution is one assignment of all variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.sat.search import blocking_clause
from dovetail.backends.shared.boolean_model import BooleanModel, cover_model, edge_model
from dovetail.backends.shared.tile_model import EdgeModel, tile_model
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from oracle.brute_force import boards, covers
from oracle.strategies import cover_problems, laid_boards

LARGEST = 16  # variables of a model whose assignments are all tried


def assignments(model: BooleanModel) -> Iterator[tuple[int, ...]]:
    """Yield the variables that are true in each assignment which obeys all constraints."""
    for values in product((False, True), repeat=model.variable_count):
        clauses = (any(values[abs(x) - 1] == (x > 0) for x in its) for its in model.clauses)
        sums = (
            its.low <= sum(values[v - 1] for v in its.variables) <= its.high
            for its in model.cardinalities
        )
        if all(clauses) and all(sums):
            yield tuple(v for v, value in enumerate(values, start=1) if value)


@given(problem=cover_problems())
@settings(max_examples=60, deadline=None)
def test_covers(problem: CoverProblem) -> None:
    """Each set of options that covers, once: colours and bounds are fixed by the options."""
    model = cover_model(problem)
    if model.variable_count > LARGEST:
        return
    found = [tuple(v - 1 for v in its if v <= len(model.options)) for its in assignments(model)]
    assert len(found) == len(set(found))
    assert set(found) == covers(problem)


@pytest.mark.parametrize("edges", ["4-edges", "edge-variables"])
@given(puzzle=laid_boards([(1, 1), (1, 2), (2, 2)]))
@settings(max_examples=30, deadline=None)
def test_boards(edges: EdgeModel, puzzle: EdgePuzzle) -> None:
    """As many assignments as boards."""
    options = build_task(puzzle, Request(Symmetry.ALL)).edges
    assert options is not None
    model = edge_model(tile_model(options), edges)
    if model.variable_count <= LARGEST:
        assert len(list(assignments(model))) == len(boards(puzzle))


@given(problem=cover_problems(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_blocking_clause_rules_out_one_solution(
    problem: CoverProblem, data: st.DataObject
) -> None:
    """Also where options may be added to a solution, as bounds and optional items allow."""
    solutions = sorted(covers(problem))
    if not solutions:
        return
    model, blocked = cover_model(problem), data.draw(st.sampled_from(solutions))
    clause = blocking_clause([option + 1 for option in blocked], model.open_variables)
    kept = [its for its in solutions if any((abs(x) - 1 in its) == (x > 0) for x in clause)]
    assert kept == [its for its in solutions if its != blocked]


def test_only_options_that_can_be_added_are_open() -> None:
    """One with an item that is covered exactly once cannot."""
    problem = cover_problem("open", ["a", ("b", 0, 2), ("c", 2, 2)], [["a"], ["a", "b"], ["b"]])
    assert cover_model(problem).open_variables == [3]
