"""The FILA kernels beside their twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.dlx.twin import Twin as DlxTwin
from backends.fila.twin import Twin
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import bounded_placements
from dovetail.models.remainder import remainder
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle
from oracle.strategies import packing_puzzles


@given(packing_puzzles(), st.sampled_from("fes"), st.sampled_from("fes"), st.booleans(), st.data())
@settings(max_examples=30)
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


@pytest.mark.parametrize("stage", "fes")
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
