"""Small packings for tests of the viewer."""

from __future__ import annotations

from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution

HOSTILE = "</script><script>alert('1')</script><!-- \"quoted\" & \x00\ud800 |"
SHOWN = HOSTILE.replace("\x00", "�").replace("\ud800", "�")

CORNER = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
REST = ((1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1))


def small_cube(name: str = "small cube", rest: str = "R") -> PackingPuzzle:
    """A cube of eight cells for a piece L of three and one of five."""
    region = (*CORNER, *REST)
    return PackingPuzzle(name, SquareLattice(3), region, (Piece("L", CORNER), Piece(rest, REST)))


def cube_solutions(rest: str = "R") -> list[PackingSolution]:
    """Two of its solutions: L below, L above."""
    turned = tuple(tuple((x, y, 1 - z) for x, y, z in cells) for cells in (CORNER, REST))
    return [
        PackingSolution((("L", CORNER), (rest, REST))),
        PackingSolution((("L", turned[0]), (rest, turned[1]))),
    ]


def flat_with_everything() -> PackingPuzzle:
    """Four cells in a row for two copies of D, a gap, a fixed cell and an optional one."""
    row = tuple((x, 3) for x in (2, 3, 4, 5, 7, 8))
    return PackingPuzzle(
        "flat",
        SquareLattice(2),
        row,
        (Piece("D", ((0, 0), (1, 0)), min_count=2, max_count=2),),
        fixed=(FixedPiece("corner", ((7, 3),)),),
        optional=((8, 3),),
    )
