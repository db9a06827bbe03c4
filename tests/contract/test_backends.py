"""What every backend has to do: the checks of `dovetail check-backend`, and some beyond them.

The backends come from the registry: a new one is tested here without a line being added.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from backends.command.definitions import LISTING
from dovetail.backends.command.search import GRANTED, VARIABLE
from dovetail.backends.registry import backends
from dovetail.harness.contract.cases import SHORT_SEARCHES
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import Check, Judgement, RefusalError, Subject
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from oracle.answers import solved
from oracle.brute_force import covers
from oracle.strategies import cover_problems

CLOCK_READING_S = 0.001  # the two clocks of a search are read one after the other

ALL, COUNT = Request(Symmetry.ALL, listing=True), Request(Symmetry.ALL)
# A backend that is nothing without settings: what is tested of it is a program.
SETTINGS: dict[str, dict[str, object]] = {"command": {**LISTING}}
SLOW = ("ganak", "nucs")  # seconds for a puzzle of a few pieces
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name, backend in backends().items()
    if backend.missing() is None
]


@pytest.fixture(autouse=True, scope="module")
def _allowed() -> Iterator[None]:
    """Programs may be run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, GRANTED)
        yield


def settings_of(backend: str) -> dict[str, object]:
    """What a backend is tested with."""
    return SETTINGS.get(backend, {})


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.name)
def test_contract(backend: str, check: Check) -> None:
    """Each check is passed, or its puzzle refused with a reason."""
    verdict = check.verdict(Subject(backend, settings_of(backend)))
    if verdict.judgement == Judgement.REFUSED:
        assert verdict.reason
        pytest.skip(verdict.reason)
    assert verdict.judgement == Judgement.OK, verdict.reason


@pytest.mark.parametrize("backend", NAMES)
@given(problem=cover_problems(unit_bounds=True))
@settings(max_examples=5)
def test_random_covers(backend: str, problem: CoverProblem) -> None:
    """Random problems whose items are covered once: all backends for cover problems take them."""
    finished, solutions = solved(problem, ALL, backend, settings_of(backend))
    if finished.status == Status.SKIPPED:  # one that may count, and lists nothing
        finished, _ = solved(problem, COUNT, backend, settings_of(backend))
    elif finished.status == Status.EXHAUSTED:
        assert solutions == covers(problem)
    if finished.status == Status.SKIPPED:
        with pytest.raises(RefusalError):
            Subject(backend, settings_of(backend)).first_taken(SHORT_SEARCHES[0])
        return
    assert finished.status == Status.EXHAUSTED
    assert finished.count == len(covers(problem))


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "command"])
def test_nothing_is_timed_twice(backend: str) -> None:
    """Prepare, solve and check together take no longer than the whole run does."""
    puzzle = Subject(backend, settings_of(backend)).first_taken(*SHORT_SEARCHES)
    solved(puzzle, COUNT, backend, settings_of(backend))
    begun = time.perf_counter()
    finished, _ = solved(puzzle, COUNT, backend, settings_of(backend))
    timed_s = finished.warm_up_s + finished.total_s + finished.check_s
    assert timed_s <= time.perf_counter() - begun
    assert finished.solve_cpu_s is not None
    assert 0 < finished.solve_cpu_s <= finished.solve_s * 1.1 + CLOCK_READING_S
