"""Runs of jobs: the solutions of a job, the questions and options of runs on workers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.checkpoint import checkpoint_status
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import question_digest
from dovetail.harness.workers.runs import Runs, finish, run, solutions
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.solution import Solution
from dovetail.puzzles.loading import load
from dovetail.reports.describe.search import describe_status


@pytest.mark.parametrize(
    ("puzzle", "backend", "expected"),
    [
        ("pentominoes-5x6-FLNPUY", "frontier", "finished\n  not divided: the checkpoint keeps"),
        ("hexominoes-15x14", "dlx", "exhausted without a search"),
    ],
)
def test_the_status_of_a_run_without_sub_problems(
    tmp_path: Path, puzzle: str, backend: str, expected: str
) -> None:
    """It is finished, though nothing of it is kept."""
    request = Request(Symmetry.ALL, reductions=(Reduction.parse("parity"),))
    job = Job(load(puzzle), Request(Symmetry.ALL) if backend == "frontier" else request, backend)
    with Runs([job], ParallelOptions(checkpoint=tmp_path / "c")) as runs:
        finished = finish(runs.run(0))
    assert finished.status == Status.EXHAUSTED
    (status,) = checkpoint_status(tmp_path / "c")
    assert expected in describe_status(status)


def test_the_question_of_a_run() -> None:
    """Limits are no part of it; everything that changes the search is."""
    job = Job(load("queens-6"), Request(Symmetry.ALL))
    assert question_digest(job) == question_digest(replace(job, limits=Limits(time_s=3)))
    others = [
        replace(job, puzzle=load("queens-7")),
        replace(job, request=Request(Symmetry.UNIQUE)),
        replace(job, backend="bitset"),
        replace(job, config={"stages": ["x"]}),
        replace(job, seed=1),
        replace(job, limits=Limits(solutions=1)),
        job.listed(),
    ]
    assert len({question_digest(one) for one in (job, *others)}) == 8


def test_options_that_are_not_valid() -> None:
    """The message has the valid ones."""
    for values, reason in (
        ({"jobs": -1}, r"jobs is -1; expected 0 \(all cores\) to 1024"),
        ({"audit": 2.0}, "audit is 2.0; expected a share from 0 to 1"),
        ({"worker_timeout_s": 0.0}, "worker_timeout_s is 0.0; expected seconds"),
        ({"worker_timeout_s": "a"}, "worker_timeout_s is 'a'; expected seconds"),
        ({"audit": None}, "audit is None; expected a share"),
        ({"jobs": True}, "jobs is True; expected 0"),
        ({"cluster": 5}, "cluster is 5; expected an address"),
        ({"checkpoint": 5}, "checkpoint is 5; expected a path"),
        ({"order": "best"}, "order is 'best'; valid: serial, promising"),
    ):
        with pytest.raises(ConfigError, match=reason):
            ParallelOptions(**values)


def test_what_is_no_option_of_a_run() -> None:
    """The message names the class."""
    with pytest.raises(ConfigError, match="expected ParallelOptions"):
        Runs([], {"jobs": 2})  # type: ignore[arg-type]


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
