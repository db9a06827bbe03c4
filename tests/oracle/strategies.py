"""Random puzzles for hypothesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from random import Random
from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

from dovetail.errors import PuzzleError
from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, Tile, turned
from dovetail.models.cover import CoverProblem, Member, cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.polyominoes import box
from oracle.brute_force import LabelledBoard, beside, cells_of, labelled_boards


@st.composite
def cover_problems(draw: st.DrawFn, *, unit_bounds: bool = False) -> CoverProblem:
    """Up to five primary and three secondary items, up to ten options."""
    bound = st.sampled_from([(1, 1), (1, 1), (0, 1), (1, 2), (0, 3), (2, 2), (2, 3)])
    primary = [
        (f"p{i}", *((1, 1) if unit_bounds else draw(bound))) for i in range(draw(st.integers(1, 5)))
    ]
    secondary = [f"s{i}" for i in range(draw(st.integers(0, 3)))]
    names = [name for name, _, _ in primary]
    options: list[list[Member]] = []
    for _ in range(draw(st.integers(0, 10))):
        members: list[Member] = []
        members += draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        for item in secondary:
            colour = draw(st.sampled_from([None, None, 0, 1, 2]))
            if colour is not None:
                members.append(item if colour == 0 else (item, colour))
        options.append(draw(st.permutations(members)))
    return cover(primary, options, secondary=secondary, name="random")


@st.composite
def packing_puzzles(draw: st.DrawFn) -> PackingPuzzle:
    """A region cut into pieces of up to four cells, so that there is at least one packing.

    Some pieces are in several parts.
    """
    dimension = draw(st.integers(1, 4))
    lattice = SquareLattice(dimension)
    longest = {1: 8, 2: 4, 3: 2, 4: 2}[dimension]
    sides = [draw(st.integers(1, longest)) for _ in range(dimension)]
    assume(prod(sides) <= 12)
    cells = list(box(*sides))
    holes = draw(st.sets(st.sampled_from(cells), max_size=max(0, len(cells) // 4)))
    region = set(cells) - holes or {cells[0]}
    left, parts = set(region), list[tuple[Cell, ...]]()
    scattered = draw(st.integers(0, 3)) == 0
    while left:
        part = [min(left)]
        left -= set(part)
        for _ in range(draw(st.integers(0, 3))):
            near = sorted(n for cell in part for n in lattice.neighbours(cell) if n in left)
            near = sorted(left) if scattered else near
            if near:
                part.append(draw(st.sampled_from(near)))
                left.discard(part[-1])
        parts.append(tuple(part))
    motions = draw(st.sampled_from(list(Motions)))
    pieces = [Piece(f"{number}", part, motions=motions) for number, part in enumerate(parts)]
    return PackingPuzzle("random", lattice, tuple(region), tuple(pieces))


@st.composite
def loose_packings(draw: st.DrawFn, *, ranges: bool = True) -> PackingPuzzle:
    """A small region and pieces that need not fit: there may be no packing, or many.

    The region has one to three dimensions, up to a quarter of it cut out at random, so that it may
    fall apart; some regions look the same after a half turn. Up to half of the cells may stay
    empty. Up to four kinds of pieces, of one to four cells, are used a few times each; without
    `ranges` a fixed number of times.
    """
    dimension = draw(st.integers(1, 3))
    lattice = SquareLattice(dimension)
    sides = {
        1: [draw(st.integers(1, 8))],
        2: [draw(st.integers(1, 4)), draw(st.integers(2, 4))],
        3: [2, draw(st.integers(1, 3)), 2],
    }[dimension]
    cells = list(box(*sides))
    turned_about = draw(st.booleans())

    def some_of(those: Sequence[Cell], share: int) -> set[Cell]:
        """Some cells, one in `share` at most, and what a half turn makes of them."""
        if len(those) < share:
            return set()
        some = draw(st.sets(st.sampled_from(those), max_size=len(those) // share))
        if turned_about:
            some |= {tuple(s - 1 - c for c, s in zip(cell, sides, strict=True)) for cell in some}
        return some

    region = sorted(set(cells) - some_of(cells, 4))
    optional = some_of(region, 2)
    pieces = []
    for number in range(draw(st.integers(1, 4))):
        part: list[Cell] = [(0,) * dimension]
        for _ in range(draw(st.integers(0, 3))):
            near = sorted({n for cell in part for n in lattice.neighbours(cell)} - set(part))
            part.append(draw(st.sampled_from(near)))
        min_count = draw(st.integers(0 if ranges else 1, 2))
        max_count = max(1, min_count + draw(st.integers(0, 2))) if ranges else min_count
        motions = draw(st.sampled_from(list(Motions)))
        pieces.append(Piece(f"{number}", tuple(part), min_count, max_count, motions))
    try:
        return PackingPuzzle(
            "loose", lattice, tuple(region), tuple(pieces), optional=tuple(optional)
        )
    except PuzzleError:  # their volumes are out of the question
        reject()


@st.composite
def packings_of_copies(draw: st.DrawFn) -> PackingPuzzle:
    """A symmetric region and pieces of which none is used exactly once.

    The region is a box, some with holes that a half turn leaves as they are. Monominoes fill what
    the other pieces leave, so that most puzzles have several packings. Cells or copies may be free.
    """
    boxes = [(6,), (7,), (2, 4), (3, 3), (3, 4), (2, 6), (2, 2, 2), (2, 2, 3), (1, 3, 3)]
    sides = draw(st.sampled_from(boxes))
    lattice = SquareLattice(len(sides))
    cells = list(box(*sides))

    def with_half_turn(some: set[Cell]) -> set[Cell]:
        return some | {tuple(s - 1 - c for c, s in zip(cell, sides, strict=True)) for cell in some}

    holes = with_half_turn(draw(st.sets(st.sampled_from(cells), max_size=1)))
    region = [cell for cell in cells if cell not in holes]
    optional = with_half_turn(draw(st.sets(st.sampled_from(region), max_size=1)))
    pieces, left = list[Piece](), len(region)
    for number in range(draw(st.integers(1, 2))):
        part: list[Cell] = [(0,) * len(sides)]
        for _ in range(draw(st.integers(1, 3))):
            near = sorted({n for cell in part for n in lattice.neighbours(cell)} - set(part))
            part.append(draw(st.sampled_from(near)))
        count, more = draw(st.integers(2, 3)), draw(st.integers(0, 1))
        motions = draw(st.sampled_from(list(Motions)))
        pieces.append(Piece(f"{number}", tuple(part), count - more, count, motions))
        left -= count * len(part)
    assume(left >= 0 and left != 1)
    if left:
        pieces.append(Piece("1x1", ((0,) * len(sides),), max(0, left - 1), left))
    try:
        return PackingPuzzle(
            "copies", lattice, tuple(region), tuple(pieces), optional=tuple(optional)
        )
    except PuzzleError:  # the volumes cannot be met
        reject()


@st.composite
def edge_puzzles(draw: st.DrawFn) -> EdgePuzzle:
    """Boards of up to six cells."""
    width, height = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (1, 3), (2, 3), (3, 2)]))
    colours, seed = draw(st.integers(1, 3)), draw(st.integers(0, 10**6))
    board = random_board(width, height, colours, seed)
    if not draw(st.booleans()):
        return board
    # The same board with signs: one side of every edge, seen from the left or below, positive.
    return signed_twin(board, seed)


@st.composite
def hinted_boards(draw: st.DrawFn) -> EdgePuzzle:
    """The same and 3x3 boards, with up to two hints that keep a solution."""
    puzzle = draw(edge_puzzles() | laid_boards([(3, 3)]))
    solutions = sorted(labelled_boards(puzzle))
    solution = draw(st.sampled_from(solutions))
    places = draw(st.sets(st.integers(0, len(solution) - 1), max_size=2))
    return with_hints(puzzle, solution, places)


@st.composite
def laid_boards(draw: st.DrawFn, sizes: Sequence[tuple[int, int]]) -> EdgePuzzle:
    """Boards of some sizes (width, height), signed or not, with up to three hints.

    There is at least one board, the one that the tiles are cut from; it may look the same after
    a half turn, and then every tile has a twin. There are more colours on larger boards, and so
    few boards; or there is one colour, and all tiles of a kind are alike.
    """
    width, height = draw(st.sampled_from(sizes))
    few = max(1, width * height // 6)
    colours = draw(st.sampled_from([1, few, few + 1, few + 2]))
    like = draw(st.sampled_from(["plain", "signed", "symmetric"]))
    random = Random(draw(st.integers(0, 10**6)))
    sides = random_sides(width, height, colours, random, like)
    turns = [random.randrange(4) for _ in sides]
    tiles = [turned(shown, turn) for shown, turn in zip(sides, turns, strict=True)]
    order = random.sample(range(len(tiles)), len(tiles))
    name = f"{like}-{height}x{width}-{colours}"
    puzzle = EdgePuzzle(
        name, width, height, tuple(tiles[cell] for cell in order), signed=like == "signed"
    )
    solution = tuple((order.index(cell), shown) for cell, shown in enumerate(sides))
    places = draw(st.sets(st.integers(0, len(sides) - 1), max_size=3))
    return with_hints(puzzle, solution, places)


@st.composite
def board_variants(draw: st.DrawFn, largest: int = 5) -> EdgePuzzle:
    """Boards of up to `largest` cells, tiles cut from a board, some in copies."""
    width, height = draw(st.sampled_from([(2, 1), (2, 2), (3, 1), (2, 3), (3, 3)]))
    cells = [(x, y) for x in range(width) for y in range(height)]
    lattice = draw(st.sampled_from(["square", "hexagonal", "triangular"]))
    fewest = max(0, len(cells) - largest + (lattice == "hexagonal"))
    holes = draw(st.sets(st.sampled_from(cells), min_size=fewest, max_size=max(fewest, 1)))
    cells = [cell for cell in cells if cell not in holes]
    frame = draw(st.sampled_from(["plain", "unbounded", "frame"]))
    matches = draw(st.sampled_from([(), ((1, 2),), ((1, 1), (1, 2)), ((1, 1), (1, 2), (2, 2))]))
    # A kernel is compiled for each number of turns and of sides.
    turnings = [{}, {"flippable": True}, {"fixed": True}]
    kinds = {"square": 3, "triangular": 2, "hexagonal": 1}[lattice]
    turning: dict[str, Any] = draw(st.sampled_from(turnings[:kinds]))
    mates = {
        one: [two for two in (1, 2) if {(one, two), (two, one)} & {*matches}] for one in (1, 2)
    }
    colour = st.integers(1 if frame == "plain" else 0, 2)
    outer = {"plain": st.just(0), "unbounded": colour, "frame": st.just(1)}[frame]
    tiles: list[Tile] = []
    shown: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    for cell in cells:
        for other in beside(lattice, *cell):
            faced = shown.get((other, cell))
            if faced is None:
                faced = draw(colour if other in cells else outer)
                shown[cell, other] = faced
            else:
                shown[cell, other] = draw(st.sampled_from(mates.get(faced) or [faced]))
        tiles.append(tuple(shown[cell, other] for other in beside(lattice, *cell)))
    counts: tuple[tuple[int, int], ...] = ()
    if draw(st.booleans()):
        uses = Counter(tiles)
        tiles = [*uses]
        fewer, more = st.sampled_from([0, 1, 9]), st.sampled_from([0, 1, 9])
        counts = tuple((max(0, used - draw(fewer)), used + draw(more)) for used in uses.values())
    return EdgePuzzle(
        "variant",
        width,
        height,
        tuple(tiles),
        unbounded=frame == "unbounded",
        frame=1 if frame == "frame" else None,
        matches=matches,
        counts=counts,
        holes=tuple(sorted(holes)),
        lattice=lattice,
        **turning,
    )


def random_sides(width: int, height: int, colours: int, random: Random, like: str) -> list[Tile]:
    """The sides that each cell of a random board shows, x slowest: plain, signed or symmetric.

    Edges of a signed board have `colours` values and their negatives; a symmetric one looks the
    same after a half turn.
    """

    def value() -> int:
        return (1 + random.randrange(colours)) * (random.choice((1, -1)) if sign < 0 else 1)

    sign = -1 if like == "signed" else 1
    upright = {(x, y): value() for x in range(width - 1) for y in range(height)}
    level = {(x, y): value() for x in range(width) for y in range(height - 1)}
    if like == "symmetric":
        upright = {
            (x, y): upright[min((x, y), (width - 2 - x, height - 1 - y))] for x, y in upright
        }
        level = {(x, y): level[min((x, y), (width - 1 - x, height - 2 - y))] for x, y in level}
    return [
        (
            level.get((x, y), BORDER),
            upright.get((x, y), BORDER),
            sign * level.get((x, y - 1), BORDER),
            sign * upright.get((x - 1, y), BORDER),
        )
        for x in range(width)
        for y in range(height)
    ]


def with_hints(puzzle: EdgePuzzle, solution: LabelledBoard, places: Iterable[int]) -> EdgePuzzle:
    """The puzzle with hints that say what lies in some cells of a solution."""
    hints = []
    for place in sorted(places):
        tile, sides = solution[place]
        rotation = next(r for r in puzzle.turns if turned(puzzle.tiles[tile], r) == sides)
        hints.append(Hint(*cells_of(puzzle)[place], tile, rotation))
    return replace(puzzle, hints=tuple(hints))


def signed_twin(board: EdgePuzzle, seed: int) -> EdgePuzzle:
    """A signed puzzle of the same size: tiles cut from a board with signed edges."""
    width, height = board.width, board.height
    tiles = random_sides(width, height, 2, Random(seed), "signed")
    return EdgePuzzle("signed", width, height, tuple(sorted(tiles)), signed=True)
