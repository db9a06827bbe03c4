"""Restricting a piece: which placements stay, and that the answer does not change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import ConfigError
from dovetail.harness.run.job import Limits
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.reductions.redundancy import SymmetryBreaking, break_symmetry
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import counted, listed
from oracle.strategies import packing_puzzles


def restricted(name: str, symmetry: str = "unique", piece: str | None = None) -> SymmetryBreaking:
    """A catalogue puzzle with a piece restricted."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    options = PackingOptions(puzzle, bounded_placements(puzzle))
    found = break_symmetry(options.option_groups, options.symmetries(Symmetry(symmetry)), piece)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "piece", "places", "kept"),
    [
        ("pentominoes-6x10", None, 8, 2032),  # X in one quadrant
        ("tetris-cube", None, 8, None),  # G in one orientation (Busche 2011, TC-5)
        ("tetris-cube", "L", 12, None),  # L in one orientation (Busche 2018, TC1)
        ("soma-cube", "A", 4, None),
    ],
)
def test_places_left(name: str, piece: str | None, places: int, kept: int | None) -> None:
    """As published; nothing is left for canonical forms."""
    found = restricted(name, piece=piece)
    assert (found.places, found.complete) == (places, True)
    assert kept is None or int(found.kept.sum()) == kept


def test_a_chiral_piece_is_restricted_by_what_keeps_it() -> None:
    """Reflections carry Soma's A onto B: only rotations restrict it, and those are not all."""
    found = restricted("soma-cube", "mirror", "A")
    assert (len(found.group), found.complete) == (24, False)


@pytest.mark.parametrize("symmetry", ["all", "unique", "mirror"])
@pytest.mark.parametrize("piece", ["", *(f"={piece}" for piece in "VA"), ":one-sided"])
def test_soma_whatever_is_restricted(symmetry: str, piece: str) -> None:
    """11520, 480 and 240, by any piece."""
    count = {"all": 11_520, "unique": 480, "mirror": 240}[symmetry]
    finished = counted(load("soma-cube"), symmetry=symmetry, reduce=[f"redundancy{piece}"])
    assert finished.count == count
    assert finished.nodes is not None
    assert finished.nodes < 256_919 / 10


def test_what_was_done_is_reported() -> None:
    """Completed by images, as found, by least forms, or, for a chiral piece, canonical forms."""
    soma = load("soma-cube")
    names = [counted(soma, symmetry=s, reduce=["redundancy"]).symmetry_expansion for s in Symmetry]
    assert names == ["images", "as found", "least forms"]
    chiral = counted(soma, symmetry="mirror", reduce=["redundancy=A"])
    assert chiral.symmetry_expansion == "canonical forms"


@given(packing_puzzles(), st.data())
@settings(max_examples=20)
def test_the_answer_is_the_same(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """Counted and listed, with fixed pieces, under every symmetry and order of reductions."""
    pieces = list(puzzle.pieces)
    if len(pieces) > 1 and data.draw(st.booleans()):
        fixed = pieces.pop()
        cells = bounded_placements(replace(puzzle, pieces=(*pieces, fixed)))
        shapes = [shape.pieces for shape in cells.shapes]
        shape = next(n for n, names in enumerate(shapes) if fixed.name in names)
        lies = next(n for n in range(len(cells)) if cells.shape[n] == shape)
        puzzle = replace(
            puzzle, pieces=tuple(pieces), fixed=(FixedPiece(fixed.name, cells.cell_tuples(lies)),)
        )
    symmetry = data.draw(st.sampled_from(list(Symmetry)))
    redundancy = data.draw(st.sampled_from(["redundancy", "redundancy:one-sided"]))
    fit = data.draw(st.sampled_from(["fit", "fit=fixed-point"]))
    reduce = data.draw(st.permutations([redundancy, "parity", "volume", fit]))
    reduce = reduce[: data.draw(st.integers(1, 4))]
    plain = counted(puzzle, symmetry=symmetry)
    reduced = counted(puzzle, symmetry=symmetry, reduce=reduce)
    assert reduced.count == plain.count
    assert list(reduced.placements)[1:] == [
        word.partition("=")[0].partition(":")[0] for word in reduce
    ]
    finished, solutions = listed(puzzle, symmetry=symmetry, reduce=reduce)
    assert finished.count == plain.count == len(solutions)
    assert finished.verified >= len(solutions)
    if symmetry == Symmetry.ALL:
        assert solutions == listed(puzzle)[1]


def test_solution_limits_count_what_was_asked_for() -> None:
    """A limit of 5 solutions of all gives five, though one found stands for 48."""
    finished, solutions = listed(
        load("soma-cube"), reduce=["redundancy"], limits=Limits(solutions=5)
    )
    assert (finished.status, finished.count, len(solutions)) == ("solution-limit", 5, 5)
    finished = counted(load("soma-cube"), reduce=["redundancy"], limits=Limits(solutions=5))
    assert (finished.status, finished.count) == ("solution-limit", 5)


def test_pieces_that_cannot_be_restricted() -> None:
    """Those that are used several times, and those that are not there."""
    plane = SquareLattice(2)
    domino = Piece("A", ((0, 0), (1, 0)), min_count=2, max_count=2)
    puzzle = PackingPuzzle("square", plane, box(2, 2), (domino,))
    assert counted(puzzle, reduce=["redundancy"]).count == 2
    with pytest.raises(ConfigError, match="'A' cannot be restricted; expected one that is used"):
        counted(puzzle, reduce=["redundancy=A"])
    with pytest.raises(ConfigError, match="unknown piece to restrict 'B'; valid: A"):
        counted(puzzle, reduce=["redundancy=B"])
    with pytest.raises(ConfigError, match="top-left=A is for edge-matching puzzles; expected"):
        counted(load("soma-cube"), reduce=["redundancy:top-left=A"])
    with pytest.raises(ConfigError, match="given twice"):
        counted(puzzle, reduce=["redundancy", "redundancy=A"])
