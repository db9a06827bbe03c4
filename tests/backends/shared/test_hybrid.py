"""Stretches of a schedule, and what one hands over to the next."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.searches import run_out
from dovetail.backends.dlx.packing import dlx_segment_factory
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.fila.segment import FilaSegments, search_key
from dovetail.backends.shared.hybrid import HybridSearch
from dovetail.backends.shared.schedule import SearchSchedule, Stage
from dovetail.backends.shared.segments import EngineSegment, engine_segments
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import FixedPiece, PackingPuzzle
from dovetail.models.placements import bounded_placements
from dovetail.puzzles.loading import load
from oracle.strategies import packing_puzzles

ENGINES = {"dlx": (), "fila": ("piece",)}
PLANE = SquareLattice(2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["s"], [EngineSegment("fila", 5, 0, tuple("sssss"))]),
        (["e", "f@3", "s@1"], [EngineSegment("fila", 5, 0, tuple("eeffs"))]),
        (
            ["dlx:s", "f@3"],
            [EngineSegment("dlx", 5, 3, ("s", "s")), EngineSegment("fila", 3, 0, ("f", "f", "f"))],
        ),
        (
            ["f", "x@3", "R@2", "e@1"],
            [
                EngineSegment("fila", 5, 3, ("f", "f")),
                EngineSegment("fila", 3, 2, ("x",)),
                EngineSegment("fila", 2, 1, ("R",)),
                EngineSegment("fila", 1, 0, ("e",)),
            ],
        ),
    ],
)
def test_where_a_schedule_is_cut(words: list[str], expected: list[EngineSegment]) -> None:
    """Where another engine goes on, or cells are numbered otherwise: not between f, e and s."""
    assert engine_segments(SearchSchedule.parse(words, ENGINES), 5, search_key) == expected


def test_no_pieces_make_no_segment() -> None:
    """And their search finds the one way to fill what a fixed piece has filled."""
    assert engine_segments(SearchSchedule.parse(["s"], ENGINES), 0, search_key) == []
    cell = ((0, 0),)
    full = PackingPuzzle("full", PLANE, cell, (), (FixedPiece("A", cell),))
    assert run_out(HybridSearch(bounded_placements(full), 0, {})) == [[]]


@given(packing_puzzles(), st.data())
@settings(max_examples=35)
def test_a_search_in_segments_is_the_search_in_one(
    puzzle: PackingPuzzle, data: st.DataObject
) -> None:
    """The same solutions, wherever it is cut.

    By fewest choices also in the same order and with the same nodes by pieces remaining: other
    heuristics take another forced placement first at a hand-over. Pieces that are alike make shapes
    of several copies: branching on one of these, no placement may follow below those taken
    after it.
    """
    options = PackingOptions(puzzle, bounded_placements(puzzle))
    pieces = options.placements_per_solution
    assert pieces is not None
    heuristic = data.draw(st.sampled_from("sef"))
    cuts = data.draw(st.sets(st.integers(1, max(1, pieces - 1)))) - {pieces}
    spans = pairwise([pieces, *sorted(cuts, reverse=True), 0])
    parts = [EngineSegment("dlx", b, e, (heuristic,) * (b - e)) for b, e in spans]
    factories = {part: dlx_segment_factory(part, puzzle) for part in parts}
    hybrid = HybridSearch(options.placements, pieces, factories)
    whole = DlxSearch(options.cover, pieces, (Stage("dlx", heuristic),), options.cells)
    found, expected = run_out(hybrid), run_out(whole)
    if heuristic == "s":
        assert found == expected
        assert hybrid.counters.fits_by_remaining == whole.counters.fits_by_remaining
        assert hybrid.counters.nodes == whole.counters.nodes
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@pytest.mark.parametrize(("begins", "words"), [(18, 2), (11, 2), (10, 1)])
def test_a_late_segment_has_a_narrow_board(begins: int, words: int) -> None:
    """90 cells take two words; the 50 before the last ten pieces take one, with ten shapes."""
    puzzle = load("one-sided-pentominoes-5x18")
    assert isinstance(puzzle, PackingPuzzle)
    placements = bounded_placements(puzzle)
    segment = EngineSegment("fila", begins, 0, ("f",) * begins)
    late = FilaSegments(segment, placements, nof=True, kernel="reference")
    assert late.variant.words == words
