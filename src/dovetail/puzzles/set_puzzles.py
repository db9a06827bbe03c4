"""Puzzles of whole sets of pieces, or of all forms of a size, in boxes and other regions.

Regions with published counts are in published_regions.toml, other puzzles in catalogue.toml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dovetail.errors import PuzzleError, unknown_name
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.piece_sets import drawn_cells, piece_set, set_lattice, set_motions
from dovetail.puzzles.polyforms import polyaboloes, polyforms
from dovetail.puzzles.polyominoes import box


@dataclass(frozen=True)
class PublishedRegion:
    """A region that a whole set of pieces fills."""

    drawing: str
    solutions: int  # number up to symmetry
    pieces_left_out: int = 0  # number of unused pieces, of any kind


@cache
def published_regions() -> Mapping[tuple[str, str], PublishedRegion]:
    """Return all published regions, by the names of the set and of the shape."""
    import tomllib  # nothing else reads the file

    text = Path(__file__).with_name("published_regions.toml").read_text(encoding="utf-8")
    return {
        (set_name, shape): PublishedRegion(
            table["region"], table["solutions"], table.get("pieces_left_out", 0)
        )
        for set_name, shapes in tomllib.loads(text).items()
        for shape, table in shapes.items()
    }


def published_puzzle(set_name: str, shape: str) -> PackingPuzzle:
    """Return the puzzle SET-SHAPE.

    Raises `ConfigError` with the valid shapes for an unknown shape.
    """
    found = published_regions().get((set_name, shape))
    if found is None:
        shapes = (shape for name, shape in published_regions() if name == set_name)
        raise unknown_name(f"region for {set_name}", shape, shapes)
    least = 0 if found.pieces_left_out else 1
    return in_region(f"{set_name}-{shape}", set_name, found.drawing, least=least)


def in_region(
    name: str, sets: str, region: str, *, left_out: str = "", least: int = 1
) -> PackingPuzzle:
    """Return the pieces of sets, without the piece `left_out`, in a region drawn on their lattice.

    Each is used once, or also not at all if `least` is 0. Blanks separate the names of `sets`.
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
    """Return the pieces of sets, or those with `letters`, in a box of squares, cubes or hypercubes.

    Without `sides`, the box is `width` x `height`, or `width` x `height` x `depth`. Raises
    `PuzzleError` for a letter of no piece.
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
    """Return a region to fill with all forms of a size, lettered, and `more` pieces.

    The region is a box if `sides` are given; `cells` are written `0 0 1, 0 1 0`. Forms of half
    squares are polyaboloes.
    """
    from dovetail.models.lattices.registry import lattice_named  # catalogues load without it

    base, forms = lattice_named(lattice), tuple[Cells, ...]()
    if size:
        is_halved = lattice == "half-squares"
        forms = polyaboloes(base, size) if is_halved else polyforms(base, size, Motions.FREE)
    lettered = (Piece(chr(ord("A") + n), form, *count) for n, form in enumerate(forms))
    others = (
        Piece(piece, _listed_cells(keys["cells"]), keys["count"], keys["count"])
        for piece, keys in more.items()
    )
    region = box(*sides) if sides else _listed_cells(cells)
    return PackingPuzzle(name, base, region, (*lettered, *others))


def _set_pieces(sets: str, dimension: int, least: int = 1) -> Iterator[Piece]:
    """Yield the pieces of sets, with zeros as further coordinates."""
    for set_name in sets.split():
        for name, cells in piece_set(set_name).items():
            spread = tuple((*cell, *[0] * (dimension - len(cell))) for cell in cells)
            yield Piece(name, spread, least, motions=set_motions(set_name))


def _listed_cells(text: str) -> Cells:
    return tuple(tuple(map(int, cell.split())) for cell in text.split(","))
