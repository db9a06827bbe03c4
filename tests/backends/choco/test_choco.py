"""Choco filters as the definitions of its models do, node for node; limits and refusals."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.choco.twin import Twin
from dovetail.backends.choco.backend import Consistency
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.memory_limit import MEMORY_REASON
from dovetail.harness.workers.runs import execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.edges import EdgePuzzle
from dovetail.models.formulations.boards import BoardFormulation
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from oracle.answers import solved
from oracle.strategies import laid_boards

EDGES: list[BoardFormulation] = ["4-edges", "edge-variables"]
STRENGTHS: list[Consistency] = ["complete", "weak"]
SIZES = [(1, 1), (2, 2), (2, 3), (4, 2), (5, 1), (3, 3), (3, 4)]


@given(
    puzzle=laid_boards(SIZES),
    edges=st.sampled_from(EDGES),
    all_different=st.sampled_from(STRENGTHS),
    restricted=st.booleans(),
)
@settings(max_examples=35)
def test_random_boards(
    puzzle: EdgePuzzle, edges: BoardFormulation, all_different: Consistency, restricted: bool
) -> None:
    """Signed ones, hints, one colour only, twins of tiles, a corner tile restricted."""
    check(puzzle, edges, all_different, restricted)


@pytest.mark.parametrize(
    ("puzzle", "nodes"),
    [
        (load("edges-4-b3i3-1"), [35, 56, 15, 22]),
        (random_board(4, 4, 4, seed=57), [50, 74, 9, 13]),
    ],
    ids=["twins", "all tiles differ"],
)
def test_how_many_nodes(puzzle: EdgePuzzle, nodes: list[int]) -> None:
    """Each rule that is left out costs some."""
    made = [check(puzzle, edges, strength) for edges, strength in product(EDGES, STRENGTHS)]
    assert made == nodes


def check(
    puzzle: EdgePuzzle,
    edges: BoardFormulation,
    all_different: Consistency,
    restricted: bool = False,
) -> int:
    """Solutions and nodes are the twin's; returns the nodes."""
    reductions = (Reduction.parse("redundancy"),) if restricted else ()
    request = Request(Symmetry.ALL, listing=True, reductions=reductions)
    config = {"formulation": edges, "all_different": all_different}
    finished, solutions = solved(puzzle, request, "choco", config)
    assert finished.status == Status.EXHAUSTED
    options = build_task(puzzle, request).edges
    assert options is not None
    twin = Twin(options, edges, all_different)
    found = twin.solutions()
    if not restricted:  # else those found stand for others
        assert solutions == found
    assert finished.nodes == twin.nodes
    return twin.nodes


ALL = Request(Symmetry.ALL)


def test_node_limits() -> None:
    """A search stops at the very node, which has been looked at; there are 35, and 4 boards."""
    ends = []
    for limit in (0, 1, 6, 7, 34, 35, 36):
        job = Job(
            load("edges-4-b3i3-1"), ALL, "choco", {"formulation": "4-edges"}, Limits(nodes=limit)
        )
        ends.append(finish(execute(job)))
    assert [end.nodes for end in ends] == [0, 1, 6, 7, 34, 35, 35]
    assert [end.count for end in ends] == [0, 0, 0, 1, 4, 4, 4]
    assert [end.status for end in ends] == [Status.NODE_LIMIT] * 6 + [Status.EXHAUSTED]


def test_solution_limit() -> None:
    """As many as asked for, of 388."""
    for wanted in (1, 100):
        job = Job(random_board(4, 4, 2, seed=2), ALL, "choco", limits=Limits(solutions=wanted))
        finished = finish(execute(job))
        assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, wanted)


def test_time_limit_between_solutions() -> None:
    """A board without any for hours ends in time by itself, and tells its nodes."""
    job = Job(load("edges-10-9-1"), ALL, "choco", limits=Limits(time_s=2.0))
    finished = finish(run_watched(job))
    assert (finished.status, finished.reason) == (Status.TIME_LIMIT, None)
    assert finished.nodes is not None
    assert finished.nodes > 0


def test_memory_limit() -> None:
    """The tables alone are too large for it."""
    job = Job(load("edges-20-9-1"), ALL, "choco", limits=Limits(memory_bytes=80 * 2**20))
    finished = finish(run_watched(job))
    assert (finished.status, finished.reason) == (Status.MEMORY_LIMIT, MEMORY_REASON)
