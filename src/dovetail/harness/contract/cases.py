"""Puzzles of every kind, with the number of solutions that a backend has to find.

The counts are taken from the literature, from counting by hand, or from brute force without a
backend. The tests count the small puzzles again by brute force. This module also has a search of
cover problems by brute force, and the common misreadings of cover problems.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.cover import MAX_COVERED, UNCOLOURED, CoverProblem, cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.polyominoes import box

PLANE, SPACE = SquareLattice(2), SquareLattice(3)
DOMINO = ((0, 0), (1, 0))
UPRIGHT = ((0, 0), (0, 1))
CORNER = ((0, 0), (1, 0), (0, 1))
ELL = ((0, 0), (1, 0), (2, 0), (2, 1))


def packing(
    name: str,
    width: int,
    height: int,
    *pieces: Piece,
    optional: Cells = (),
    fixed: tuple[FixedPiece, ...] = (),
) -> PackingPuzzle:
    """Return a packing puzzle in a rectangle; cells that are `optional` may stay empty."""
    return PackingPuzzle(name, PLANE, box(width, height), pieces, fixed, optional)


def copies(count: int, cells: Cells, motions: Motions = Motions.FREE) -> Piece:
    """Return a piece that must be used `count` times."""
    return Piece("A", cells, min_count=count, max_count=count, motions=motions)


DOMINOES = packing("dominoes-4x4", 4, 4, copies(8, DOMINO))
TWO_DOMINOES = packing("two-dominoes", 2, 2, copies(2, DOMINO))
LONG_DOMINOES = copies(4, ((0, 0, 0, 0), (0, 0, 0, 1)))
CORNERS_AND_BAR = PackingPuzzle(
    "corners-and-bar",
    SPACE,
    box(2, 2, 2),
    (copies(2, ((0, 0, 0), (1, 0, 0), (0, 1, 0))), Piece("B", ((0, 0, 0), (1, 0, 0)))),
)

# Each of four different squares may lie in two of four cells. A quarter turn maps the cells of a
# square to the cells of another square; a half turn exchanges the two cells of a square.
TOP_AND_BOTTOM, LEFT_AND_RIGHT = (((1, 3),), ((2, 0),)), (((3, 2),), ((0, 1),))
PINWHEEL = PackingPuzzle(
    "pinwheel",
    PLANE,
    ((1, 3), (3, 2), (0, 1), (2, 0)),
    tuple(
        Piece(name, ((0, 0),), placements=TOP_AND_BOTTOM if name in "AC" else LEFT_AND_RIGHT)
        for name in "ABCD"
    ),
    interchangeable=False,
)

SIX_PIECES = catalogue_puzzle("pentominoes-5x6-FLNPUY")
QUEENS = queens(6)
BOARD = random_board(3, 2, 2, seed=5)
MANY_BOARDS = random_board(4, 4, 2, seed=2)
# All tiles are different, since some backends do not support identical tiles.
DISTINCT_TILES = random_board(4, 4, 3, seed=6, border_colours=3)
SIGNED_BOARD = EdgePuzzle(
    "signed",
    3,
    2,
    ((-2, -2, 0, -1), (-2, 0, 0, 2), (-2, 1, 0, 0), (0, -2, 2, 1), (0, -1, 2, 0), (0, 0, 2, 2)),
    signed=True,
)

ONE_SIDED_ELLS = packing("one-sided-ells", 4, 2, copies(2, ELL, Motions.ONE_SIDED))
CORNERS = packing("corners", 2, 3, Piece("A", CORNER), Piece("B", ((0, 0), (0, 1), (1, 1))))
HYPER_DOMINOES = PackingPuzzle(
    "hyper-dominoes", SquareLattice(4), box(2, 1, 2, 2), (LONG_DOMINOES,)
)
CORNER_IN_SQUARE = packing("corner-in-square", 2, 2, Piece("A", CORNER), optional=box(2, 2))
MIDDLE = packing("middle", 3, 1, Piece("A", DOMINO), optional=((0, 0), (2, 0)))
BESIDE_A_WALL = packing("beside-a-wall", 3, 2, copies(2, DOMINO), fixed=(FixedPiece("*", UPRIGHT),))
HELD_DOWN = packing("held-down", 2, 2, Piece("A", DOMINO, placements=(DOMINO,)), Piece("B", DOMINO))
# 2 solutions have two dominoes, 4 have one domino and two monominoes, and 1 has four monominoes.
UP_TO = packing("up-to", 2, 2, Piece("A", DOMINO, 0, 2), Piece("B", ((0, 0),), 0, 4))
ALL_FIXED = packing("all-fixed", 1, 1, fixed=(FixedPiece("*", box(1, 1)),))
HINTED_BOARD = EdgePuzzle("hinted", 3, 2, BOARD.tiles, hints=(Hint(0, 0, 1, 1),))
# Each misreading of this problem has a different count.
TWO_COLOURS = cover(
    ["a", "b"],
    [["a"], ["a", ("s", 1)], ["a", ("s", 2)], ["b"], ["b", ("s", 1)], ["b", ("s", 2)]],
    secondary=["s"],
    name="two-colours",
)
COLOURED = cover(
    ["a", "b", "c"],
    [["a", ("s", 1)], ["a", ("s", 2)], ["b", ("s", 1)], ["b", "s"], ["c", ("s", 1)], ["c"]],
    secondary=["s"],
    name="coloured",
)
TWO_OF_THREE = cover([("a", 2, 2), ("b", 0, 1)], [["a", "b"], ["a"], ["a"]], name="two-of-three")
BOUNDED = cover(
    [("a", 1, 2), ("b", 0, 3), "c"],
    [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c"]],
    secondary=["s"],
    name="bounded",
)

# Puzzles whose search takes more than a second with every backend.
LONG_SEARCHES: tuple[Puzzle, ...] = (
    queens(20),
    catalogue_puzzle("one-sided-pentominoes-9x10"),
    random_board(7, 7, 4, seed=1),
    catalogue_puzzle("partridge-8"),
)
# Puzzles that are recognised as impossible before any search.
IMPOSSIBLE: tuple[Puzzle, ...] = (
    catalogue_puzzle("pentominoes-1x60"),
    EdgePuzzle("impossible", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 2))),
)
# Puzzles whose search takes a fraction of a second with every backend that supports them. Every
# backend supports at least one of these puzzles.
SHORT_SEARCHES: tuple[Puzzle, ...] = (QUEENS, SIX_PIECES, MANY_BOARDS, DOMINOES)
# Number of solutions of each puzzle in `SHORT_SEARCHES`, by name.
COUNTS = {QUEENS.name: 4, SIX_PIECES.name: 40, MANY_BOARDS.name: 388, DOMINOES.name: 36}


@dataclass(frozen=True)
class Case:
    """A puzzle, its number of solutions, and the check that a backend finds this number."""

    # Name of the check.
    name: str
    # The requirement that the check tests, as a sentence.
    requires: str
    puzzle: Puzzle
    count: int
    symmetry: str = "all"
    labelled: bool = False


MOTIONS = "A piece can be placed in every orientation that its motions allow, and in no other."
COPIES = "A piece can be used several times; its copies are interchangeable."
SYMMETRY = "Solutions that are symmetric to each other count once if the task asks for it."
DIFFERENT = "Different pieces are not interchangeable, even if one is a rotation of the other."
NO_SOLUTION = "The search of a puzzle without solutions ends, and its count is 0."
LABELLED = "Identical pieces and tiles are distinguished if the task asks for it."
SAME_SHAPE = "Pieces of the same shape are interchangeable, even if their names differ."
DIMENSIONS = "Regions and pieces can have any number of dimensions."
OPTIONAL = "An optional cell is filled at most once, and may stay empty."
OPTIONAL_UNIQUE = "Solutions that are symmetric to each other count once, even with optional cells."
FIXED = "No piece covers a cell of a fixed piece."
LISTED = "A piece with listed placements is placed in one of them."
RANGE = "The number of copies of a piece that are used is within its bounds."
NOTHING_LEFT = "A puzzle with nothing left to place has one solution."

PACKINGS = (
    Case("packing", "Every piece is used once and every cell is filled once.", SIX_PIECES, 40),
    Case("pieces-used-often", COPIES, DOMINOES, 36),
    Case("motions-fixed", MOTIONS, packing("fixed", 3, 2, copies(3, UPRIGHT, Motions.FIXED)), 1),
    Case("motions-free", MOTIONS, packing("free-ells", 4, 2, copies(2, ELL)), 2),
    Case("motions-one-sided", MOTIONS, ONE_SIDED_ELLS, 1),
    Case("equal-pieces", SAME_SHAPE, CORNERS, 2),
    Case("no-packing", NO_SOLUTION, catalogue_puzzle("pentominoes-3x5-LPU"), 0),
    Case("solid", "Solid pieces are turned in all three dimensions.", CORNERS_AND_BAR, 36),
    Case("four-dimensions", DIMENSIONS, HYPER_DOMINOES, 9),
    Case("optional-cells", OPTIONAL, CORNER_IN_SQUARE, 4),
    Case("optional-cells-unique", OPTIONAL_UNIQUE, MIDDLE, 1, "unique"),
    Case("fixed-pieces", FIXED, BESIDE_A_WALL, 2),
    Case("listed-placements", LISTED, HELD_DOWN, 1),
    Case("range-of-copies", RANGE, UP_TO, 7),
    Case("symmetry-unique", SYMMETRY, SIX_PIECES, 10, "unique"),
    Case("symmetry-unique-copies", SYMMETRY, DOMINOES, 9, "unique"),  # OEIS A060312
    Case("symmetry-unique-solid", SYMMETRY, CORNERS_AND_BAR, 3, "unique"),
    Case("symmetry-mirror-solid", SYMMETRY, CORNERS_AND_BAR, 2, "mirror"),
    Case("different-pieces", DIFFERENT, PINWHEEL, 4),
    Case("different-pieces-unique", DIFFERENT, PINWHEEL, 2, "unique"),
    Case("different-pieces-labelled", DIFFERENT, PINWHEEL, 2, "unique", labelled=True),
    Case("labelled", LABELLED, TWO_DOMINOES, 4, "all", labelled=True),
    Case("labelled-unique", LABELLED, TWO_DOMINOES, 1, "unique", labelled=True),
    Case("impossible-packing", "An impossible puzzle has 0 solutions.", IMPOSSIBLE[0], 0),
    Case("all-fixed", NOTHING_LEFT, ALL_FIXED, 1, "unique"),
)

IDENTICAL = "Exchanging identical tiles does not make a new solution."
HINTED = "A hinted tile is in the cell of its hint and has the rotation of its hint."

BOARDS = (
    Case("edges", "Sides that meet have one colour; the frame has colour 0.", DISTINCT_TILES, 12),
    Case("edges-oblong", "A board need not be square, and may have identical tiles.", BOARD, 2),
    Case("edges-identical-tiles", IDENTICAL, random_board(2, 2, 1, seed=1), 1),
    Case("edges-labelled", LABELLED, random_board(2, 2, 1, seed=1), 24, labelled=True),
    Case("edges-signed", "Signed colours that meet are negatives of each other.", SIGNED_BOARD, 2),
    Case("edges-hints", HINTED, HINTED_BOARD, 0),
    Case("edges-unique", SYMMETRY, DISTINCT_TILES, 3, "unique"),
    Case("impossible-edges", "An impossible puzzle has 0 solutions.", IMPOSSIBLE[1], 0),
)

SECONDARY = "A secondary item is in at most one chosen option, and need not be in any."
COLOURS = "Chosen options can share a secondary item only if all of them give it the same colour."
BOUNDS = "The number of chosen options that contain a primary item is within its bounds."
EXCLUSIVE = "Options with an item in common exclude each other."
NO_OPTIONS = "A primary item that is in no option makes a problem unsolvable."

COVERS = (
    Case("secondary-items", SECONDARY, QUEENS, 4),
    Case("cover-unique", SYMMETRY, QUEENS, 1, "unique"),
    Case("cover-without-solutions", NO_SOLUTION, queens(3), 0),
    Case("cover", "Every primary item is in exactly one chosen option.", langford(4), 2),
    Case("cover-up-to-reversal", SYMMETRY, langford(4), 1, "unique"),
    Case("colours", COLOURS, TWO_COLOURS, 7),
    Case("coloured-and-not", COLOURS, COLOURED, 2),
    Case("bounds", BOUNDS, TWO_OF_THREE, 3),
    Case("bounds-and-colours", BOUNDS, BOUNDED, 15),
    Case("one-way", EXCLUSIVE, cover(["a", "b"], [["a", "b"], ["a"]], name="one"), 1),
    Case("no-options", NO_OPTIONS, cover(["a"], [], name="none"), 0),
    Case("empty", "A problem without items has one solution.", cover([], [], name="empty"), 1),
)

CASES = (*PACKINGS, *BOARDS, *COVERS)


def covers(problem: CoverProblem) -> set[tuple[int, ...]]:
    """Return the solutions of a small problem as tuples of their options in ascending order.

    This function shares neither code nor method with any backend. Each option in turn is left out
    of every partial solution or added to it. A partial solution is dropped if it covers an item too
    often or in two colours, or if it covers an item too seldom after the item's last option.
    """
    members = [
        dict(zip(problem.item[span].tolist(), problem.colour[span].tolist(), strict=True))
        for span in map(slice, problem.start[:-1], problem.start[1:])
    ]
    last_option = {item: option for option, items in enumerate(members) for item in items}

    def uses(chosen: tuple[int, ...], item: int) -> list[int]:
        return [members[option][item] for option in chosen if item in members[option]]

    def allowed(chosen: tuple[int, ...], item: int) -> bool:
        colours = uses(chosen, item)
        if item < problem.primary_count:
            return len(colours) <= int(problem.upper[item])
        return len(colours) < 2 or (UNCOLOURED not in colours and len(set(colours)) == 1)

    def covered(chosen: tuple[int, ...], item: int) -> bool:
        return item >= problem.primary_count or len(uses(chosen, item)) >= problem.lower[item]

    unused = set(range(problem.primary_count)) - last_option.keys()
    unsolvable = any(problem.lower[item] > 0 for item in unused)
    partial: set[tuple[int, ...]] = set() if unsolvable else {()}
    for option, items in enumerate(members):
        longer = {(*chosen, option) for chosen in partial}
        partial |= {chosen for chosen in longer if all(allowed(chosen, item) for item in items)}
        due = [item for item in items if last_option[item] == option]
        partial = {chosen for chosen in partial if all(covered(chosen, item) for item in due)}
    return partial


def without_secondary_items(problem: CoverProblem) -> CoverProblem:
    """Return the problem without its secondary items."""
    primary = problem.item < problem.primary_count
    sizes = np.bincount(problem.option_of_member[primary], minlength=problem.option_count)
    return replace(
        problem,
        item_names=problem.item_names[: problem.primary_count],
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        item=problem.item[primary],
        colour=problem.colour[primary],
    )


def all_primary(problem: CoverProblem) -> CoverProblem:
    """Return the problem without colours in which every item must be covered.

    Secondary items must be covered exactly once.
    """
    more = np.ones(problem.item_count - problem.primary_count, dtype=np.int32)
    return replace(
        without_colours(problem),
        lower=np.concatenate([problem.lower, more]),
        upper=np.concatenate([problem.upper, more]),
    )


def without_colours(problem: CoverProblem) -> CoverProblem:
    """Return the problem in which options cannot share a secondary item, even in one colour."""
    return replace(problem, colour=np.zeros_like(problem.colour))


def covered_once(problem: CoverProblem) -> CoverProblem:
    """Return the problem in which every primary item must be covered exactly once."""
    ones = np.ones_like(problem.lower)
    return replace(problem, lower=ones, upper=ones)


def without_lower_bounds(problem: CoverProblem) -> CoverProblem:
    """Return the problem in which primary items have upper bounds, but need not be covered."""
    return replace(problem, lower=np.zeros_like(problem.lower))


def without_upper_bounds(problem: CoverProblem) -> CoverProblem:
    """Return the problem in which primary items have lower bounds, but no upper bounds."""
    return replace(problem, upper=np.full_like(problem.upper, MAX_COVERED))


Misreading = Callable[[CoverProblem], CoverProblem]

# Misreadings by their description; each function returns the problem that is solved by mistake.
OF_ITEMS: dict[str, Misreading] = {
    "ignore secondary items": without_secondary_items,
    "require that secondary items are covered": all_primary,
    "ignore colours": without_colours,
}
OF_BOUNDS: dict[str, Misreading] = {
    "ignore bounds and cover every primary item exactly once": covered_once,
    "ignore lower bounds": without_lower_bounds,
    "ignore upper bounds": without_upper_bounds,
}


def misreading(problem: CoverProblem, found: set[tuple[int, ...]]) -> str | None:
    """Return the description of the misreading that leads to exactly the solutions `found`.

    Returns None if `found` are the solutions of the problem, or if no misreading or more than one
    misreading leads to exactly these solutions.
    """
    if found == covers(problem):
        return None
    # A problem whose bounds are all 1 would be too large for brute force without its bounds.
    known = OF_ITEMS if problem.unit_bounds else {**OF_ITEMS, **OF_BOUNDS}
    names = [name for name, misread in known.items() if covers(misread(problem)) == found]
    return names[0] if len(names) == 1 else None
