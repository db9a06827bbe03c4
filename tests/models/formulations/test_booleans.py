"""The boolean model of covers and boards: each solution is one assignment of all variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, reject, settings

from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.formulations.boards import colour_model
from dovetail.models.formulations.cover import cover_model
from dovetail.models.formulations.model import Clause, ConstraintModel
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from oracle.brute_force import boards, covers
from oracle.strategies import cover_problems, laid_boards

LARGEST = 16  # variables of a model whose assignments are all tried


def assignments(model: ConstraintModel) -> Iterator[tuple[int, ...]]:
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


def options_of(model: ConstraintModel) -> list[tuple[int, ...]]:
    """The options of each assignment."""
    return [tuple(v - 1 for v in its if v <= model.option_count) for its in assignments(model)]


@given(problem=cover_problems())
@settings(max_examples=20, deadline=None)
def test_covers(problem: CoverProblem) -> None:
    """Each set of options that covers, once: colours and bounds are fixed by the options."""
    found = options_of(cover_model(problem))
    assert len(found) == len(set(found))
    assert set(found) == covers(problem)


@pytest.mark.parametrize("implied", [False, True])
@given(puzzle=laid_boards([(1, 1), (1, 2), (2, 2)]))
@settings(max_examples=15, deadline=None)
def test_boards(implied: bool, puzzle: EdgePuzzle) -> None:
    """The options of all boards, each once, numbered as in the cover problem."""
    options = lower(puzzle).options
    assert isinstance(options, EdgeOptions)
    found = options_of(colour_model(options, implied=implied))
    assert len(found) == len(set(found)) == len(boards(puzzle))
    assert set(found) == covers(options.cover)


def test_implied_colours_rule_out_what_one_side_cannot_show() -> None:
    options = lower(load("edges-4-b3i3-1")).options
    assert isinstance(options, EdgeOptions)
    models = [colour_model(options, implied=implied) for implied in (False, True)]
    units = [
        [clause.literals for clause in model.of_type(Clause) if len(clause.literals) == 1]
        for model in models
    ]
    assert units[0] == []
    assert (-212,) in units[1]
    assert models[0].names[-1] == "edge colour 3,2|3:2"
