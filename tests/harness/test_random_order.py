"""Random orders: the same everywhere, each a permutation, and never another answer."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.cli.main import run
from dovetail.harness.run import searches as sequence
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.harness.run.result import Result
from dovetail.harness.run.searches import random_order, shuffled, surfaces
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from harness.known import known
from harness.workers.results import collected
from oracle.answers import counted
from oracle.strategies import packing_puzzles

SIX = "pentominoes-5x6-FLNPUY"


def listed(job: Job) -> tuple[Result, list[tuple[int, ...]]]:
    """The result of a job that lists solutions, and these as sorted options."""
    found = collected(execute(job))
    return found.finished, found.solutions


def test_an_order_that_never_changes() -> None:
    """Written down: whoever changes it changes what a seed finds."""
    assert random_order(5, 0, 8).tolist() == [3, 4, 2, 5, 0, 7, 1, 6]
    orders = {tuple(random_order(5, number, 8).tolist()) for number in range(20)}
    assert len(orders) == 20
    assert all(sorted(order) == list(range(8)) for order in orders)


@pytest.mark.parametrize("config", [("dlx", {}), ("fila", {"stages": "e"})])
def test_shuffling_keeps_the_tree(config: tuple[str, dict[str, object]]) -> None:
    """An order of branches of its own, and the same nodes and solutions."""
    name, values = config
    backend = backend_named(name)
    chosen = build_config(backend.config_type, values, name)
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy=L"),))
    task = build_task(load(SIX), request)
    ordered = shuffled(task, 1)
    results = []
    for one in (task, ordered):
        search = backend.prepare(one, chosen)
        rows = []
        while search.advance(Budget(10**6)) is None:
            rows += np.sort(one.to_original_ids(search.take())).tolist()
        rows += np.sort(one.to_original_ids(search.take())).tolist()
        results.append((search.counters.nodes, sorted(rows), rows))
    assert results[0][:2] == results[1][:2]
    assert results[0][2] != results[1][2]


@given(packing_puzzles())
@settings(max_examples=15)
def test_surfaces_equal_the_twin(puzzle: PackingPuzzle) -> None:
    """Counted on the piece itself, not on a placement."""
    placements = bounded_placements(puzzle)
    pieces = {piece.name: set(piece.cells) for piece in puzzle.pieces}
    for number, shape in enumerate(placements.shapes):
        cells = pieces[shape.name]
        sides = [near not in cells for cell in cells for near in puzzle.lattice.neighbours(cell)]
        assert surfaces(placements)[number] == sum(sides)


def test_hardest_pieces_first() -> None:
    """Those with most surface; in random order among equals."""
    task = build_task(load("pentominoes-6x10"), Request())
    orders = [shuffled(task, 1, number, hardest_first=True) for number in (0, 1)]
    placed = [ordered.placements for ordered in orders]
    for placements in placed:
        assert placements is not None
        surface = surfaces(placements)[placements.shape]
        assert surface.tolist() == sorted(surface.tolist(), reverse=True)
        names = [shape.name for shape in placements.shapes]
        assert names[placements.shape[-1]] == "P"  # the one that is compact
    numbers = [ordered.reduced.kept.tolist() for ordered in orders if ordered.reduced is not None]
    assert numbers[0] != numbers[1]
    assert sorted(numbers[0]) == sorted(numbers[1]) == list(range(task.options.option_count))


@given(packing_puzzles(), st.sampled_from(list(Symmetry)), st.integers(0, 2**40), st.booleans())
@settings(max_examples=15)
def test_the_answer_is_the_same(
    puzzle: PackingPuzzle, symmetry: Symmetry, seed: int, restarts: bool
) -> None:
    """Whatever the seed; with restarts once a search comes to its end."""
    plain = counted(puzzle, symmetry=symmetry)
    request = Request(symmetry, listing=True, reductions=(Reduction.parse("redundancy"),))
    finished, found = listed(Job(puzzle, request, random=RandomOrder(seed, restarts, not restarts)))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, plain.count)
    assert len(set(found)) == len(found) == plain.count


def test_a_seed_finds_the_same_again() -> None:
    """Another seed finds another solution first."""
    request, one = Request(listing=True), Limits(solutions=1)
    first = [
        tuple(listed(Job(load(SIX), request, limits=one, random=RandomOrder(seed)))[1])
        for seed in (1, 1, 2, 3)
    ]
    assert first[0] == first[1]
    assert len(set(first)) == 3


def test_luby() -> None:
    """The sequence as it is published."""
    known = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]
    assert [sequence.luby(number) for number in range(1, 17)] == known


def test_restarts_go_by_luby(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search makes its nodes, and another order is begun; no solution is listed twice."""
    monkeypatch.setattr(sequence, "restart_nodes", lambda _: 40)
    request = Request(listing=True)
    job = Job(load(SIX), request, random=RandomOrder(1, restarts=True))
    whole = counted(load(SIX), symmetry="unique")
    finished, found = listed(job)
    searched = known(finished.searched)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, whole.count)
    assert searched.begun > 3
    assert searched.found > len(found) == len(set(found)) == finished.count
    cut = [40 * sequence.luby(number) for number in range(1, searched.begun)]
    assert finished.nodes == sum(cut) + known(whole.nodes)
    by_remaining = known(finished.counters.fits_by_remaining)
    assert sum(by_remaining.values()) == finished.nodes


@pytest.mark.parametrize("nodes", [0, 100, 101])
def test_nodes_are_limited_over_all_searches(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    """Exactly, wherever a restart falls."""
    monkeypatch.setattr(sequence, "restart_nodes", lambda _: 50)
    job = Job(load(SIX), limits=Limits(nodes=nodes), random=RandomOrder(1, restarts=True))
    finished = finish(execute(job))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, nodes)


@pytest.mark.parametrize(
    ("puzzle", "backend", "reason"),
    [
        (SIX, "cpsat", "it does not support a random option order; valid: dlx, fila, bitset"),
        (SIX, "fletcher", "it does not support a random option order"),
        ("queens-6", "dlx", "random orders are for packing puzzles"),
    ],
)
def test_refusals(puzzle: str, backend: str, reason: str) -> None:
    """By what has no order to change."""
    finished = finish(execute(Job(load(puzzle), backend=backend, random=RandomOrder(1))))
    assert finished.status == Status.SKIPPED
    assert reason in (finished.reason or "")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """One solution from a seed; restarts without one are refused."""
    words = f"solve {SIX} --option-order random --seed 3 --restarts --limit 1 --json".split()
    assert run(words) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["count"]) == ("solution-limit", 1)
    assert result["random"] == {"seed": 3, "restarts": True, "hardest_first": False}
    assert result["searched"]["begun"] == len(result["solutions"]) == 1
    for word in ("--restarts", "--hardest-first"):
        assert run(["solve", SIX, word]) == 2
        assert f"{word} needs --option-order random" in capsys.readouterr().err
