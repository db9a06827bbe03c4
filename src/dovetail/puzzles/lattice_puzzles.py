"""A small puzzle on each lattice without published counts. The counts here are dovetail's own."""

from __future__ import annotations

from itertools import product

from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.polyaboloes import polyaboloes
from dovetail.puzzles.polyforms import polyforms


def triangular_prisms() -> PackingPuzzle:
    """Two of each form of 3 prisms in a hexagon of 3 layers: 12 solutions, 2 up to rotation."""
    lattice = _lattice("triangular-prisms")
    hexagon = (cell for cell in product(range(2), repeat=3) if 1 <= sum(cell) <= 2)
    region = tuple((*cell, z) for cell in hexagon for z in range(3))
    return PackingPuzzle(
        "triangular-prisms-hexagon-3", lattice, region, _pieces(_forms(lattice, 3), 2, 2)
    )


def hexagonal_prisms() -> PackingPuzzle:
    """The forms of 3 prisms and three pairs in 7 hexagons of 3 layers: 288 solutions, 24."""
    lattice = _lattice("hexagonal-prisms")
    flower = ((x, y) for x in range(-1, 2) for y in range(-1, 2) if abs(x + y) <= 1)
    region = tuple((*cell, z) for cell in flower for z in range(3))
    pair = Piece("2", ((0, 0, 0), (0, 1, 0)), 3, 3)
    return PackingPuzzle(
        "hexagonal-prisms-flower-3", lattice, region, (*_pieces(_forms(lattice, 3)), pair)
    )


def spheres() -> PackingPuzzle:
    """The forms of 3 spheres and two rows of 4 in a tetrahedron of side 4: 24 solutions, 2."""
    lattice = _lattice("spheres")
    sides = (cell for cell in product(range(4), repeat=3) if sum(cell) <= 3)
    region = tuple((b + c, a + c, a + b) for a, b, c in sides)
    row = Piece("row", tuple((n, n, 0) for n in range(4)), 2, 2)
    return PackingPuzzle("spheres-pyramid-20", lattice, region, (*_pieces(_forms(lattice, 3)), row))


def rhombic() -> PackingPuzzle:
    """Six of the forms of 4 tetrahedra in a cube: 144 solutions, 6."""
    lattice = _lattice("rhombic")
    region = tuple(filter(lattice.is_cell, product(range(5), repeat=3)))
    return PackingPuzzle("rhombic-cube-24", lattice, region, _pieces(_forms(lattice, 4), 0, 1))


def tetra_octa() -> PackingPuzzle:
    """Pairs of neighbours in a slab of 2x2 cubes: 2 solutions, 1."""
    lattice = _lattice("tetra-octa")
    region = tuple(filter(lattice.is_cell, product(range(3), range(6), range(6))))
    return PackingPuzzle("tetra-octa-slab-20", lattice, region, _pieces(_forms(lattice, 2), 0, 10))


def half_squares() -> PackingPuzzle:
    """The tritans and a tetratan in a right triangle with legs of 4: 2 solutions, 1."""
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
    """One of each form, lettered."""
    return tuple(Piece(chr(ord("A") + n), cells, low, high) for n, cells in enumerate(forms))
