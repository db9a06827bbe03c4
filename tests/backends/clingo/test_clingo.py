"""Answer sets: each solution once, in every configuration, within limits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import outside_solvers
from backends.outside_solvers import EDGE_MODELS, each_count, each_refusal
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.errors import ConfigError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from oracle.strategies import cover_problems, laid_boards

outside_solvers.skip_unless_installed("clingo")

CONFIGURATIONS = ["frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"]


@each_count
def test_counts(name: str, count: int) -> None:
    """With the solver's own figures."""
    finished = outside_solvers.check_count("clingo", name, count, {})
    assert set(finished.counters.native) == {"choices", "conflicts"}
    assert finished.counters.native["choices"] > 0


@pytest.mark.parametrize("model", EDGE_MODELS)
@pytest.mark.parametrize(("name", "count"), [("edges-4-b3i3-1", 4), ("edges-5-b4i4-1", 8)])
def test_counts_of_edge_models(name: str, count: int, model: str) -> None:
    """On boards without and with twins of tiles."""
    outside_solvers.check_count("clingo", name, count, {"formulation": model})


@given(problem=cover_problems(), configuration=st.sampled_from(CONFIGURATIONS))
@settings(max_examples=20, deadline=None)
def test_random_covers(problem: CoverProblem, configuration: str) -> None:
    """With bounds and colours."""
    outside_solvers.check_cover("clingo", problem, {"configuration": configuration})


@given(
    puzzle=laid_boards([(1, 1), (2, 2), (2, 3), (4, 2), (5, 1), (3, 3)]),
    model=st.sampled_from(EDGE_MODELS),
)
@settings(max_examples=15, deadline=None)
def test_random_boards(puzzle: EdgePuzzle, model: str) -> None:
    """Signed ones, hints, twins of tiles."""
    outside_solvers.check_board("clingo", puzzle, model)


def test_limits() -> None:
    """Clingo can be stopped between two solutions as well."""
    outside_solvers.check_limits("clingo")


@each_refusal
def test_refusals(reduce: tuple[str, ...], triggers: tuple[str, ...], reason: str) -> None:
    """It places pieces by its own means."""
    outside_solvers.check_refusal("clingo", reduce, triggers, reason)


def test_edge_models_are_for_boards() -> None:
    """Other puzzles have the model `cover`."""
    outside_solvers.check_edge_models_are_refused("clingo")


def test_configs_that_are_none() -> None:
    """One line, with what is valid."""
    config_type = backend_named("clingo").config_type
    with pytest.raises(ConfigError, match="valid: frumpy, jumpy, tweety, handy, crafty, trendy"):
        build_config(config_type, {"configuration": "many"}, "backend clingo")
    with pytest.raises(ConfigError, match="seed is -1; expected a whole number from 0 to 2,147"):
        config_type(seed=-1)
