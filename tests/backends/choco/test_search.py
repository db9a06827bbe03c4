"""Limits, what is refused, and boards with a cell that nothing fits."""

from __future__ import annotations

import numpy as np
import pytest

from backends.choco.twin import Twin
from dovetail.backends.base import Budget
from dovetail.backends.choco import AllDifferent, ChocoSearch
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.backends.shared.tiles import tile_model
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.memory_limit import MEMORY_REASON
from dovetail.harness.workers.runs import execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle

ALL = Request(Symmetry.ALL)


def test_node_limits() -> None:
    """A search stops at the very node, which has been looked at; there are 35, and 4 boards."""
    ends = []
    for limit in (0, 1, 6, 7, 34, 35, 36):
        job = Job(load("edges-4-b3i3-1"), ALL, "choco", {"model": "4-edges"}, Limits(nodes=limit))
        ends.append(finish(execute(job)))
    assert [end.nodes for end in ends] == [0, 1, 6, 7, 34, 35, 35]
    assert [end.count for end in ends] == [0, 0, 0, 1, 4, 4, 4]
    assert [end.status for end in ends] == [Status.NODE_LIMIT] * 6 + [Status.EXHAUSTED]


def test_its_own_counts() -> None:
    """Choco counts solutions as nodes, and branches that fail."""
    finished = finish(execute(Job(load("edges-4-b3i3-1"), ALL, "choco")))
    assert (finished.nodes, finished.count) == (15, 4)
    assert finished.counters.native["choco_nodes"] == 19
    assert finished.counters.native["fails"] == 12


def test_solution_limit() -> None:
    """As many as asked for, of 388."""
    for wanted in (1, 100):
        job = Job(random_board(4, 4, 2, seed=2), ALL, "choco", limits=Limits(solutions=wanted))
        finished = finish(execute(job))
        assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, wanted)


def test_time_limit_between_solutions() -> None:
    """A board without any for hours ends in time by itself, and tells its nodes."""
    job = Job(load("edges-10-9-1"), ALL, "choco", limits=Limits(time_s=0.5))
    finished = finish(run_watched(job))
    assert (finished.status, finished.reason) == (Status.TIME_LIMIT, None)
    assert finished.nodes is not None
    assert finished.nodes > 0


def test_memory_limit() -> None:
    """The tables alone are too large for it."""
    job = Job(load("edges-20-9-1"), ALL, "choco", limits=Limits(memory_bytes=80 * 2**20))
    finished = finish(run_watched(job))
    assert (finished.status, finished.reason) == (Status.MEMORY_LIMIT, MEMORY_REASON)


def test_a_cell_that_nothing_fits() -> None:
    """No board, and no variable without a value, which Choco cannot have."""
    options = build_task(load("edges-4-b3i3-1"), ALL).edges
    assert options is not None
    tiles = tile_model(options.subset(np.flatnonzero(options.cell != 5)))
    search = ChocoSearch(tiles, "edge-variables", "complete")
    assert search.advance(Budget(work=1)) == Status.EXHAUSTED
    assert (search.count, search.counters.nodes) == (0, 0)


@pytest.mark.parametrize(("strength", "nodes"), [("complete", 0), ("weak", 12)])
def test_a_tile_that_fits_nowhere(strength: AllDifferent, nodes: int) -> None:
    """No board either, although every cell has something."""
    options = build_task(load("edges-4-b3i3-1"), ALL).edges
    assert options is not None
    tiles = tile_model(options.subset(np.flatnonzero(options.tile_type != 5)))
    search = ChocoSearch(tiles, "edge-variables", strength)
    twin = Twin(tiles, "edge-variables", strength)
    assert search.advance(Budget(work=1)) == Status.EXHAUSTED
    assert twin.solutions() == set()
    assert search.count == 0
    assert search.counters.nodes == twin.nodes == nodes


def test_what_is_refused() -> None:
    """Other puzzles, and configs that are none."""
    for puzzle in (queens(4), pentominoes_in_rectangle(3, 5, "LPU")):
        finished = finish(execute(Job(puzzle, backend="choco")))
        assert (finished.status, finished.reason) == (
            Status.SKIPPED,
            "it supports edge-matching puzzles only",
        )
    with pytest.raises(ConfigError, match="valid: 4-edges, edge-variables"):
        build_config(backend_named("choco").config_type, {"model": "5-edges"}, "backend choco")
