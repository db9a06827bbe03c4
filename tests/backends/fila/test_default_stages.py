"""The stages of `fila` where none are asked for."""

from __future__ import annotations

import pytest

from dovetail.backends.fila.backend import default_stages
from dovetail.models.request import Reduction, ReductionName, Request, Trace
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
