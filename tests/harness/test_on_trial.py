"""A search that goes on after its trial: given up by its rule, else like any other."""

from __future__ import annotations

import pytest

from dovetail.backends.base import Budget, Search
from dovetail.backends.dlx.search import DlxSearch
from dovetail.harness.planning.trials import OnTrial
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load


def six() -> DlxSearch:
    """A search that makes 1,240 nodes."""
    options = build_task(load("pentominoes-5x6-FLNPUY"), Request(Symmetry.ALL)).options
    return DlxSearch(options.cover, options.placements_per_solution)


def test_a_rule_that_is_kept() -> None:
    """Every property is that of the search."""
    plain, guarded = six(), OnTrial(six(), lambda *_: None, work=5)
    for search in (plain, guarded):
        while search.advance(Budget(work=1_000)) is None:
            pass
    assert guarded.take().tolist() == plain.take().tolist()
    for name, value in vars(Search).items():
        if isinstance(value, property):
            assert getattr(guarded, name) == getattr(plain, name), name
    assert guarded.progress() == plain.progress()


@pytest.mark.parametrize("spent", [0, 3_000])
def test_a_rule_that_gives_up(spent: int) -> None:
    """Work done before counts; the search is skipped for good, with the reason."""
    seen = list[int]()

    def rule(_: Search, work: int) -> str | None:
        seen.append(work)
        return "too long" if work >= 5_000 else None

    search = OnTrial(six(), rule, spent)
    while (status := search.advance(Budget(work=1_000))) is None:
        pass
    assert (status, search.reason) == (Status.SKIPPED, "too long")
    assert seen == list(range(spent + 1_000, 5_001, 1_000))
    assert search.advance(Budget(work=1_000)) == Status.SKIPPED


def test_memory() -> None:
    """A limit on it is a reason to choose another solver."""

    class Large(DlxSearch):
        reason = "9 GiB of states"

        def advance(self, budget: Budget) -> Status | None:
            return Status.MEMORY_LIMIT

    options = build_task(load("queens-4"), Request(Symmetry.ALL)).options
    search = OnTrial(Large(options.cover, None), lambda *_: None, 0)
    assert (search.advance(Budget(work=1)), search.reason) == (Status.SKIPPED, "9 GiB of states")
