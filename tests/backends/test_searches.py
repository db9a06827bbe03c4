"""Limits, slices, buffers, progress and random cuts of all searches by kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product

import pytest

from backends.searches import Walk, lowered, run_out, searched
from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends
from dovetail.backends.shared import kernel_search
from dovetail.harness.run.clock import warm_up_backend
from dovetail.harness.run.events import Compiling, Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import execute, finish
from dovetail.jit import bounds_check
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry, Trigger
from dovetail.models.task import Puzzle, Task, lower
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from jit.loading import loaded_from_now

SIX, BOARD = load("pentominoes-5x6-FLNPUY"), random_board(4, 4, 3, seed=3)
SEARCHES: list[tuple[str, Mapping[str, object], Puzzle]] = [
    ("bitset", {}, load("langford-7")),
    ("dlx", {}, load("queens-8")),
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
    ("skyline", {}, load("squares-32x33")),
]
each_search = pytest.mark.parametrize(("backend", "settings", "puzzle"), SEARCHES)


@pytest.mark.skipif(bounds_check(), reason="numba runs the kernels")
@pytest.mark.parametrize("listing", [False, True])
@pytest.mark.parametrize(
    ("backend", "settings", "puzzle"),
    [*SEARCHES, ("frontier", {}, SIX), ("zdd", {}, load("queens-8")), ("colorpair", {}, BOARD)],
)
def test_nothing_is_compiled_in_the_time_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
    backend: str,
    settings: Mapping[str, object],
    puzzle: Puzzle,
    listing: bool,
) -> None:
    warm_up_backend.cache_clear()
    loaded = loaded_from_now(monkeypatch)
    limits = Limits(solutions=20) if listing else Limits()
    before = []
    job = Job(puzzle, Request(listing=listing), backend, settings, limits)
    for event in execute(job):
        if isinstance(event, Started | Compiling):
            before = list(loaded)
            monkeypatch.setattr("dovetail.backends.frontier.search.MAX_KEPT_BYTES", 0)
    assert before
    assert loaded == before


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
def test_slices_change_nothing(
    backend: str, settings: Mapping[str, object], puzzle: Puzzle
) -> None:
    """Small slices and limits keep nodes, solutions, figures; progress goes from 0 to 1."""
    solver, task, config = lowered(puzzle, backend, settings)
    whole, search = (solver.prepare(task, config) for _ in range(2))
    solutions, found = run_out(whole), list[list[int]]()
    shares, status = [search.progress() or 0.0], None
    while status is None:
        status = search.advance(Budget(7))
        found += [[o for o in row if o >= 0] for row in search.take().tolist()]
        shares.append(search.progress() or 0.0)
    assert found == solutions
    assert search.counters == whole.counters
    after_limits, status = solver.prepare(task, config), None
    while status != Status.EXHAUSTED:
        status = after_limits.advance(Budget(10**5, nodes=300))
        after_limits.take()
    assert after_limits.counters == whole.counters
    assert all(0 <= share <= 1 for share in shares)
    if backend != "fila":  # places several images before it goes on below one of them
        assert all(later > share - 1e-9 for share, later in pairwise(shares))
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)


@pytest.mark.parametrize(("backend", "settings", "puzzle"), SEARCHES[:6])
def test_a_full_buffer_waits(
    backend: str, settings: Mapping[str, object], puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
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


CUTS, CUTS_OF_A_SEARCH, MAX_NODES = 30, 30, 2_000


KERNELS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name, backend in backends().items() if backend.cuts and name != "fila"),
    ("fila", {"kernel": "reference"}),
    ("fila", {"kernel": "fast"}),
]


def puzzles() -> Iterator[Puzzle]:
    """Yield small puzzles of each kind."""
    yield load("pentominoes-5x6-FLNPUY")
    yield load("soma-cube")
    yield load("dominoes-4x4")
    yield from (langford(5), queens(6))
    yield from (load(f"edges-4-b3i3-{number}") for number in range(1, 7))


@pytest.mark.parametrize(("backend", "settings"), KERNELS, ids=str)
def test_random_cuts(backend: str, settings: dict[str, object]) -> None:
    """The parts have the nodes, by level, and the solutions of the whole search, in its order.

    A solver that learns has the same nodes in each part every time.
    """
    solver, cuts = backend_named(backend), 0
    config = build_config(solver.config_type, settings, backend)
    for seed in range(100):
        for puzzle in puzzles():
            task: Task = lower(puzzle).task(Request(Symmetry.ALL))
            if solver.refuses(task, config) is not None:
                continue
            solutions, whole = searched(task, backend, config)
            if (whole.nodes or 0) > MAX_NODES:
                continue
            walk, *again = (
                Walk(
                    task,
                    backend,
                    seed,
                    300,
                    config=config,
                    passes_over=True,
                    max_cuts=CUTS_OF_A_SEARCH,
                )
                for _ in range(2 if solver.learns else 1)
            )
            cuts += walk.cuts
            assert sorted(walk.solutions) == sorted(solutions)
            if again:
                assert (again[0].solutions, again[0].nodes) == (walk.solutions, walk.nodes)
                continue
            assert walk.solutions == solutions
            assert walk.nodes == whole.nodes
            assert +walk.fits == +Counter(whole.fits_by_remaining or {})
            assert +walk.attempts == +Counter(whole.attempts_by_remaining or {})
        if cuts >= CUTS:
            break
    assert cuts >= CUTS


@pytest.mark.parametrize("triggers", [("parity",), ("volume@2",)])
@pytest.mark.parametrize("settings", [{}, {"stages": "f,y@3"}], ids=str)
def test_random_cuts_with_triggers(settings: dict[str, object], triggers: tuple[str, ...]) -> None:
    """A part knows the sums of its path only, and repeats no solution found before the cut."""
    config, cuts = build_config(backend_named("fila").config_type, settings, "fila"), 0
    for name, seed in product(("pentominoes-5x6-FLNPUY", "dominoes-4x4"), (1, 2)):
        request = Request(Symmetry.ALL, triggers=tuple(map(Trigger.parse, triggers)))
        task = lower(load(name)).task(request)
        solutions, whole = searched(task, "fila", config)
        walk = Walk(task, "fila", seed, 300, config=config, max_cuts=CUTS_OF_A_SEARCH)
        cuts += walk.cuts
        assert (walk.solutions, walk.nodes) == (solutions, whole.nodes)
    assert cuts >= 10
