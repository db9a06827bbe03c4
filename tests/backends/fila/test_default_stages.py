"""The stages of `fila` where none are asked for."""

from __future__ import annotations

import pytest

from dovetail.backends.fila.backend import default_stages
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import finish, run
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry, Trace
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

BROKEN = (Reduction(ReductionName.REDUNDANCY),)


@pytest.mark.parametrize(
    ("puzzle", "stages"),
    [
        ("pentominoes-6x10", ("piece", "f@11")),
        ("pentominoes-5x12", ("f",)),  # a piece of five cells closes it off
        ("pentominoes-3x20", ("f",)),
        ("pentominoes-2x3x10", ("piece", "f@11")),
        ("pentominoes-3x4x5", ("piece", "e@11")),
        ("soma-cube", ("piece", "e@6")),
    ],
)
def test_what_suits_the_region(puzzle: str, stages: tuple[str, ...]) -> None:
    """With a piece that breaks symmetry, else the first cell; so too if a trace looks on."""
    assert default_stages(build_task(load(puzzle), Request(reductions=BROKEN))) == stages
    assert default_stages(build_task(load(puzzle), Request())) == ("f",)
    traced = Request(reductions=BROKEN, trace=Trace(10))
    assert default_stages(build_task(load(puzzle), traced)) == ("f",)


@pytest.mark.parametrize("puzzle", ["soma-cube", "pentominoes-4x15", "pentominoes-2x3x10"])
@pytest.mark.parametrize("symmetry", [Symmetry.ALL, Symmetry.UNIQUE])
def test_the_answer_is_that_of_the_first_cell(puzzle: str, symmetry: Symmetry) -> None:
    """And where that is chosen, its nodes."""
    request = Request(symmetry, reductions=BROKEN)
    first, default = (
        finish(run(Job(load(puzzle), request, "fila", config)))
        for config in ({"stages": ("f",)}, {})
    )
    assert default.count == first.count != 0
    nodes, nodes_by_first = default.counters.nodes, first.counters.nodes
    assert nodes is not None
    assert nodes_by_first is not None
    if puzzle == "pentominoes-4x15":
        assert nodes == nodes_by_first
    else:
        assert nodes < nodes_by_first
