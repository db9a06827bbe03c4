"""Surfaces of pieces, read by trimesh: watertight, with normals outward, of the right volume."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.models.lattices.protocol import Cell, Lattice
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.reports.printing.mesh import require_prisms, solid_mesh

trimesh = pytest.importorskip("trimesh")

# Lattices with the area of a cell whose sides are 1.
AREAS = {
    "square-1": 1,
    "square-2": 1,
    "square-3": 1,
    "triangular": sqrt(3) / 4,
    "triangular-prisms": sqrt(3) / 4,
    "hexagonal": sqrt(27) / 2,
    "hexagonal-prisms": sqrt(27) / 2,
    "half-squares": 1 / 4,
}
V = ((0, 0), (1, 0), (0, 1))
CORNER = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
# Two cubes with a common edge only, joined below.
BRIDGE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 1, 1))


def volume(name: str, cells: tuple[Cell, ...], gap: float, bevel: float) -> float:
    """Return the volume of a piece of cells of 10 mm, after checks of its surface."""
    points, triangles = solid_mesh(lattice_named(name), cells, 10, gap, bevel)
    mesh = trimesh.Trimesh(np.float32(points), triangles, process=True)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.body_count == 1
    assert mesh.area_faces.min() > 0
    return float(mesh.volume)


def grown(lattice: Lattice, size: int, seed: int) -> tuple[Cell, ...]:
    """Return a random connected piece."""
    random, cells = np.random.default_rng(seed), list(lattice.fundamental_cells[:1])
    while len(cells) < size:
        near = lattice.neighbours(cells[random.integers(len(cells))])
        cells = list(dict.fromkeys([*cells, near[random.integers(len(near))]]))
    return tuple(cells)


@pytest.mark.parametrize("name", AREAS)
def test_random_pieces_are_closed_and_lose_as_much_as_gap_and_bevel_take(name: str) -> None:
    lattice = lattice_named(name)
    for seed in range(4):
        cells = grown(lattice, 3 if name == "square-1" else 9, seed)
        full = AREAS[name] * 1000 * len(cells)
        whole, shrunk, bevelled = (
            volume(name, cells, gap, bevel) for gap, bevel in ((0, 0), (0.2, 0), (0.2, 0.5))
        )
        slit = 0 if lattice.dimension < 3 else 0.01 * full  # of pieces that touch themselves
        assert full - slit - 0.1 < whole < full + 0.1
        assert 0.9 * full < bevelled < shrunk < whole


@pytest.mark.parametrize(
    ("name", "cells", "gap", "bevel", "expected"),
    [
        ("square-2", V, 0, 0, 3000),
        ("square-3", CORNER, 0.2, 0, 9.8**3 + 3 * 10 * 9.8**2),
        ("square-3", ((0, 0, 0),), 0, 1, 1000 - 12 * 8 / 2 - 8 * 5 / 6),
        ("triangular", ((0, 0, 0), (0, 0, 1)), 0, 0, 500 * sqrt(3)),
    ],
)
def test_volumes_by_hand(
    name: str, cells: tuple[Cell, ...], gap: float, bevel: float, expected: float
) -> None:
    assert volume(name, cells, gap, bevel) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("gap", "bevel"), [(0, 0), (0.4, 0), (0, 1), (0.4, 1)])
def test_a_piece_that_touches_itself_in_an_edge_is_open_there(gap: float, bevel: float) -> None:
    assert 0.85 * 5000 < volume("square-3", BRIDGE, gap, bevel) < 5000


def test_measures_that_use_up_a_cell_and_other_lattices_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"^gap/2 \+ bevel is 5\.1 mm; .* at most 4\.5 mm$"):
        volume("square-3", CORNER, 0.2, 5)
    for name in {*lattice_names()} - {*AREAS}:
        with pytest.raises(PuzzleError, match=f"cubes and prisms .*, not {name}$"):
            require_prisms(lattice_named(name))
    for name in AREAS:
        require_prisms(lattice_named(name))
