"""Whatever is asked, the answer is that of `dlx`; and what is refused, with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.base import Budget
from dovetail.backends.fletcher.backend import Fletcher, FletcherConfig
from dovetail.backends.fletcher.search import Sifting
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import solved
from oracle.strategies import packing_puzzles

PLANE = SquareLattice(2)
CORNER = ((0, 0), (0, 1), (1, 0))
FIRST, SECOND = CORNER, ((0, 2), (1, 1), (1, 2))


def assert_equal_to_dlx(puzzle: Puzzle, request: Request, sifting: str) -> None:
    """The count; of all solutions, which are the same by any search, each one too."""
    expected, its_solutions = solved(puzzle, request, "dlx", {})
    finished, solutions = solved(puzzle, request, "fletcher", {"sifting": sifting})
    assert (finished.status, finished.count) == (expected.status, expected.count)
    assert finished.count == len(solutions)
    if request.symmetry == Symmetry.ALL:
        assert solutions == its_solutions


@given(packing_puzzles(), st.data())
@settings(max_examples=35)
def test_any_request(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """On random puzzles of one to four dimensions, many with pieces that are alike."""
    words = data.draw(st.permutations(["redundancy", "volume"]))[: data.draw(st.integers(0, 2))]
    request = Request(
        data.draw(st.sampled_from(list(Symmetry))),
        labelled=data.draw(st.booleans()),
        listing=True,
        reductions=tuple(map(Reduction.parse, words)),
    )
    assert_equal_to_dlx(puzzle, request, data.draw(st.sampled_from(["tree", "list"])))


def corners(*listed: tuple[tuple[int, ...], ...], alike: int, copies: int = 1) -> PackingPuzzle:
    """6x3 by corners, one of which has listed placements."""
    return PackingPuzzle(
        "corners",
        PLANE,
        box(6, 3),
        (
            Piece("A", CORNER, min_count=copies, max_count=copies, placements=listed),
            Piece("B", CORNER, min_count=alike, max_count=alike),
        ),
    )


@pytest.mark.parametrize("sifting", ["tree", "list"])
@pytest.mark.parametrize("listed", [(FIRST,), (FIRST, SECOND), ()])
def test_a_piece_with_listed_placements(
    listed: tuple[tuple[tuple[int, ...], ...], ...], sifting: str
) -> None:
    """It is placed first; without any place for it there is no solution."""
    request = Request(Symmetry.ALL, listing=True)
    assert_equal_to_dlx(corners(*listed, alike=5), request, sifting)


TWO_LISTED = PackingPuzzle(
    "two listed",
    PLANE,
    box(2, 3),
    (Piece("A", CORNER, placements=(FIRST,)), Piece("B", CORNER, placements=(SECOND,))),
)


@pytest.mark.parametrize(
    ("puzzle", "reduce", "reason"),
    [
        (load("queens-6"), [], "it supports packing puzzles only"),
        (TWO_LISTED, [], "both A and B have them"),
        (corners(FIRST, SECOND, alike=4, copies=2), [], "used once, unlike A"),
        (load("pentominoes-6x10"), ["volume@5"], "cannot filter placements during the search"),
        (
            PackingPuzzle("", PLANE, box(2, 2), (Piece("A", CORNER),), optional=box(2, 2)),
            [],
            "does not support cells that may stay empty",
        ),
        (
            PackingPuzzle("", PLANE, box(2, 3), (Piece("A", CORNER, 0, 2),)),
            [],
            "used a fixed number of times",
        ),
        (
            PackingPuzzle(
                "",
                PLANE,
                ((0, 0), (0, 1), (10**6, 10**6)),
                (Piece("A", ((0, 0),), 3, 3),),
            ),
            [],
            "its board would take",
        ),
    ],
)
def test_what_is_refused(puzzle: Puzzle, reduce: list[str], reason: str) -> None:
    """The message gives the reason."""
    request = Request(Symmetry.ALL, reductions=tuple(map(Reduction.parse, reduce)))
    finished = finish(execute(Job(puzzle, request, "fletcher")))
    assert finished.status == Status.SKIPPED
    assert finished.reason is not None
    assert reason in finished.reason


@pytest.mark.parametrize("sifting", ["tree", "list"])
def test_progress_goes_up(sifting: Sifting) -> None:
    """From nothing to everything, slice by slice."""
    request = Request(reductions=(Reduction.parse("redundancy"),))
    task, backend = build_task(load("pentominoes-3x20"), request), Fletcher()
    search = backend.prepare(task, FletcherConfig(sifting))
    shares = list[float]()
    while search.advance(Budget(work=3000)) is None:
        search.take()
        share = search.progress()
        assert share is not None
        shares.append(share)
    assert len(shares) > 20
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.2
    assert 0.8 < shares[-1] <= 1
    assert search.progress() == pytest.approx(1)
