"""Puzzles of sets of pieces, of all forms of a size, of dominoes or trominoes, or of squares.

published_regions.toml has the regions with published numbers of solutions. catalogue.toml has the
arguments of the functions, except sizes and letters in the names of puzzles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dovetail.errors import ConfigError, PuzzleError, unknown_name
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells, as_cells
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.piece_sets import (
    drawn_cells,
    piece_set,
    polyforms,
    set_lattice,
    set_motions,
)
from dovetail.puzzles.polyominoes import PLANE, box

LARGEST_PARTRIDGE = 12
MAX_SIDE = 64  # largest side of a rectangle of dominoes or trominoes


@dataclass(frozen=True)
class PublishedRegion:
    """A region to fill with the pieces of a set."""

    region: str  # a drawing
    solutions: int  # number of solutions up to symmetry
    pieces_left_out: int = 0  # number of unused pieces; any piece may be left out


@cache
def published_regions() -> Mapping[tuple[str, str], PublishedRegion]:
    """Return all published regions by (name of the set, name of the shape)."""
    import tomllib  # nothing else in this module needs it

    text = Path(__file__).with_name("published_regions.toml").read_text(encoding="utf-8")
    return {
        (set_name, shape): PublishedRegion(**table)
        for set_name, shapes in tomllib.loads(text).items()
        for shape, table in shapes.items()
    }


def published_puzzle(set_name: str, shape: str) -> PackingPuzzle:
    """Return the puzzle of filling the published region `shape` with the pieces of a set.

    Raises `ConfigError` with the valid shapes for an unknown shape of the set.
    """
    found = published_regions().get((set_name, shape))
    if found is None:
        shapes = (shape for name, shape in published_regions() if name == set_name)
        raise unknown_name(f"region for {set_name}", shape, shapes)
    least = 0 if found.pieces_left_out else 1
    return in_region(f"{set_name}-{shape}", set_name, found.region, least=least)


def in_region(
    name: str, sets: str, region: str, *, left_out: str = "", least: int = 1
) -> PackingPuzzle:
    """Return the puzzle of filling a drawn region with the pieces of `sets`, on their lattice.

    `sets` is a text of names separated by blanks. The puzzle lacks the piece called `left_out`.
    Each piece is used exactly once, or at most once if `least` is 0.
    """
    lattice = set_lattice(sets.partition(" ")[0])
    every = _set_pieces(sets, len(lattice.axes), least)
    pieces = tuple(piece for piece in every if piece.name != left_out)
    return PackingPuzzle(name, lattice, drawn_cells(lattice, region), pieces)


def in_box(
    name: str,
    sets: str,
    sides: Sequence[int] = (),
    *,
    width: int = 0,
    height: int = 0,
    depth: int | None = None,
    letters: str | None = None,
) -> PackingPuzzle:
    """Return the puzzle of filling a box of squares, cubes or hypercubes with the pieces of `sets`.

    `sets` is a text of names separated by blanks. `letters` has the names of the pieces to use; by
    default, all pieces are used. Without `sides`, the box is `width` x `height`, or `width` x
    `height` x `depth`. Raises `PuzzleError` for a letter that no piece has.
    """
    sides = sides or (width, height, *([] if depth is None else [depth]))
    pieces = {piece.name: piece for piece in _set_pieces(sets, len(sides))}
    for letter in letters or ():
        if letter not in pieces:
            raise PuzzleError(f"{sets} has no piece {letter!r}; valid: {' '.join(pieces)}")
    chosen = tuple(pieces[letter] for letter in letters or pieces)
    return PackingPuzzle(name, SquareLattice(len(sides)), box(*sides), chosen)


def of_forms(
    name: str,
    lattice: str,
    cells: str = "",
    *,
    sides: Sequence[int] = (),
    size: int = 0,
    count: tuple[int, int] = (1, 1),
    more: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> PackingPuzzle:
    """Return the puzzle of filling a region with all forms of a size and with `more` pieces.

    The region is a box if `sides` are given; otherwise `cells` lists its cells, as in `0 0 1,
    0 1 0`. The forms are called A, B, C, …, and `count` is the minimum and maximum number of copies
    of each form. Without `size` there are no forms. `more` has further pieces by name, each with
    its listed `cells` and its `count` of copies.
    """
    from dovetail.models.lattices.registry import lattice_named  # needed by few puzzles

    base, forms = lattice_named(lattice), tuple[Cells, ...]()
    if size:
        forms = polyforms(base, size, Motions.FREE)
    lettered = (Piece(chr(ord("A") + n), form, *count) for n, form in enumerate(forms))
    others = (
        Piece(piece, _listed_cells(keys["cells"]), keys["count"], keys["count"])
        for piece, keys in more.items()
    )
    region = box(*sides) if sides else _listed_cells(cells)
    return PackingPuzzle(name, base, region, (*lettered, *others))


def rectangle_full(
    name: str, height: int, width: int, shapes: Mapping[str, Sequence[Sequence[int]]]
) -> PackingPuzzle:
    """Return the puzzle of filling a rectangle with any number of each of some pieces.

    `shapes` has the cells of each piece by name; all pieces have the same size. Raises
    `ConfigError` for an area that is not a multiple of this size, and for a side that is not from 1
    to 64.
    """
    for side in (min(height, width), max(height, width)):
        if not 1 <= side <= MAX_SIDE:
            raise ConfigError(f"a side of the rectangle is {side}; expected 1 to {MAX_SIDE}")
    size = min(map(len, shapes.values()))
    count, rest = divmod(height * width, size)
    if rest:
        raise ConfigError(f"the area {height * width} of the rectangle is not a multiple of {size}")
    least = count if len(shapes) == 1 else 0
    pieces = tuple(Piece(name, as_cells(cells), least, count) for name, cells in shapes.items())
    return PackingPuzzle(name, PLANE, box(width, height), pieces)


# Sides of the squares in perfect squared rectangles, by height and width: a rectangle of lowest
# order (Moron, 1925), and the square of lowest order (Duijvestijn, 1978).
SQUARED = {
    (32, 33): (1, 4, 7, 8, 9, 10, 14, 15, 18),
    (112, 112): (*(2, 4, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19, 24, 25, 27, 29, 33, 35, 37, 42, 50),),
}


def squared_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return the puzzle of filling a rectangle with squares of different sizes.

    Raises `PuzzleError` for a rectangle that is not in `SQUARED`.
    """
    if (height, width) not in SQUARED:
        valid = ", ".join(f"{h}x{w}" for h, w in SQUARED)
        raise PuzzleError(f"no squared rectangle of {height}x{width}; valid: {valid}")
    pieces = tuple(_square(side) for side in SQUARED[height, width])
    return PackingPuzzle(f"squares-{height}x{width}", PLANE, box(width, height), pieces)


