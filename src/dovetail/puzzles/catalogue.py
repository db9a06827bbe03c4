"""The catalogue: puzzles by stable names.

An entry is a pattern of names, since most puzzles come in sizes. In a name, two sizes read
height x width, three depth x height x width and four likewise, the extent along x last; two
puzzles keep the names of their publications, rows of 15 and rows of 33 squares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dovetail.errors import ConfigError, did_you_mean, shorten
from dovetail.models.task import Puzzle
from dovetail.puzzles import (
    counting_families,
    cover_classics,
    hypercubes,
    lattice_puzzles,
    polycubes,
    polyomino_regions,
    polyominoes,
)
from dovetail.puzzles.edge_boards import random_board

# Drawn at random and then thinned while the solution stayed unique, for this catalogue.
SUDOKU_25 = "........4.8..63.....9...2......52..11..7....2.65.4..3...83.......1.89..77..5..4.."

MAX_PATTERNS_SHOWN = 300  # characters


@dataclass(frozen=True)
class Entry:
    """Puzzles of one kind: how their names read, and how to make the one with a name.

    `pattern` is for people; `examples` are complete names; `expression` matches a name whole
    and its groups are what `build` is called with.
    """

    pattern: str
    summary: str
    examples: tuple[str, ...]
    expression: str
    build: Callable[..., Puzzle]

    def match(self, name: str) -> tuple[str | None, ...] | None:
        """What the name says, or None if it is not one of this entry's."""
        found = re.fullmatch(self.expression, name, re.ASCII)
        return None if found is None else found.groups()


@dataclass(frozen=True)
class CatalogueEntry:
    """Puzzles of the catalogue: the pattern of their names, what they are, and some of the names.

    Letters in capitals stand for sizes, numbers or names; each of the `examples` is a puzzle.
    """

    pattern: str
    summary: str
    examples: tuple[str, ...]


def _rectangle(height: str, width: str, letters: str | None = None) -> Puzzle:
    return polyominoes.pentominoes_in_rectangle(int(height), int(width), letters)


def _one_sided(height: str, width: str) -> Puzzle:
    return polyominoes.one_sided_pentominoes_in_rectangle(int(height), int(width))


def _box(depth: str, height: str, width: str) -> Puzzle:
    return polyominoes.solid_pentominoes_in_box(int(depth), int(height), int(width))


def _hexominoes(height: str, width: str) -> Puzzle:
    return polyomino_regions.hexominoes_in_rectangle(int(height), int(width))


def _board(height: str, width: str | None, border: str | None, inner: str, seed: str) -> Puzzle:
    return random_board(
        width=int(width or height),
        height=int(height),
        inner_colours=int(inner),
        seed=int(seed),
        border_colours=None if border is None else int(border),
    )


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


