"""A job is run where it belongs, and its solutions come one by one."""

from __future__ import annotations

import pytest

from dovetail.errors import BackendError, LimitError
from dovetail.harness.execution.launch import solutions
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

QUEENS = Job(load("queens-6"), Request(Symmetry.ALL))


def test_solutions_of_a_job_that_only_counts() -> None:
    """They are listed all the same, in this process or in a child."""
    here = list(solutions(QUEENS))
    child = list(solutions(Job(QUEENS.puzzle, QUEENS.request, limits=Limits(time_s=60.0))))
    assert len(here) == 4
    assert child == here


def test_the_end_of_a_listing() -> None:
    """Whoever does not get all solutions learns why, unless so many were wanted."""
    wanted = Job(QUEENS.puzzle, QUEENS.request, limits=Limits(solutions=2))
    assert len(list(solutions(wanted))) == 2
    with pytest.raises(LimitError, match="dlx, node-limit"):
        list(solutions(Job(load("queens-30"), QUEENS.request, limits=Limits(nodes=1000))))
    interruption = Interruption()
    interruption.request()
    with pytest.raises(BackendError, match="dlx, interrupted"):
        list(solutions(Job(load("queens-30"), QUEENS.request), interruption))
