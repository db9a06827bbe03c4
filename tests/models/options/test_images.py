"""Images of placements under symmetries, and which items are cells."""

from __future__ import annotations

from random import Random

import pytest

from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.options.packing import PlacementImages
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements


@pytest.mark.parametrize("name", lattice_names())
def test_the_twin_of_images(name: str) -> None:
    """Cells moved one by one; pieces are doubled, disconnected, fixed or in listed places."""
    lattice, random = lattice_named(name), Random(name)
    home = lattice.fundamental_cells[-1]
    ball = {home, *lattice.neighbours(home)}
    ball |= {near for cell in sorted(ball) for near in lattice.neighbours(cell)}
    region = sorted(ball)
    shapes: list[Cells] = [tuple(random.sample(region, size)) for size in (1, 2, 2, 3)]
    pieces = [Piece(f"P{n}", cells, 0, 2) for n, cells in enumerate(shapes)]
    pieces += [Piece(f"Q{n}", cells, 0, 1, Motions.FIXED) for n, cells in enumerate(shapes)]
    domino = (home, lattice.neighbours(home)[0])
    allowed = Motions.FREE.orientations(lattice, domino)
    near = [tuple(sorted((cell, random.choice(lattice.neighbours(cell))))) for cell in region]
    listed = tuple(two for two in near if two in allowed and ball.issuperset(two))
    pieces.append(Piece("R", domino, 0, 1, placements=listed))
    puzzle = PackingPuzzle("p", lattice, tuple(region), tuple(pieces), (), tuple(region), False)
    placements = bounded_placements(puzzle)
    moved = PlacementImages(placements)
    taken = [frozenset(placements.cell_tuples(n)) for n in range(len(placements))]
    first = {cells: number for number, cells in reversed(list(enumerate(taken)))}
    assert moved.equal.tolist() == [first[cells] for cells in taken]
    cell_maps = lattice.symmetries(placements.coordinates, reflections=True)
    for cell_map in cell_maps[:12]:
        image = dict(zip(puzzle.open_cells, placements.coordinates[cell_map].tolist(), strict=True))
        expected = [first.get(frozenset(tuple(image[c]) for c in cells), -1) for cells in taken]
        assert moved.of(cell_map).tolist() == expected
