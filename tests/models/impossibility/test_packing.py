"""Packing puzzles ruled out without a search: known ones, and never one that has a solution."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.models.impossibility.packing import why_impossible
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.placements import bounded_placements
from dovetail.models.sub_problem import Part, region_parts
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import counted
from oracle.brute_force import packings
from oracle.strategies import packing_puzzles

PLANE = SquareLattice(2)
DOMINO = ((0, 0), (1, 0))
BAR = box(4, 1)
CHESSBOARD = tuple(cell for cell in box(4, 4) if cell not in ((0, 0), (3, 3)))


def reason(puzzle: object) -> str | None:
    """Why a packing puzzle is impossible."""
    assert isinstance(puzzle, PackingPuzzle)
    return why_impossible(bounded_placements(puzzle))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hexominoes-14x15", "11 pieces show ±2 and 24 show 0, which cannot add up to 0"),
        ("hexominoes-9x12-8x12-without-I", "11 pieces show ±2 and 23 show 0, which cannot add"),
        ("hexominoes-9x12-8x12-without-C", None),
        ("pentominoes-1x60", "piece F has no place in the region"),
        ("pentominoes-6x10", None),
        ("hexominoes-box-in-a-diamond", None),
        ("hexominoes-rifle", None),
        ("tetris-cube", None),
        ("pentominoes-4d-2x2x3x11", None),
    ],
)
def test_the_catalogue(name: str, why: str | None) -> None:
    """The two of Busche 2011 are ruled out, and those that have solutions are not."""
    found = reason(load(name))
    assert found is None if why is None else why in (found or "")


@pytest.mark.parametrize(
    ("region", "piece", "optional", "why"),
    [
        (box(3, 3), Piece("A", BAR, max_count=2), ((0, 0),), "piece A has no place in the region"),
        (box(6, 1), Piece("A", BAR, 0, 3), (), "up to 3 pieces fill 4, which cannot add up to 6 c"),
        (box(7, 1), Piece("A", BAR, 0, 3), ((0, 0),), "fill 4, which cannot add up to 6 to 7 cell"),
        (
            ((0, 0), (0, 1), (5, 5), (5, 6), (5, 7), (5, 8)),
            Piece("A", BAR, 0, 2),
            (),
            "no piece can cover the cell (0, 0)",
        ),
        (
            (*box(3, 1), *((x + 9, 0) for x in range(7))),
            Piece("A", DOMINO, 5, 5),
            (),
            "a part of the region has 3 cells, which pieces of 2 cells cannot add up to",
        ),
        (CHESSBOARD, Piece("A", DOMINO, 7, 7), (), "7 pieces show 0, which cannot add up to 2"),
        (CHESSBOARD, Piece("A", DOMINO, 6, 7), ((1, 0),), "2 minus the parity of the empty cells"),
    ],
)
def test_reasons(region: Cells, piece: Piece, optional: Cells, why: str) -> None:
    """Each with its numbers; the mutilated chessboard among them."""
    assert why in (reason(PackingPuzzle("test", PLANE, region, (piece,), (), optional)) or "")


@given(packing_puzzles(), st.data())
@settings(max_examples=30)
def test_never_one_with_a_solution(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """Two cells moved elsewhere: where brute force finds a packing, there is no reason."""
    cells = set(puzzle.region)
    far: Cell = tuple(max(cell) + 1 for cell in zip(*cells, strict=True))
    spots = sorted({n for cell in cells for n in puzzle.lattice.neighbours(cell)} - cells)
    for _ in range(data.draw(st.integers(0, 2))):
        cells.discard(data.draw(st.sampled_from(sorted(cells))))
        cells.add(data.draw(st.sampled_from([*(spot for spot in spots if spot not in cells), far])))
    if len(cells) == len(puzzle.region):
        moved = replace(puzzle, region=tuple(cells))
        if reason(moved) is not None:
            assert packings(moved) == 0


@given(packing_puzzles(), st.data())
@settings(max_examples=15)
def test_more_pieces_and_cells_than_are_used(puzzle: PackingPuzzle, data: st.DataObject) -> None:
    """It has a solution by construction, with optional cells beside it and pieces to spare."""
    near = {n for cell in puzzle.region for n in puzzle.lattice.neighbours(cell)}
    beside = sorted(near - set(puzzle.region))
    optional = tuple(data.draw(st.sets(st.sampled_from(beside), max_size=3)))
    pieces = tuple(
        replace(p, min_count=data.draw(st.integers(0, 1)), max_count=2) for p in puzzle.pieces
    )
    larger = (*puzzle.region, *optional)
    assert reason(replace(puzzle, region=larger, pieces=pieces, optional=optional)) is None


def test_parts() -> None:
    """By their first cell, with the cells that may stay empty."""
    region = (*box(2, 2), *((x + 5, 0) for x in range(3)))
    puzzle = PackingPuzzle("test", PLANE, region, (Piece("A", DOMINO, 3, 3),), (), ((6, 0),))
    assert region_parts(bounded_placements(puzzle)) == [Part(4, 0), Part(3, 1)]


@pytest.mark.parametrize("reduce", [("redundancy", "fit"), ("probe",)])
def test_reductions_are_spared(reduce: tuple[str, ...]) -> None:
    """No placement is filtered and no piece tried in a puzzle without solutions."""
    finished = counted(load("hexominoes-14x15"), "dlx", "unique", reduce=reduce)
    assert (finished.status, finished.count, finished.nodes) == (Status.EXHAUSTED, 0, 0)
    assert (finished.reason or "").startswith("parity: 11 pieces show ±2")
    assert (finished.piece_selection, finished.solve_s) == (None, 0)


def test_a_piece_without_a_place_that_need_not_be_used() -> None:
    """Takes no part in a reason."""
    pieces = (
        Piece("T", ((0, 0), (1, 0), (2, 0), (1, 1))),
        Piece("I", ((0, 0), (1, 0), (2, 0), (3, 0))),
        Piece("long", tuple((x, 0) for x in range(6)), min_count=0),
    )
    message = reason(PackingPuzzle("test", PLANE, box(4, 2), pieces))
    assert message == "parity: 1 piece shows ±2 and 1 shows 0, which cannot add up to 0"


def test_pieces_in_several_parts_fill_several_parts() -> None:
    """What lies in one part of the region is any of a piece's parts."""
    row = SquareLattice(1)
    region = tuple((x,) for x in (1, 2, 3, 7, 8))
    pieces = (Piece("A", tuple((x,) for x in (1, 2, 3, 7))), Piece("B", ((8,),)))
    assert reason(PackingPuzzle("test", row, region, pieces)) is None
