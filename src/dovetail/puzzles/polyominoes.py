"""Polyominoes by name, and the regions that sets of them fill.

The names of the hexominoes' parallelogram and of the heptominoes' box are their publications': the
number of squares in a row comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from dovetail.errors import ConfigError, PuzzleError, unknown_name
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.polyforms import numbered, polyforms

PLANE = SquareLattice(2)
SPACE = SquareLattice(3)

LARGEST_PARTRIDGE = 12
MAX_SIDE = 64  # largest side of a rectangle of dominoes or trominoes

# Golomb's letters. First line = largest y.
_PENTOMINOES = {
    "F": (".##", "##.", ".#."),
    "I": ("#####",),
    "L": ("####", "#..."),
    "N": ("##..", ".###"),
    "P": ("##", "###"),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###"),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": (".#..", "####"),
    "Z": ("##.", ".#.", ".##"),
}

# Names of the mirror images of the six chiral pentominoes, as in Busche's figures of the
# one-sided pentominoes in the 30x3 box, where Y is the other hand of the Y above.
_MIRRORED = {"F": "G", "L": "J", "N": "M", "P": "Q", "Y": "B", "Z": "S"}

# Names and drawing are those of Busche's figure of the hexominoes (polycube-busche; the same
# letters in his solutions of the parallelogram and the rifle). A letter or digit per piece, `.`
# between them. First line = largest y.
_HEXOMINOES = """
...........A...........................
...........A.BB.C..D...E..F............
...........A.B..CC.D..EE..F............
...........A.B..C..DD.E..FF............
...........A.B..C..D..E..F.............
...........A.B..C..D..E..F.............
.......................................
.GG.HH.II.J..K...L.MMM.N...O...P...Q...
.GG.H..I..JJ.KK.LL.M...NNN.O...P...Q...
.G..HH.I..JJ.KK.L..M...N...OOO.PP..QQQ.
.G..H..II.J...K.LL.M...N....O...PP...Q.
.......................................
R...S...T...UUU.VV..WW..XX...Y...Z..1..
RRR.SS..TT...U...VV..W...X..YYY.ZZ..11.
.R...SS..T...U...V...WW..X...Y...ZZ..11
.R...S...TT..U...V...W...XX..Y...Z....1
.......................................
.....22.3...4...5...6...77..88..99.....
.....22.333.44..555.6.6.777.88...99....
.....22.33..444.5.5.666..7...88.99.....
"""


def drawn(lines: tuple[str, ...]) -> Cells:
    """Return the cells marked `#` in a drawing with y pointing up, sorted."""
    return tuple(
        sorted(
            (x, y)
            for y, line in enumerate(reversed(lines))
            for x, mark in enumerate(line)
            if mark == "#"
        )
    )


# A letter and a 4, so that they can stand beside pentominoes: Golomb's I, L, O, S (his skew
# tetromino) and T, and the mirror images J of L and Z of S, as usual for one-sided tetrominoes.
ONE_SIDED_TETROMINOES: dict[str, Cells] = {
    "I4": drawn(("####",)),
    "J4": drawn((".#", ".#", "##")),
    "L4": drawn(("#.", "#.", "##")),
    "O4": drawn(("##", "##")),
    "S4": drawn((".##", "##.")),
    "T4": drawn(("###", ".#.")),
    "Z4": drawn(("##.", ".##")),
}
TETROMINOES = {
    name: cells for name, cells in ONE_SIDED_TETROMINOES.items() if name not in ("J4", "Z4")
}

PENTOMINOES: dict[str, Cells] = {name: drawn(lines) for name, lines in _PENTOMINOES.items()}

_ONE_HAND: dict[str, Cells] = {**PENTOMINOES, "Y": drawn(("..#.", "####"))}

ONE_SIDED_PENTOMINOES: dict[str, Cells] = dict(
    sorted(
        {
            **_ONE_HAND,
            **{
                mirrored: PLANE.normalise((-x, y) for x, y in _ONE_HAND[name])
                for name, mirrored in _MIRRORED.items()
            },
        }.items()
    )
)


@cache
def hexominoes() -> dict[str, Cells]:
    """Return the cells of each hexomino as drawn, by name in order: 1 to 9, then A to Z."""
    found: dict[str, list[Cell]] = {}
    for y, line in enumerate(reversed(_HEXOMINOES.split())):
        for x, name in enumerate(line):
            if name != ".":
                found.setdefault(name, []).append((x, y))
    return {name: tuple(sorted(found[name])) for name in sorted(found)}


def heptominoes() -> dict[str, Cells]:
    """Return the cells of each of the 108 free heptominoes, by number."""
    return numbered(polyforms(PLANE, 7, Motions.FREE))


def solid_pentominoes() -> dict[str, Cells]:
    """Return the cells of the pentominoes as flat solids, by letter."""
    return {name: tuple((x, y, 0) for x, y in cells) for name, cells in PENTOMINOES.items()}


def box(*sides: int) -> Cells:
    """Return all cells of a box from the origin, with `sides` along x, y, z and further axes."""
    cells: Cells = ((),)
    for side in sides:
        cells = tuple((*cell, coordinate) for cell in cells for coordinate in range(side))
    return cells


def diamond(side: int) -> Cells:
    """Return the cells at most side // 2 steps from the centre of a square of odd `side`."""
    centre = side // 2
    return tuple((x, y) for x, y in box(side, side) if abs(x - centre) + abs(y - centre) <= centre)


