"""Memory of large puzzles: 16x16 boards of 256 distinct tiles, as Eternity II has; the diamond."""

from __future__ import annotations

import pytest

from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.boards.edges import EdgePuzzle, canonical_turn
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

MAX_BYTES, MAX_BYTES_OF_DIAMOND = 500 * 10**6, 300 * 10**6


@pytest.mark.parametrize(
    ("backend", "nodes"),
    [
        ("rows", 5_000_000),
        # they compile for seconds; the arrays of colorpair are measured below
        *(pytest.param(name, 500, marks=pytest.mark.slow) for name in ("domains", "colorpair")),
    ],
)
def test_a_board_of_256_distinct_tiles(backend: str, nodes: int) -> None:
    """It is read, lowered and searched; Python, libraries and kernels included."""
    puzzle = load("edges-16-22-1")
    assert isinstance(puzzle, EdgePuzzle)
    assert (puzzle.width, puzzle.height) == (16, 16)
    assert len(set(map(canonical_turn, puzzle.tiles))) == 256
    limits = Limits(nodes=nodes, memory_bytes=MAX_BYTES)
    finished = finish(run_watched(Job(puzzle, Request(Symmetry.ALL), backend, limits=limits)))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, nodes)
    assert finished.baseline_bytes is not None
    assert finished.peak_bytes is not None
    assert finished.baseline_bytes < finished.peak_bytes < MAX_BYTES


def test_the_diamond_prepares_in_little_memory() -> None:
    """12 pentominoes and 5 tetrominoes on 80 cells, Python and libraries included."""
    puzzle = load("tetro-pentominoes-diamond-13")
    limits = Limits(nodes=1, memory_bytes=MAX_BYTES_OF_DIAMOND)
    job = Job(puzzle, Request(Symmetry.UNIQUE), "dlx", limits=limits)
    finished = finish(run_watched(job))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, 1)
    assert finished.peak_bytes is not None
    assert finished.peak_bytes < MAX_BYTES_OF_DIAMOND
