"""The tetrominoes and pentominoes by name, and the rectangles and boxes that pentominoes fill."""

from __future__ import annotations

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece

PLANE = SquareLattice(2)
SPACE = SquareLattice(3)

# Golomb's letters. First line = largest y.
_DRAWINGS = {
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

# The mirror images of the six that have one, named as in Busche's figures of the
# one-sided pentominoes in the 30x3 box, where Y is the other hand of the one above.
_MIRRORED = {"F": "G", "L": "J", "N": "M", "P": "Q", "Y": "B", "Z": "S"}


def drawn(lines: tuple[str, ...]) -> Cells:
    """The cells marked `#` in a drawing with y pointing up, sorted."""
    return tuple(
        sorted(
            (x, y)
            for y, line in enumerate(reversed(lines))
            for x, mark in enumerate(line)
            if mark == "#"
        )
    )


# A letter and a 4, so that they can stand beside pentominoes: Golomb's I, L, O, S (his skew
# one) and T, and the mirror images J of L and Z of S, as usual for the one-sided ones.
TETROMINOES: dict[str, Cells] = {
    "I4": drawn(("####",)),
    "L4": drawn(("#.", "#.", "##")),
    "O4": drawn(("##", "##")),
    "S4": drawn((".##", "##.")),
    "T4": drawn(("###", ".#.")),
}

ONE_SIDED_TETROMINOES: dict[str, Cells] = {
    "I4": TETROMINOES["I4"],
    "J4": drawn((".#", ".#", "##")),
    "L4": TETROMINOES["L4"],
    "O4": TETROMINOES["O4"],
    "S4": TETROMINOES["S4"],
    "T4": TETROMINOES["T4"],
    "Z4": drawn(("##.", ".##")),
}

PENTOMINOES: dict[str, Cells] = {name: drawn(lines) for name, lines in _DRAWINGS.items()}

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


def box(*sides: int) -> Cells:
    """All cells of a box from the origin, `sides` long along x, y, z, …"""
    cells: Cells = ((),)
    for side in sides:
        cells = tuple((*cell, coordinate) for cell in cells for coordinate in range(side))
    return cells


def pentominoes_in_rectangle(height: int, width: int, letters: str | None = None) -> PackingPuzzle:
    """The 12 free pentominoes, or those named in `letters`, in a rectangle of their area."""
    chosen = sorted(PENTOMINOES) if letters is None else list(letters)
    for letter in chosen:
        if letter not in PENTOMINOES:
            valid = " ".join(sorted(PENTOMINOES))
            raise PuzzleError(f"there is no pentomino {letter!r}; valid: {valid}")
    suffix = "" if letters is None else f"-{letters}"
    return PackingPuzzle(
        name=f"pentominoes-{height}x{width}{suffix}",
        lattice=PLANE,
        region=box(width, height),
        pieces=tuple(Piece(letter, PENTOMINOES[letter]) for letter in chosen),
    )


def one_sided_pentominoes_in_rectangle(height: int, width: int) -> PackingPuzzle:
    """The 18 one-sided pentominoes in a rectangle of 90."""
    return PackingPuzzle(
        name=f"one-sided-pentominoes-{height}x{width}",
        lattice=PLANE,
        region=box(width, height),
        pieces=tuple(
            Piece(name, cells, motions=Motions.ONE_SIDED)
            for name, cells in ONE_SIDED_PENTOMINOES.items()
        ),
    )


def solid_pentominoes_in_box(depth: int, height: int, width: int) -> PackingPuzzle:
    """The 12 pentominoes, one cube thick, in a box of 60: `depth` layers of height x width."""
    return PackingPuzzle(
        name=f"pentominoes-{depth}x{height}x{width}",
        lattice=SPACE,
        region=box(width, height, depth),
        pieces=tuple(
            Piece(letter, tuple((x, y, 0) for x, y in cells))
            for letter, cells in PENTOMINOES.items()
        ),
    )
