"""What is said of an edge-matching puzzle before any search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.harness.explanation import (
    EdgeFacts,
    IdenticalTiles,
    PlaceColours,
    TileClassNumbers,
    edge_facts,
)
from dovetail.models.edges import EdgePuzzle, Hint, Tile
from dovetail.models.options.edges import edge_options
from harness.known import known
from oracle.answers import counted
from oracle.strategies import edge_puzzles

# Columns 0 to 2, each from the bottom: corners and border tiles show 1 along the frame.
SQUARE: tuple[Tile, ...] = (
    *((1, 1, 0, 0), (1, 2, 1, 0), (0, 1, 1, 0)),
    *((2, 1, 0, 1), (2, 2, 2, 2), (0, 1, 2, 1)),
    *((1, 0, 0, 1), (1, 0, 1, 2), (0, 0, 1, 1)),
)


def test_a_board_with_everything() -> None:
    """Kinds, colours by place, twins of which hints name some, tiles that look alike turned."""
    hints = (Hint(0, 0, 0, 0), Hint(1, 0, 3, 0))
    facts = edge_facts(EdgePuzzle("square", 3, 3, SQUARE, hints))
    expected = known(facts.expected)
    # all colours match: three corners, three borders and the turns of the middle are left
    assert expected.solutions == pytest.approx(6 * 6 * 4)
    assert expected.nodes == pytest.approx(9)  # identical tiles once
    assert facts == EdgeFacts(
        signed=False,
        kinds=(
            TileClassNumbers("corner", 4, 4),
            TileClassNumbers("border", 4, 4),
            TileClassNumbers("inner", 1, 1),
        ),
        places=(
            PlaceColours("ending at the frame", 8, ((1, 16),)),
            PlaceColours("away from the frame", 4, ((2, 8),)),
        ),
        identical=(IdenticalTiles((0, 2, 6, 8), 1), IdenticalTiles((1, 3, 5, 7), 1)),
        labelled_factor=36,
        half_turns=(),
        every_turn=(4,),
        hints=hints,
        expected=expected,
        impossible=None,
    )


def test_a_row() -> None:
    """Ends and passages; no edge is away from the frame; signs of colours are kept."""
    tiles = ((0, 0, 0, 1), (0, 1, 0, -1), (0, -2, 0, -2), (0, 0, 0, 2))
    facts = edge_facts(EdgePuzzle("row", 4, 1, tiles, signed=True))
    assert facts.signed
    assert facts.expected is None
    assert facts.kinds == (TileClassNumbers("end", 2, 2), TileClassNumbers("passage", 2, 2))
    assert facts.places == (
        PlaceColours("ending at the frame", 3, ((1, 2), (-1, 1), (2, 1), (-2, 2))),
        PlaceColours("away from the frame", 0, ()),
    )
    assert facts.half_turns == (2,)
    assert facts.impossible is not None


@given(edge_puzzles(), st.data())
@settings(max_examples=15)
def test_the_factor_is_that_of_labelled_counts(puzzle: EdgePuzzle, data: st.DataObject) -> None:
    """Over all boards, with a hint and without."""
    options = edge_options(puzzle)
    option = data.draw(st.integers(0, options.option_count - 1))
    for hints in ((), (Hint(*options.placed(option)),)):
        asked = replace(puzzle, hints=hints)
        factor = known(edge_facts(asked).labelled_factor)
        boards = known(counted(asked, symmetry="all").count)
        assert counted(asked, symmetry="all", labelled=True).count == factor * boards
