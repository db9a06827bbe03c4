"""Cube puzzles: Soma, Diabolical, Tetris, Bedlam."""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.polyominoes import SPACE, box

# Each cell is three digits, x y z. The Tetris cube's pieces and letters are those of
# Busche's definition file (polycube-busche, "Software").
SOMA_PIECES = {
    "V": "000 100 010",
    "L": "000 100 200 010",
    "T": "000 100 200 110",
    "Z": "000 100 110 210",
    "P": "000 100 010 001",
    "A": "000 100 110 111",
    "B": "000 100 110 001",
}

# Each is one cube thick. The puzzle is from "Puzzles Old and New" (Hoffmann 1893).
DIABOLICAL_PIECES = {
    "I": "000 100",
    "V": "000 100 010",
    "O": "000 100 010 110",
    "U": "000 100 200 010 210",
    "W": "000 100 200 010 110 020",
    "L": "000 100 200 010 110 020 120",
}

TETRIS_PIECES = {
    "A": "002 102 202 201 200 210",
    "B": "000 100 200 210 220 211",
    "C": "000 100 101 201 211",
    "D": "000 100 200 210 310",
    "E": "001 000 100 110 120 210",
    "F": "000 100 001 101 010",
    "G": "020 010 000 100 200",
    "H": "000 100 200 300 210",
    "I": "001 101 201 011 010",
    "J": "000 100 101 111 211",
    "K": "000 100 200 110 111",
    "L": "010 110 111 211 101 121",
}

BEDLAM_PIECES = {
    "F": "100 010 110 210 220",
    "X": "100 010 110 210 120",
    "W": "000 100 110 210 220",
    "M": "100 010 110 210 111",
    "B": "100 010 110 210 101",
    "H": "100 010 110 210 011",
    "L": "200 010 110 210 011",
    "S": "000 010 110 210 001",
    "C": "000 010 110 210 011",
    "E": "100 200 010 110 011",
    "I": "100 200 010 110 111",
    "T": "100 200 110 011 111",
    "Z": "000 100 010 011",
}


# Piet Hein's letters, and I and O for the two that Soma leaves out.
TETRACUBES = {
    **{name: digits for name, digits in SOMA_PIECES.items() if name != "V"},
    "I": "000 100 200 300",
    "O": "000 100 010 110",
}


def cubes(pieces: dict[str, str]) -> dict[str, Cells]:
    """The cells of `pieces`, each given as three digits, x y z."""
    return {
        name: tuple(tuple(int(digit) for digit in cell) for cell in digits.split())
        for name, digits in pieces.items()
    }


def soma_cube() -> PackingPuzzle:
    """Piet Hein's Soma cube: 7 pieces in 3x3x3."""
    return _cube("soma-cube", 3, SOMA_PIECES)


def diabolical_cube() -> PackingPuzzle:
    """The Diabolical cube: 6 flat pieces of two to seven cubes in 3x3x3."""
    return _cube("diabolical-cube", 3, DIABOLICAL_PIECES)


def tetris_cube() -> PackingPuzzle:
    """The Tetris cube: 12 pieces in 4x4x4."""
    return _cube("tetris-cube", 4, TETRIS_PIECES)


def bedlam_cube() -> PackingPuzzle:
    """The Bedlam cube: 13 pieces in 4x4x4."""
    return _cube("bedlam-cube", 4, BEDLAM_PIECES)


def _cube(name: str, side: int, pieces: dict[str, str]) -> PackingPuzzle:
    return PackingPuzzle(
        name=name,
        lattice=SPACE,
        region=box(side, side, side),
        pieces=tuple(Piece(name, cells) for name, cells in cubes(pieces).items()),
    )
