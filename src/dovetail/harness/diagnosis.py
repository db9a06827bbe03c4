"""What `dovetail doctor` looks at: the installation, the kernel cache, a run of each backend."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dovetail.backends.registry import backends, not_installed
from dovetail.errors import DovetailError
from dovetail.harness.execution.isolation import execute_isolated
from dovetail.harness.execution.launch import finish
from dovetail.harness.run.job import Job, Limits
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load

# Small puzzles of every kind, and how many solutions they have with all symmetries counted: the
# packing and the queens by hand and literature, the board by brute force. Its tiles differ, so that
# backends without multiplicities take it too.
SELF_TEST = {"pentominoes-5x6-FLNPUY": 40, "edges-4-b3i3-6": 12, "queens-6": 4}
TIME_LIMIT_S = 60.0


@dataclass(frozen=True)
class KernelCache:
    """Where compiled kernels are kept. `directory` is None when nowhere can be written.

    `kernels` is how many are kept for this version; none: the first search compiles for some
    seconds. `stale` counts the folders of other versions beside it, which can be deleted.
    """

    directory: Path | None
    kernels: int
    size_bytes: int
    stale: int


@dataclass(frozen=True)
class SelfTest:
    """One backend on one puzzle.

    `problem` is what is wrong, None if nothing is. `refusal` is the reason why the backend does not
    solve such a puzzle, which is not wrong; None if it does.
    """

    backend: str
    puzzle: str
    seconds: float
    problem: str | None
    refusal: str | None = None


def backend_states() -> dict[str, str | None]:
    """Each backend with what it needs before it can run, None if it is ready."""
    return {name: not_installed(backend) for name, backend in backends().items()}


def kernel_cache() -> KernelCache:
    """The state of the kernel cache."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unwritable cache is reported below
        from dovetail.jit import cache_directory

        directory = cache_directory()
    if directory is None:
        return KernelCache(None, 0, 0, 0)
    files = [path for path in directory.rglob("*") if path.is_file()]
    others = [path for path in directory.parent.glob("kernels-*") if path != directory]
    kernels = sum(path.suffix == ".nbi" for path in files)
    return KernelCache(directory, kernels, sum(path.stat().st_size for path in files), len(others))


def self_test() -> Iterator[SelfTest]:
    """Run every backend that is ready on small puzzles, listing and verifying all solutions."""
    questions = self_test_questions()
    ready = [name for name, needs in backend_states().items() if needs is None]
    for name in ready:
        for puzzle, expected in questions:
            yield _tested(name, puzzle, expected)


def self_test_questions() -> list[tuple[Puzzle, int]]:
    """The puzzles of the self-test, each with how many solutions it has."""
    return [
        *((load(name), expected) for name, expected in SELF_TEST.items()),
        (_colours(), 2),
        (_multiplicities(), 3),
    ]


def _colours() -> CoverProblem:
    """A cover problem of which colours leave two solutions.

    Without them the secondary item leaves none, and without that there are four.
    """
    members: list[list[Member]] = [[item, ("s", colour)] for item in "ab" for colour in (1, 2)]
    return cover_problem("colours", ["a", "b"], members, secondary=["s"])


def _multiplicities() -> CoverProblem:
    """A cover problem with three solutions, or one where every item is covered exactly once."""
    return cover_problem("multiplicities", [("a", 2, 2), ("b", 0, 1)], [["a", "b"], ["a"], ["a"]])


def _tested(backend: str, puzzle: Puzzle, expected: int) -> SelfTest:
    """One run."""
    request = Request(Symmetry.ALL, listing=True)
    job = Job(puzzle, request, backend, limits=Limits(time_s=TIME_LIMIT_S))
    try:
        finished = finish(execute_isolated(job))
    except DovetailError as error:
        return SelfTest(backend, puzzle.name, 0.0, str(error))
    if finished.status == Status.SKIPPED:
        return SelfTest(backend, puzzle.name, 0.0, None, finished.reason or "")
    problem = None
    if finished.status != Status.EXHAUSTED:
        problem = f"{finished.status}: {finished.reason or ''}"
    elif not finished.count == finished.verified == expected:
        problem = f"counted {finished.count}, verified {finished.verified}; expected {expected}"
    return SelfTest(backend, puzzle.name, finished.warm_up_s + finished.total_s, problem)
