"""What is said of a packing puzzle before any search: published figures."""

from __future__ import annotations

import math

import pytest

from dovetail.harness import explanation
from dovetail.harness.explanation import (
    PackingFacts,
    PieceClass,
    PieceComplexity,
    RestrictedPiece,
    explain,
    sequence_count,
    sequence_log10,
)
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.sub_problem import Part
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.reports.describe.explanation import explain_puzzle
from harness.known import known


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


def test_how_many_sequences_of_many_pieces() -> None:
    """Their number is known by its logarithm where it has thousands of digits."""
    domino = PieceComplexity("d", 1_800, 2, 2, 4, 0)
    assert sequence_log10([domino]) == pytest.approx(math.log10(sequence_count([domino])))
    puzzle = PackingPuzzle(
        "dominoes", SquareLattice(2), box(60, 60), (Piece("d", ((0, 0), (1, 0)), 1_800, 1_800),)
    )
    text = explain_puzzle(explain(puzzle), orientations=True)
    assert "10^6,163 ordered placements of 1,800 pieces" in " ".join(text.split())


def test_no_fit_filter_above_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time grows faster than the number of placements."""
    monkeypatch.setattr(explanation, "MAX_FOR_FIT", 2055)
    dropped = {one.reduction: one.dropped for one in facts_of("pentominoes-6x10").effects}
    assert (dropped["fit"], dropped["fit=fixed-point"], dropped["volume"]) == (None, None, 128)
