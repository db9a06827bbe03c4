"""Triggers, repeated filters and the trace: in `dlx`, in `fila` and across hand-overs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.dlx.twin import Twin as DlxTwin
from backends.fila.twin import Twin as FilaTwin
from backends.rules import Rules
from dovetail.backends.base import AnyBackend, Budget, Config, Search
from dovetail.backends.config import build_config
from dovetail.backends.registry import backend_named
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry, Trace, Trigger
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import listed, solved
from oracle.strategies import packing_puzzles


def asked(reduce: Sequence[str] = (), triggers: Sequence[str] = (), **more: object) -> Request:
    """A request for all solutions, with reductions and triggers by their names."""
    return Request(
        Symmetry.ALL,
        reductions=tuple(map(Reduction.parse, reduce)),
        triggers=tuple(map(Trigger.parse, triggers)),
        **more,  # type: ignore[arg-type]
    )


class DlxWithTriggers(DlxTwin):
    """Checks and filters after placements, by definition."""

    def __init__(
        self, options: PackingOptions, down_to: dict[str, int], hand_over: int | None = None
    ) -> None:
        self.rules, self.down_to, cells = Rules(options.placements), down_to, down_to.get("cells")
        self.pieces = options.placements_per_solution or 0
        self.backtracks_by_trigger = Counter[tuple[str, int]]()
        self.checks = {"parity": self.rules.parity_holds, "volume": self.rules.volumes_hold}
        volumes_hold = partial(self.rules.volumes_hold, min_cells=cells)
        self.triggers = (("parity", self.rules.parity_holds), ("volume", volumes_hold))
        super().__init__(options.cover, hand_over=hand_over)

    def on(self, trigger_spec: str, taken: list[int]) -> bool:
        remaining = self.pieces - len(taken)
        return bool(taken) and remaining >= self.down_to.get(trigger_spec, self.pieces + 1)

    def search(
        self, options: list[int], open_items: dict[int, tuple[int, int]], taken: list[int]
    ) -> None:
        dead = any(
            sum(i in self.members[o] for o in options) + 1 - max(0, low) <= 0
            for i, (low, _) in open_items.items()
        )
        for name, holds in self.triggers:
            checked = not dead or (name == "volume" and "cells" in self.down_to)
            if checked and self.on(f"trigger {name}", taken) and not holds(taken):
                self.backtracks_by_trigger[name, self.pieces - len(taken)] += 1
                return
        for name, holds in self.checks.items():
            if self.on(f"filter {name}", taken):
                options = [o for o in options if holds([*taken, o])]
        if self.on("filter fit", taken):
            options = self.rules.fitting(taken, options)
        super().search(options, open_items, taken)


def post_placement_rules(
    draw: st.DrawFn, pieces: int
) -> tuple[list[str], list[str], dict[str, int]]:
    """Repeated filters and triggers as words, and down to how many pieces each works."""
    reduce, triggers, down_to = [], [], {}
    for name in ("parity", "volume", "fit"):
        if draw(st.booleans()):
            down_to[f"filter {name}"] = number = draw(st.integers(1, pieces))
            reduce.append(f"{name}@{number}")
        if name != "fit" and draw(st.booleans()):
            down_to[f"trigger {name}"] = number = draw(st.integers(1, pieces))
            cells = ""
            if name == "volume" and draw(st.booleans()):
                down_to["cells"] = draw(st.integers(1, 5))
                cells = f":{down_to['cells']}"
            triggers.append(f"{name}{cells}@{number}")
    return reduce, triggers, down_to


RULES = st.composite(post_placement_rules)


@given(packing_puzzles(), st.data())
@settings(max_examples=15)
def test_dlx_makes_the_nodes_of_its_twin(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """By pieces remaining, and as many solutions; triggers fire where the twin's do.

    Where pieces are alike, an item may be beyond help though none has lost its last choice: such
    a placement is not checked by the kernel, and fires in the twin alone.
    """
    options = PackingOptions(puzzle, bounded_placements(puzzle))
    pieces = options.placements_per_solution
    assert pieces is not None
    reduce, triggers, down_to = data.draw(RULES(pieces))
    twin = DlxWithTriggers(filtered_once(options, reduce), down_to)
    finished = finish(execute(Job(puzzle, asked(reduce, triggers))))
    fits = finished.counters.fits_by_remaining
    assert fits == {r: twin.nodes[pieces - r] for r in range(pieces, 0, -1)}
    assert finished.count == len(twin.solutions)
    backtracks_by_trigger = by_trigger(finished)
    assert all(
        count <= twin.backtracks_by_trigger[where] for where, count in backtracks_by_trigger.items()
    )
    if all(shape.max_count == 1 for shape in options.placements.shapes):
        assert backtracks_by_trigger == twin.backtracks_by_trigger


def by_trigger(finished: Result) -> Counter[tuple[str, int]]:
    """How often each trigger fired, with how many pieces remaining."""
    backtracks_by_trigger = finished.counters.backtracks_by_trigger or {}
    return Counter(
        {(n, r): c for n, by in backtracks_by_trigger.items() for r, c in by.items() if c}
    )


def filtered_once(options: PackingOptions, reduce: Sequence[str]) -> PackingOptions:
    """What is left after the filters' first turn, before any placement."""
    rules, kept = Rules(options.placements), list(range(options.option_count))
    for word in reduce:
        if word.startswith("fit"):
            kept = rules.fitting([], kept)
            continue
        holds = rules.parity_holds if word.startswith("parity") else rules.volumes_hold
        kept = [o for o in kept if holds([o])]
    return PackingOptions(options.puzzle, options.placements.subset(np.array(kept, dtype=int)))


