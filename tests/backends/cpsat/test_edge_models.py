"""The models of edge matching beside the cover problem, and what they are not for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends import cpsat as models
from dovetail.backends.base import Budget
from dovetail.backends.cpsat import CpSatSearch
from dovetail.backends.shared.tiles import tile_model
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from oracle.answers import solved
from oracle.brute_force import boards
from oracle.strategies import laid_boards

MODELS = ["cover", "4-edges", "edge-variables"]
ALL = Request(Symmetry.ALL, listing=True)


@given(
    puzzle=laid_boards([(1, 1), (2, 2), (2, 3), (4, 2), (5, 1), (3, 3)]),
    model=st.sampled_from(MODELS[1:]),
)
@settings(max_examples=20)
def test_random_boards(puzzle: EdgePuzzle, model: str) -> None:
    """Each board once, those of `dlx`: signed ones, hints, one colour only, twins of tiles."""
    finished, solutions = solved(puzzle, ALL, "cpsat", {"model": model})
    assert finished.status == Status.EXHAUSTED
    assert solutions == solved(puzzle, ALL, "dlx", {})[1]
    assert finished.count == len(solutions) == len(boards(puzzle))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("puzzle", "count"),
    [(load("edges-5-b4i4-1"), 8), (random_board(4, 4, 4, seed=57), 8)],
    ids=["twins", "all tiles differ"],
)
def test_larger_boards(puzzle: EdgePuzzle, count: int, model: str) -> None:
    """Boards for which it has to search."""
    finished, solutions = solved(puzzle, ALL, "cpsat", {"model": model})
    assert (finished.status, finished.count, len(solutions)) == (Status.EXHAUSTED, count, count)
    assert finished.counters.native["branches"] > 0


def test_a_cell_that_nothing_fits() -> None:
    """No board, and no variable without a value, which CP-SAT cannot have."""
    options = build_task(load("edges-4-b3i3-1"), ALL).edges
    assert options is not None
    tiles = tile_model(options.subset(np.flatnonzero(options.cell != 5)))
    search = CpSatSearch(models.lower_tiles(tiles, "edge-variables"), 0, 0)
    assert search.advance(Budget(work=1)) == Status.EXHAUSTED
    assert search.count == 0


@pytest.mark.parametrize("model", MODELS[1:])
def test_other_puzzles_are_refused(model: str) -> None:
    """With the model that takes them."""
    finished = finish(execute(Job(queens(4), backend="cpsat", config={"model": model})))
    assert (finished.status, finished.reason) == (
        Status.SKIPPED,
        f"its model {model} supports edge-matching puzzles only; use model cover",
    )
