"""`auto`: what is chosen, that the answer stays, that limits hold while it chooses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from dovetail.backends import registry
from dovetail.backends.base import AnyBackend, Budget, Forecast
from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.fila.backend import Fila
from dovetail.backends.frontier.search import SweepCounting
from dovetail.backends.shared.state_search import RepresentationLimitError
from dovetail.backends.zdd.backend import Zdd
from dovetail.harness.planning import boards, rules, trials
from dovetail.harness.run.events import Event
from dovetail.harness.run.job import Chosen, Job, Limits, RandomOrder, Trials
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish, run
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry, Trigger
from dovetail.models.task import Puzzle, Task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from golden.edge_boards import COMMUNITY, edge_puzzle, needs_community
from harness.known import known
from oracle.answers import counted
from oracle.strategies import packing_puzzles


def left_to_auto(
    puzzle: Puzzle | str,
    symmetry: str = "unique",
    *,
    reduce: Sequence[str] = (),
    triggers: Sequence[str] = (),
    **changes: Any,
) -> Job:
    """A job that leaves its backend open."""
    reductions, checks = map(Reduction.parse, reduce), map(Trigger.parse, triggers)
    request = Request(Symmetry(symmetry), reductions=tuple(reductions), triggers=tuple(checks))
    loaded = load(puzzle) if isinstance(puzzle, str) else puzzle
    return Job(loaded, request, "auto", **changes)


def chosen(job: Job) -> Chosen:
    """What is chosen for a job at first."""
    return next(event for event in execute(job) if isinstance(event, Chosen))


SIX, HOLE = "pentominoes-5x6-FLNPUY", "pentominoes-8x8-hole"


Offer = Callable[..., None]


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Have no other backends than these."""

    def only(*offered: AnyBackend) -> None:
        found = {backend.name: backend for backend in offered}
        for module in (registry, trials):
            monkeypatch.setattr(module, "backends", lambda: found)
        monkeypatch.setattr(trials, "DEFAULT_S", 600.0)  # stand-ins are slow

    return only


class Tabled(DlxSearch):
    """Forecasts the figures that it is given, after some steps of building tables."""

    foreseen: Forecast | None = Forecast(7, 1000, 0.001)
    steps, pause_s = 2, 0.0
    ends: Status | None = None
    reason: str | None = None

    @property
    def prepared(self) -> bool:
        return self.steps <= 0

    @property
    def forecast(self) -> Forecast | None:
        return self.foreseen if self.prepared else None

    def advance(self, budget: Budget) -> Status | None:
        if self.prepared:
            return super().advance(budget)
        self.steps -= 1
        time.sleep(self.pause_s)
        return self.ends


class Frontier(Dlx):
    """Stands for `frontier`."""

    name = "frontier"

    def __init__(self, **figures: Any) -> None:
        self.figures, self.made = figures, 0

    def prepare(self, task: Task, config: DlxConfig) -> Tabled:
        self.made += 1
        search = Tabled(task.options.cover, task.options.placements_per_solution)
        for name, value in self.figures.items():
            setattr(search, name, value)
        return search


class Bitset(Dlx):
    """Stands for `bitset`."""

    name = "bitset"


