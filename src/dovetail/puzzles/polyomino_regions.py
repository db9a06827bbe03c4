"""Regions other than rectangles that whole sets of polyominoes fill.

The names of the parallelogram and of the heptominoes' box are their publications': the number
of squares in a row comes first.
"""

from __future__ import annotations

from dovetail.errors import unknown_name
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.piece_sets import piece_set
from dovetail.puzzles.polyominoes import PLANE, box


def pentominoes_around_a_square() -> PackingPuzzle:
    """The 12 pentominoes in 8x8 without the 2x2 square in its centre.

    65 solutions up to symmetry, 520 in all: D. S. Scott, "Programming a combinatorial
    puzzle", Princeton 1958.
    """
    hole = {(x, y) for x in (3, 4) for y in (3, 4)}
    return _filled("pentominoes-8x8-hole", without(box(8, 8), hole), ["pentominoes"])


def tetrominoes_and_pentominoes_in_a_diamond() -> PackingPuzzle:
    """The 12 pentominoes and 5 tetrominoes in a diamond of 13x13 without its middle five.

    51,184 solutions up to symmetry, 204,736 in all: Busche 2018, test case PT.
    """
    hole = {(x, 6) for x in range(4, 9)}
    return _filled(
        "tetro-pentominoes-diamond-13",
        without(diamond(13), hole),
        ["pentominoes", "tetrominoes"],
    )


def hexominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """The 35 hexominoes in a rectangle of 210, where they do not go.

    On a chessboard 24 of them cover as many black squares as white ones and 11 cover two
    more of one colour, so that together they are never balanced, as a rectangle of 210 is
    (Busche 2011, "Parity Constraint Violations").
    """
    return _filled(f"hexominoes-{height}x{width}", box(width, height), ["hexominoes"])


def hexominoes_in_two_rectangles(left_out: str) -> PackingPuzzle:
    """34 hexominoes in a rectangle of 9x12 and one of 8x12 below it, a row away.

    Without the straight one, I, they do not go (S. Ménager's question): 11 of the others cover
    two more squares of one colour. Without one of these they do (Busche's answer leaves out C
    and prints three solutions; comments 6 and 7 on Busche 2011).
    """
    names = piece_set("hexominoes")
    if left_out not in names:
        raise unknown_name("omitted hexomino", left_out, names)
    above = tuple((x, y + 9) for x, y in box(12, 9))
    return PackingPuzzle(
        name=f"hexominoes-9x12-8x12-without-{left_out}",
        lattice=PLANE,
        region=above + box(12, 8),
        pieces=tuple(Piece(name, cells) for name, cells in names.items() if name != left_out),
    )


def hexominoes_in_a_parallelogram() -> PackingPuzzle:
    """14 rows of 15, each one square to the right of the row below: Busche 2011, Figure 6."""
    cells = tuple((x + y, y) for x, y in box(15, 14))
    return _filled("hexominoes-parallelogram-15x14", cells, ["hexominoes"])


def hexominoes_around_a_box() -> PackingPuzzle:
    """A diamond of 23x23 without a box of 11x5 in its centre: Busche 2011, Figure 8."""
    hole = {(x, y) for x in range(6, 17) for y in range(9, 14)}
    return _filled("hexominoes-box-in-a-diamond", without(diamond(23), hole), ["hexominoes"])


def hexominoes_in_a_rifle() -> PackingPuzzle:
    """Three rows of 35 upon three rows of 35, 21 squares to the right: Busche 2011, Figure 10."""
    butt = box(35, 3)
    barrel = tuple((x + 21, y + 3) for x, y in butt)
    return _filled("hexominoes-rifle", butt + barrel, ["hexominoes"])


def heptominoes_around_three_holes() -> PackingPuzzle:
    """The 108 heptominoes in 23 rows of 33 with three holes: Busche 2011, Figure 16.

    The heptomino with a hole of its own must lie around one of them.
    """
    holes = {(x, 11) for x in (5, 16, 27)}
    return _filled("heptominoes-33x23", without(box(33, 23), holes), ["heptominoes"])


def diamond(side: int) -> Cells:
    """The cells of a square of odd `side` that are at most side // 2 steps from its centre."""
    centre = side // 2
    return tuple((x, y) for x, y in box(side, side) if abs(x - centre) + abs(y - centre) <= centre)


def without(cells: Cells, hole: set[tuple[int, int]]) -> Cells:
    """`cells` without those of `hole`."""
    return tuple(cell for cell in cells if cell not in hole)


def _filled(name: str, region: Cells, sets: list[str]) -> PackingPuzzle:
    pieces = {name: cells for chosen in sets for name, cells in piece_set(chosen).items()}
    return PackingPuzzle(
        name=name,
        lattice=PLANE,
        region=region,
        pieces=tuple(Piece(name, cells) for name, cells in pieces.items()),
    )