class FilaWithTriggers(FilaTwin):
    """Checks after placements, by definition."""

    def __init__(self, puzzle: PackingPuzzle, rule: dict[int, str], down_to: dict[str, int]):
        placements = bounded_placements(puzzle)
        self.rules, self.down_to = Rules(placements), down_to
        self.backtracks_by_trigger = Counter[tuple[str, int]]()
        super().__init__(placements, rule, nof=True)

    def fires(self, remaining: int) -> bool:
        volumes_hold = partial(self.rules.volumes_hold, min_cells=self.down_to.get("cells"))
        for name, holds in (("parity", self.rules.parity_holds), ("volume", volumes_hold)):
            on = remaining > 0 and remaining >= self.down_to.get(f"trigger {name}", 10**6)
            if on and not holds(self.taken):
                self.backtracks_by_trigger[name, remaining] += 1
                return True
        return False


@given(packing_puzzles(), st.sampled_from("fes"), st.data())
@settings(max_examples=15)
def test_fila_makes_the_fits_of_its_twin(
    puzzle: PackingPuzzle, heuristic: str, data: st.DataObject
) -> None:
    """And the attempts, and its triggers fire where the twin's do."""
    pieces = len(puzzle.pieces)
    _, triggers, down_to = data.draw(RULES(pieces))
    twin = FilaWithTriggers(puzzle, dict.fromkeys(range(pieces + 1), heuristic), down_to)
    finished = finish(execute(Job(puzzle, asked(triggers=triggers), "fila", {"stages": heuristic})))
    counters = finished.counters
    assert counters.fits_by_remaining == {r: twin.fits[r] for r in range(pieces, 0, -1)}
    assert counters.attempts_by_remaining == {r: twin.attempts[r] for r in range(pieces, 0, -1)}
    assert finished.count == twin.solutions
    assert by_trigger(finished) == twin.backtracks_by_trigger


ENGINES = [
    ("dlx", "s"),
    ("dlx", "f"),
    ("dlx", "R,s@2"),
    ("fila", "f"),
    ("fila", "e"),
    ("fila", "dlx:s,fila:f@2"),
    ("fila", "dlx:e,dlx:s@3,fila:s@2,fila:f@1"),
]


@given(packing_puzzles(), st.sampled_from(ENGINES), st.data())
@settings(max_examples=15)
def test_no_trigger_changes_an_answer(
    puzzle: PackingPuzzle, engine: tuple[str, str], data: st.DataObject
) -> None:
    """Every filter and trigger, on and off: the solutions of plain `dlx`; or a refusal."""
    pieces = len(puzzle.pieces)
    reduce, triggers, _ = data.draw(RULES(pieces))
    symmetry = data.draw(st.sampled_from(list(Symmetry)))
    reduce += data.draw(st.sampled_from([[], ["redundancy"]]))
    request = replace(asked(data.draw(st.permutations(reduce)), triggers), symmetry=symmetry)
    backend, stages = engine
    finished = finish(execute(Job(puzzle, request, backend, {"stages": stages})))
    if finished.status == Status.SKIPPED:
        assert any(what in (finished.reason or "") for what in ("only dlx filters", "too early"))
        return
    assert (finished.status, finished.count) == (
        Status.EXHAUSTED,
        finish(execute(Job(puzzle, Request(symmetry)))).count,
    )