class Refusing(Dlx):
    """Takes nothing."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason

    def refuses(self, task: Task, config: DlxConfig) -> str | None:
        return self.reason


@pytest.mark.parametrize(
    ("name", "backend", "reductions", "why"),
    [
        ("soma-cube", "bitset", ("redundancy=Z",), "a tree search would need about 8,600 nodes"),
        ("pentominoes-6x10", "frontier", ("redundancy=I",), "about "),
        ("edges-9-b10i10-1", "domains", ("redundancy=0",), "rows would need about 78,000,000 node"),
    ],
)
def test_one_of_each_family(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    backend: str,
    reductions: tuple[str, ...],
    why: str,
) -> None:
    """What is chosen, and why."""
    monkeypatch.setattr(trials, "DEFAULT_S", 60.0)  # a loaded machine takes long
    found = chosen(left_to_auto(name))
    assert (found.backend, found.config, found.reductions) == (backend, {}, reductions)
    assert found.why.startswith(why)


def test_what_fila_is_chosen_for(offer: Offer) -> None:
    """Puzzles whose table of options would not fit: with stages to their number of pieces."""
    offer(Refusing("bitset", "too large"), Dlx(), Fila())
    settings = {"kernel": "fast", "stages": ["piece", "e@5"]}
    why = "bitset: too large"
    assert chosen(left_to_auto(SIX)) == Chosen("fila", settings, ("redundancy=L",), why)
    offer(Refusing("bitset", "too large"), Dlx(), Fila(), Refusing("rows", "too wide"))
    assert chosen(left_to_auto("queens-8")).backend == "dlx"
    found = chosen(left_to_auto("edges-4-b3i3-1"))
    assert found == Chosen("dlx", {}, ("redundancy=0",), "rows: too wide")


@pytest.mark.parametrize(
    ("name", "symmetry", "count"),
    [
        ("pentominoes-8x8-hole", "unique", 65),
        ("hexominoes-14x15", "unique", 0),
        ("langford-7", "all", 52),
        ("edges-4x5-b3i4-1", "all", 4),
    ],
)
def test_counts(name: str, symmetry: str, count: int) -> None:
    """Known ones, whatever is chosen."""
    finished = counted(load(name), "auto", symmetry)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)


@settings(max_examples=8)
@given(puzzle=packing_puzzles())
def test_counts_of_any_packing_puzzle(puzzle: PackingPuzzle) -> None:
    """As by `dlx` without symmetry breaking, all and up to symmetry."""
    for symmetry in ("all", "unique", "mirror"):
        assert counted(puzzle, "auto", symmetry).count == counted(puzzle, "dlx", symmetry).count
    labelled = [counted(puzzle, name, "all", labelled=True).count for name in ("auto", "dlx")]
    assert len(set(labelled)) == 1


def test_the_choice_is_the_same_every_time() -> None:
    """Here and in a child, which the events tell of too."""
    job = left_to_auto("edges-7-b6i6-1")
    there = list(run_watched(job))
    assert [event for event in there if isinstance(event, Chosen)] == [chosen(job)]
    assert finish(iter(there)).chosen == chosen(job)


@pytest.mark.parametrize(
    ("figures", "why_not"),
    [
        ({"foreseen": Forecast(7, 2**60, 0.001)}, "it would need 1073741824.0 GiB of memory; "),
        ({"steps": 10**6}, "building its tables would take too long"),
    ],
)
def test_tables_that_do_not_pay(
    offer: Offer, monkeypatch: pytest.MonkeyPatch, figures: dict[str, object], why_not: str
) -> None:
    """Are left, and the reason is reported."""
    monkeypatch.setattr(rules, "SAMPLING_PAYS_S", 1e9)
    offer(Bitset(), Frontier(**figures))
    found = chosen(left_to_auto("pentominoes-5x12", limits=Limits(solutions=2000)))
    assert (found.backend, found.reductions) == ("bitset", ("redundancy=V",))
    assert f"; frontier: {why_not}" in found.why


@pytest.mark.parametrize(
    ("name", "limits"), [("pentominoes-5x12", Limits(nodes=10**9)), (HOLE, Limits())]
)
def test_no_tables(offer: Offer, name: str, limits: Limits) -> None:
    """Where nodes are counted, few solutions are wanted, a puzzle is not flat, or it is small."""
    frontier = Frontier()
    offer(Bitset(), frontier)
    assert chosen(left_to_auto(name, limits=limits)).backend == "bitset"
    assert frontier.made == 0


def test_the_best_piece(offer: Offer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is sampled where the tree is large, and reported as a selection that was asked for is."""
    offer(Bitset())
    monkeypatch.setattr(rules, "SAMPLING_PAYS_S", 1e-3)
    finished = finish(execute(left_to_auto(HOLE)))
    selection = known(finished.piece_selection)
    assert known(finished.chosen).reductions == (f"redundancy={selection.chosen}",)
    assert (finished.count, len(selection.pieces) > 1) == (65, True)
    asked = finish(execute(left_to_auto(HOLE, reduce=["redundancy=X"])))
    assert (asked.piece_selection, asked.count) == (None, 65)
    assert known(asked.chosen).reductions == ("redundancy=X",)
    monkeypatch.setattr(trials, "MAX_SAMPLED", 100)
    assert finish(execute(left_to_auto(HOLE))).piece_selection is None


