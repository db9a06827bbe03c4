"""Clauses that rule out one solution each, where solutions may contain others."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.sat import blocking_clause, open_variables
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.formulations.cover import cover_model
from oracle.brute_force import covers
from oracle.strategies import cover_problems


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


def test_only_options_that_can_be_added_are_open() -> None:
    """One with an item that is covered exactly once cannot."""
    problem = cover_problem("open", ["a", ("b", 0, 2), ("c", 2, 2)], [["a"], ["a", "b"], ["b"]])
    assert open_variables(cover_model(problem)) == [3]
