"""The boolean model of covers and boards: each solution is one assignment of all variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest
from hypothesis import given, reject, settings

from dovetail.errors import PuzzleError
from dovetail.models.boolean_model import BooleanModel, EdgeModel, boolean_model, cover_model
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from oracle.brute_force import boards, covers
from oracle.strategies import cover_problems, laid_boards

LARGEST = 16  # variables of a model whose assignments are all tried


def assignments(model: BooleanModel) -> Iterator[tuple[int, ...]]:
    """Yield the variables that are true in each assignment which obeys all constraints."""
    plain, bounds = model.clauses_and_bounds()
    if plain.variable_count > LARGEST:
        reject()
    for values in product((False, True), repeat=plain.variable_count):
        clauses = (any(values[abs(x) - 1] == (x > 0) for x in its) for its in plain.clauses)
        sums = (
            its.lower <= sum(values[v - 1] for v in its.variables) <= its.upper for its in bounds
        )
        if all(clauses) and all(sums):
            yield tuple(v for v, value in enumerate(values, start=1) if value)


def options_of(model: BooleanModel) -> list[tuple[int, ...]]:
    """The options of each assignment."""
    return [tuple(v - 1 for v in its if v <= model.option_count) for its in assignments(model)]


@given(problem=cover_problems())
@settings(max_examples=20, deadline=None)
def test_covers(problem: CoverProblem) -> None:
    """Each set of options that covers, once: colours and bounds are fixed by the options."""
    found = options_of(cover_model(problem))
    assert len(found) == len(set(found))
    assert set(found) == covers(problem)


@pytest.mark.parametrize("edges", ["4-edges", "edge-variables"])
@given(puzzle=laid_boards([(1, 1), (1, 2), (2, 2)]))
@settings(max_examples=15, deadline=None)
def test_boards(edges: EdgeModel, puzzle: EdgePuzzle) -> None:
    """The options of all boards, each once, numbered as in the cover problem."""
    options = lower(puzzle).options
    found = options_of(boolean_model(options, edges))
    assert len(found) == len(set(found)) == len(boards(puzzle))
    assert set(found) == covers(options.cover)


def test_edge_variables_rule_out_what_one_side_cannot_show() -> None:
    """The model `4-edges` does so only when a tile lies there."""
    options = lower(load("edges-4-b3i3-1")).options
    ruled_out = {
        edges: [clause for clause in boolean_model(options, edges).clauses if len(clause) == 1]
        for edges in get_args(EdgeModel)
    }
    assert ruled_out["4-edges"] == []
    assert (-212,) in ruled_out["edge-variables"]
    assert boolean_model(options, "4-edges").edge_colours[-1] == "3,2|3:2"


def test_edges_of_a_puzzle_that_has_none() -> None:
    """The message names the model that every puzzle has."""
    with pytest.raises(PuzzleError, match="4-edges supports edge-matching puzzles only; queens-4"):
        boolean_model(lower(load("queens-4")).options, "4-edges")