def pentominoes_in_rectangle(height: int, width: int, letters: str | None = None) -> PackingPuzzle:
    """Return the 12 free pentominoes, or those with `letters`, filling a rectangle.

    Raises `PuzzleError` for a letter of no pentomino, or for a rectangle of another area.
    """
    chosen = list(PENTOMINOES) if letters is None else list(letters)
    for letter in chosen:
        if letter not in PENTOMINOES:
            valid = " ".join(PENTOMINOES)
            raise PuzzleError(f"there is no pentomino {letter!r}; valid: {valid}")
    suffix = "" if letters is None else f"-{letters}"
    return PackingPuzzle(
        name=f"pentominoes-{height}x{width}{suffix}",
        lattice=PLANE,
        region=box(width, height),
        pieces=tuple(Piece(letter, PENTOMINOES[letter]) for letter in chosen),
    )


def one_sided_pentominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return the 18 one-sided pentominoes in a rectangle of 90."""
    name = f"one-sided-pentominoes-{height}x{width}"
    return _filled(name, box(width, height), ONE_SIDED_PENTOMINOES, Motions.ONE_SIDED)


def solid_pentominoes_in_box(depth: int, height: int, width: int) -> PackingPuzzle:
    """Return the 12 pentominoes as flat solids in `depth` layers of height x width."""
    region = box(width, height, depth)
    pieces = tuple(Piece(letter, cells) for letter, cells in solid_pentominoes().items())
    return PackingPuzzle(f"pentominoes-{depth}x{height}x{width}", SPACE, region, pieces)


def pentominoes_around_a_square() -> PackingPuzzle:
    """Return the 12 pentominoes in 8x8 without the 2x2 square in its centre.

    65 solutions up to symmetry, 520 in all: D. S. Scott, "Programming a combinatorial
    puzzle", Princeton 1958.
    """
    hole = {(x, y) for x in (3, 4) for y in (3, 4)}
    return _filled("pentominoes-8x8-hole", _without(box(8, 8), hole), PENTOMINOES)


def tetrominoes_and_pentominoes_in_a_diamond() -> PackingPuzzle:
    """Return the 12 pentominoes and 5 tetrominoes in a diamond of 13x13 without its middle five.

    51,184 solutions up to symmetry, 204,736 in all: Busche 2018, test case PT.
    """
    region = _without(diamond(13), {(x, 6) for x in range(4, 9)})
    return _filled("tetro-pentominoes-diamond-13", region, PENTOMINOES | TETROMINOES)


def hexominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return the 35 hexominoes in a rectangle of 210, which they cannot fill.

    On a chessboard, 24 hexominoes cover equally many black and white squares, and 11 cover two more
    of a colour than of the other, so that together they are never balanced, unlike a rectangle of
    210 (Busche 2011, "Parity Constraint Violations").
    """
    return _filled(f"hexominoes-{height}x{width}", box(width, height), hexominoes())


def hexominoes_in_two_rectangles(left_out: str) -> PackingPuzzle:
    """Return 34 hexominoes in a rectangle of 9x12 and another of 8x12 below it, a row away.

    Without the straight hexomino, I, there is no solution (S. Ménager's question): 11 of the others
    cover two more squares of a colour than of the other. Without a hexomino among these 11 there
    are solutions (Busche's answer leaves out C and prints three solutions; comments 6 and 7 on
    Busche 2011). Raises `ConfigError` for a name of no hexomino.
    """
    names = hexominoes()
    if left_out not in names:
        raise unknown_name("omitted hexomino", left_out, names)
    above = tuple((x, y + 9) for x, y in box(12, 9))
    pieces = {name: cells for name, cells in names.items() if name != left_out}
    return _filled(f"hexominoes-9x12-8x12-without-{left_out}", above + box(12, 8), pieces)


def hexominoes_in_a_parallelogram() -> PackingPuzzle:
    """Return 14 rows of 15, each a square to the right of the row below: Busche 2011, Figure 6."""
    cells = tuple((x + y, y) for x, y in box(15, 14))
    return _filled("hexominoes-parallelogram-15x14", cells, hexominoes())


