"""What is said of puzzles before any search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.registry import backends
from dovetail.harness.explanation import (
    EdgeFacts,
    IdenticalTiles,
    PackingFacts,
    PieceClass,
    PlaceColours,
    RestrictedPiece,
    TileClassNumbers,
    edge_facts,
    explain,
    sequence_count,
)
from dovetail.models.boards.edges import EdgePuzzle, Hint, Tile
from dovetail.models.options.edges import edge_options
from dovetail.models.sub_problem import Part
from dovetail.puzzles.loading import load
from harness.known import known
from oracle.answers import counted
from oracle.strategies import edge_puzzles


@pytest.mark.parametrize(
    ("name", "sizes", "unique"),
    [
        ("edges-4x5-b3i4-1", {"columns": 5, "rows": 4, "tiles": 20, "options": 260}, 2),
        ("queens-8", {"primary items": 16, "secondary items": 30, "options": 64}, 8),
    ],
)
def test_boards_and_covers(name: str, sizes: dict[str, int], unique: int) -> None:
    """Sizes, symmetries, and who refuses."""
    explained = explain(load(name))
    assert explained.sizes == sizes
    assert explained.symmetries["unique"] == unique
    assert explained.packing is None
    assert (explained.edges is None) == name.startswith("queens")
    assert [stand.backend for stand in explained.backends] == list(backends())
    refusals = {stand.backend: stand.refusal for stand in explained.backends}
    assert (refusals["dlx"], refusals["fila"]) == (None, "it supports packing puzzles only")


def facts_of(name: str) -> PackingFacts:
    """What is said of a packing puzzle."""
    return known(explain(load(name)).packing)


def test_pentominoes() -> None:
    """What each filter drops of 2056 by itself, and the piece restricted (Busche 2011)."""
    facts = facts_of("pentominoes-6x10")
    assert {effect.reduction: effect.dropped for effect in facts.effects} == {
        "redundancy": 24,
        "parity": 0,
        "volume": 128,
        "fit": 144,
        "fit=fixed-point": 144,
    }
    assert facts.symmetry_breaking["unique"] == RestrictedPiece("X", 32, 8, complete=True)
    assert facts.parts == (Part(60, 0),)


def test_the_tetris_cube() -> None:
    """One piece of parity 0, eight of 1, three of 2 (Busche 2011); four of 6 cubes."""
    facts = facts_of("tetris-cube")
    assert facts.parities == (
        PieceClass(2, ("B", "E", "L"), 3, 3),
        PieceClass(1, ("C", "D", "F", "G", "H", "I", "J", "K"), 8, 8),
        PieceClass(0, ("A",), 1, 1),
    )
    assert [(one.value, one.max_count) for one in facts.volumes] == [(6, 4), (5, 8)]


def test_mirror_images_restrict_another_way() -> None:
    """Soma's reflections halve the places of a piece, and the group has 48 in place of 24."""
    explained = explain(load("soma-cube"))
    assert explained.symmetries == {"all": 1, "unique": 24, "mirror": 48}
    broken = known(explained.packing).symmetry_breaking.values()
    assert [one.after for one in broken if one is not None] == [3, 2]


def test_complexities_of_the_tetris_cube() -> None:
    """Table 1 of Busche 2011, and his 2.2 decillion: 12! times 144^4 times 120^6 times 60^2."""
    complexities = facts_of("tetris-cube").complexities
    published = dict.fromkeys("ABEL", (6, 24, 144)) | dict.fromkeys("CDFHIK", (5, 24, 120))
    published |= dict.fromkeys("GJ", (5, 12, 60))
    assert {
        one.piece: (one.cells, one.orientations, one.complexity) for one in complexities
    } == published
    assert sequence_count(complexities) == 2_213_996_395_638_416_883_056_640_000_000_000
    assert sum(one.placements for one in complexities) == 4_080


# Columns 0 to 2, each from the bottom: corners and border tiles show 1 along the frame.
SQUARE: tuple[Tile, ...] = (
    *((1, 1, 0, 0), (1, 2, 1, 0), (0, 1, 1, 0)),
    *((2, 1, 0, 1), (2, 2, 2, 2), (0, 1, 2, 1)),
    *((1, 0, 0, 1), (1, 0, 1, 2), (0, 0, 1, 1)),
)


def test_tiles_that_cannot_be_turned() -> None:
    """No turn leaves them unchanged."""
    facts = edge_facts(EdgePuzzle("fixed", 1, 2, ((1, 2, 1, 2),) * 2, unbounded=True, fixed=True))
    assert (facts.half_turns, facts.every_turn) == ((), ())


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
