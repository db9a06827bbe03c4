"""The catalogue: puzzles by stable names.

An entry is a pattern of names, since most puzzles come in sizes. In a name, two sizes read
height x width, three depth x height x width and four likewise, the extent along x last; two
puzzles keep the names of their publications, rows of 15 and rows of 33 squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dovetail.errors import ConfigError, did_you_mean, shorten
from dovetail.models.task import Puzzle
from dovetail.puzzles import (
    counting_families,
    cover_classics,
    hypercubes,
    polycubes,
    polyomino_regions,
    polyominoes,
)
from dovetail.puzzles.catalogue_entry import Entry
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.lattice_entries import LATTICE_ENTRIES

# Drawn at random and then thinned while the solution stayed unique, for this catalogue.
SUDOKU_25 = "........4.8..63.....9...2......52..11..7....2.65.4..3...83.......1.89..77..5..4.."

MAX_PATTERNS_SHOWN = 300  # characters


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
    *LATTICE_ENTRIES,
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


@lru_cache(maxsize=4)  # puzzles are immutable, and checking one takes as long as a short search
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
