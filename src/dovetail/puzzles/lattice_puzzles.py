"""Puzzles on lattices other than squares.

Regions with published counts are in published_regions.toml. Each lattice without published counts
has a small puzzle, whose counts here are dovetail's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from dovetail.errors import PuzzleError, unknown_name
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.piece_sets import POLYFORM_SETS
from dovetail.puzzles.polyforms import polyaboloes, polyforms

BLANKS = " ."


@dataclass(frozen=True)
class PublishedRegion:
    """A region that a whole set of pieces fills."""

    set_name: str
    drawing: str
    solutions: int  # number up to symmetry
    pieces_left_out: int = 0  # number of unused pieces, of any kind

    def puzzle(self, name: str) -> PackingPuzzle:
        """Return the puzzle under a name."""
        forms = POLYFORM_SETS[self.set_name]
        min_count = 0 if self.pieces_left_out else 1
        pieces = (
            Piece(piece, cells, min_count, motions=forms.motions)
            for piece, cells in forms().items()
        )
        region = drawn_cells(forms.lattice, self.drawing)
        return PackingPuzzle(name, forms.lattice, region, tuple(pieces))


@cache
def published_regions() -> Mapping[tuple[str, str], PublishedRegion]:
    """Return all published regions, by the names of the set and of the shape."""
    import tomllib  # nothing else reads the file

    text = Path(__file__).with_name("published_regions.toml").read_text(encoding="utf-8")
    return {
        (set_name, shape): PublishedRegion(
            set_name,
            table["region"],
            table["solutions"],
            table.get("pieces_left_out", 0),
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
    return found.puzzle(f"{set_name}-{shape}")


def drawn_cells(lattice: Lattice, drawing: str) -> Cells:
    """Return the cells at the marks of a drawing whose last line is row 0.

    Raises `PuzzleError` for a mark where the lattice has no cell.
    """
    cells = []
    for row, line in enumerate(reversed(drawing.splitlines())):
        for column, mark in enumerate(line):
            if mark not in BLANKS:
                cell = lattice.text_cell((column, row))
                if cell is None:
                    raise PuzzleError(f"{mark!r} in column {column}, row {row} is at no cell")
                cells.append(cell)
    return tuple(sorted(cells))


def triangular_prisms() -> PackingPuzzle:
    """Return 2 of each form of 3 prisms in a hexagon of 3 layers: 12 solutions, 2 unique."""
    lattice = _lattice("triangular-prisms")
    hexagon = (cell for cell in product(range(2), repeat=3) if 1 <= sum(cell) <= 2)
    region = tuple((*cell, z) for cell in hexagon for z in range(3))
    return PackingPuzzle(
        "triangular-prisms-hexagon-3", lattice, region, _pieces(_forms(lattice, 3), 2, 2)
    )


def hexagonal_prisms() -> PackingPuzzle:
    """Return the forms of 3 prisms and 3 pairs in 7 hexagons of 3 layers: 288 solutions, 24."""
    lattice = _lattice("hexagonal-prisms")
    flower = ((x, y) for x in range(-1, 2) for y in range(-1, 2) if abs(x + y) <= 1)
    region = tuple((*cell, z) for cell in flower for z in range(3))
    pair = Piece("2", ((0, 0, 0), (0, 1, 0)), 3, 3)
    return PackingPuzzle(
        "hexagonal-prisms-flower-3", lattice, region, (*_pieces(_forms(lattice, 3)), pair)
    )


def spheres() -> PackingPuzzle:
    """Return forms of 3 spheres and 2 rows of 4 in a tetrahedron of side 4: 24 solutions, 2."""
    lattice = _lattice("spheres")
    sides = (cell for cell in product(range(4), repeat=3) if sum(cell) <= 3)
    region = tuple((b + c, a + c, a + b) for a, b, c in sides)
    row = Piece("row", tuple((n, n, 0) for n in range(4)), 2, 2)
    return PackingPuzzle("spheres-pyramid-20", lattice, region, (*_pieces(_forms(lattice, 3)), row))


def rhombic() -> PackingPuzzle:
    """Return six of the forms of 4 tetrahedra in a cube: 144 solutions, 6."""
    lattice = _lattice("rhombic")
    region = tuple(filter(lattice.is_cell, product(range(5), repeat=3)))
    return PackingPuzzle("rhombic-cube-24", lattice, region, _pieces(_forms(lattice, 4), 0, 1))


def tetra_octa() -> PackingPuzzle:
    """Return pairs of neighbours in a slab of 2x2 cubes: 2 solutions, 1."""
    lattice = _lattice("tetra-octa")
    region = tuple(filter(lattice.is_cell, product(range(3), range(6), range(6))))
    return PackingPuzzle("tetra-octa-slab-20", lattice, region, _pieces(_forms(lattice, 2), 0, 10))


def half_squares() -> PackingPuzzle:
    """Return the tritans and a tetratan in a right triangle with legs of 4: 2 solutions, 1."""
    lattice = _lattice("half-squares")
    region = tuple(
        (x, y, quarter)
        for x, y, quarter in product(range(4), repeat=3)
        if x + y < 3 or (x + y == 3 and quarter in (2, 3))
    )
    forms = (*polyaboloes(lattice, 3), polyaboloes(lattice, 4)[5])
    return PackingPuzzle("half-squares-triangle-16", lattice, region, _pieces(forms))


def _lattice(name: str) -> Lattice:
    from dovetail.models.lattices.registry import lattice_named  # catalogues load without it

    return lattice_named(name)


def _forms(lattice: Lattice, size: int) -> tuple[Cells, ...]:
    return polyforms(lattice, size, Motions.FREE)


def _pieces(forms: tuple[Cells, ...], low: int = 1, high: int = 1) -> tuple[Piece, ...]:
    """Return a piece of each form, lettered."""
    return tuple(Piece(chr(ord("A") + n), cells, low, high) for n, cells in enumerate(forms))
