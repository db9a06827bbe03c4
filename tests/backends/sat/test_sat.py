"""CaDiCaL: each solution once, with every encoding, within limits."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import outside_solvers
from backends.outside_solvers import EDGE_MODELS, each_count, each_refusal
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.backends.sat import Encoding
from dovetail.errors import ConfigError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from oracle.strategies import cover_problems, laid_boards

outside_solvers.skip_unless_installed("sat")

ENCODINGS = get_args(Encoding)


@each_count
def test_counts(name: str, count: int) -> None:
    """With the solver's own figures."""
    finished = outside_solvers.check_count("sat", name, count, {})
    native = finished.counters.native
    assert set(native) == {"decisions", "conflicts", "propagations"}
    assert native["propagations"] > 0


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str) -> None:
    """All find the same boards; tiles with twins have bounds other than one."""
    config = {"encoding": encoding, "formulation": "edge-variables"}
    outside_solvers.check_count("sat", "edges-5-b4i4-1", 8, config)


@pytest.mark.parametrize("model", EDGE_MODELS)
def test_counts_of_edge_models(model: str) -> None:
    """On a board that is small enough to look at."""
    outside_solvers.check_count("sat", "edges-4-b3i3-1", 4, {"formulation": model})


@given(problem=cover_problems(), encoding=st.sampled_from(ENCODINGS))
@settings(max_examples=35, deadline=None)
def test_random_covers(problem: CoverProblem, encoding: str) -> None:
    """With bounds and colours, so that some solutions contain others."""
    outside_solvers.check_cover("sat", problem, {"encoding": encoding})


@given(
    puzzle=laid_boards([(1, 1), (2, 2), (2, 3), (4, 2), (5, 1), (3, 3)]),
    model=st.sampled_from(EDGE_MODELS),
)
@settings(max_examples=15, deadline=None)
def test_random_boards(puzzle: EdgePuzzle, model: str) -> None:
    """Signed ones, hints, twins of tiles."""
    outside_solvers.check_board("sat", puzzle, model)


def test_limits() -> None:
    """CaDiCaL is stopped after some conflicts."""
    outside_solvers.check_limits("sat")


@each_refusal
def test_refusals(reduce: tuple[str, ...], triggers: tuple[str, ...], reason: str) -> None:
    """It places pieces by its own means."""
    outside_solvers.check_refusal("sat", reduce, triggers, reason)


def test_edge_models_are_for_boards() -> None:
    """Other puzzles have the model `cover`."""
    outside_solvers.check_edge_models_are_refused("sat")


def test_an_encoding_that_is_none() -> None:
    """One line, with those that are valid."""
    config_type = backend_named("sat").config_type
    with pytest.raises(ConfigError, match="valid: pairwise, seqcounter, sortnetwrk, "):
        build_config(config_type, {"encoding": "binary"}, "backend sat")
