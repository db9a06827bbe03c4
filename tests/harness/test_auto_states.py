"""When `auto` takes `zdd`: where it ends in a quarter of the time of a tree search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dovetail.backends.zdd.backend import Zdd
from dovetail.harness.planning import rules, trials
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from harness.auto_jobs import chosen, left_to_auto
from harness.known import known


@pytest.mark.parametrize(
    ("name", "count", "why"),
    [
        ("matchings-20", 654_729_075, "its trial completed the search; a tree"),
        ("dominoes-16x16", 2_444_888_770_250_892_795_802_079_170_816, "a tree search would"),
    ],
)
def test_counts_that_no_tree_search_reaches(name: str, count: int, why: str) -> None:
    """Bare problems, and packings of as many copies as fit, by `zdd`, however large the numbers."""
    assert counted(name, "zdd").count == count
    assert why in chosen(left_to_auto(name, "all")).why


def counted(name: str, backend: str) -> Result:
    """The result of all solutions, by a backend that `auto` must choose."""
    finished = finish(execute(left_to_auto(name, "all")))
    assert known(finished.chosen).backend == backend
    return finished


@pytest.mark.parametrize("name", ["queens-8", "langford-8", "kirkman-9"])
def test_small_trees_are_searched(name: str) -> None:
    """Nothing else is tried where a tree search takes less than a second."""
    found = chosen(left_to_auto(name, "all"))
    assert (found.backend, found.why) == ("bitset", "its table of options is small enough")


def test_a_trial_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree search is made after all, unless it is hopeless."""
    for name, value in (("SMALL_NODES", 100), ("LARGE_S", 0.0), ("SHARE", 1e-6)):
        monkeypatch.setattr(rules, name, value)
    assert counted("queens-9", "bitset").count == 352
    monkeypatch.setattr(rules, "HOPELESS_S", 0.0)
    assert counted("queens-9", "zdd").count == 352


@pytest.mark.parametrize("limits", [Limits(), Limits(time_s=60)])
def test_a_promising_trial_goes_on(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Where its progress foresees an end in time."""
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    monkeypatch.setattr(rules, "SHARE", 1e-6)
    for promising, backend in ((0.0, "frontier"), (1e9, "zdd")):
        monkeypatch.setattr(rules, "PROMISING", promising)
        monkeypatch.setattr(trials, "SLICE_WORK", 1000)
        assert chosen(left_to_auto("trominoes-6x6", "all", limits=limits)).backend == backend


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
    job = left_to_auto(puzzle, "mirror")
    assert finish(execute(job)).count == finish(execute(replace(job, backend="dlx"))).count
    assert "zdd: it would have to list all solutions" in chosen(job).why
