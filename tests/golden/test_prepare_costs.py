"""What large puzzles take before their search begins."""

from __future__ import annotations

from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

MAX_BYTES = 300 * 10**6


def test_the_diamond_prepares_in_little_memory() -> None:
    """12 pentominoes and 5 tetrominoes on 80 cells, Python and libraries included."""
    puzzle = load("tetro-pentominoes-diamond-13")
    limits = Limits(nodes=1, memory_bytes=MAX_BYTES)
    job = Job(puzzle, Request(Symmetry.UNIQUE), "dlx", limits=limits)
    finished = finish(run_watched(job))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, 1)
    assert finished.peak_bytes is not None
    assert finished.peak_bytes < MAX_BYTES