def partridge(n: int) -> PackingPuzzle:
    """Return the partridge puzzle: one square of side 1, two of side 2, … n of side n.

    Together the squares have the area of a square of side n (n + 1) / 2. The squares fill that
    large square for n = 1 and from n = 8 on (R. Wainwright, 1981). Raises `PuzzleError` unless n is
    from 1 to 12.
    """
    if not 1 <= n <= LARGEST_PARTRIDGE:
        raise PuzzleError(f"partridge-{n}: n is {n}; expected 1 to {LARGEST_PARTRIDGE}")
    side = n * (n + 1) // 2
    pieces = tuple(_square(k, copies=k) for k in range(1, n + 1))
    return PackingPuzzle(f"partridge-{n}", PLANE, box(side, side), pieces)


def _square(side: int, copies: int = 1) -> Piece:
    return Piece(str(side), box(side, side), copies, copies)


def _set_pieces(sets: str, dimension: int, least: int = 1) -> Iterator[Piece]:
    """Yield the pieces of `sets`; zeros are appended to cells up to `dimension` coordinates."""
    for set_name in sets.split():
        for name, cells in piece_set(set_name).items():
            spread = tuple((*cell, *[0] * (dimension - len(cell))) for cell in cells)
            yield Piece(name, spread, least, motions=set_motions(set_name))


def _listed_cells(text: str) -> Cells:
    return tuple(tuple(map(int, cell.split())) for cell in text.split(","))
