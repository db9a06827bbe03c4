"""The outline of a puzzle and the example solution that a record keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from operator import add

import numpy as np
import pytest

from dovetail.api import count, solve
from dovetail.errors import PuzzleError
from dovetail.harness.records.outline import (
    MAX_CELLS,
    MAX_CHARACTERS,
    BoardOutline,
    Example,
    LatticeOutline,
    check_example,
    check_outline,
    example_of,
    filled_board,
    filled_region,
    outline,
    outlined_cells,
    size,
)
from dovetail.models.boards.edges import BORDER, EdgePuzzle, canonical_turn
from dovetail.models.boards.geometry import EAST, NORTH, SOUTH, WEST
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.cover_classics import queens
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from harness.known import known


def packing(*cells: tuple[int, ...]) -> PackingPuzzle:
    """The cells, to be filled with single ones; the first is taken."""
    dimension = len(cells[0])
    one = Piece("one", ((0,) * dimension,), len(cells) - 1, len(cells) - 1)
    fixed = (FixedPiece("f", (cells[0],)),)
    return PackingPuzzle("p", SquareLattice(dimension), cells, (one,), fixed)


@pytest.mark.parametrize(
    ("cells", "text", "back"),
    [
        (((0,), (3,), (5,)), ". * .", ((0, 0), (2, 0))),
        (((9, 9), (1, 2), (2, 3)), "* .\n. *", ((0, 0), (1, 1))),
        (((0, 0, 0), (0, 0, 1), (1, 1, 2)), "* *,* .\n. *,* *", ((0, 0, 0), (1, 1, 1))),
    ],
)
def test_open_cells_in_layers(
    cells: tuple[tuple[int, ...], ...], text: str, back: tuple[tuple[int, ...], ...]
) -> None:
    """Back and forth, in the least box; a line is a row."""
    puzzle = packing(*cells)
    found = outline(puzzle)
    assert found == text
    assert outlined_cells(text) == back
    assert size(puzzle) == {"pieces": 2, "cells": 2}


def test_what_has_no_outline() -> None:
    """A large box, four dimensions, a cover problem, a large board, a region of fixed pieces."""
    assert outline(packing((0, 0), (1, 0), (1_000, 1_000))) is None
    assert outline(packing((0,) * 4, (1, 0, 0, 0), (2, 0, 0, 0))) is None
    assert outline(queens(4)) is None
    fixed = FixedPiece("F", box(2, 2))
    piece = Piece("A", ((0, 0),), min_count=0)
    assert outline(PackingPuzzle("full", SquareLattice(2), box(2, 2), (piece,), (fixed,))) is None
    assert size(queens(4)) == {"items": 22, "options": 16}


@pytest.mark.parametrize("name", OWN)
def test_on_another_lattice(name: str) -> None:
    """Cells far away come back as they lie to one another, in a small picture."""
    lattice = lattice_named(name)
    home = lattice.fundamental_cells[-1]
    cells = [home]
    for _ in range(3):
        cells.append(max(set(lattice.neighbours(cells[-1])) - set(cells)))
    away = (range(-40, -30) if axis in "xyz" else range(4) for axis in lattice.axes)
    targets = np.array(list(product(*away)))
    (vector, *_) = lattice.translations(home, targets).tolist()
    far = tuple(tuple(map(add, cell, vector)) for cell in cells)
    puzzle = PackingPuzzle("p", lattice, far, (Piece("A", far),))
    found = outline(puzzle)
    assert isinstance(found, LatticeOutline)
    assert len(found.text) < 1_000
    assert lattice.normalise(outlined_cells(found)) == lattice.normalise(far)
    check_outline(found)


@pytest.mark.parametrize(
    ("lattice", "text", "printed"),
    [
        ("square-edges", ".", r"\(0, 0, 0\) is not a cell of the square-edges lattice"),
        ("trianglar", ".", "lattice 'trianglar' is unknown"),
    ],
)
def test_what_is_no_outline_on_a_lattice(lattice: str, text: str, printed: str) -> None:
    """Refused, and why."""
    with pytest.raises(PuzzleError, match=printed):
        check_outline(LatticeOutline(lattice, text))


@pytest.mark.parametrize("text", ["", "*", ". .\n.", "<script>", ". " * 3 * MAX_CELLS])
def test_what_is_no_outline(text: str) -> None:
    """Files hold anything."""
    with pytest.raises(PuzzleError):
        outlined_cells(text)


SQUARE = ". .\n. ."
BOARD = BoardOutline(2, 1)


def row(*pieces: Piece, fixed: tuple[FixedPiece, ...] = ()) -> PackingPuzzle:
    """Four cells in a row."""
    return PackingPuzzle("row", SquareLattice(1), ((0,), (1,), (2,), (3,)), pieces, fixed)


@pytest.mark.parametrize("name", ["pentominoes-8x8-hole", "soma-cube"])
def test_of_a_packing(name: str) -> None:
    """It fits the outline, and is the first solution that is listed: each piece once."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    example = known(example_of(puzzle, count(puzzle, "dlx", limit=1).example))
    kept = outline(puzzle)
    check_example(example, kept)
    assert isinstance(kept, str)
    filled = filled_region(example, kept)
    assert filled.pieces == tuple(piece.name for piece in puzzle.pieces)
    assert solution_error(puzzle, filled.solution) is None
    assert filled.cells == puzzle.open_cells
    first = next(solve(puzzle, "dlx"))
    assert isinstance(first, PackingSolution)
    assert sorted(filled.solution.placed) == sorted(first.placed)


