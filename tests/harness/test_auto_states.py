"""When `auto` takes `zdd`: where it ends in a quarter of the time of a tree search."""

from __future__ import annotations

import pytest

from dovetail.backends.zdd.backend import Zdd
from dovetail.harness.planning import rules, trials
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load


def left_to_auto(name: str, *, listing: bool = False, limits: Limits | None = None) -> Result:
    request = Request(Symmetry.ALL, listing=listing)
    return finish(execute(Job(load(name), request, "auto", limits=limits or Limits())))


@pytest.mark.parametrize(
    ("name", "count", "backend", "why"),
    [
        ("matchings-20", 654_729_075, "zdd", "its trial completed the search; a tree"),
        ("dominoes-16x16", 2_444_888_770_250_892_795_802_079_170_816, "zdd", "a tree search would"),
    ],
)
def test_counts_that_no_tree_search_reaches(name: str, count: int, backend: str, why: str) -> None:
    """Bare problems, and packings of as many copies as fit, by `zdd`, however large the numbers."""
    finished = left_to_auto(name)
    assert finished.count == count
    assert finished.chosen is not None
    assert finished.chosen.backend == backend
    assert why in finished.chosen.why


@pytest.mark.parametrize("name", ["queens-8", "langford-8", "kirkman-9"])
def test_small_trees_are_searched(name: str) -> None:
    """Nothing else is tried where a tree search takes less than a second."""
    chosen = left_to_auto(name).chosen
    assert chosen is not None
    assert (chosen.backend, chosen.why) == ("bitset", "its table of options is small enough")


def test_a_trial_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree search is made after all, unless it is hopeless."""
    monkeypatch.setattr(rules, "SMALL_NODES", 100)
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    monkeypatch.setattr(rules, "SHARE", 1e-6)
    finished = left_to_auto("queens-9")
    assert finished.chosen is not None
    assert (finished.count, finished.chosen.backend) == (352, "bitset")
    monkeypatch.setattr(rules, "HOPELESS_S", 0.0)
    finished = left_to_auto("queens-9")
    assert finished.chosen is not None
    assert (finished.count, finished.chosen.backend) == (352, "zdd")


@pytest.mark.parametrize("limits", [Limits(), Limits(time_s=60)])
def test_a_promising_trial_goes_on(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Where its progress foresees an end in time."""
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    monkeypatch.setattr(rules, "SHARE", 1e-6)
    for promising, backend in ((0.0, "frontier"), (1e9, "zdd")):
        monkeypatch.setattr(rules, "PROMISING", promising)
        monkeypatch.setattr(trials, "SLICE_WORK", 1000)
        chosen = left_to_auto("trominoes-6x6", limits=limits).chosen
        assert chosen is not None
        assert chosen.backend == backend


def test_no_trial_of_a_search_that_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """In space nothing counts classes by states where all pieces have copies: `zdd` lists.

    Then its tables, which may take long, are not built.
    """
    monkeypatch.delattr(Zdd, "prepare")
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    rod = Piece("I", ((0, 0, 0), (1, 0, 0)), min_count=4, max_count=4)
    corner = Piece("V", ((0, 0, 0), (1, 0, 0), (0, 1, 0)), min_count=0, max_count=2)
    box = tuple((x, y, z) for x in range(2) for y in range(2) for z in range(2))
    puzzle = PackingPuzzle("copies", SquareLattice(3), box, (rod, corner))
    request = Request(Symmetry.MIRROR)
    finished = finish(execute(Job(puzzle, request, "auto")))
    assert finished.count == finish(execute(Job(puzzle, request, "dlx"))).count
    assert finished.chosen is not None
    assert "zdd: it would have to list all solutions" in finished.chosen.why
