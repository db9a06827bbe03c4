"""What every lattice has to do, squares, the ones of the tests and whichever comes next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packings.packing import Motions
from dovetail.puzzles.piece_sets import polyforms

LATTICES: list[Lattice] = [*map(SquareLattice, range(1, 5)), *map(lattice_named, OWN)]
WITHOUT_COLOURS = {
    "hexagonal",
    "hexagonal-prisms",
    "spheres",
    "square-edges",
    "triangular-edges",
    "hexagonal-edges",
}
SOLIDS = {"rhombic", "tetra-octa"}
BY_CORNERS = {"spheres", "square-edges", "triangular-edges", "hexagonal-edges"}
PLANAR = [lattice for lattice in LATTICES if lattice.dimension == 2]

each_lattice = pytest.mark.parametrize("lattice", LATTICES, ids=lambda lattice: lattice.name)
each_planar = pytest.mark.parametrize("lattice", PLANAR, ids=lambda lattice: lattice.name)


def some_cells(lattice: Lattice) -> Iterator[Cell]:
    """The cells about the origin, as far as two along each axis."""
    for cell in product(range(-2, 3), repeat=len(lattice.axes)):
        if lattice.is_cell(cell):
            yield cell


def some_pieces(lattice: Lattice) -> Iterator[Cells]:
    """All pieces of up to three cells, two beyond the plane."""
    for size in range(1, 4 if lattice.dimension <= 2 else 3):
        yield from polyforms(lattice, size, Motions.ONE_SIDED)


def translate(cells: Cells, vector: Sequence[int]) -> Cells:
    """Cells moved by a vector."""
    return tuple(tuple(c + v for c, v in zip(cell, vector, strict=True)) for cell in cells)


def distances(lattice: Lattice, cells: Cells) -> list[float]:
    """How far apart all pairs of cells are, in ascending order."""
    at = lattice.positions(np.array(cells))
    between = np.linalg.norm(at[:, None, :] - at[None, :, :], axis=2)
    return sorted(between.round(6).ravel().tolist())


@each_lattice
def test_every_cell_is_a_translate_of_one_fundamental_cell(lattice: Lattice) -> None:
    """Of exactly one; a single one is the origin."""
    fundamental = lattice.fundamental_cells
    assert list(fundamental) == sorted(fundamental)
    assert len(fundamental) > 1 or not any(fundamental[0])
    for cell in some_cells(lattice):
        (vector,) = lattice.translations(cell, np.array(fundamental)).tolist()
        assert translate((cell,), vector)[0] in fundamental


@each_lattice
def test_neighbours(lattice: Lattice) -> None:
    """They are other cells, each once and both ways, and move along with a translation."""
    for cell in some_cells(lattice):
        near = lattice.neighbours(cell)
        assert len(set(near)) == len(near)
        assert cell not in near
        assert all(lattice.is_cell(other) and cell in lattice.neighbours(other) for other in near)
        (vector,) = lattice.translations(cell, np.array(lattice.fundamental_cells)).tolist()
        home = translate((cell,), vector)[0]
        assert lattice.neighbours(home) == translate(near, vector)


@each_lattice
def test_translates_have_one_standard_position(lattice: Lattice) -> None:
    """Sorted, whatever the order of the cells."""
    for cells in some_pieces(lattice):
        standard = lattice.normalise(cells)
        assert standard == tuple(sorted(standard))
        assert lattice.normalise(standard[::-1]) == standard
        targets = np.array(list(some_cells(lattice)))
        for vector in lattice.translations(cells[0], targets)[:20].tolist():
            assert lattice.normalise(translate(cells, vector)) == standard


@each_lattice
@pytest.mark.parametrize("reflections", [False, True])
def test_orientations(lattice: Lattice, reflections: bool) -> None:
    """The piece as it is, then others with the same distances; those of one are those of all."""
    for cells in some_pieces(lattice):
        found = lattice.orientations(cells, reflections=reflections)
        assert found[0] == lattice.normalise(cells)
        assert len(set(found)) == len(found)
        for image in found:
            assert image == lattice.normalise(image)
            assert all(map(lattice.is_cell, image))
            assert distances(lattice, image) == distances(lattice, cells)
            assert set(lattice.orientations(image, reflections=reflections)) == set(found)


@each_lattice
@pytest.mark.parametrize("reflections", [False, True])
def test_symmetries(lattice: Lattice, reflections: bool) -> None:
    """Permutations that keep distances and neighbours, a group, the identity first."""
    for cells in some_pieces(lattice):
        found = lattice.symmetries(np.array(cells), reflections=reflections)
        assert found[0].tolist() == list(range(len(cells)))
        group = set(map(tuple, found.tolist()))
        assert len(group) == len(found)
        at = lattice.positions(np.array(cells))
        for one, other in product(found, repeat=2):
            assert tuple(one[other].tolist()) in group
        for one in found:
            assert np.allclose(
                np.linalg.norm(at[:, None] - at, axis=2),
                np.linalg.norm(at[one][:, None] - at[one], axis=2),
            )


@each_lattice
def test_colours_differ_between_neighbours(lattice: Lattice) -> None:
    """Where there are any."""
    cells = sorted(some_cells(lattice))
    number = {cell: n for n, cell in enumerate(cells)}
    near = [[number.get(other, -1) for other in lattice.neighbours(cell)] for cell in cells]
    colours = lattice.colours(np.array(cells), np.array(near, dtype=np.int32))
    if colours is None:
        assert lattice.name in WITHOUT_COLOURS
        return
    assert lattice.name not in WITHOUT_COLOURS
    assert set(colours.tolist()) == {1, -1}
    assert all(colours[n] != colours[m] for n, row in enumerate(near) for m in row if m >= 0)


@each_lattice
def test_crossings_move_along(lattice: Lattice) -> None:
    """What a translate of a piece crosses is what the piece does, translated."""
    assert lattice.crossings(()) == ()
    for cells in some_pieces(lattice):
        targets = np.array(list(some_cells(lattice)))
        for vector in lattice.translations(cells[0], targets)[:20].tolist():
            moved = lattice.crossings(translate(cells, vector))
            assert set(moved) == set(translate(lattice.crossings(cells), vector))


@each_lattice
def test_footprints(lattice: Lattice) -> None:
    """Convex, clockwise, about the cell's position, and each elsewhere; solids refuse by name."""
    if lattice.name in SOLIDS:
        with pytest.raises(PuzzleError, match=f"pictures cannot show cells of the {lattice.name}"):
            lattice.footprint(lattice.fundamental_cells[0])
        return
    drawn = set()
    for cell in some_cells(lattice):
        polygon, layer, ends = lattice.footprint(cell)
        corners = [*polygon, *polygon[:2]]
        for (a, b), (c, d), (e, f) in zip(corners, corners[1:], corners[2:], strict=False):
            assert (c - a) * (f - d) - (d - b) * (e - c) < 1e-9  # a turn to the right
        drawn.add((polygon, layer))
        assert len(ends) == (2 if lattice.name.endswith("edges") else 0)
        if lattice.dimension == 2:
            origin = (0, 0, 0)[: len(cell)]
            apart = np.subtract(*lattice.positions(np.array([cell, origin])))
            drawn_apart = np.subtract(_middle(lattice, cell), _middle(lattice, origin))
            assert np.allclose(drawn_apart, apart)
    assert len(drawn) == len(list(some_cells(lattice)))


