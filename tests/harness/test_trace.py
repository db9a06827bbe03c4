"""Searches recorded step by step."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from dovetail.errors import BackendError, ConfigError
from dovetail.harness.contract.cases import DOMINOES
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.tracing import recorded_steps
from dovetail.harness.workers.runs import finish, run
from dovetail.models.request import Reduction, Request, Symmetry, Trace, Trigger
from dovetail.puzzles.loading import load
from harness.known import known

SIX_PIECES = load("pentominoes-5x6-FLNPUY")
REDUCTIONS = tuple(map(Reduction.parse, ("redundancy", "volume@3")))
CONFIGS = [("dlx", {}), ("fila", {"stages": "dlx:s,fila:e@3,fila:f@1"})]


def steps(job: Job) -> list[dict[str, Any]]:
    """The steps between what was asked and the status."""
    head, *lines, end = recorded_steps(job)
    wanted = known(job.request.trace).max_count
    assert (head["puzzle"], head["trace"]["max_count"]) == (job.puzzle.name, wanted)
    assert (end["status"] == "recorded") == (len(lines) == wanted)
    return lines


@pytest.mark.parametrize(("backend", "config"), CONFIGS)
def test_a_whole_search(backend: str, config: dict[str, object]) -> None:
    """Every fit is placed and taken back; cells never overlap; solutions are complete boards."""
    request = Request(Symmetry.ALL, reductions=REDUCTIONS)
    plain = finish(run(Job(SIX_PIECES, request, backend, config)))
    job = Job(SIX_PIECES, replace(request, trace=Trace(10**6)), backend, config)
    lying, solutions, placed = list[tuple[str, frozenset[tuple[int, ...]]]](), 0, 0
    for step in steps(job):
        piece = step["piece"], frozenset(map(tuple, step["cells"]))
        if step["step"] == "placed":
            assert all(piece[1].isdisjoint(cells) for _, cells in lying)
            assert piece[0] not in [name for name, _ in lying]
            lying.append(piece)
            placed += 1
            solutions += len(lying) == 6
        else:
            assert lying.pop() == piece
        assert step["remaining"] == 6 - len(lying)
    assert not lying
    assert placed == plain.nodes
    assert 0 < solutions <= (plain.count or 0)


def test_a_search_divided_to_break_symmetry() -> None:
    """Its parts one after the other, also with limits; with copies only, images are compared."""
    request = Request(Symmetry.UNIQUE, reductions=REDUCTIONS[:1])
    plain = finish(run(Job(DOMINOES, request, "dlx")))
    job = Job(DOMINOES, replace(request, trace=Trace(10**6)), "dlx")
    lying, placed = list[set[tuple[int, ...]]](), 0
    for step in steps(job):
        cells = set(map(tuple, step["cells"]))
        if step["step"] == "placed":
            assert not any(cells & other for other in lying)
            lying.append(cells)
            placed += 1
        else:
            assert lying.pop() == cells
        assert step["remaining"] == 8 - len(lying)
    assert placed == plain.nodes
    *lines, end = recorded_steps(replace(job, limits=Limits(nodes=placed - 1)))
    assert sum(line.get("step") == "placed" for line in lines) == placed - 1
    assert end["status"] == "node-limit"


@pytest.mark.parametrize(("backend", "config"), CONFIGS)
def test_the_first_steps_and_those_above_a_depth(backend: str, config: dict[str, object]) -> None:
    """Are what the whole trace begins with, and what it has above that depth."""

    def of(**wanted: int) -> list[dict[str, Any]]:
        return steps(Job(SIX_PIECES, Request(trace=Trace(**wanted)), backend, config))

    every = of(max_count=10**6)
    assert of(max_count=7) == every[:7]
    above = [step for step in every if step["remaining"] + (step["step"] == "placed") >= 5]
    assert of(max_count=10**6, down_to=5) == above
    assert of(max_count=3, down_to=5) == above[:3]


def test_triggers_are_seen_at_work() -> None:
    """What one takes back is placed and taken back at once."""
    triggers = (Trigger.parse("volume"),)
    with_triggers = Request(triggers=triggers)
    every = steps(Job(SIX_PIECES, replace(with_triggers, trace=Trace(10**6)), "fila"))
    counters = finish(run(Job(SIX_PIECES, with_triggers, "fila"))).counters
    at_once = sum(
        one["step"] == "placed" and other["step"] == "taken back" for one, other in pairwise(every)
    )
    assert 0 < sum(known(counters.backtracks_by_trigger)["volume"].values()) <= at_once


def test_interrupted() -> None:
    """What has been recorded stays."""
    interruption = Interruption()
    found = recorded_steps(Job(load("pentominoes-6x10"), Request(trace=Trace(10**7))), interruption)
    first = [next(found) for _ in range(10)]
    interruption.request()
    *_, end = found
    assert len(first) == 10
    assert end == {"status": "interrupted"}


@pytest.mark.parametrize(
    ("name", "backend", "config", "message"),
    [
        ("soma-cube", "fila", {"stages": "piece,f@6"}, "stage piece supports neither"),
        ("queens-8", "dlx", {}, "traces are for packing puzzles"),
    ],
)
def test_what_cannot_be_recorded(
    name: str, backend: str, config: dict[str, object], message: str
) -> None:
    """Is said, with the reason."""
    with pytest.raises((BackendError, ConfigError), match=message):
        steps(Job(load(name), Request(trace=Trace()), backend, config))