def test_copies_empty_cells_and_fixed_pieces() -> None:
    """Copies have numbers, empty cells a dot; fixed pieces are not in the picture."""
    pieces = (Piece("two", ((0,), (1,))), Piece("one", ((0,),), 0, 2), Piece("big", ((0,),), 0, 1))
    puzzle = row(*pieces, fixed=(FixedPiece("a-long-name", ((1,),)),))
    puzzle = replace(puzzle, optional=((0,),))
    example = example_of(puzzle, PackingSolution((("two", ((2,), (3,))),)))
    assert example == Example("  .   * two two", ("two", "one", "big"))
    solution = PackingSolution((("one", ((2,),)), ("one", ((0,),)), ("big", ((3,),))))
    example = known(example_of(puzzle, solution))
    assert example.text.split() == ["one/2", "*", "one/1", "big"]
    placed = filled_region(example, ". * . .").solution.placed
    assert placed == (("one", ((2, 0),)), ("one", ((0, 0),)), ("big", ((3, 0),)))


def test_of_a_board() -> None:
    """The tiles of the puzzle, turned such that adjacent sides match."""
    puzzle = load("edges-4x5-b3i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    example = known(example_of(puzzle, next(solve(puzzle))))
    check_example(example, outline(puzzle))
    board = filled_board(example)
    assert Counter(map(canonical_turn, board.tiles)) == Counter(map(canonical_turn, puzzle.tiles))
    for number, tile in enumerate(board.tiles):
        x, y = number % board.width, number // board.width
        left = board.tiles[number - 1][EAST] if x else BORDER
        upper = board.tiles[number - board.width][SOUTH] if y else BORDER
        assert (tile[WEST], tile[NORTH]) == (left, upper)


@pytest.mark.parametrize("name", ["a,b", "\n", "x" * MAX_CHARACTERS])
def test_names_that_text_does_not_support(name: str) -> None:
    """The record keeps the outline alone; so it does of long names of pieces left out."""
    cells: Cells = ((0,), (1,), (2,), (3,))
    assert example_of(row(Piece(name, cells)), PackingSolution(((name, cells),))) is None
    pieces = Piece("A", cells), Piece(name, ((0,),), 0, 1)
    left_out = example_of(row(*pieces), PackingSolution((("A", cells),)))
    assert (left_out is None) == (len(name) > 9)


@pytest.mark.parametrize(
    ("text", "pieces", "outline", "printed"),
    [
        ("A A\nA A", ("A",), None, "the record has no outline"),
        ("A A\nA *", ("A",), SQUARE, "its cells differ from the cells"),
        ("A A\nA B/1", ("A",), SQUARE, "no piece has the label 'B/1'"),
        ("1 2\n0 1 0 0\n0 0 0 1", (), BOARD, "its board is 1 x 2; expected 2 x 1, the size of"),
    ],
)
def test_what_is_no_example(
    text: str, pieces: tuple[str, ...], outline: str | BoardOutline | None, printed: str
) -> None:
    """Files hold anything."""
    with pytest.raises(PuzzleError) as caught:
        check_example(Example(text, pieces), outline)
    assert printed in str(caught.value)


@pytest.mark.parametrize(("outline", "text"), [(SQUARE, "A A\nA A"), (BOARD, "2 1")])
def test_what_would_flood_a_page(outline: str | BoardOutline, text: str) -> None:
    """A long text, or long names."""
    for pieces, more in (((), " " * MAX_CHARACTERS), (("A", "x" * MAX_CHARACTERS), "")):
        with pytest.raises(PuzzleError, match=r"it has 65,5\d\d characters; expected"):
            check_example(Example(text + more, pieces), outline)
