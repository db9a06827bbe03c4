"""Symmetry breaking without a piece that is used once: parts with least images."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dovetail.harness.run.job import Job
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import RunsOnWorkers
from dovetail.harness.workers.runs import finish
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.reductions.least_images import LeastImages, least_images
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.symmetry import SolutionClasses
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from oracle.answers import counted, listed
from oracle.strategies import edge_puzzles, packings_of_copies

REDUCE = ["redundancy"]


def least_images_of(name: str, symmetry: Symmetry = Symmetry.UNIQUE) -> LeastImages:
    """The order of the options of a catalogue puzzle."""
    options = lower(load(name)).options
    every = np.ones(options.option_count, dtype=bool)
    found = least_images(options.cover, options.symmetries(symmetry), every)
    assert found is not None
    return found


@pytest.mark.parametrize("backend", ["dlx", "bitset"])
def test_dominoes_take_a_fourth_of_the_nodes(backend: str) -> None:
    """Without symmetry breaking 25,694 nodes find the 6,728 tilings, 930 of them unique."""
    for symmetry, count in (("all", 6_728), ("unique", 930), ("mirror", 930)):
        config = {"break_symmetry": False} if backend == "bitset" else {}
        whole = counted(load("dominoes-6x6"), backend, symmetry, config=config)
        parts = counted(load("dominoes-6x6"), backend, symmetry, reduce=REDUCE)
        assert (whole.count, parts.count) == (count, count)
        assert (whole.nodes, parts.symmetry_expansion) == (25_694, "least images")
        assert parts.nodes is not None
        assert parts.nodes < 25_694 / 4


@given(packings_of_copies(), st.data())
@settings(max_examples=30)
def test_the_answer_is_that_of_canonical_forms(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """Counted and listed by solvers of each kind, also after another reduction."""
    symmetry = data.draw(st.sampled_from(list(Symmetry)))
    backend = data.draw(st.sampled_from(["dlx", "bitset", "fila", "frontier", "zdd", "xcover"]))
    more = data.draw(st.sampled_from([[], ["volume"]]))
    every = listed(puzzle)[1]
    group = lower(puzzle).options.symmetries(symmetry)
    classes = SolutionClasses(group)
    for solution in sorted(every):
        classes.first_of_class(np.array([solution], dtype=np.int32))
    finished = counted(puzzle, backend, symmetry, reduce=[*REDUCE, *more])
    assume(finished.status != "skipped")  # a puzzle that this solver does not support
    assert finished.count == len(classes)
    options = lower(puzzle).options
    broken = options.symmetries(symmetry.broken)
    order = least_images(options.cover, broken, np.ones(options.option_count, dtype=bool))
    if order is not None and finished.nodes and backend not in ("frontier", "zdd"):
        assert finished.symmetry_expansion == "least images"
    finished, solutions = listed(puzzle, backend, symmetry, reduce=[*more, *REDUCE])
    assert finished.count == len(solutions) == len(classes)
    for solution in sorted(solutions):
        classes.first_of_class(np.array([solution], dtype=np.int32))
    assert len(classes) == finished.count
    if symmetry == Symmetry.ALL:
        assert solutions == every


@given(packings_of_copies(), st.integers(1, 12))
@settings(max_examples=25)
def test_parts_are_disjoint_and_hold_every_least_image(puzzle: PackingPuzzle, most: int) -> None:
    """However many parts there are; least images are found by trying all symmetries."""
    lowered = lower(puzzle)
    options = lowered.options
    group = options.symmetries(Symmetry.MIRROR)
    every = np.ones(options.option_count, dtype=bool)
    order = least_images(options.cover, group, every)
    if order is None:
        return
    parts = order.parts(most)
    assert len(parts) <= most
    request = Request(Symmetry.ALL)
    held = list[set[int]]()
    for part in parts:
        reduced = lowered.task(request, replace(part, least_images=False)).reduced
        assert reduced is not None
        held.append(set(reduced.kept.tolist()))
    for solution in listed(puzzle)[1]:
        images = [sorted(order.rank[image[list(solution)]].tolist()) for image in group]
        times = sum(set(solution) <= options for options in held)
        assert times <= 1
        if sorted(order.rank[list(solution)].tolist()) == min(images):
            assert times == 1


def test_on_workers() -> None:
    """The parts of two workers have the same solutions as those of a single process."""
    puzzle = load("trominoes-6x6")
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    job, alone = Job(puzzle, request, "dlx"), counted(puzzle, "dlx", "unique", reduce=REDUCE)
    runs = RunsOnWorkers([job], ParallelOptions(jobs=2))
    try:
        finished = finish(runs.run(0))
    finally:
        runs.close()
    assert finished.count == alone.count
    assert finished.symmetry_expansion == alone.symmetry_expansion == "least images"


def test_the_number_of_parts_is_limited() -> None:
    """Few options make few parts; a puzzle without symmetry has no order."""
    assert len(least_images_of("dominoes-4x4").parts()) <= 7
    assert len(least_images_of("dominoes-8x8").parts()) <= 29
    options = lower(load("dominoes-4x4")).options
    identity = options.symmetries(Symmetry.ALL)
    assert least_images(options.cover, identity, np.ones(options.option_count, dtype=bool)) is None


@given(edge_puzzles(), st.sampled_from(list(Symmetry)), st.booleans())
@settings(max_examples=20)
def test_boards_with_doubled_tiles(puzzle: EdgePuzzle, symmetry: Symmetry, labelled: bool) -> None:
    """Counted and listed, with labels or without."""
    whole = counted(puzzle, "dlx", symmetry, labelled=labelled)
    finished, boards = listed(puzzle, "dlx", symmetry, labelled=labelled, reduce=REDUCE)
    assert finished.count == len(boards) == whole.count