@pytest.mark.parametrize(
    ("changes", "backend", "reductions"),
    [
        ({"random": RandomOrder(1)}, "dlx", ()),
        ({"trials": Trials(3, 2)}, "dlx", ()),
        ({"reduce": ["volume@2"]}, "dlx", ("volume@2",)),
        ({"reduce": ["redundancy=F", "fit"]}, "bitset", ("redundancy=F", "fit")),
    ],
)
def test_what_is_asked_besides(
    offer: Offer, changes: dict[str, Any], backend: str, reductions: tuple[str, ...]
) -> None:
    """Stays as it is asked; what only some backends can do goes to them."""
    offer(Bitset(), Dlx(), Fila(), Frontier())
    found = chosen(left_to_auto(SIX, **changes))
    assert (found.backend, found.reductions) == (backend, reductions)


def test_one_that_gives_up_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """`frontier` finds out in the midst of its work that it cannot count something."""

    def refuse(*_: object, **__: object) -> Iterator[None]:
        raise RepresentationLimitError("a number is too large")
        yield

    monkeypatch.setattr(SweepCounting, "meet", refuse)
    monkeypatch.setattr(rules, "QUICK_S", 0.0)
    rods = Piece("A", ((0, 0), (1, 0)), min_count=19, max_count=19)
    square = Piece("O", box(2, 2))
    puzzle = PackingPuzzle("rods and a square", SquareLattice(2), box(7, 6), (rods, square))
    finished = finish(run(Job(puzzle, backend="auto")))
    assert finished.count == 40_691  # by dlx, zdd and frontier itself
    assert known(finished.chosen).backend == "bitset"
    assert "frontier: a number is too large" in known(finished.chosen).why


def test_the_order_of_rows() -> None:
    """That in which fewest partial boards are expected."""
    spiral = chosen(left_to_auto("edges-6-b5i4-1"))
    assert (spiral.backend, spiral.config) == ("rows", {"order": ["spiral"]})
    assert chosen(left_to_auto("edges-9-b11i11-1")).config == {}


@pytest.mark.parametrize(
    ("name", "count", "wrong", "other"), [("edges-7-b7i6-1", 1, "rows", "domains")]
)
def test_a_search_that_shows_its_forecast_wrong(
    monkeypatch: pytest.MonkeyPatch, name: str, count: int, wrong: str, other: str
) -> None:
    """It is given up for the other, unless that is expected to need more time than there is."""

    def expect(solver: str, factor: float) -> None:
        estimate = getattr(boards, f"_expected_of_{solver}")

        def estimate_wrongly(*arguments: Any) -> Generator[Event, None, Any]:
            found = yield from estimate(*arguments)
            return replace(found, nodes=found.nodes * factor)

        monkeypatch.setattr(boards, f"_expected_of_{solver}", estimate_wrongly)

    monkeypatch.setattr(boards, "ROWS_NODES", 1000)
    monkeypatch.setattr(boards, "ENOUGH_S", 0.0)
    expect(wrong, 1e-3)
    job = left_to_auto(name)
    events = list(execute(job))
    finished = events[-1]
    assert isinstance(finished, Result)
    assert [event.backend for event in events if isinstance(event, Chosen)] == [wrong, other]
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    assert finished.chosen is not None
    assert re.search(rf"{wrong}: it was not finished after [0-9,]+ nodes,", finished.chosen.why)
    expect(other, 1e5)
    for limits in (Limits(time_s=60.0), Limits(solutions=10**9)):
        finished = finish(execute(replace(job, limits=limits)))
        assert (known(finished.chosen).backend, finished.count) == (wrong, count)


@needs_community
def test_a_board_of_the_community() -> None:
    """1.9 · 10^14 nodes were counted by others; the beginning of a search foresees 2 · 10^11."""
    board = edge_puzzle(COMMUNITY.with_name("set-1-09x09.txt"))
    events = execute(left_to_auto(board))
    why = next(event.why for event in events if isinstance(event, Chosen))
    figure = known(re.search(r"rows would need about ([0-9,]+) nodes, ", why))
    assert 1.4e14 < int(figure[1].replace(",", "")) < 2.6e14


