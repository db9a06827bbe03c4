"""Checks of a count: every solution is found, once, and nothing else."""

from __future__ import annotations

from dovetail.harness.contract.brute_force import covers
from dovetail.harness.contract.cases import CASES, Case
from dovetail.harness.contract.misreadings import misreading
from dovetail.harness.contract.subject import Subject, ViolationError
from dovetail.harness.contract.verdict import Check
from dovetail.harness.run.job import Job
from dovetail.models.cover import CoverProblem
from dovetail.models.request import Request
from dovetail.models.task import Puzzle


def check_of(case: Case) -> Check:
    """Return the check that a backend counts the solutions of a puzzle."""
    return Check(case.name, case.requires, lambda subject: _count(subject, case))


def _count(subject: Subject, case: Case) -> None:
    """Count, and for a small cover problem also list; explain a wrong answer."""
    job = subject.job(case.puzzle, Request.named(case.symmetry, case.labelled))
    try:
        finished = subject.counted(job)
        subject.require(
            finished.count == case.count,
            f"expected {_solutions(case.count)}, found {finished.count}",
        )
        if isinstance(case.puzzle, CoverProblem) and case.symmetry == "all":
            _list(subject, job, case.puzzle)
    except ViolationError:
        explained = _explanation(subject, case.puzzle)
        if explained is None:
            raise
        raise ViolationError(explained) from None


def _list(subject: Subject, job: Job, problem: CoverProblem) -> None:
    """Require that all solutions are listed and verified, and are those of brute force."""
    finished, solutions = subject.listed(job)
    subject.require(
        solutions == covers(problem) and finished.count == finished.verified == len(solutions),
        f"it listed {_solutions(len(solutions))}, which are not those of the problem",
    )


def _explanation(subject: Subject, puzzle: Puzzle) -> str | None:
    """Return what a backend seems to do that misreads a cover problem; None: nothing known."""
    if not isinstance(puzzle, CoverProblem):
        return None
    job = subject.job(puzzle)
    try:
        found = subject.found(job)
    except Exception:  # the search that is to explain a failure may fail itself
        return None
    seems = misreading(puzzle, found)
    if seems is None:
        return None
    expected = _solutions(len(covers(puzzle)))
    return f"{subject.asked}: expected {expected}, found {len(found)}: it seems to {seems}"


def _solutions(count: int) -> str:
    return f"{count} solution" + "s" * (count != 1)


COUNTING = tuple(map(check_of, CASES))
