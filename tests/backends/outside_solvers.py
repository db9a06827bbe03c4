"""What every outside solver of the boolean model has to count, and what it refuses."""

from __future__ import annotations

import pytest

from dovetail.backends.registry import backend_named
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.loading import load
from oracle.answers import solved
from oracle.brute_force import boards, covers

ALL = Request(Symmetry.ALL, listing=True)
EDGE_MODELS = ("4-edges", "edge-variables")
# A planar packing, a solid, a board, a bare cover, and a board whose tiles have twins.
COUNTS = [
    ("pentominoes-5x6-FLNPUY", 40),
    ("diabolical-cube", 624),
    ("edges-4-b3i3-1", 4),
    ("langford-7", 52),
    ("edges-5-b4i4-1", 8),
]
each_count = pytest.mark.parametrize(("name", "count"), COUNTS, ids=[name for name, _ in COUNTS])
# What a request has that only solvers of dovetail's own support, and the reason.
REFUSALS = [
    ((), ("parity",), "it does not support triggers (parity)"),
    (("fit@3",), (), "it cannot filter placements during the search (fit@3); expected fit"),
]
each_refusal = pytest.mark.parametrize(("reduce", "triggers", "reason"), REFUSALS)


def skip_unless_installed(backend: str) -> None:
    """Skip the tests of a module if the package of a backend is not installed."""
    missing = backend_named(backend).missing()
    if missing is not None:
        pytest.skip(f"{missing} is not installed", allow_module_level=True)


def check_count(backend: str, name: str, count: int, config: dict[str, str]) -> Result:
    """Every solution is counted once, listed and verified."""
    finished, solutions = solved(load(name), ALL, backend, config)
    assert finished.status == Status.EXHAUSTED
    assert finished.count == finished.verified == len(solutions) == count
    return finished


def check_cover(backend: str, problem: CoverProblem, config: dict[str, str]) -> None:
    """The solutions are those of trying every set of options."""
    finished, solutions = solved(problem, ALL, backend, config)
    assert solutions == covers(problem)
    assert finished.count == len(solutions)


def check_board(backend: str, puzzle: EdgePuzzle, model: str) -> None:
    """The boards are those of `dlx` and of brute force, each once."""
    finished, solutions = solved(puzzle, ALL, backend, {"formulation": model})
    assert solutions == solved(puzzle, ALL, "dlx", {})[1]
    assert finished.count == len(solutions) == len(boards(puzzle))


def check_limits(backend: str) -> None:
    """As many solutions as asked for; a long search stops in time and keeps its figures.

    There are no Langford pairs of 13 numbers, and a proof takes solvers of clauses far more than a
    second.
    """
    for wanted in (0, 1, 5):
        finished, solutions = solved(queens(8), ALL, backend, {}, Limits(solutions=wanted))
        assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, wanted)
        assert len(solutions) == wanted
    finished, _ = solved(langford(13), ALL, backend, {}, Limits(time_s=1.0))
    assert (finished.status, finished.reason) == (Status.TIME_LIMIT, None)
    assert finished.count == 0
    assert finished.counters.native["conflicts"] > 0


def check_refusal(
    backend: str, reduce: tuple[str, ...], triggers: tuple[str, ...], reason: str
) -> None:
    """The run is skipped with the reason."""
    request = Request.named("all", False, reduce, triggers)
    finished = finish(execute(Job(load("soma-cube"), request, backend)))
    assert (finished.status, finished.reason) == (Status.SKIPPED, reason)


def check_edge_models_are_refused(backend: str) -> None:
    """For other puzzles, with the model that takes them."""
    for model in EDGE_MODELS:
        finished = finish(execute(Job(queens(4), backend=backend, config={"formulation": model})))
        assert (finished.status, finished.reason) == (
            Status.SKIPPED,
            f"formulation {model} supports edge-matching puzzles only; valid here: cover",
        )
