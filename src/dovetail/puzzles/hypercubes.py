"""Puzzles of four dimensions.

Both come from readers' comments on Busche 2011 (polycube-busche): the paths from Arthur's, the
pentominoes from John Niss Hansen's. In four dimensions pieces are turned by rotations only.
A piece that needs at most three dimensions can still be turned into its mirror image; one
that needs all four, and is not its own mirror image, cannot.
"""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.polyforms import canonical_form, polyforms
from dovetail.puzzles.polyominoes import PENTOMINOES, SPACE, box

HYPERSPACE = SquareLattice(4)

# Turns once into each dimension.
PATH: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1))

# The centre with an arm in each dimension, and the one with an arm of two of them.
STAR: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
FORK: Cells = ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))


def hypercube_paths() -> PackingPuzzle:
    """18 copies of the path of five hypercubes that turns into each dimension, in 2x3x3x5.

    The path is chiral, and all copies are of one hand; which one makes no difference, since
    a box is its own mirror image. How many solutions there are is not published.
    """
    return PackingPuzzle(
        name="hypercube-paths-2x3x3x5",
        lattice=HYPERSPACE,
        region=box(5, 3, 3, 2),
        pieces=(Piece("P", PATH, min_count=18, max_count=18),),
    )


def pentominoes_in_hyperspace() -> PackingPuzzle:
    """The 26 pentominoes of one to four dimensions and a domino, in 2x2x3x11.

    The 26 are those up to reflection: 1, 11, 11 and 3 that need one, two, three and four
    dimensions. Of the path, the only one that cannot be turned into its mirror image, one
    hand is used. There are billions of solutions (Hansen), not counted.
    """
    pieces = {**hyperspace_pentominoes(), "I2": ((0, 0, 0, 0), (1, 0, 0, 0))}
    return PackingPuzzle(
        name="pentominoes-4d-2x2x3x11",
        lattice=HYPERSPACE,
        region=box(11, 3, 2, 2),
        pieces=tuple(Piece(name, cells) for name, cells in pieces.items()),
    )


def hyperspace_pentominoes() -> dict[str, Cells]:
    """The 26 pentominoes of one to four dimensions, up to reflection.

    The flat ones keep their letters; the others are numbered from 01 in two hexadecimal
    digits, the 11 solid ones in the order of `polyforms`, then fork, path and star.
    """
    flat = {name: tuple((x, y, 0, 0) for x, y in PENTOMINOES[name]) for name in sorted(PENTOMINOES)}
    solid = [
        tuple((*cell, 0) for cell in cells)
        for cells in polyforms(SPACE, 5, Motions.FREE)
        if all(max(along) > 0 for along in zip(*cells, strict=True)) and cells <= _mirrored(cells)
    ]
    others = enumerate([*solid, FORK, PATH, STAR], start=1)
    return {**flat, **{f"{number:02X}": cells for number, cells in others}}


def _mirrored(cells: Cells) -> Cells:
    return canonical_form(SPACE, tuple((-x, y, z) for x, y, z in cells), Motions.FREE)
