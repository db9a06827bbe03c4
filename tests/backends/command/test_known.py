"""Programs that others maintain: what they count, and what they refuse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backends.test_outside_solvers import COUNTS, EDGE_MODELS
from dovetail.backends.command.backend import Command
from dovetail.backends.command.config import COMMAND
from dovetail.backends.command.search import GRANTED, VARIABLE
from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from oracle.answers import solved

PROGRAMS = [one for one in backends().values() if isinstance(one, Command) and one.name != COMMAND]
NAMES = [program.name for program in PROGRAMS]
INSTALLED = [program.name for program in PROGRAMS if program.missing() is None]
ALL = Request(Symmetry.ALL)
LISTED = Request(Symmetry.ALL, listing=True)
BOUNDS = "it does not support bounds: primary items must be covered exactly once"
REFUSED = {("miniexact", "edges-5-b4i4-1"): BOUNDS, ("miniexact", "edges-4-b3i3-1"): BOUNDS}


@pytest.fixture(autouse=True, scope="module")
def _allowed() -> Iterator[None]:
    """Programs may be run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, GRANTED)
        yield


# Ganak takes 2 s to two minutes for all but one, NUCS 35 s for the solid, others a second.
SLOW = [
    *(("ganak", puzzle) for puzzle, _ in COUNTS if puzzle != "edges-4-b3i3-1"),
    ("nucs", "diabolical-cube"),
]
EACH = [
    pytest.param(name, *case, marks=[pytest.mark.slow] if (name, case[0]) in SLOW else [])
    for name in NAMES
    for case in COUNTS
]


@pytest.mark.parametrize(("name", "puzzle", "count"), EACH)
def test_counts(name: str, puzzle: str, count: int) -> None:
    """A planar packing, a solid, boards and a bare cover: counted, or refused for a reason."""
    if name not in INSTALLED:
        pytest.skip(not_installed(backend_named(name)) or "")
    finished = finish(execute(Job(load(puzzle), ALL, name)))
    if (name, puzzle) in REFUSED:
        assert (finished.status, finished.reason) == (Status.SKIPPED, REFUSED[name, puzzle])
    else:
        assert (finished.status, finished.count) == (Status.EXHAUSTED, count), finished.reason
        assert (finished.reason is not None) == (name == "ganak")


@pytest.mark.parametrize("model", EDGE_MODELS)
@pytest.mark.parametrize("name", [name for name in INSTALLED if name != "miniexact"])
def test_models_of_edge_matching(name: str, model: str) -> None:
    """Where a program gets variables; reductions leave options with other numbers."""
    request = Request.named("all", False, ("redundancy",))
    puzzle, config = load("edges-4-b3i3-1"), {"formulation": model}
    finished = finish(execute(Job(puzzle, ALL, name, config)))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 4), finished.reason
    if name in ("minizinc", "nucs"):
        assert solved(puzzle, request, name, config)[0].count == 4
    finished = finish(execute(Job(load("queens-4"), ALL, name, config)))
    expected = f"formulation {model} supports edge-matching puzzles only; valid here: cover"
    assert finished.status == Status.SKIPPED
    assert (finished.reason or "").startswith(expected)


def test_minizinc_lists() -> None:
    """Its solutions are verified, and as many as it says."""
    if "minizinc" not in INSTALLED:
        pytest.skip("minizinc is not installed")
    finished, solutions = solved(load("langford-7"), LISTED, "minizinc", {})
    assert finished.count == finished.verified == len(solutions) == 52
    assert set(finished.counters.native) == {"nodes", "failures", "propagations"}
    assert "version" in finished.program


@pytest.mark.parametrize("name", [name for name in INSTALLED if name not in ("minizinc", "nucs")])
def test_what_only_counts(name: str) -> None:
    """It lists nothing and knows no symmetry."""
    finished = finish(execute(Job(load("queens-6"), LISTED, name)))
    assert (finished.status, finished.reason) == (Status.SKIPPED, "it only counts solutions")
    finished = finish(execute(Job(load("queens-6"), Request(Symmetry.UNIQUE), name)))
    assert finished.status == Status.SKIPPED
    assert "expected symmetry all" in (finished.reason or "")
