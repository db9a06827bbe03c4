"""At least 300 random cuts of each kernel lose no node and no solution, and double none."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from backends.cuts import Walk, searched
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named, backends
from dovetail.models.cover import CoverProblem, cover_problem
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
    """Yield small puzzles of each kind, with items that are covered several times among them."""
    yield load("pentominoes-5x6-FLNPUY")
    yield load("soma-cube")
    yield from (langford(5), queens(6))
    yield from (load(f"edges-4-b3i3-{number}") for number in range(1, 7))
    yield from (several_times(seed) for seed in range(20))


def several_times(seed: int) -> CoverProblem:
    """Return a random cover problem of which some items may be covered up to three times."""
    chosen = random.Random(seed)
    items = [(f"i{n}", low := chosen.randrange(2), low + chosen.randrange(3)) for n in range(5)]
    items = [(name, low, max(1, high)) for name, low, high in items]
    names = [name for name, _, _ in items]
    options = {tuple(sorted(chosen.sample(names, chosen.randint(1, 3)))) for _ in range(14)}
    return cover_problem(f"several times {seed}", items, sorted(options))


@pytest.mark.parametrize(("backend", "settings"), KERNELS, ids=str)
def test_random_cuts(backend: str, settings: dict[str, object]) -> None:
    """The parts have the nodes, by level, and the solutions of the whole search."""
    solver, cuts = backend_named(backend), Counter[bool]()
    config = build_config(solver.config_type, settings, backend)
    for seed in range(100):
        for puzzle in puzzles():
            task: Task = lower(puzzle).task(Request(Symmetry.ALL))
            if solver.refuses(task, config) is not None:
                continue
            solutions, whole = searched(task, backend, config)
            if (whole.nodes or 0) > MAX_NODES:
                continue
            walk = Walk(
                task, backend, seed, 300, config=config, passes_over=True, max_cuts=CUTS_OF_A_SEARCH
            )
            cuts["several times" in puzzle.name] += walk.cuts
            assert sorted(walk.solutions) == sorted(solutions)
            if not solver.learns:
                assert walk.solutions == solutions
                assert walk.nodes == whole.nodes
                assert +walk.fits == +Counter(whole.fits_by_remaining or {})
        if cuts.total() >= CUTS:
            break
    assert cuts.total() >= CUTS
    assert cuts[True] or backend != "dlx"  # other kernels have no cuts there, or refuse such items