ENTRIES = (
    Entry(
        "pentominoes-HxW",
        "the 12 free pentominoes in a rectangle of 60 cells",
        ("pentominoes-6x10", "pentominoes-5x12", "pentominoes-4x15", "pentominoes-3x20"),
        r"pentominoes-(\d{1,2})x(\d{1,2})",
        _rectangle,
    ),
    Entry(
        "pentominoes-HxW-LETTERS",
        "some of the pentominoes (F I L N P T U V W X Y Z) in a rectangle of their area",
        ("pentominoes-5x6-FLNPUY",),
        r"pentominoes-(\d{1,2})x(\d{1,2})-([A-Z]{1,12})",
        _rectangle,
    ),
    Entry(
        "pentominoes-DxHxW",
        "the 12 pentominoes as solids in a box of 60 cells",
        ("pentominoes-3x4x5", "pentominoes-2x5x6", "pentominoes-2x3x10"),
        r"pentominoes-(\d{1,2})x(\d{1,2})x(\d{1,2})",
        _box,
    ),
    Entry(
        "one-sided-pentominoes-HxW",
        "the 18 one-sided pentominoes in a rectangle of 90 cells",
        (
            "one-sided-pentominoes-3x30",
            "one-sided-pentominoes-5x18",
            "one-sided-pentominoes-6x15",
            "one-sided-pentominoes-9x10",
        ),
        r"one-sided-pentominoes-(\d{1,2})x(\d{1,2})",
        _one_sided,
    ),
    Entry(
        "pentominoes-8x8-hole",
        "the 12 pentominoes in 8x8 without the centre 2x2 (Scott 1958: 65 solutions)",
        ("pentominoes-8x8-hole",),
        "pentominoes-8x8-hole",
        polyomino_regions.pentominoes_around_a_square,
    ),
    Entry(
        "tetro-pentominoes-diamond-13",
        "12 pentominoes and 5 tetrominoes in a diamond (Busche 2018: 51,184 solutions)",
        ("tetro-pentominoes-diamond-13",),
        "tetro-pentominoes-diamond-13",
        polyomino_regions.tetrominoes_and_pentominoes_in_a_diamond,
    ),
    Entry(
        "hexominoes-HxW",
        "the 35 hexominoes in a rectangle of 210 cells (no solution, by parity)",
        ("hexominoes-14x15",),
        r"hexominoes-(\d{1,3})x(\d{1,3})",
        _hexominoes,
    ),
    Entry(
        "hexominoes-9x12-8x12-without-NAME",
        "the hexominoes (1 to 9, A to Z) without NAME in 9x12 and 8x12 (without I: no solution, "
        "by parity)",
        ("hexominoes-9x12-8x12-without-I", "hexominoes-9x12-8x12-without-C"),
        r"hexominoes-9x12-8x12-without-([1-9A-Z])",
        polyomino_regions.hexominoes_in_two_rectangles,
    ),
    Entry(
        "hexominoes-parallelogram-15x14",
        "the 35 hexominoes in 14 rows of 15, each shifted by one (Busche 2011)",
        ("hexominoes-parallelogram-15x14",),
        "hexominoes-parallelogram-15x14",
        polyomino_regions.hexominoes_in_a_parallelogram,
    ),
    Entry(
        "hexominoes-box-in-a-diamond",
        "the 35 hexominoes in a diamond of 23x23 without an 11x5 box (Busche 2011)",
        ("hexominoes-box-in-a-diamond",),
        "hexominoes-box-in-a-diamond",
        polyomino_regions.hexominoes_around_a_box,
    ),
    Entry(
        "hexominoes-rifle",
        "the 35 hexominoes in the outline of a rifle, 56 squares long (Busche 2011)",
        ("hexominoes-rifle",),
        "hexominoes-rifle",
        polyomino_regions.hexominoes_in_a_rifle,
    ),
    Entry(
        "heptominoes-33x23",
        "the 108 heptominoes in 23 rows of 33 with three holes (Busche 2011)",
        ("heptominoes-33x23",),
        "heptominoes-33x23",
        polyomino_regions.heptominoes_around_three_holes,
    ),
    Entry(
        "soma-cube",
        "Piet Hein's 7 pieces in 3x3x3",
        ("soma-cube",),
        "soma-cube",
        polycubes.soma_cube,
    ),
    Entry(
        "diabolical-cube",
        "6 flat pieces of 2 to 7 cubes in 3x3x3 (Hoffmann 1893)",
        ("diabolical-cube",),
        "diabolical-cube",
        polycubes.diabolical_cube,
    ),
    Entry(
        "tetris-cube",
        "12 pieces of 5 and 6 cubes in 4x4x4",
        ("tetris-cube",),
        "tetris-cube",
        polycubes.tetris_cube,
    ),
    Entry(
        "bedlam-cube",
        "13 pieces of 4 and 5 cubes in 4x4x4",
        ("bedlam-cube",),
        "bedlam-cube",
        polycubes.bedlam_cube,
    ),
    Entry(
        "hypercube-paths-2x3x3x5",
        "18 paths of 5 hypercubes, a step in each of 4 dimensions (Arthur, comment on Busche 2011)",
        ("hypercube-paths-2x3x3x5",),
        "hypercube-paths-2x3x3x5",
        hypercubes.hypercube_paths,
    ),
    Entry(
        "pentominoes-4d-2x2x3x11",
        "the 26 pentominoes of 1 to 4 dimensions and a domino (Hansen, comment on Busche 2011)",
        ("pentominoes-4d-2x2x3x11",),
        "pentominoes-4d-2x2x3x11",
        hypercubes.pentominoes_in_hyperspace,
    ),
    Entry(
        "queens-N",
        "N queens on a board of N x N (bare cover problem)",
        ("queens-8",),
        r"queens-(\d{1,3})",
        lambda n: cover_classics.queens(int(n)),
    ),
    Entry(
        "langford-N",
        "Langford pairs of 1 to N (bare cover problem)",
        ("langford-7",),
        r"langford-(\d{1,3})",
        lambda n: cover_classics.langford(int(n)),
    ),
    Entry(
        "dominoes-HxW",
        "a rectangle full of dominoes",
        ("dominoes-8x8", "dominoes-16x16"),
        r"dominoes-(\d{1,3})x(\d{1,3})",
        lambda h, w: counting_families.dominoes_in_rectangle(int(h), int(w)),
    ),
    Entry(
        "trominoes-HxW",
        "a rectangle full of straight and bent trominoes, any number of each",
        ("trominoes-6x6", "trominoes-9x9"),
        r"trominoes-(\d{1,3})x(\d{1,3})",
        lambda h, w: counting_families.trominoes_in_rectangle(int(h), int(w)),
    ),
    Entry(
        "bell-N",
        "partitions of N elements into sets (bare cover problem)",
        ("bell-8",),
        r"bell-(\d{1,3})",
        lambda n: counting_families.set_partitions(int(n)),
    ),
    Entry(
        "matchings-N",
        "pairings of N points, each with each other (bare cover problem)",
        ("matchings-20",),
        r"matchings-(\d{1,3})",
        lambda n: counting_families.perfect_matchings(int(n)),
    ),
    Entry(
        "latin-N",
        "Latin squares of N symbols (bare cover problem)",
        ("latin-5",),
        r"latin-(\d{1,3})",
        lambda n: counting_families.latin_squares(int(n)),
    ),
    Entry(
        "steiner-N",
        "Steiner triple systems on N points (bare cover problem)",
        ("steiner-9",),
        r"steiner-(\d{1,3})",
        lambda n: counting_families.steiner_systems(int(n)),
    ),
    Entry(
        "kirkman-N",
        "N schoolgirls who walk in threes on (N - 1) / 2 days (bare cover problem)",
        ("kirkman-9",),
        r"kirkman-(\d{1,3})",
        lambda n: counting_families.kirkman_systems(int(n)),
    ),
    Entry(
        "sudoku-25-clues",
        "a Sudoku with 25 clues (bare cover problem)",
        ("sudoku-25-clues",),
        "sudoku-25-clues",
        lambda: cover_classics.sudoku("sudoku-25-clues", SUDOKU_25),
    ),
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
    Entry(
        "edges-SIZE-COLOURS-SEED",
        "random edge-matching board; SIZE is N or HxW; COLOURS is a number of colours, or bXiY: X "
        "for edges between border cells, Y for the other edges",
        ("edges-7-b6i6-1", "edges-8-9-1", "edges-4x5-b3i4-1"),
        r"edges-(\d{1,2})(?:x(\d{1,2}))?-(?:b(\d{1,5})i)?(\d{1,5})-(\d{1,9})",
        _board,
    ),
)


def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return the entries of the catalogue, in its order."""
    return tuple(CatalogueEntry(one.pattern, one.summary, one.examples) for one in ENTRIES)


def is_catalogue_name(name: str) -> bool:
    """Whether `name` reads like one of the catalogue's; its sizes may still be impossible."""
    return any(entry.match(name) is not None for entry in ENTRIES)


def catalogue_puzzle(name: str) -> Puzzle:
    """The puzzle called `name`.

    Raises `ConfigError` for a name of no entry, listing the first patterns, and `PuzzleError` for
    sizes that cannot be, such as a rectangle of the wrong area.
    """
    for entry in ENTRIES:
        values = entry.match(name)
        if values is not None:
            return entry.build(*values)
    patterns = ", ".join(entry.pattern for entry in ENTRIES)
    names = [name for entry in ENTRIES for name in (*entry.examples, entry.pattern)]
    raise ConfigError(
        f"no puzzle is called {shorten(name)!r} and there is no such file; "
        f"{did_you_mean(name, names)}valid: "
        f"{shorten(patterns, MAX_PATTERNS_SHOWN)} (dovetail list puzzles)"
    )
