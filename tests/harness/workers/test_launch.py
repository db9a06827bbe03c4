"""A job is run where it belongs, and its solutions come one by one."""

from __future__ import annotations

import pytest

from dovetail.errors import BackendError, LimitError
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import run, solutions
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import Solution
from dovetail.puzzles.loading import load

LISTED = Request(Symmetry.ALL, listing=True)
QUEENS = Job(load("queens-6"), LISTED)


def listed(job: Job, interruption: Interruption | None = None) -> list[Solution]:
    """All solutions of a job."""
    return list(solutions(job, run(job, interruption)))


def test_solutions_of_a_job() -> None:
    """In this process or in a child."""
    here = listed(QUEENS)
    child = listed(Job(QUEENS.puzzle, QUEENS.request, limits=Limits(time_s=60.0)))
    assert len(here) == 4
    assert child == here


def test_the_end_of_a_listing() -> None:
    """Whoever does not get all solutions learns why, unless so many were wanted."""
    wanted = Job(QUEENS.puzzle, QUEENS.request, limits=Limits(solutions=2))
    assert len(listed(wanted)) == 2
    with pytest.raises(LimitError, match="dlx, node-limit"):
        listed(Job(load("queens-30"), QUEENS.request, limits=Limits(nodes=1000)))
    interruption = Interruption()
    interruption.request()
    with pytest.raises(BackendError, match="dlx, interrupted"):
        listed(Job(load("queens-30"), QUEENS.request), interruption)
