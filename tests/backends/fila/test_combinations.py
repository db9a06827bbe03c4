"""Whatever a config and the reductions say, FILA's answer is that of `dlx`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.cell_orders import ANGLE, orders_of
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import solved
from oracle.strategies import packing_puzzles

KERNELS = ("reference", "fast")


def assert_equal_to_dlx(puzzle: Puzzle, request: Request, config: Mapping[str, object]) -> None:
    """The count; of all solutions, which are the same by any search, each one too."""
    expected, its_solutions = solved(puzzle, request, "dlx", {})
    finished, solutions = solved(puzzle, request, "fila", config)
    assert (finished.status, finished.count) == (expected.status, expected.count)
    assert finished.count == len(solutions)
    if request.symmetry == Symmetry.ALL:
        assert solutions == its_solutions


@st.composite
def stages(draw: st.DrawFn, puzzle: PackingPuzzle) -> str:
    """Up to three stages of FILA, the first of which `dlx` or the heuristic `piece` may be."""
    pieces, cells = len(puzzle.pieces), len(puzzle.region)
    listed = "[" + " ".join(map(str, draw(st.permutations(range(cells))))) + "]"
    orders = [name for name in orders_of(puzzle.lattice.dimension) if name in "fxYRr"]
    angle = ["a@90"] if ANGLE in orders_of(puzzle.lattice.dimension) else []
    heuristic = st.sampled_from(["e", "s", *orders, *angle, listed])
    first = [st.just("dlx:s"), st.just("piece"), heuristic.map("fila:{}".format)]
    words = [draw(st.one_of(first[1:] if pieces == 1 else first))]
    later = sorted(draw(st.sets(st.integers(1, pieces - 1), max_size=2))) if pieces > 1 else []
    if words == ["piece"] and pieces > 1:
        later = sorted({*later, pieces - 1})
    return ",".join([*words, *(f"fila:{draw(heuristic)}@{begins}" for begins in later[::-1])])


@st.composite
def reductions(draw: st.DrawFn) -> tuple[Reduction, ...]:
    """None, either, or both in any order."""
    words = draw(st.permutations(["redundancy", "volume"]))
    return tuple(map(Reduction.parse, words[: draw(st.integers(0, 2))]))


@given(packing_puzzles(), st.data())
@settings(max_examples=50)
def test_any_combination(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles of one to four dimensions, many with pieces that are alike."""
    request = Request(
        data.draw(st.sampled_from(list(Symmetry))),
        labelled=data.draw(st.booleans()),
        listing=True,
        reductions=data.draw(reductions()),
    )
    config = {
        "stages": data.draw(stages(puzzle)),
        "nof": data.draw(st.booleans()),
        "kernel": data.draw(st.sampled_from(KERNELS)),
    }
    assert_equal_to_dlx(puzzle, request, config)


FOURTEEN_ALIKE = PackingPuzzle(
    "fourteen alike",
    SquareLattice(2),
    box(5, 14),
    (Piece("I", tuple((0, y) for y in range(5)), min_count=14, max_count=14),),
)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("nof", [True, False])
@pytest.mark.parametrize(
    ("words", "reduce"),
    [
        ("f", []),
        ("e,f@3", []),
        ("s", ["volume"]),
        ("dlx:s,fila:R@8", ["volume@12"]),
        ("dlx:a@90,fila:e@4", ["volume@5"]),
        ("piece,Y@13", []),
    ],
)
def test_boards_of_two_words(words: str, reduce: Sequence[str], nof: bool, kernel: str) -> None:
    """70 cells and fourteen pieces that are alike."""
    request = Request(Symmetry.UNIQUE, listing=True, reductions=tuple(map(Reduction.parse, reduce)))
    assert_equal_to_dlx(FOURTEEN_ALIKE, request, {"stages": words, "nof": nof, "kernel": kernel})


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("words", ["piece,f@17,e@6", "dlx:s,fila:x@15"])
def test_boards_of_two_words_with_a_restricted_piece(words: str, kernel: str) -> None:
    """90 cells and eighteen one-sided pentominoes."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    puzzle = load("one-sided-pentominoes-3x30")
    finished, _ = solved(puzzle, request, "fila", {"stages": words, "kernel": kernel})
    assert finished.count == 46


# `piece` begins with A: two places for two copies, where every cell has three images or more.
FEWEST_OF_SEVERAL_COPIES = PackingPuzzle(
    "two alike in two places",
    SquareLattice(2),
    box(6, 3),
    (
        Piece(
            "A",
            ((0, 0), (0, 1), (1, 0)),
            min_count=2,
            max_count=2,
            placements=(((0, 0), (0, 1), (1, 0)), ((0, 2), (1, 1), (1, 2))),
        ),
        Piece("B", ((0, 0), (0, 1), (1, 0)), min_count=4, max_count=4),
    ),
)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("words", ["piece,f@5", "piece,s@5,x@2", "dlx:s,fila:f@5"])
def test_a_first_target_of_several_copies(words: str, kernel: str) -> None:
    """A solution is met by one of its copies alone."""
    request = Request(Symmetry.ALL, listing=True)
    config = {"stages": words, "kernel": kernel}
    assert_equal_to_dlx(FEWEST_OF_SEVERAL_COPIES, request, config)


def test_a_board_too_large_for_its_kernels() -> None:
    """Refused: a kernel of a thousand words takes minutes to compile, or cannot be."""
    cells = box(200, 200)
    puzzle = PackingPuzzle(
        "large", SquareLattice(2), cells, (Piece("D", cells[:2], 20_000, 20_000),)
    )
    finished = finish(execute(Job(puzzle, Request(Symmetry.ALL), "fila")))
    assert finished.status == Status.SKIPPED
    assert finished.reason == "the region has 40,000 open cells; the limit is 16,384"
