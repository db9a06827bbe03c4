"""Puzzles of cubes (Soma, Diabolical, Tetris, Bedlam) and of hypercubes in four dimensions.

The puzzles of four dimensions come from readers' comments on Busche 2011 (polycube-busche): the
paths from Arthur, the pentominoes from John Niss Hansen. In four dimensions pieces are turned by
rotations only. A piece that needs at most three dimensions can still be turned into its mirror
image; a piece that needs all four, and is not its own mirror image, cannot.
"""

from __future__ import annotations

from itertools import starmap

from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.polyforms import canonical_form, polyforms
from dovetail.puzzles.polyominoes import PENTOMINOES, SPACE, box

HYPERSPACE = SquareLattice(4)

# A path that turns once into each dimension.
PATH: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1))

# A star with an arm in each dimension, and a fork with an arm that spans two dimensions.
STAR: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
FORK: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))

# Each cell is three digits, x y z. The Tetris cube has the pieces and letters of
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

# All pieces are flat. The puzzle is from "Puzzles Old and New" (Hoffmann 1893).
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

# Sides of cubes and their pieces.
CUBES = {
    "soma-cube": (3, SOMA_PIECES),
    "diabolical-cube": (3, DIABOLICAL_PIECES),
    "tetris-cube": (4, TETRIS_PIECES),
    "bedlam-cube": (4, BEDLAM_PIECES),
}

# Piet Hein's letters, and I and O for the two tetracubes that Soma leaves out.
TETRACUBES = {
    **{name: digits for name, digits in SOMA_PIECES.items() if name != "V"},
    "I": "000 100 200 300",
    "O": "000 100 010 110",
}


def cubes(pieces: dict[str, str]) -> dict[str, Cells]:
    """Return the cells of `pieces`, each given as three digits, x y z."""
    return {
        name: tuple(tuple(int(digit) for digit in cell) for cell in digits.split())
        for name, digits in pieces.items()
    }


def cube(name: str) -> PackingPuzzle:
    """Return the puzzle of `CUBES` with this name."""
    side, pieces = CUBES[name]
    region = box(side, side, side)
    return PackingPuzzle(name, SPACE, region, tuple(starmap(Piece, cubes(pieces).items())))


def hypercube_paths() -> PackingPuzzle:
    """Return 18 copies of the path of five hypercubes that turns into each dimension.

    The path is chiral, and all copies have the same hand; either hand gives the same count, since a
    box is its own mirror image. The number of solutions is not published.
    """
    return PackingPuzzle(
        name="hypercube-paths-2x3x3x5",
        lattice=HYPERSPACE,
        region=box(5, 3, 3, 2),
        pieces=(Piece("P", PATH, min_count=18, max_count=18),),
    )


def pentominoes_in_hyperspace() -> PackingPuzzle:
    """Return the 26 pentominoes in up to four dimensions and a domino, in 2x2x3x11.

    Pentominoes are counted up to reflection: 1, 11, 11 and 3 of them span 1, 2, 3 and 4 dimensions.
    The path alone cannot be turned into its mirror image, and a single hand is used. There are
    billions of solutions (Hansen), not counted.
    """
    pieces = {**hyperspace_pentominoes(), "I2": ((0, 0, 0, 0), (1, 0, 0, 0))}
    return PackingPuzzle(
        name="pentominoes-4d-2x2x3x11",
        lattice=HYPERSPACE,
        region=box(11, 3, 2, 2),
        pieces=tuple(Piece(name, cells) for name, cells in pieces.items()),
    )


def hyperspace_pentominoes() -> dict[str, Cells]:
    """Return the 26 pentominoes in up to four dimensions, up to reflection.

    The flat pentominoes keep their letters. The others are numbered from 01 in two hexadecimal
    digits: the 11 solid pentominoes in the order of `polyforms`, then fork, path and star.
    """
    flat = {name: tuple((x, y, 0, 0) for x, y in PENTOMINOES[name]) for name in PENTOMINOES}
    solid = [
        tuple((*cell, 0) for cell in cells)
        for cells in polyforms(SPACE, 5, Motions.FREE)
        if all(max(along) > 0 for along in zip(*cells, strict=True)) and cells <= _mirrored(cells)
    ]
    others = enumerate([*solid, FORK, PATH, STAR], start=1)
    return {**flat, **{f"{number:02X}": cells for number, cells in others}}


def _mirrored(cells: Cells) -> Cells:
    return canonical_form(SPACE, tuple((-x, y, z) for x, y, z in cells), Motions.FREE)
