"""What a record keeps of its puzzle."""

from __future__ import annotations

from itertools import product
from operator import add

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.harness.records.outline import (
    MAX_CELLS,
    BoardOutline,
    LatticeOutline,
    check_outline,
    outline,
    outlined_cells,
    size,
)
from dovetail.models.edges import EdgePuzzle
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.puzzles.cover_classics import queens


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
    """A large box, four dimensions, a cover problem, a large board."""
    assert outline(packing((0, 0), (1, 0), (1_000, 1_000))) is None
    assert outline(packing((0,) * 4, (1, 0, 0, 0), (2, 0, 0, 0))) is None
    assert outline(queens(4)) is None
    assert size(queens(4)) == {"items": 22, "options": 16}


def test_a_board() -> None:
    """Width and height, and what it is made of."""
    board = EdgePuzzle("b", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))
    assert outline(board) == BoardOutline(2, 1)
    assert size(board) == {"tiles": 2, "colours": 1}


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
        ("triangular", ".,.", "a single layer of cells of the triangular lattice"),
        ("trianglar", ".", "lattice 'trianglar' is unknown"),
        ("hexagonal", "*", "it has no open cell"),
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


@pytest.mark.parametrize("board", [BoardOutline(0, 2), BoardOutline(10**9, 10**9)])
def test_what_is_no_board(board: BoardOutline) -> None:
    """Nor one that would fill the page."""
    with pytest.raises(PuzzleError):
        check_outline(board)