SEVERAL = PackingPuzzle(
    "copies",
    SquareLattice(2),
    box(4, 5),
    (
        Piece("L", ((0, 0), (1, 0), (2, 0), (2, 1)), min_count=2, max_count=2),
        Piece("P", ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)), min_count=2, max_count=2),
        Piece("I", ((0, 0), (1, 0)), min_count=1, max_count=1),
    ),
)
# Two of its cells may stay empty, and the other pieces have two sizes.
OPTIONAL = replace(SEVERAL, pieces=SEVERAL.pieces[:2], optional=((0, 0), (1, 2), (3, 4), (3, 3)))


@pytest.mark.parametrize("puzzle", [SEVERAL, OPTIONAL], ids=["copies", "optional"])
@pytest.mark.parametrize("engine", [("dlx", "e"), ("fila", "dlx:s,f@2")])
def test_several_copies_and_cells_that_stay_empty(
    puzzle: PackingPuzzle, engine: tuple[str, str]
) -> None:
    """Lose no solution by filters and triggers down to any number of pieces."""
    backend, stages = engine
    down_to = 1 if backend == "dlx" else 2
    if puzzle.optional and backend == "fila":
        pytest.skip("fila fills every cell")
    reduce = [f"parity@{down_to}", f"volume@{down_to}", f"fit@{down_to}"]
    triggers = [f"parity@{down_to}", f"volume@{down_to}"]
    expected = set(listed(puzzle)[1])
    assert len(expected) > 1
    for request in (asked(reduce), asked(triggers=triggers), asked(reduce, triggers)):
        listing = replace(request, listing=True)
        finished, found = solved(puzzle, listing, backend, {"stages": stages})
        assert (finished.status, found) == (Status.EXHAUSTED, expected)


def test_limits_with_triggers() -> None:
    """Node limits stay exact, wherever a slice ends."""
    request = asked(["volume@5", "fit@6"], ["parity", "volume@2"])
    for nodes in (1, 777, 12_345):
        job = Job(
            load("soma-cube"), request, "fila", {"stages": "dlx:s,fila:f@4"}, Limits(nodes=nodes)
        )
        finished = finish(execute(job))
        assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, nodes)


def traced(backend: AnyBackend, config: Config, task: Task) -> tuple[Search, list[tuple[int, int]]]:
    """A search run to its end in small slices, and its trace."""
    search, rows = backend.prepare(task, config), list[tuple[int, int]]()
    ended = False
    while not ended:
        ended = search.advance(Budget(work=1_000)) is not None
        recorded = search.take_trace()
        assert recorded is not None
        rows += map(tuple, recorded.tolist())
        search.take()
    return search, rows


@given(packing_puzzles(), st.sampled_from(ENGINES), st.data())
@settings(max_examples=15)
def test_a_trace_is_the_search(
    puzzle: PackingPuzzle, engine: tuple[str, str], data: st.DataObject
) -> None:
    """Every placement made and taken back, last in, first out; or those above a depth."""
    pieces = len(puzzle.pieces)
    down_to = data.draw(st.integers(1, pieces))
    task = build_task(puzzle, asked(triggers=["parity"], trace=Trace(down_to=down_to)))
    backend = backend_named(engine[0])
    config = build_config(backend.config_type, {"stages": engine[1]}, "test")
    if backend.refuses(task, config) is not None:
        return
    search, rows = traced(backend, config, task)
    fits = search.counters.fits_by_remaining or {}
    assert len(rows) == 2 * sum(count for r, count in fits.items() if r >= down_to)
    placed = list[int]()
    for number, remaining in rows:
        if number < 0:
            assert placed.pop() == ~number
        else:
            placed.append(number)
        assert len(placed) + remaining == pieces
    assert placed == []


def test_a_full_trace_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In three rows, `dlx` records what it records in many, and counts the same work."""
    backend = backend_named("dlx")
    task = build_task(load("pentominoes-5x6-FLNPUY"), asked(trace=Trace(down_to=1)))
    search, rows = traced(backend, backend.config_type(), task)
    monkeypatch.setattr("dovetail.backends.shared.hooks.TRACE_ROWS", 3)
    small, rows_of_small = traced(backend, backend.config_type(), task)
    assert rows_of_small == rows
    assert small.counters == search.counters
