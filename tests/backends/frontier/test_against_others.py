"""Backends that count without a search, or by bits, beside `dlx` and filling cells in order."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.harness.run.result import Result
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from oracle.answers import solved
from oracle.strategies import loose_packings, packing_puzzles

Config = dict[str, object]

# Backends that take every packing puzzle, and the configs that they are asked with.
BACKENDS: Mapping[str, list[Config]] = {
    "bitset": [{}],
    "frontier": [
        {},
        {"break_symmetry": False},
        {"threads": 2},
        {"break_symmetry": False, "threads": 3},
    ],
}


def answer(puzzle: PackingPuzzle, backend: str, config: Config, request: Request) -> Result:
    """The count, which has to be that of `dlx`, and so do the solutions where all are listed."""
    by_dlx, those = solved(puzzle, request, "dlx", {})
    finished, found = solved(puzzle, request, backend, config)
    assert (finished.status, finished.reason) == (Status.EXHAUSTED, by_dlx.reason)
    assert finished.count == by_dlx.count
    if request.listing:
        assert len(found) == finished.count
        assert len(found) <= finished.verified
        if request.symmetry == Symmetry.ALL:
            assert found == those
    return finished


@pytest.mark.parametrize("backend", BACKENDS)
@given(
    data=st.data(),
    puzzle=packing_puzzles() | loose_packings(),
    symmetry=st.sampled_from(list(Symmetry)),
    reductions=st.sampled_from(
        [(), (Reduction.parse("volume"),), (Reduction.parse("redundancy"),)]
    ),
)
@settings(max_examples=25)
def test_random_puzzles(
    backend: str,
    data: st.DataObject,
    puzzle: PackingPuzzle,
    symmetry: Symmetry,
    reductions: tuple[Reduction, ...],
) -> None:
    """All, unique and mirror, counted and listed, copies of a piece distinguished or not."""
    config = data.draw(st.sampled_from(BACKENDS[backend]))
    ranges = any(piece.min_count < piece.max_count for piece in puzzle.pieces)
    labelled = not ranges and data.draw(st.booleans())
    for listing in (False, True):
        answer(puzzle, backend, config, Request(symmetry, labelled, listing, reductions))
