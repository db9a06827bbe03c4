"""What every backend has to do: the checks of `dovetail check-backend`, and some beyond them.

The backends come from the registry: a new one is tested here without a line being added.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from dovetail.backends.registry import backends
from dovetail.harness.contract.cases import SHORT_SEARCHES
from dovetail.harness.contract.checks import CHECKS
from dovetail.harness.contract.subject import RefusalError, Subject
from dovetail.harness.contract.verdict import Check, Judgement
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Status
from oracle.answers import counted, listed
from oracle.brute_force import covers
from oracle.strategies import cover_problems

CLOCK_READING_S = 0.001  # the two clocks of a search are read one after the other

NAMES = [name for name, backend in backends().items() if backend.missing() is None]


@pytest.mark.parametrize("backend", NAMES)
@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.name)
def test_contract(backend: str, check: Check) -> None:
    """Each check is passed, or its puzzle refused with a reason."""
    verdict = check.verdict(Subject(backend))
    if verdict.judgement == Judgement.REFUSED:
        assert verdict.reason
        pytest.skip(verdict.reason)
    assert verdict.judgement == Judgement.OK, verdict.reason


@pytest.mark.parametrize("backend", NAMES)
@given(problem=cover_problems(unit_bounds=True))
@settings(max_examples=25)
def test_random_covers(backend: str, problem: CoverProblem) -> None:
    """Random problems whose items are covered once: all backends for cover problems take them."""
    finished, solutions = listed(problem, backend)
    if finished.status == Status.SKIPPED:
        with pytest.raises(RefusalError):
            Subject(backend).first_taken(SHORT_SEARCHES[0])
        return
    assert finished.status == Status.EXHAUSTED
    assert solutions == covers(problem)


@pytest.mark.parametrize("backend", NAMES)
def test_nothing_is_timed_twice(backend: str) -> None:
    """Prepare, solve and check together take no longer than the whole run does."""
    puzzle = Subject(backend).first_taken(*SHORT_SEARCHES)
    counted(puzzle, backend)
    begun = time.perf_counter()
    finished = counted(puzzle, backend)
    timed_s = finished.warm_up_s + finished.total_s + finished.check_s
    assert timed_s <= time.perf_counter() - begun
    assert 0 < finished.solve_cpu_s <= finished.solve_s * 1.1 + CLOCK_READING_S
