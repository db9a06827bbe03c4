"""Every solver with every formulation that it takes, and the known traps of constraint models."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import get_args

import pytest
from hypothesis import given, settings

from dovetail.backends.choco.backend import Branching
from dovetail.backends.cpsat.backend import Branching as CpSatBranching
from dovetail.backends.registry import backend_named, backends
from dovetail.errors import BackendError
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.formulations.model import (
    AllDifferent,
    Bound,
    BranchingKind,
    ConstraintModel,
    TableConstraint,
)
from dovetail.models.formulations.registry import (
    COVER,
    FORMULATIONS,
    Formulation,
    Kind,
    Supported,
    formulations,
    kind_of,
    registry,
)
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, build_task, lower
from dovetail.puzzles.loading import load
from dovetail.puzzles.statements import board, packing
from oracle.answers import solved
from oracle.brute_force import boards, covers
from oracle.strategies import (
    cover_problems,
    hinted_boards,
    laid_boards,
    loose_packings,
    packing_puzzles,
)

ALL = Request(Symmetry.ALL, listing=True)
BROKEN = Request.named("all", False, ["redundancy"])
PROGRAMS = ("nucs", "d4", "ganak")  # tested in tests/backends/command
CASES = [
    (name, formulation)
    for name, backend in backends().items()
    if backend.formulations is not None and name not in PROGRAMS
    for formulation in backend.formulations.formulations
]


def each_case(kind: Kind) -> pytest.MarkDecorator:
    """Run a test for each solver with each of its formulations of this kind of puzzle."""
    cases = [(name, each.name) for name, each in CASES if kind in each.kinds]
    return pytest.mark.parametrize(("backend", "formulation"), cases)


@pytest.fixture(autouse=True)
def allowed_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_ALLOW_COMMANDS", "1")


def check(backend: str, formulation: str, puzzle: Puzzle, count: int | None = None) -> None:
    """The solutions are those of `dlx`, each once; without `count`, a refusal has a reason."""
    missing = backend_named(backend).missing()
    if missing is not None:
        pytest.skip(f"{missing} is not installed")
    config = {"formulation": formulation}
    finished, solutions = solved(puzzle, ALL, backend, config)
    if finished.status == Status.SKIPPED and count is None:
        assert (finished.reason or "").startswith(f"formulation {formulation} needs ")
        return
    assert finished.status == Status.EXHAUSTED
    assert solutions == solved(puzzle, ALL, "dlx", {})[1]
    assert finished.count == len(solutions) == (len(solutions) if count is None else count)


@each_case("packing")
@given(puzzle=packing_puzzles() | loose_packings())
@settings(max_examples=15)
def test_packings_with_copies_and_cells_that_may_stay_empty(
    backend: str, formulation: str, puzzle: PackingPuzzle
) -> None:
    check(backend, formulation, puzzle)


@each_case("board")
@given(puzzle=laid_boards([(1, 1), (2, 2), (2, 3), (3, 3)]) | hinted_boards())
@settings(max_examples=12)
def test_boards_with_hints_signs_and_equal_tiles(
    backend: str, formulation: str, puzzle: EdgePuzzle
) -> None:
    check(backend, formulation, puzzle)
    assert len(solved(puzzle, ALL, "dlx", {})[1]) == len(boards(puzzle))


@each_case("board")
@pytest.mark.parametrize(
    "text",
    [
        "unbounded 2 1\n2 3 2 1\n3 2 3 4",
        "unbounded matches=1-2,1-3,9-9,9-1,9-2 2 1\n1 9 2 3\n9 1 3 3",
        "matches=0-1,2-3,2-4 3 1\n0 1 0 0\n0 2 0 1\n0 0 0 3",
    ],
)
def test_tiles_that_differ_outside_and_colours_that_match_several(
    backend: str, formulation: str, text: str
) -> None:
    """A tile's type and the colours of its cell's edges do not tell how it lies.

    In the last board, 1 matches the frame only.
    """
    puzzle = board(text)
    check(backend, formulation, puzzle, len(boards(puzzle)))


@each_case("cover")
@given(problem=cover_problems())
@settings(max_examples=12)
def test_covers_with_bounds_and_colours(
    backend: str, formulation: str, problem: CoverProblem
) -> None:
    check(backend, formulation, problem)
    assert len(solved(problem, ALL, "dlx", {})[1]) == len(covers(problem))


@pytest.mark.parametrize("formulation", [each for each in FORMULATIONS if "packing" in each.kinds])
def test_without_options_for_a_piece_the_model_is_impossible(formulation: Formulation) -> None:
    """Only the fit filter notices that the two pieces do not fill the row."""
    pieces = [{"name": "A", "shape": "###"}, {"name": "B", "shape": "##.#"}]
    task = build_task(packing(box=[6, 1], piece=pieces), Request.named("all", False, ["fit"]))
    assert task.unsolvable_reason is None
    assert task.options.option_count == 0
    if formulation.refuses(task.options) is None:
        model = formulation.build(task.options)
        impossible = any(bound.is_impossible for bound in model.of_type(Bound))
        empty = any(len(table.rows) == 0 for table in model.of_type(TableConstraint))
        assert model.is_impossible or impossible or empty


def test_formulations_of_other_puzzles_are_refused_with_those_that_are_valid() -> None:
    for backend, formulation in CASES:
        for name in ("soma-cube", "edges-3-b2i2-1", "queens-4"):
            options = lower(load(name)).options
            its = backend_named(backend).formulations
            assert its is not None
            reason = its.refuses(formulation.name, options) or ""
            own = {each.name for each in its.formulations if kind_of(options) in each.kinds}
            assert (" supports " in reason) == (formulation.name not in own)
            assert not reason or "; valid here: " in reason


@pytest.mark.parametrize(
    ("backend", "formulation", "expected"),
    [("choco", "table", 15_821), ("choco", "dual", 15_401), ("minizinc", "table", 15_821)],
)
def test_formulations_of_equal_propagation_fail_equally_often(
    backend: str, formulation: str, expected: int
) -> None:
    """On 3x20 with symmetry broken, in Choco and in Gecode."""
    if backend_named(backend).missing() is not None:
        pytest.skip(f"{backend} is not installed")
    config = {"formulation": formulation}
    if backend == "minizinc":
        config["branching"] = "first_fail"
    finished = finish(execute(Job(load("pentominoes-3x20"), BROKEN, backend, config)))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 8)
    assert finished.counters.native["fails" if backend == "choco" else "failures"] == expected


@pytest.mark.parametrize(
    ("backend", "config"),
    [
        *(("cpsat", {"branching": branching}) for branching in get_args(CpSatBranching)),
        *(("choco", {"branching": branching}) for branching in get_args(Branching)),
        *(("choco", {"restarts": restarts}) for restarts in ("luby", "geometric")),
        ("choco", {"learning": "true"}),
    ],
)
def test_every_strategy_finds_each_solution_once(backend: str, config: dict[str, str]) -> None:
    for name, count, formulation in (
        ("edges-4-b3i3-1", 4, "cell-table"),
        ("dominoes-4x4", 36, "boxes"),
    ):
        own = {**config, "formulation": formulation}
        if backend == "cpsat":
            own["on"] = "cells"
        finished, solutions = solved(load(name), ALL, backend, own)
        assert (finished.status, finished.count, len(solutions)) == (Status.EXHAUSTED, count, count)
    assert "restarts" not in config or finished.counters.native["restarts"] > 0


def test_restarts_with_learning_would_find_solutions_again() -> None:
    config = {"restarts": "luby", "learning": "true"}
    finished, _ = solved(load("dominoes-4x4"), ALL, "choco", config)
    assert finished.status == Status.SKIPPED
    assert "expected restarts=none" in (finished.reason or "")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "dual"}, "the name 'dual' is taken"),
        ({"kinds": ("boards",)}, "expected some of packing, board, cover"),
    ],
)
def test_a_broken_formulation_of_another_distribution_is_named(
    change: dict[str, object], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace(FORMULATIONS[0], name="mine")
    module = ModuleType("other_formulations")
    module.mine = lambda: own  # type: ignore[attr-defined]
    module.broken = lambda: replace(own, **{"name": "broken", **change})  # type: ignore[attr-defined,arg-type]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    points = [
        EntryPoint(name, f"other_formulations:{name}", "dovetail.formulations")
        for name in ("mine", "broken")
    ]
    monkeypatch.setattr("dovetail.plugins.entry_points", lambda group: points)
    registry.cache_clear()
    try:
        with pytest.warns(UserWarning, match=f"broken = .* is ignored .*{reason}"):
            assert [each.name for each in formulations()[len(FORMULATIONS) :]] == ["mine"]
        assert list(registry().broken) == ["broken"]
    finally:
        registry.cache_clear()


def _fails(_: object) -> ConstraintModel:
    raise KeyError("boom")


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (_fails, "KeyError: 'boom'"),
        (
            lambda _: ConstraintModel(usual=(), constraints=[AllDifferent([])]),
            "constraints that it does not list: AllDifferent",
        ),
    ],
)
def test_a_faulty_formulation_of_another_distribution_is_named(
    build: Callable[[object], ConstraintModel], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = replace(FORMULATIONS[0], name="mine", build=build)
    monkeypatch.setattr(
        "dovetail.models.formulations.registry.formulations", lambda: [*FORMULATIONS, faulty]
    )
    options = lower(load("dominoes-4x4")).options
    with pytest.raises(BackendError, match=f"formulation mine is faulty: .*{reason}"):
        Supported(*COVER).build("mine", options)


@pytest.mark.parametrize("on", get_args(BranchingKind))
def test_choco_branches_on_any_kind_of_variables(on: str) -> None:
    """Each kind that a formulation has identifies the solutions; it takes its own for others."""
    for backend, formulation in CASES:
        if backend == "choco":
            kind = next(iter(formulation.kinds))
            name, count = {
                "packing": ("dominoes-4x4", 36),
                "board": ("edges-4-b3i3-1", 4),
                "cover": ("queens-6", 4),
            }[kind]
            config = {"formulation": formulation.name, "on": on}
            finished, solutions = solved(load(name), ALL, "choco", config)
            if finished.status != Status.SKIPPED:
                assert (finished.count, len(solutions)) == (count, count), formulation.name


@pytest.mark.parametrize(
    ("backend", "formulation"),
    [("choco", "boxes"), ("cpsat", "boxes"), ("cpsat", "no-overlap"), ("minizinc", "boxes")],
)
@pytest.mark.parametrize(("name", "count"), [("dominoes-4x4", 36), ("squares-32x33", 4)])
def test_boxes_in_rectangles(backend: str, formulation: str, name: str, count: int) -> None:
    """Equal boxes are ordered; the corners of others are restricted by symmetry breaking."""
    if (backend, name) == ("minizinc", "squares-32x33"):
        pytest.skip("takes too long without branching on the smallest corner")
    check(backend, formulation, load(name), count)


@pytest.mark.parametrize("backend", ["choco", "cpsat"])
def test_other_pieces_and_regions_are_no_boxes(backend: str) -> None:
    formulations = backend_named(backend).formulations
    assert formulations is not None
    for name in ("pentominoes-5x6-FLNPUY", "pentominoes-8x8-hole", "soma-cube"):
        reason = formulations.refuses("boxes", lower(load(name)).options)
        needs = "formulation boxes needs a rectangle and pieces that are rectangles; valid here: "
        assert (reason or "").startswith(f"{needs}cover, dual, pieces, table")