@each_lattice
def test_solids(lattice: Lattice) -> None:
    """Closed, flat faces turned outward, about the cell's position; neighbours share one face."""
    if lattice == SquareLattice(4):
        with pytest.raises(PuzzleError, match="the viewer cannot show cells in 4 dimensions"):
            lattice.solid((0, 0, 0, 0))
        return
    for cell in lattice.fundamental_cells:
        corners, faces = lattice.solid(cell)
        sides = [side for face in faces for side in pairwise([*face, face[0]])]
        assert len(set(sides)) == len(sides)
        assert {side[::-1] for side in sides} == set(sides)
        assert len(corners) - len(sides) // 2 + len(faces) == (2 if faces else 1)
        points = np.array(corners)
        for a, b, c, *_ in faces:
            normal = np.cross(points[b] - points[a], points[c] - points[a])
            assert ((points - points[a]) @ normal < 1e-9).all()
        if lattice.dimension == 3 and lattice != SquareLattice(3):
            assert np.allclose(points.mean(axis=0), lattice.positions(np.array([cell]))[0])
        own = _faces(lattice, cell)
        shared = [len(own & _faces(lattice, other)) for other in lattice.neighbours(cell)]
        assert max(shared) <= 1
        assert min(shared) == (0 if lattice.name in BY_CORNERS else 1)


def _faces(lattice: Lattice, cell: Cell) -> set[frozenset[tuple[float, ...]]]:
    corners, faces = lattice.solid(cell)
    points = [tuple(round(along, 6) + 0.0 for along in corner) for corner in corners]
    return {frozenset(points[number] for number in face) for face in faces}


def _middle(lattice: Lattice, cell: Cell) -> tuple[float, ...]:
    polygon = lattice.footprint(cell).polygon
    return tuple(math.fsum(axis) / len(polygon) for axis in zip(*polygon, strict=True))


@each_lattice
def test_places_in_text(lattice: Lattice) -> None:
    """Every cell has one of its own, and is found there again; or text refuses by name."""
    cells = list(some_cells(lattice))
    if lattice in (SquareLattice(1), SquareLattice(4)):
        with pytest.raises(PuzzleError, match="two or three dimensions"):
            lattice.text_place(cells[0])
        return
    places = list(map(lattice.text_place, cells))
    assert list(map(lattice.text_cell, places)) == cells
    assert lattice.text_places(cells) == places
    around = list(product(range(-4, 5), repeat=len(places[0])))
    assert lattice.text_cells(around) == list(map(lattice.text_cell, around))
    assert (lattice.text_places([]), lattice.text_cells([])) == ([], [])
    first = [min(axis) for axis in zip(*places, strict=True)]
    for vector in lattice.translations(cells[0], np.array(cells)).tolist()[:10]:
        moved = list(map(lattice.text_place, translate(tuple(cells), vector)))
        shift = [min(axis) - low for axis, low in zip(zip(*moved, strict=True), first, strict=True)]
        assert translate(tuple(places), shift) == tuple(moved)
