"""Entries of the catalogue on other lattices than squares: with published counts, and our own."""

from __future__ import annotations

from functools import partial

from dovetail.models.task import Puzzle
from dovetail.puzzles import lattice_puzzles
from dovetail.puzzles.catalogue_entry import Entry


def _published(set_name: str, summary: str, *shapes: str) -> Entry:
    """The regions for a set of polyforms that have published counts, with some of their shapes."""
    return Entry(
        f"{set_name}-SHAPE",
        summary,
        tuple(f"{set_name}-{shape}" for shape in shapes),
        rf"{set_name}-([a-z0-9-]+)",
        partial(_published_puzzle, set_name),
    )


def _published_puzzle(set_name: str, shape: str) -> Puzzle:
    from dovetail.puzzles.published_regions import published_puzzle  # nothing else reads the file

    return published_puzzle(set_name, shape)


LATTICE_ENTRIES = (
    _published(
        "hexiamonds",
        "the 12 hexiamonds in one of 35 regions of 72 triangles (6x6: 156 solutions)",
        "6x6",
        "trefoil",
        "tenyo",
        "hexagon-3",
    ),
    _published(
        "one-sided-hexiamonds",
        "the 19 one-sided hexiamonds in a honeycomb of 19 hexagons (124,519 solutions)",
        "obeirne-hexagon",
    ),
    _published(
        "polyiamonds-1-5",
        "the 10 polyiamonds of 1 to 5 triangles in one of 12 regions of 38",
        "snake",
        "snowflake-1",
        "dog-1",
    ),
    _published(
        "tetrahexes",
        "the 7 tetrahexes in one of 13 regions of 28 hexagons",
        "4x7",
        "coin",
        "7x7-triangle",
    ),
    _published(
        "polyhexes-3-4",
        "the 10 polyhexes of 3 and 4 hexagons in one of 3 regions of 37",
        "hexagon",
        "hexagram",
        "trilobed-crown-1",
    ),
    _published(
        "polyhexes-1-4",
        "the 12 polyhexes of 1 to 4 hexagons in one of 3 regions of 40",
        "hexagon-ring-1",
        "hexagon-ring-2",
        "knobbed-hexagon-1",
    ),
    _published(
        "tetrasticks",
        "the 16 tetrasticks in 64 edges, or 15 of them in the 60 of 6x6 points",
        "6x6",
        "parallelogram-5x5",
    ),
    _published(
        "polysticks-1-3",
        "the 8 polysticks of 1 to 3 edges in 20 edges of a square grid",
        "4x4-clipped-corners-1",
    ),
    _published(
        "tritrigs",
        "the 12 tritrigs in one of 10 regions of 36 edges of a triangular grid",
        "heart-1",
        "parallelogram-5x2",
        "trapezoid-6x2",
    ),
    _published(
        "one-sided-tritrigs",
        "the 19 one-sided tritrigs in 57 edges of a triangular grid",
        "trilobed-cuboid",
    ),
    _published(
        "polytrigs-2-3",
        "the 15 polytrigs of 2 and 3 edges in one of 8 regions of 42",
        "trefoil-1",
        "triangle-ring",
    ),
    _published("tetratwigs", "the 4 tetratwigs in 16 edges of a honeycomb", "arch"),
    _published(
        "one-sided-tetratwigs",
        "the 6 one-sided tetratwigs in one of 7 regions of 24 edges of a honeycomb",
        "arch-1",
        "butterfly",
    ),
    _published(
        "pentatwigs",
        "the 12 pentatwigs in one of 13 regions of 60 edges of a honeycomb",
        "trefoil",
        "5x3",
        "chevron-3x3",
    ),
    _published(
        "polytwigs-1-4",
        "the 9 polytwigs of 1 to 4 edges in one of 2 regions of 28",
        "hex-1",
        "hex-2",
    ),
    Entry(
        "triangular-prisms-hexagon-3",
        "2 of each form of 3 triangular prisms in a hexagon of 3 layers (12 solutions, own count)",
        ("triangular-prisms-hexagon-3",),
        "triangular-prisms-hexagon-3",
        lattice_puzzles.triangular_prisms,
    ),
    Entry(
        "hexagonal-prisms-flower-3",
        "forms of 3 hexagonal prisms and 3 pairs in 7 hexagons of 3 layers (288, own count)",
        ("hexagonal-prisms-flower-3",),
        "hexagonal-prisms-flower-3",
        lattice_puzzles.hexagonal_prisms,
    ),
    Entry(
        "spheres-pyramid-20",
        "forms of 3 spheres and two rows of 4 in a pyramid of 20 (24 solutions, own count)",
        ("spheres-pyramid-20",),
        "spheres-pyramid-20",
        lattice_puzzles.spheres,
    ),
    Entry(
        "rhombic-cube-24",
        "6 of the forms of 4 rhombic tetrahedra in a cube of 24 (144 solutions, own count)",
        ("rhombic-cube-24",),
        "rhombic-cube-24",
        lattice_puzzles.rhombic,
    ),
    Entry(
        "tetra-octa-slab-20",
        "10 pairs of tetrahedra and eighths of octahedra in 2x2 cubes (2 solutions, own count)",
        ("tetra-octa-slab-20",),
        "tetra-octa-slab-20",
        lattice_puzzles.tetra_octa,
    ),
    Entry(
        "half-squares-triangle-16",
        "the 4 tritans and a tetratan in a right triangle of 16 (2 solutions, own count)",
        ("half-squares-triangle-16",),
        "half-squares-triangle-16",
        lattice_puzzles.half_squares,
    ),
)
