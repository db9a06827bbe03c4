"""Branches split a problem: their solutions are those of the whole, each in one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.backends.registry import backend_named, backends, not_installed
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Job, Plan
from dovetail.harness.run.session import Session, returned
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.cover import CoverProblem, cover
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.loading import load
from dovetail.puzzles.statements import packing
from oracle.brute_force import covers
from oracle.strategies import cover_problems

ALL = Request(Symmetry.ALL)


def within(problem: CoverProblem, sub_problem: SubProblem) -> set[tuple[int, ...]]:
    """The solutions of a part by its definition."""
    return {
        chosen
        for chosen in covers(problem)
        if set(sub_problem.taken) <= set(chosen)
        and (sub_problem.untried is None or set(sub_problem.untried) & set(chosen))
    }


@given(cover_problems(), st.data())
def test_the_options_kept_make_the_solutions_of_the_part(
    problem: CoverProblem, data: st.DataObject
) -> None:
    """All of them and no others, against brute force; bounds and colours among them."""
    if problem.option_count == 0:
        return
    numbers = st.sampled_from(range(problem.option_count))
    taken = data.draw(st.lists(numbers, max_size=2, unique=True))
    untried = data.draw(st.none() | st.lists(numbers, min_size=1, max_size=3, unique=True))
    sub_problem = SubProblem(tuple(taken), None if untried is None else tuple(untried))
    try:
        kept = np.flatnonzero(sub_problem.kept(problem))
    except ConfigError:
        return  # refusals have a test of their own
    left = {chosen for chosen in covers(problem) if set(chosen) <= set(kept.tolist())}
    assert left == within(problem, sub_problem)


def total(puzzle: Puzzle, request: Request, backend: str, parts: Iterable[SubProblem]) -> int:
    """The solutions that sessions of the parts count."""
    return sum(counted(Plan(puzzle, request, backend, sub_problem=one)) for one in parts)


def counted(plan: Plan) -> int:
    """What the session of a plan counts to its end."""
    finished = returned(Session(plan).run())
    assert finished.status == Status.EXHAUSTED, finished.reason
    assert finished.count is not None
    return finished.count


REQUESTS = [
    ALL,
    Request(Symmetry.UNIQUE),
    Request(Symmetry.MIRROR),
    Request.named("unique", False, ["redundancy"], []),
    Request.named("all", False, ["redundancy"], []),
]


def test_a_part_may_leave_a_piece_without_options() -> None:
    """The other pieces then fill all cells that must be filled, but the part has no solution."""
    kept_at: list[Mapping[str, object]] = [
        {"name": "A", "shape": "###", "placements": [[[0], [1], [2]]]},
        {"name": "B", "shape": "#", "placements": [[[1]]]},
        *({"name": name, "shape": "#"} for name in "CD"),
    ]
    puzzle = packing(box=[7], optional=[[3], [6]], interchangeable=False, piece=kept_at)
    for option in range(lower(puzzle).options.option_count):
        plan = Plan(puzzle, ALL, "constraint", {"formulation": "cells"})
        assert counted(replace(plan, sub_problem=SubProblem((option,)))) == 0


TAKES_SECONDS = {"clingo", "constraint", "cpsat", "sat"}


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("name", ["pentominoes-4x5-LNPU", "edges-4-b3i3-1", "queens-6"])
def test_the_parts_below_an_item(name: str, backend: str) -> None:
    """Each alone, and all cut into two: their counts add up, whatever is counted."""
    puzzle, solver = load(name), backend_named(backend)
    if not_installed(solver):
        pytest.skip(f"{backend} is not installed")
    lowered = lower(puzzle)
    cover = lowered.options.cover
    for request in REQUESTS[:1] if backend in TAKES_SECONDS else REQUESTS:
        if request.reductions and isinstance(puzzle, CoverProblem):
            continue
        reduced = lowered.task(request).reduced
        below = cover.option_of_member[cover.item == 0]
        below = below if reduced is None else below[np.isin(below, reduced.kept)]
        halves = np.array_split(below, 2)
        parts = [SubProblem((), tuple(half.tolist())) for half in halves if len(half)]
        task = lowered.task(request, parts[0])
        if solver.refuses(task, solver.config_type()):
            continue
        whole = counted(Plan(puzzle, request, backend))
        assert total(puzzle, request, backend, parts) == whole, request
        if request in REQUESTS[:2] and backend not in TAKES_SECONDS:
            each = [SubProblem((option,)) for option in below.tolist()]
            assert total(puzzle, request, backend, each) == whole, request


def test_refusals_of_sub_problems() -> None:
    """By solvers that would count something else."""
    lowered, part = lower(load("pentominoes-5x6-FLNPUY")), SubProblem((0,))
    for backend, request in (("fletcher", ALL), ("frontier", Request(Symmetry.UNIQUE))):
        solver = backend_named(backend)
        reason = solver.refuses(lowered.task(request, part), solver.config_type())
        assert "sub-problem" in (reason or ""), backend


def test_a_restricted_piece() -> None:
    """Its weights hold in a part, too; what it may not do is no part."""
    puzzle = load("pentominoes-5x6-FLNPUY")
    request = Request.named("all", False, ["redundancy"], [])
    lowered = lower(puzzle)
    cover, reduced = lowered.options.cover, lowered.task(request).reduced
    assert reduced is not None
    of_first = cover.option_of_member[cover.item == 0]
    allowed = np.isin(of_first, reduced.kept)
    whole = finish(execute(Job(puzzle, ALL, "dlx"))).count
    parts = [SubProblem((option,)) for option in of_first[allowed].tolist()]
    assert total(puzzle, request, "dlx", parts) == whole
    barred = int(np.setdiff1d(np.arange(cover.option_count), reduced.kept)[0])
    with pytest.raises(ConfigError, match=f"option {barred} is taken, but a reduction removes it"):
        lowered.task(request, SubProblem((barred,)))


TWO = cover(
    ["a", "b", ("many", 0, 2)],
    [["a"], ["a", ("s", 1)], ["b", ("s", 2)], ["b"], ["a", "b"], ["many"], ["b", "s"]],
    secondary=["s"],
    name="two",
)


@pytest.mark.parametrize(
    ("sub_problem", "message"),
    [
        (SubProblem((9,)), "there is no option 9; expected 0 to 6"),
        (SubProblem((0,), (0,)), "named twice"),
        (SubProblem((), ()), "expected one or more, or None"),
        (SubProblem((1, 6)), "the taken options exclude one another"),
        (SubProblem((0,), (4,)), "a taken option excludes an untried one"),
        (SubProblem((), (0, 3)), "share no item that is covered exactly once"),
    ],
)
def test_refusals(sub_problem: SubProblem, message: str) -> None:
    """Name what is wrong."""
    with pytest.raises(ConfigError, match=message):
        sub_problem.kept(TWO)