def hexominoes_around_a_box() -> PackingPuzzle:
    """Return a diamond of 23x23 without a box of 11x5 in its centre: Busche 2011, Figure 8."""
    hole = {(x, y) for x in range(6, 17) for y in range(9, 14)}
    return _filled("hexominoes-box-in-a-diamond", _without(diamond(23), hole), hexominoes())


def hexominoes_in_a_rifle() -> PackingPuzzle:
    """Return 3 rows of 35 upon 3 rows of 35, 21 squares to the right: Busche 2011, Figure 10."""
    butt = box(35, 3)
    barrel = tuple((x + 21, y + 3) for x, y in butt)
    return _filled("hexominoes-rifle", butt + barrel, hexominoes())


def heptominoes_around_three_holes() -> PackingPuzzle:
    """Return the 108 heptominoes in 23 rows of 33 with three holes: Busche 2011, Figure 16.

    The heptomino with a hole of its own must lie around one of the three holes.
    """
    holes = {(x, 11) for x in (5, 16, 27)}
    return _filled("heptominoes-33x23", _without(box(33, 23), holes), heptominoes())


def dominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return a rectangle of an even area full of dominoes (Kasteleyn; Temperley and Fisher, 1961).

    Raises `ConfigError` for another area, or a side of more than 64.
    """
    count = _checked_area(height, width, 2) // 2
    piece = Piece("A", drawn(("##",)), min_count=count, max_count=count)
    return PackingPuzzle(f"dominoes-{height}x{width}", PLANE, box(width, height), (piece,))


def trominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return a rectangle full of straight and bent trominoes, any number of each.

    Raises `ConfigError` for an area that is not a multiple of 3, or a side of more than 64.
    """
    count = _checked_area(height, width, 3) // 3
    pieces = tuple(
        Piece(name, drawn(lines), min_count=0, max_count=count)
        for name, lines in (("I", ("###",)), ("L", ("#.", "##")))
    )
    return PackingPuzzle(f"trominoes-{height}x{width}", PLANE, box(width, height), pieces)


def _filled(
    name: str, region: Cells, pieces: Mapping[str, Cells], motions: Motions = Motions.FREE
) -> PackingPuzzle:
    its = tuple(Piece(piece, cells, motions=motions) for piece, cells in pieces.items())
    return PackingPuzzle(name=name, lattice=PLANE, region=region, pieces=its)


def _without(cells: Cells, hole: Collection[Cell]) -> Cells:
    return tuple(cell for cell in cells if cell not in hole)


def _checked_area(height: int, width: int, divisor: int) -> int:
    for side in (min(height, width), max(height, width)):
        if not 1 <= side <= MAX_SIDE:
            raise ConfigError(f"{side} cells on a side; expected 1 to {MAX_SIDE}")
    if height * width % divisor:
        raise ConfigError(
            f"a rectangle of {height * width} cells; expected a multiple of {divisor}"
        )
    return height * width


# Sides of the squares of perfect squared rectangles, by height and width: the smallest one (Moron,
# 1925), and the square of lowest order (Duijvestijn, 1978).
SQUARED = {
    (32, 33): (1, 4, 7, 8, 9, 10, 14, 15, 18),
    (112, 112): (*(2, 4, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19, 24, 25, 27, 29, 33, 35, 37, 42, 50),),
}


def squared_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return a rectangle to fill with squares of different sizes.

    Raises `PuzzleError` for a rectangle that is not in `SQUARED`.
    """
    if (height, width) not in SQUARED:
        valid = ", ".join(f"{h}x{w}" for h, w in SQUARED)
        raise PuzzleError(f"no squares fill {height}x{width} here; valid: {valid}")
    pieces = tuple(_square(side) for side in SQUARED[height, width])
    return PackingPuzzle(f"squares-{height}x{width}", PLANE, box(width, height), pieces)


def partridge(n: int) -> PackingPuzzle:
    """Return the partridge puzzle: one square of side 1, two of side 2, … n of side n.

    They have the area of a square of side n (n + 1) / 2, and fill it from n = 8 on (R. Wainwright,
    1981). Raises `PuzzleError` unless n is from 1 to 12.
    """
    if not 1 <= n <= LARGEST_PARTRIDGE:
        raise PuzzleError(f"partridge-{n}: expected 1 to {LARGEST_PARTRIDGE}")
    side = n * (n + 1) // 2
    pieces = tuple(_square(k, copies=k) for k in range(1, n + 1))
    return PackingPuzzle(f"partridge-{n}", PLANE, box(side, side), pieces)


def _square(side: int, copies: int = 1) -> Piece:
    return Piece(str(side), box(side, side), copies, copies)
