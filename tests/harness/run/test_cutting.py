"""Searches that are cut: the parts left have the nodes and solutions of the whole, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.searches import Walk, searched
from dovetail.backends.base import Budget
from dovetail.backends.config import build_config
from dovetail.backends.fila.backend import FilaConfig
from dovetail.backends.registry import backend_named, backends
from dovetail.errors import ConfigError
from dovetail.harness.run.job import Limits, Plan
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.harness.run.result import Result
from dovetail.harness.run.session import Session, returned
from dovetail.models.cover import cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.loading import load
from harness.known import known
from oracle.strategies import packing_puzzles

CUTTING = [name for name, backend in backends().items() if backend.cuts]
LEARNING = [name for name, backend in backends().items() if backend.learns]
SIX = "pentominoes-5x6-FLNPUY"
ALL = Request(Symmetry.ALL)
REQUESTS = [
    ALL,
    Request(Symmetry.MIRROR),
    Request.named("all", False, ["redundancy", "volume"], []),
]
FILA_STAGES = [("s", "e@3", "f@2"), ("f", "y@3", "R@2"), ("dlx:f", "x@3", "f@2")]


THREE_OF_FIVE = cover([("chosen", 3, 3)], [["chosen"] for _ in range(5)], name="three of five")


def puzzle_for(backend: str) -> Puzzle:
    """A puzzle that a backend takes: a board, else a packing, else one of rectangles."""
    solver = backend_named(backend)
    puzzles = map(load, ("edges-4-b3i3-6", SIX, "squares-32x33"))
    return next(p for p in puzzles if not solver.refuses(lower(p).task(ALL), solver.config_type()))


@st.composite
def small_pieces(draw: st.DrawFn) -> PackingPuzzle:
    """A board cut into pieces of up to three cells, some of which are alike."""
    width, height = draw(st.sampled_from([(3, 2), (3, 3), (4, 3), (5, 2)]))
    left = [(x, y) for x in range(width) for y in range(height)]
    region, pieces = tuple(left), list[Piece]()
    while left:
        size = draw(st.integers(1, 3))
        (x, y), tail = left[0], [draw(st.sampled_from([(1, 0), (0, 1)])) for _ in range(size - 1)]
        part = [(x, y)]
        for dx, dy in tail:
            cell = part[-1][0] + dx, part[-1][1] + dy
            part += [cell] if cell in left else []
        left = [cell for cell in left if cell not in part]
        pieces.append(Piece(f"{len(pieces)}", tuple(part)))
    return PackingPuzzle("small pieces", SquareLattice(2), region, tuple(pieces))


def stages_within(stages: Sequence[str], pieces: int) -> list[str]:
    """Those of a schedule that begin with fewer pieces than there are; @-1: with one less."""
    first, *later = (stage.replace("@-1", f"@{pieces - 1}") for stage in stages)
    within = [stage for stage in later if 0 < int(stage.split("@")[1]) < pieces]
    return [first, *within]


@pytest.mark.parametrize("kernel", ["reference", "fast"])
@pytest.mark.parametrize("stages", FILA_STAGES, ids=" ".join)
@given(
    puzzle=packing_puzzles() | small_pieces(),
    nof=st.booleans(),
    seed=st.integers(0, 2**32),
    max_work=st.sampled_from([1, 30, 300, 3000]),
)
@settings(max_examples=3, deadline=None)
def test_random_cuts_of_fila(
    stages: tuple[str, ...], kernel: str, puzzle: PackingPuzzle, nof: bool, seed: int, max_work: int
) -> None:
    """Attempts too, with several copies of a piece, and below what one segment hands over."""
    task, solver = lower(puzzle).task(ALL), backend_named("fila")
    used = stages_within(stages, task.options.placements_per_solution or 0)
    config = build_config(FilaConfig, {"stages": used, "nof": nof, "kernel": kernel}, "fila")
    assume(not solver.refuses(task, config))
    solutions, whole = searched(task, "fila", config)
    assume((whole.nodes or 0) < 1000)
    walk = Walk(task, "fila", seed, max_work, config=config, passes_over=True)
    assert walk.solutions == solutions
    assert walk.nodes == whole.nodes
    assert +walk.fits == +Counter(whole.fits_by_remaining or {})
    if whole.attempts is not None:
        assert +walk.attempts == +Counter(whole.attempts_by_remaining)


@pytest.mark.parametrize(
    ("backend", "settings"),
    [
        ("dlx", {"stages": ["x", "s@3"]}),
        ("rows", {"order": ["spiral"]}),
        ("domains", {"choice": "fewest", "single_place": False}),
        ("colorpair", {"shaving": "2", "choice": "min-offer"}),
    ],
)
def test_cuts_with_other_settings(backend: str, settings: dict[str, object]) -> None:
    """The solutions of the whole, each once."""
    config = build_config(backend_named(backend).config_type, settings, backend)
    for name in [SIX] if backend in ("dlx", "fletcher") else ["edges-4-b3i3-1", "edges-4-b3i3-6"]:
        task = lower(load(name)).task(ALL)
        solutions, whole = searched(task, backend, config)
        walk = Walk(task, backend, 1, 600, config=config)
        assert walk.cuts
        assert sorted(walk.solutions) == sorted(solutions)
        assert backend in LEARNING or walk.nodes == whole.nodes


def test_a_prefix_that_is_a_complete_cover() -> None:
    """Is left as a part and found there: a refinement of prefixes in BurrTools dropped it.

    `dlx` notes a solution a step after it has taken the last option, so that it can be cut between.
    """
    task = lower(load(SIX)).task(ALL)
    solutions, _ = searched(task, "dlx")
    search, found = backend_named("dlx").prepare(task, backend_named("dlx").config_type()), 0
    complete = []
    while search.advance(Budget(work=1)) is None:
        found += len(search.take())
        parts = known(search.remaining())
        if parts and len(parts[0].taken) == len(solutions[0]):
            complete.append(tuple(sorted(parts[0].taken)))
            assert Walk(task, "dlx", 0, 100, parts[0]).solutions == [solutions[found]]
    assert complete == solutions


def run_in_parts(plan: Plan, nodes: int) -> Iterator[Result]:
    """The results of a plan whose runs each make so many nodes at most."""
    waiting = [SubProblem(cut_from=plan.backend)]
    while waiting:
        text = plan_to_json(replace(plan, sub_problem=waiting.pop(0)))
        finished = returned(Session(plan_from_json(text), Limits(nodes=nodes)).run())
        waiting = [*known(finished.remaining), *waiting]
        yield finished


@pytest.mark.parametrize("backend", CUTTING)
@pytest.mark.parametrize("name", [SIX, "edges-4-b3i3-6", "queens-6"])
def test_plans_of_what_remains(name: str, backend: str) -> None:
    """Whatever is counted, up to which symmetry and with which reductions: the sums are exact."""
    puzzle = load(name)
    for request in REQUESTS:
        if request.reductions and not isinstance(puzzle, PackingPuzzle):
            continue
        if backend == "fletcher" and len(request.reductions) > 1:
            continue  # it tries placements that the filter has removed: see below
        plan = Plan(puzzle, request, backend)
        whole = returned(Session(plan).run())
        if whole.status == Status.SKIPPED:
            pytest.skip(str(whole.reason))
        assert whole.status == Status.EXHAUSTED
        runs = list(run_in_parts(plan, 1 + (whole.nodes or 0) // 5))
        assert len(runs) > 3
        assert sum(one.count or 0 for one in runs) == whole.count, request
        if backend not in LEARNING:
            assert sum(one.nodes or 0 for one in runs) == whole.nodes, request


@pytest.mark.parametrize("backend", CUTTING)
def test_parts_that_no_search_has_left(backend: str) -> None:
    """Of another backend, of other options, or of none that there are."""
    plan = Plan(puzzle_for(backend), ALL, backend)
    other = next(name for name in CUTTING if name != backend)
    foreign = Session(replace(plan, sub_problem=SubProblem(cut_from=other)))
    assert f"cut from a search of {other}" in str(returned(foreign.run()).reason)
    elsewhere = f"{backend} does not branch on these options"
    for taken, left, message in (
        ((10**6,), None, "option 1000000 is not one of"),
        ((-1,), None, "option -1 is not one of"),
        ((0, 1), None, elsewhere),
        ((), (0, 99), elsewhere),
    ):
        part = SubProblem(taken, left, backend)
        with pytest.raises(ConfigError, match=message):
            returned(Session(replace(plan, sub_problem=part)).run())


@pytest.mark.parametrize(
    ("puzzle", "request_", "backend", "nodes"),
    [(load(SIX), REQUESTS[-1], "fletcher", 286), (THREE_OF_FIVE, ALL, "dlx", 4)],
)
def test_searches_that_cannot_be_cut_say_so(
    puzzle: Puzzle, request_: Request, backend: str, nodes: int
) -> None:
    """`fletcher` finds placements without numbers; other bounds remove options one by one."""
    plan = Plan(puzzle, request_, backend, sub_problem=SubProblem(cut_from=backend))
    finished = returned(Session(plan, Limits(nodes=nodes)).run())
    assert (finished.status, finished.remaining) == (Status.NODE_LIMIT, None)
