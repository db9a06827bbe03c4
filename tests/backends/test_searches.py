"""Limits, slices, buffers and progress of all searches by kernels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from backends.searches import lowered, run_out
from dovetail.backends.base import Budget
from dovetail.backends.shared import kernel_search
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load

SIX, BOARD = load("pentominoes-5x6-FLNPUY"), random_board(4, 4, 3, seed=3)
SEARCHES: list[tuple[str, Mapping[str, object], Puzzle]] = [
    ("bitset", {}, load("queens-8")),
    ("bitset", {}, load("langford-7")),
    ("dlx", {}, load("queens-8")),
    ("dlx", {}, load("langford-7")),
    ("dlx", {"stages": "e,f@4"}, SIX),
    ("domains", {}, BOARD),
    ("rows", {}, BOARD),
    ("rows", {"identical_tiles": "each", "order": "spiral"}, BOARD),
    *(
        ("fila", {"stages": stages, "kernel": kernel}, SIX)
        for stages in ("piece,f@5", "dlx:s,fila:e@3")
        for kernel in ("reference", "fast")
    ),
    ("fletcher", {"sifting": "tree"}, SIX),
    ("fletcher", {"sifting": "list"}, SIX),
]
each_search = pytest.mark.parametrize(("backend", "settings", "puzzle"), SEARCHES)


@each_search
def test_limits_are_exact(backend: str, settings: Mapping[str, object], puzzle: Puzzle) -> None:
    """On nodes and on solutions; node 421 of SIX completes a solution for some searches."""

    def finished(limits: Limits) -> tuple[str, int | None, int | None]:
        job = Job(puzzle, Request(Symmetry.ALL), backend, settings, limits)
        result = finish(execute(job))
        return result.status, result.nodes, result.count

    status, nodes, count = finished(Limits())
    assert status == Status.EXHAUSTED
    assert nodes
    assert count
    for limit in {1, 2, nodes // 3, *range(421, 437, 5), nodes - 1} & set(range(1, nodes)):
        assert finished(Limits(nodes=limit))[:2] == (Status.NODE_LIMIT, limit)
    for limit in (0, count // 2):
        assert finished(Limits(solutions=limit))[::2] == (Status.SOLUTION_LIMIT, limit)


@each_search
@pytest.mark.parametrize("work", [7, 500])
def test_slices_change_nothing(
    backend: str, settings: Mapping[str, object], puzzle: Puzzle, work: int
) -> None:
    """Small slices make the same nodes and solutions; progress goes from 0 to 1."""
    solver, task, config = lowered(puzzle, backend, settings)
    whole, search = (solver.prepare(task, config) for _ in range(2))
    solutions, found = run_out(whole), list[list[int]]()
    shares, status = [search.progress() or 0.0], None
    while status is None:
        status = search.advance(Budget(work))
        found += [[o for o in row if o >= 0] for row in search.take().tolist()]
        shares.append(search.progress() or 0.0)
    assert found == solutions
    assert search.counters == whole.counters
    assert all(0 <= share <= 1 for share in shares)
    if backend != "fila":  # places several images before it goes on below one of them
        assert all(later > share - 1e-9 for share, later in pairwise(shares))
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)


@pytest.mark.parametrize(("backend", "settings", "puzzle"), SEARCHES[:8])
def test_a_full_buffer_waits(
    backend: str,
    settings: Mapping[str, object],
    puzzle: Puzzle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing happens until it is emptied; no solution is lost."""
    solver, task, config = lowered(puzzle, backend, settings)
    expected = run_out(solver.prepare(task, config))
    monkeypatch.setattr(kernel_search, "BUFFERED_PLACEMENTS", 33)
    search, found, status = solver.prepare(task, config), list[list[int]](), None
    while status is None:
        status = search.advance(Budget(10**9))
        if status is None:
            assert search.advance(Budget(10**9)) is None
        found += [[o for o in row if o >= 0] for row in search.take().tolist()]
        assert search.count == len(found)
    assert found == expected
