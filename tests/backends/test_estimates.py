"""Estimates of search trees beside whole searches, for all solvers that make descents."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.searches import lowered, near, run_out
from dovetail.backends.base import AnyBackend, Config, TreeEstimator
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.task import Puzzle, Task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.statements import board
from oracle.strategies import packing_puzzles

COPIES = board("1 2 1 2\n2 1 2 2", width=2, height=2, unbounded=True, counts=[(0, 4)])
EVERYTHING = 10**6  # a prefix as wide as any tree here
SIX, BOARD = load("pentominoes-5x6-FLNPUY"), random_board(4, 4, 3, seed=3)
HYBRIDS = ("e", "piece,s@5,e@2", "dlx:s,fila:f@3")
Settings = Mapping[str, object]
TREES: list[tuple[str, Settings, Puzzle, tuple[str, ...]]] = [
    ("bitset", {}, SIX, ()),
    ("dlx", {"stages": "s,e@4,f@1"}, SIX, ()),
    ("dlx", {}, COPIES, ()),
    *(("fila", {"stages": stages}, SIX, ()) for stages in HYBRIDS),
    ("fletcher", {"sifting": "tree"}, SIX, ("redundancy",)),
    ("fletcher", {"sifting": "list"}, SIX, ()),
    ("skyline", {}, load("squares-32x33"), ()),  # no state comes twice
    ("rows", {}, BOARD, ()),
    ("domains", {}, BOARD, ()),
    ("rows", {"identical_tiles": "each", "order": "spiral"}, BOARD, ("redundancy",)),
]
each_tree = pytest.mark.parametrize(("backend", "chosen", "puzzle", "reduce"), TREES)


def estimator_of(
    solver: AnyBackend, task: Task, config: Config, prefix: int, population: int = 0
) -> TreeEstimator:
    """The estimator of a task, from one seed."""
    estimator = solver.tree_estimator(task, config, 3, prefix, population)
    assert estimator is not None
    return estimator


def tree(solver: AnyBackend, task: Task, config: Config) -> list[int]:
    """The fits of a whole search, from all pieces remaining down, and its solutions."""
    search = solver.prepare(task, config)
    run_out(search)
    fits = search.counters.fits_by_remaining
    assert fits is not None
    assert search.count is not None
    return [*fits.values(), search.count]


@given(
    packing_puzzles(),
    st.sampled_from(
        [
            *(("fila", {"stages": s}) for s in ("e", "s", "dlx:s,fila:f@1", "f,R@1", "piece,f@{}")),
            ("dlx", {"stages": "f"}),
            ("bitset", {}),
            ("fletcher", {"sifting": "tree"}),
            ("fletcher", {"sifting": "list"}),
        ]
    ),
    st.sampled_from([(), ("redundancy",)]),
)
@settings(max_examples=25)
def test_whole_trees_of_random_puzzles(
    puzzle: PackingPuzzle, solver: tuple[str, dict[str, str]], reduce: tuple[str, ...]
) -> None:
    """Pieces that are used several times among them."""
    pieces = sum(shape.max_count for shape in bounded_placements(puzzle).shapes)
    chosen = {key: text.format(pieces - 1) for key, text in solver[1].items()}
    made = lowered(puzzle, solver[0], chosen, reduce)
    if pieces > 1 and made[0].refuses(made[1], made[2]) is None:
        assert estimator_of(*made, EVERYTHING).levels(1).tolist() == [tree(*made)]


@each_tree
@pytest.mark.parametrize(("prefix", "population"), [(1, 0), (20, 25)])
def test_descents_come_near_the_tree(
    backend: str,
    chosen: Settings,
    puzzle: Puzzle,
    reduce: tuple[str, ...],
    prefix: int,
    population: int,
) -> None:
    """The mean is within five standard errors of what the search counts; so it is of samples."""
    solver, task, config = lowered(puzzle, backend, chosen, reduce)
    estimator = estimator_of(solver, task, config, prefix, population)
    rows = estimator.levels(100 if population else 400)
    assert near(rows, tree(solver, task, config), 10)[:4].all()
    assert estimator.nodes > 0
    if prefix == 1 and not population:  # from the root, or below each image of the first target
        places_first = (backend == "fletcher" and reduce) or "piece" in str(chosen)
        assert estimator.probes == len(rows) * (rows[0, 0] if places_first else 1)
