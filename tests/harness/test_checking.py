"""Wrong results are caught."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dovetail.api import solve
from dovetail.backends.dlx.search import DlxSearch
from dovetail.errors import BackendError
from dovetail.harness.run.collector import CHECKED_FIRST, SolutionChecker
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.models.verification.dispatch import verifier_for
from dovetail.puzzles.loading import load
from harness.known import known

ALL = Request(Symmetry.ALL)


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda rows: np.concatenate([rows, rows[:1]]), "was found before"),
        (np.zeros_like, "chosen twice"),
        (lambda rows: rows[1:], "counted 4 and listed 3 solutions"),
    ],
)
def test_a_lying_backend_is_wrong(monkeypatch: Any, tamper: Any, reason: str) -> None:
    """Duplicates, non-solutions, and solutions counted but not listed."""
    take = DlxSearch.take
    monkeypatch.setattr(DlxSearch, "take", lambda search: tamper(take(search)))
    finished = finish(execute(Job(load("queens-6"), ALL, "dlx")))
    assert finished.status == Status.WRONG
    assert reason in known(finished.reason)


def test_what_is_wrong_is_not_handed_out(monkeypatch: Any) -> None:
    """A listing ends with an error before the solution that is none."""
    take = DlxSearch.take
    monkeypatch.setattr(DlxSearch, "take", lambda search: np.zeros_like(take(search)))
    with pytest.raises(BackendError, match="chosen twice"):
        next(solve("queens-6", "dlx", symmetry="all"))


def test_the_sample_does_not_depend_on_slices() -> None:
    """The first thousand and the same few of the rest, however the stream is cut."""
    task = build_task(load("queens-8"), ALL)
    whole, cut = SolutionChecker(task, seed=3), SolutionChecker(task, seed=3)
    whole_choice = whole._sampled(0, 10_000)
    pieces = [cut._sampled(first, 100) for first in range(0, 10_000, 100)]
    assert np.array_equal(whole_choice, np.concatenate(pieces))
    assert whole_choice[:CHECKED_FIRST].all()
    assert 80 < int(whole_choice[CHECKED_FIRST:].sum()) < 210
    other = SolutionChecker(task, seed=4)._sampled(0, 10_000)
    assert not np.array_equal(whole_choice, other)


def test_the_first_that_is_verified_is_kept() -> None:
    """Of one search and not of its parts; an error leaves nothing."""
    task = build_task(load("queens-6"), ALL)
    events = execute(Job(task.puzzle, ALL, "dlx").listed())
    rows = np.concatenate([event.options for event in events if isinstance(event, Found)])
    checker, part = SolutionChecker(task, 0), SolutionChecker(task, 0, verifier_for(task))
    for one in (checker, part):
        one.check(rows[:0])
        assert one.example is None
        one.check(rows[:2])
        one.check(rows[2:])
        assert one.error is None
    assert known(checker.example).tolist() == rows[0].tolist()
    assert part.example is None
    wrong = SolutionChecker(task, 0)
    wrong.check(np.zeros_like(rows))
    wrong.check(rows)
    assert (wrong.example, wrong.verified) == (None, 0)


def test_all_that_is_listed_is_verified() -> None:
    """Counting verifies a part, listing everything."""
    puzzle = load("soma-cube")
    listing = Request(Symmetry.ALL, listing=True)
    counted = finish(execute(Job(puzzle, ALL, "dlx")))
    listed = finish(execute(Job(puzzle, listing, "dlx")))
    assert CHECKED_FIRST <= counted.verified < 11_520 == listed.verified
