"""At least 300 random cuts of each kernel lose no node and no solution, and double none.

Tasks with items that are covered several times are not cut, see `Backend.cuts_task`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from backends.searches import Walk, searched
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, Task, lower
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.loading import load

CUTS, CUTS_OF_A_SEARCH, MAX_NODES = 300, 60, 5_000
KERNELS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name, backend in backends().items() if backend.cuts and name != "fila"),
    ("fila", {"kernel": "reference"}),
    ("fila", {"kernel": "fast"}),
]


def puzzles() -> Iterator[Puzzle]:
    """Yield small puzzles of each kind."""
    yield load("pentominoes-5x6-FLNPUY")
    yield load("soma-cube")
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