@pytest.mark.parametrize(
    ("name", "count", "why"),
    [
        ("matchings-20", 654_729_075, "its trial completed the search; a tree"),
        ("dominoes-16x16", 2_444_888_770_250_892_795_802_079_170_816, "a tree search would"),
    ],
)
def test_counts_that_no_tree_search_reaches(name: str, count: int, why: str) -> None:
    """Bare problems, and packings of as many copies as fit, by `zdd`, however large the numbers."""
    assert counted_by(name, "zdd").count == count
    assert why in chosen(left_to_auto(name, "all")).why


def counted_by(name: str, backend: str) -> Result:
    """The result of all solutions, by a backend that `auto` must choose."""
    finished = finish(execute(left_to_auto(name, "all")))
    assert known(finished.chosen).backend == backend
    return finished


@pytest.mark.parametrize("name", ["queens-8"])
def test_small_trees_are_searched(name: str) -> None:
    """Nothing else is tried where a tree search takes less than a second."""
    found = chosen(left_to_auto(name, "all"))
    assert (found.backend, found.why) == ("bitset", "its table of options is small enough")


@pytest.mark.parametrize("limits", [Limits()])
def test_a_promising_trial_goes_on(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Where its progress foresees an end in time."""
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    monkeypatch.setattr(rules, "SHARE", 1e-6)
    for promising, backend in ((0.0, "frontier"), (1e9, "zdd")):
        monkeypatch.setattr(rules, "PROMISING", promising)
        monkeypatch.setattr(trials, "SLICE_WORK", 1000)
        assert chosen(left_to_auto("trominoes-6x7", "all", limits=limits)).backend == backend


def test_no_trial_of_a_search_that_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """In space nothing counts classes by states where all pieces have copies: `zdd` lists.

    Then its tables, which may take long, are not built.
    """
    monkeypatch.delattr(Zdd, "prepare")
    monkeypatch.setattr(rules, "LARGE_S", 0.0)
    rod = Piece("I", ((0, 0, 0), (1, 0, 0)), min_count=4, max_count=4)
    corner = Piece("V", ((0, 0, 0), (1, 0, 0), (0, 1, 0)), min_count=0, max_count=2)
    box = tuple((x, y, z) for x in range(2) for y in range(2) for z in range(2))
    puzzle = PackingPuzzle("copies", SquareLattice(3), box, (rod, corner))
    job = left_to_auto(puzzle, "mirror")
    assert finish(execute(job)).count == finish(execute(replace(job, backend="dlx"))).count
    assert "zdd: it would have to list all solutions" in chosen(job).why


def test_rectangles_with_many_placements_are_left_to_corners(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = left_to_auto("squares-32x33")
    assert chosen(job).backend != "skyline"
    large = chosen(left_to_auto("partridge-7"))
    assert large.backend == "skyline"
    assert 0.1 < (large.forecast_s or 0) < 10  # seconds; the search takes about one
    monkeypatch.setattr(trials, "MAX_OPTIONS", 3_000)
    choice = chosen(job)
    assert choice.backend == "skyline"
    assert finish(execute(job)).count == 1
    assert chosen(left_to_auto("pentominoes-6x10")).backend != "skyline"
    monkeypatch.setattr(trials, "MAX_OPTIONS", 100)
    assert chosen(left_to_auto("dominoes-8x8", "all")).backend == "frontier"


def test_a_huge_tree_is_forecast_by_samples_of_its_levels() -> None:
    """`bitset` does not sample puzzles of this size, and its progress says next to nothing."""
    job = left_to_auto("hexominoes-box-in-a-diamond")
    chosen = next(event for event in execute(job) if isinstance(event, Chosen))
    assert chosen.backend == "bitset"
    assert known(chosen.forecast_s) > 1e9


def test_a_trial_that_ends_at_the_limit_on_solutions_is_no_whole_search() -> None:
    """The reason tells the nodes of the trial, and not that the tree has no others."""
    job = left_to_auto("edges-4-b3i3-1", "all")
    few, whole = chosen(replace(job, limits=Limits(solutions=1))).why, chosen(job).why
    assert few != whole
    assert "whole search" not in few
