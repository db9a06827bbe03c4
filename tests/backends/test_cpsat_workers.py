"""Several workers: one solution or a proof that there is none, and never a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.errors import ConfigError
from dovetail.harness.contract.check_backend import check_backend
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs, execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.loading import load
from oracle.answers import solved

TWO = {"workers": 2}
ONE = Limits(solutions=1)
REFUSAL = (
    "with 2 workers CP-SAT finds one solution but counts wrongly; use a limit of 1 solution, or "
    "workers=1"
)


def job(puzzle: Puzzle, limits: Limits = ONE) -> Job:
    """A job for two workers."""
    return Job(puzzle, Request(Symmetry.ALL), "cpsat", TWO, limits)


@pytest.mark.parametrize("solutions", [None, 0, 2])
def test_counting_is_refused(solutions: int | None) -> None:
    """And any limit but one solution; the reason names what to set."""
    finished = finish(execute(job(queens(6), Limits(solutions=solutions))))
    assert (finished.status, finished.count, finished.reason) == (Status.SKIPPED, None, REFUSAL)


@pytest.mark.parametrize("model", ["cover", "4-edges", "edge-variables"])
def test_one_solution(model: str) -> None:
    """Verified, and the same one in a second run."""
    request = Request(Symmetry.ALL, listing=True)
    board = load("edges-4-b3i3-1")
    config = {**TWO, "model": model}
    (finished, found), again = (solved(board, request, "cpsat", config, ONE) for _ in range(2))
    assert (finished.status, finished.count, finished.verified) == (Status.SOLUTION_LIMIT, 1, 1)
    assert len(found) == 1
    assert again[1] == found
    assert found < solved(board, request, "dlx", {})[1]
    assert again[0].answer == finished.answer


@pytest.mark.parametrize("puzzle", ["queens-3", "pentominoes-4x5-FLNP"])
def test_no_solution(puzzle: str) -> None:
    """The whole tree is searched, so that 0 is the count."""
    finished = finish(execute(job(load(puzzle))))
    assert (finished.status, finished.count, finished.reason) == (Status.EXHAUSTED, 0, None)


@pytest.mark.parametrize(
    ("symmetry", "labelled", "reduce"),
    [("unique", False, ()), ("mirror", True, ()), ("unique", False, ("redundancy=P",))],
)
def test_any_solution_will_do(symmetry: str, labelled: bool, reduce: tuple[str, ...]) -> None:
    """Also one that a count does not let through, because its class has a lesser form."""
    request = Request.named(symmetry, labelled, reduce, listing=True)
    finished, found = solved(load("soma-cube"), request, "cpsat", TWO, ONE)
    assert (finished.status, finished.count, len(found)) == (Status.SOLUTION_LIMIT, 1, 1)


def test_in_a_child_process() -> None:
    """With the processor time of all workers, and the limits of any run."""
    finished = finish(run_watched(job(queens(12))))
    assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, 1)
    assert finished.solve_cpu_s is not None
    assert finished.counters.native["branches"] >= 0
    late = finish(run_watched(job(load("hexominoes-rifle"), Limits(0.5, solutions=1))))
    assert (late.status, late.count) == (Status.TIME_LIMIT, 0)


def test_with_worker_processes(tmp_path: Path) -> None:
    """Refused: the solver's own workers search in one process."""
    for options in (ParallelOptions(jobs=2), ParallelOptions(checkpoint=tmp_path / "checkpoint")):
        with Runs([job(queens(6))], options) as runs:
            *_, finished = runs.run(0)
        assert isinstance(finished, Result)
        assert finished.status == Status.SKIPPED
        assert finished.reason is not None
        assert "no jobs" in finished.reason


def test_the_contract_counts() -> None:
    """So that settings which cannot count are an error, not a row of refusals."""
    with pytest.raises(ConfigError, match="count all solutions: with 2 workers"):
        check_backend("cpsat", settings=TWO)
