"""Puzzles ruled out without a search: by what each reason names, never one with a solution."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import PuzzleError
from dovetail.models.boards.edges import EdgePuzzle, Hint, Tile, turned
from dovetail.models.impossibility.edges import why_impossible
from dovetail.models.impossibility.packing import why_impossible as why_no_packing
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.sub_problem import Part, region_parts
from dovetail.models.task import lower
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import counted
from oracle.brute_force import boards, packings
from oracle.strategies import packing_puzzles, signed_twin

SQUARE: tuple[Tile, ...] = (
    *((1, 2, 0, 0), (1, 4, 1, 0), (0, 2, 1, 0)),
    *((5, 3, 0, 2), (6, 5, 5, 4), (0, 3, 6, 2)),
    *((1, 0, 0, 3), (2, 0, 1, 5), (0, 0, 2, 3)),
)
ROW: tuple[Tile, ...] = ((0, 1, 0, 0), (0, 2, 0, 1), (0, 0, 0, 2))
SIGNED: tuple[Tile, ...] = ((1, 2, 0, 0), (0, -3, -1, 0), (4, 0, 0, -2), (0, 0, -4, 3))


def square(*changes: tuple[int, Tile], hints: tuple[Hint, ...] = ()) -> EdgePuzzle:
    """The 3x3 board with other tiles in some places."""
    tiles = {**dict(enumerate(SQUARE)), **dict(changes)}
    return EdgePuzzle("square", 3, 3, tuple(tiles.values()), hints)


def signed(*changes: tuple[int, Tile], hints: tuple[Hint, ...] = ()) -> EdgePuzzle:
    """The signed 2x2 board with other tiles in some places."""
    tiles = {**dict(enumerate(SIGNED)), **dict(changes)}
    return EdgePuzzle("signed", 2, 2, tuple(tiles.values()), hints, signed=True)


def row(last: Tile) -> EdgePuzzle:
    """The 3x1 board with another last tile."""
    return EdgePuzzle("row", 3, 1, (*ROW[:2], last))


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (square((1, (1, 0, 0, 4))), "tiles: 5 corner and 3 border; a 3 x 3 board needs 4 c"),
        (square((0, (2, 2, 0, 0))), "ending at the frame, tiles show 1 on 5 sides"),
        (square((4, (6, 6, 5, 4))), "away from the frame, tiles show 5 on 3 sides"),
        (
            square((4, (4, 4, 4, 4)), (1, (1, 5, 1, 0)), (5, (0, 3, 5, 2))),
            "border tiles show 5 inward on 4 sides, but inner tiles show 5 on 0",
        ),
        (
            EdgePuzzle("pair", 2, 2, ((1, 1, 0, 0), (0, 2, 2, 0), (2, 0, 0, 2), (0, 0, 2, 2))),
            "tile 0 shows 1 on 2 sides of edges ending at the frame, but 0 other tiles show 1",
        ),
        (signed((3, (0, 0, -4, 2))), "tiles show 2 on 2 sides and -2 on 1; expected equal"),
        (square(hints=(Hint(1, 0, 0, 0),)), "tile 0 with rotation 0 at (1, 0) shows 0 off the"),
        (
            square(hints=(Hint(1, 1, 4, 1), Hint(1, 2, 5, 0))),
            "at (1, 1) and tile 5 with rotation 0 at (1, 2) show 5 and 6 on the edge between",
        ),
        (
            square(hints=(Hint(0, 0, 0, 0), Hint(1, 2, 1, 3), Hint(2, 1, 7, 0))),
            "hints: no remaining tile fits at (0, 1) next to the hinted tiles",
        ),
        (load("edges-7-b6i6-1"), None),
    ],
)
def test_reasons(puzzle: EdgePuzzle, why: str | None) -> None:
    """Each with the tile, the numbers or the place."""
    found = why_impossible(puzzle)
    assert found is None if why is None else why in (found or "")


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (square((4, (0, 5, 0, 4))), "tile 4 (0 5 0 4) has the frame's colour 0 on two opposite"),
        (
            EdgePuzzle("", 2, 1, ((1, 1, 1, 1), (0, 0, 0, 1)), frame=0),
            "tile 0 (1 1 1 1) fits no cell of a 2 x 1 board with colour 0 on all outer sides",
        ),
    ],
)
def test_a_tile_that_lies_nowhere_is_an_error(puzzle: EdgePuzzle, why: str) -> None:
    """It is named; see `cases/README.md`: a 0/1 matrix of four columns was taken for a board."""
    with pytest.raises(PuzzleError, match=re.escape(why)):
        lower(puzzle)


@st.composite
def solvable_boards(draw: st.DrawFn) -> tuple[EdgePuzzle, tuple[Hint, ...]]:
    """A board of up to nine cells, signed or not, and where its tiles lie in one solution."""
    size = draw(st.sampled_from([(1, 1), (2, 1), (1, 4), (2, 2), (3, 2), (2, 4), (3, 3), (3, 3)]))
    colours, seed = draw(st.integers(1, 4)), draw(st.integers(0, 10**6))
    board = random_board(*size, colours, seed, draw(st.sampled_from([None, 2])))
    board = signed_twin(board, seed) if draw(st.booleans()) else board
    left = dict(enumerate(board.tiles))
    laid = []
    for cell, shown in enumerate(min(boards(board))):
        tile, rotation = next(
            (n, r) for n, tile in left.items() for r in range(4) if turned(tile, r) == shown
        )
        del left[tile]
        laid.append(Hint(*divmod(cell, board.height), tile, rotation))
    return board, tuple(laid)


@given(solvable_boards(), st.data())
@settings(max_examples=70)
def test_every_reason_is_a_proof(
    solvable: tuple[EdgePuzzle, tuple[Hint, ...]], data: st.DataObject
) -> None:
    """None with hints that a solution keeps; sides coloured anew or exchanged, hints anywhere."""
    board, laid = solvable
    kept = tuple(hint for hint in laid if data.draw(st.booleans()))
    assert why_impossible(replace(board, hints=kept)) is None
    sides = [colour for tile in board.tiles for colour in tile]
    number = st.integers(0, len(sides) - 1)
    for _ in range(data.draw(st.integers(0, 2))):
        one, other = data.draw(number), data.draw(number)
        sides[one], sides[other] = sides[other], sides[one]
    if data.draw(st.booleans()):
        sides[data.draw(number)] = data.draw(st.integers(0, 4))
    north, east, south, west = (sides[side::4] for side in range(4))
    tiles = tuple(zip(north, east, south, west, strict=True))
    cells = data.draw(st.lists(st.integers(0, len(tiles) - 1), max_size=2, unique=True))
    named = data.draw(st.permutations(range(len(tiles))))
    hints = tuple(
        Hint(*divmod(cell, board.height), tile, data.draw(st.integers(0, 3)))
        for cell, tile in zip(cells, named, strict=False)
    )
    altered = replace(board, tiles=tiles, hints=hints)
    if why_impossible(altered) is not None:
        assert not boards(altered)


PLANE = SquareLattice(2)


DOMINO = ((0, 0), (1, 0))


BAR = box(4, 1)


CHESSBOARD = tuple(cell for cell in box(4, 4) if cell not in ((0, 0), (3, 3)))


def reason(puzzle: object) -> str | None:
    """Why a packing puzzle is impossible."""
    assert isinstance(puzzle, PackingPuzzle)
    return why_no_packing(bounded_placements(puzzle))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hexominoes-14x15", "11 pieces show ±2 and 24 show 0, which cannot add up to 0"),
        ("hexominoes-9x12-8x12-without-C", None),
        ("pentominoes-6x10", None),
        ("hexominoes-box-in-a-diamond", None),
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
def test_reasons_of_packings(region: Cells, piece: Piece, optional: Cells, why: str) -> None:
    """Each with its numbers; the mutilated chessboard among them."""
    assert why in (reason(PackingPuzzle("test", PLANE, region, (piece,), (), optional)) or "")


@given(packing_puzzles(), st.data())
@settings(max_examples=30)
def test_no_packing_with_a_solution(puzzle: PackingPuzzle, data: st.DataObject) -> None:
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


def test_parts_of_regions() -> None:
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
