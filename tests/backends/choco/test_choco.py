"""Choco filters as the definitions of its models do, node for node; limits and refusals."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backends.choco.twin import Twin
from dovetail.backends.choco.backend import Consistency
from dovetail.models.edges import EdgePuzzle
from dovetail.models.formulations.boards import BoardFormulation
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
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


def check(
    puzzle: EdgePuzzle,
    edges: BoardFormulation,
    all_different: Consistency,
    restricted: bool,
) -> None:
    """Solutions and nodes are the twin's."""
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
