"""The FILA kernels and random probes beside their twin; the stages where none are asked for."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.dlx.twin import Twin as DlxTwin
from backends.fila.twin import Twin
from dovetail.backends.fila.backend import Fila, FilaConfig, default_stages
from dovetail.backends.fila.tables import near_cells
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import Placements, bounded_placements
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry, Trace
from dovetail.models.sums import remainder
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.random_stream import RandomStream
from oracle.strategies import packing_puzzles


@given(packing_puzzles(), st.sampled_from("fes"), st.sampled_from("fes"), st.booleans(), st.data())
@settings(max_examples=25)
def test_the_twin_agrees(
    puzzle: PackingPuzzle, before: str, after: str, nof: bool, data: st.DataObject
) -> None:
    """Attempts and fits at every number of pieces remaining, and the solutions.

    The fast kernel has the same fits and counts no attempts.
    """
    placements = bounded_placements(puzzle)
    pieces = sum(shape.max_count for shape in placements.shapes)
    stages, switch = before, 0
    if pieces > 1:
        switch = data.draw(st.integers(1, pieces - 1))
        stages += f",{after}@{switch}"
    rule = {n: after if n <= switch else before for n in range(1, pieces + 1)}
    twin = Twin(placements, rule, nof=nof)
    for kernel in ("reference", "fast"):
        finished = run(puzzle, stages=stages, nof=nof, kernel=kernel)
        counters = finished.counters
        attempts = None
        if kernel == "reference":
            attempts = {r: twin.attempts[r] for r in range(pieces, 0, -1)}
        assert counters.attempts_by_remaining == attempts
        assert counters.fits_by_remaining == {r: twin.fits[r] for r in range(pieces, 0, -1)}
        assert (finished.status, finished.count) == (Status.EXHAUSTED, twin.solutions)


@pytest.mark.parametrize("stage", "fe")
def test_a_board_whose_bits_fill_a_word(stage: str) -> None:
    """60 cells and 4 shapes: on the empty board the last lanes of a block must fit nowhere."""
    bars = [Piece(str(size), tuple((x,) for x in range(size))) for size in (15, 20, 14, 11)]
    puzzle = PackingPuzzle("bars", SquareLattice(1), tuple((x,) for x in range(60)), tuple(bars))
    finished = run(puzzle, stages=stage, nof=True, kernel="fast")
    assert (finished.count, finished.nodes) == (24, 64)


@given(packing_puzzles(), st.sampled_from("fes"), st.booleans(), st.data())
@settings(max_examples=30)
def test_handing_over_equals_the_twins(
    puzzle: PackingPuzzle, heuristic: str, nof: bool, data: st.DataObject
) -> None:
    """`dlx` places what is forced and hands over at a branching.

    There the first target is the cell with the fewest fits, by `f` the first cell.
    """
    options = PackingOptions(puzzle, bounded_placements(puzzle))
    pieces = options.placements_per_solution
    if pieces is None or pieces == 1:
        return
    begins = data.draw(st.integers(1, pieces - 1))
    dlx = DlxTwin(options.cover, hand_over=pieces - begins)
    fits = Counter({pieces - taken: nodes for taken, nodes in dlx.nodes.items()})
    attempts, solutions = fits.copy(), 0
    for taken, left in zip(dlx.solutions, dlx.left, strict=True):
        remaining = pieces - len(taken)
        rule = dict.fromkeys(range(1, remaining + 1), heuristic)
        if remaining and heuristic == "e":
            rule[remaining] = "s"
        placed, among = np.array(taken, dtype=np.int64), np.array(left, dtype=np.int32)
        fila = Twin(remainder(options.placements, placed, among).placements, rule, nof=nof)
        fits += fila.fits
        attempts += fila.attempts
        solutions += fila.solutions
    for kernel in ("reference", "fast"):
        stages = f"dlx:s,fila:{heuristic}@{begins}"
        finished = run(puzzle, stages=stages, nof=nof, kernel=kernel)
        counters = finished.counters
        assert counters.fits_by_remaining == {r: fits[r] for r in range(pieces, 0, -1)}
        assert kernel == "fast" or counters.attempts == attempts.total()
        assert finished.count == solutions


def run(puzzle: Puzzle, **config: object) -> Result:
    """All solutions, counted by FILA with a config."""
    return finish(execute(Job(puzzle, Request(Symmetry.ALL), "fila", config)))


class ProbingTwin(Twin):
    """One descent; `choose` draws a number below a bound. `fits` are those it met, weighed."""

    def __init__(
        self,
        placements: Placements,
        rule: dict[int, str],
        choose: Callable[[int], int],
        *,
        nof: bool = True,
    ) -> None:
        self.choose, self.weight = choose, 1
        super().__init__(placements, rule, nof=nof)

    def solve(self, remaining: int) -> None:
        """Follow one image of those that the whole search places one after another."""
        if remaining == 0:
            self.solutions = self.weight
            return
        target = self.target(remaining)
        if target is None:
            return
        images = self.images(target, ordered=self.rule[remaining] == "f")
        fitting = [image for image in images if not self.cells[image] & self.occupied]
        if not fitting:
            return
        self.weight *= len(fitting)
        self.fits[remaining] = self.weight
        chosen = fitting[self.choose(len(fitting))]
        self.occupied |= self.cells[chosen]
        self.left[self.p.shape[chosen]] -= 1
        self.solve(remaining - 1)


def task_of(puzzle: Puzzle, *reductions: str) -> Task:
    """All solutions, after reductions."""
    return build_task(
        puzzle, Request(Symmetry.ALL, reductions=tuple(map(Reduction.parse, reductions)))
    )


def probe(
    task: Task, stages: str, estimates: int, seed: int, prefix_width: int
) -> list[list[float]]:
    """Estimates of the tree of `fila` with these stages."""
    config = FilaConfig(tuple(stages.split(",")))
    rows: list[list[float]] = (
        Fila().tree_estimator(task, config, seed, prefix_width).levels(estimates).tolist()
    )
    return rows


@given(packing_puzzles(), st.sampled_from("fes"), st.sampled_from("fes"), st.data())
@settings(max_examples=20)
def test_descents_equal_those_of_the_twin(
    puzzle: PackingPuzzle, before: str, after: str, data: st.DataObject
) -> None:
    """From one random stream, one after another: fits by pieces remaining, and solutions."""
    placements = bounded_placements(puzzle)
    pieces = sum(shape.max_count for shape in placements.shapes)
    stages, switch = before, 0
    if pieces > 1 and (before == "f") == (after == "f"):  # a hand-over begins on other numbers
        switch = data.draw(st.integers(1, pieces - 1))
        stages += f",{after}@{switch}"
    rule = {n: after if n <= switch else before for n in range(1, pieces + 1)}
    seed = data.draw(st.integers(0, 2**64 - 1))
    stream, rows = RandomStream(seed), probe(task_of(puzzle), stages, 5, seed, prefix_width=1)
    for row in rows:
        twin = ProbingTwin(placements, rule, stream.below)
        fits = [twin.fits[remaining] for remaining in range(pieces, 0, -1)]
        assert row == [*fits, twin.solutions]


BROKEN = (Reduction(ReductionName.REDUNDANCY),)


@pytest.mark.parametrize(
    ("puzzle", "stages"),
    [
        ("pentominoes-6x10", ("piece", "f@11")),
        ("pentominoes-5x12", ("f",)),  # a piece of five cells closes it off
        ("pentominoes-3x4x5", ("piece", "e@11")),
    ],
)
def test_what_suits_the_region(puzzle: str, stages: tuple[str, ...]) -> None:
    """With a piece that breaks symmetry, else the first cell; so too if a trace looks on."""
    assert default_stages(build_task(load(puzzle), Request(reductions=BROKEN))) == stages
    assert default_stages(build_task(load(puzzle), Request())) == ("f",)
    traced = Request(reductions=BROKEN, trace=Trace(10))
    assert default_stages(build_task(load(puzzle), traced)) == ("f",)


def test_near_cells_of_a_large_region(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are chosen for some targets at a time, in little memory, and are the same."""
    bar = Piece("I", ((0, 0), (0, 1)), 2048, 2048)
    placements = bounded_placements(PackingPuzzle("", SquareLattice(2), box(64, 64), (bar,)))
    tracemalloc.start()
    near_cells(placements, "most covered", in_order=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6
    some = Piece("L", ((0, 0), (0, 1), (1, 1)), 12, 12)
    few = bounded_placements(PackingPuzzle("", SquareLattice(2), box(6, 6), (some,)))
    for in_order in (False, True):
        whole = near_cells(few, "most covered", in_order=in_order)
        with monkeypatch.context() as patched:
            patched.setattr("dovetail.backends.fila.tables.MAX_WEIGHTS", 200)
            parts = near_cells(few, "most covered", in_order=in_order)
        assert np.array_equal(whole[0], parts[0])
