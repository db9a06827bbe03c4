"""Facts of an edge-matching puzzle that need no search: tiles, colours, hints."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, prod

from dovetail.models.best_order import shortest_order
from dovetail.models.board_orders import cells_in_order
from dovetail.models.edges import EdgePuzzle, Hint, Tile, canonical_turn, turned
from dovetail.models.expected_boards import expected_boards
from dovetail.models.frame import (
    Place,
    TileClass,
    cells_by_class,
    edges_by_place,
    sides_facing,
    tiles_by_class,
)
from dovetail.models.impossibility.edges import why_impossible

# The largest factor that is reported: above it, some readers of JSON round whole numbers.
MAX_EXACT = 2**53


@dataclass(frozen=True)
class TileClassNumbers:
    """How many tiles, and how many cells of the board, are of a class."""

    kind: str
    tiles: int
    cells: int


@dataclass(frozen=True)
class PlaceColours:
    """How many edges are at a place, and the colours (`colour`, `sides`) that face such edges."""

    place: str
    edges: int
    colours: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class IdenticalTiles:
    """Two or more identical tiles, and how many of them hints name."""

    tiles: tuple[int, ...]
    hinted: int


@dataclass(frozen=True)
class ExpectedSearch:
    """Solutions, with tiles labelled and in all turns of the board, and nodes of `rows` in the best
    order, with identical tiles tried once. Expected by B. Owen's model, see
    `models.expected_boards`.
    """

    solutions: float
    order: str
    nodes: float


@dataclass(frozen=True)
class EdgeFacts:
    """Facts of an edge-matching puzzle.

    `labelled_factor`: how many labelled boards there are for each board, None above 2^53.
    `expected` is what B. Owen's model expects of a search, None for a board that it does not
    describe. `half_turns` are the tiles that look alike after a half turn only, `every_turn` after
    each.
    """

    signed: bool
    kinds: tuple[TileClassNumbers, ...]
    places: tuple[PlaceColours, ...]
    identical: tuple[IdenticalTiles, ...]
    labelled_factor: int | None
    half_turns: tuple[int, ...]
    every_turn: tuple[int, ...]
    hints: tuple[Hint, ...]
    expected: ExpectedSearch | None
    impossible: str | None


def edge_facts(puzzle: EdgePuzzle) -> EdgeFacts:
    """Return the facts of an edge-matching puzzle."""
    identical = _identical(puzzle)
    factor = prod(factorial(len(one.tiles) - one.hinted) for one in identical)
    orientations = [len({turned(tile, r) for r in range(4)}) for tile in puzzle.tiles]
    return EdgeFacts(
        signed=puzzle.signed,
        kinds=_tile_classes(puzzle),
        places=_places(puzzle),
        identical=identical,
        labelled_factor=factor if factor <= MAX_EXACT else None,
        half_turns=tuple(number for number, its in enumerate(orientations) if its == 2),
        every_turn=tuple(number for number, its in enumerate(orientations) if its == 1),
        hints=puzzle.hints,
        expected=_expected(puzzle),
        impossible=why_impossible(puzzle),
    )


def _expected(puzzle: EdgePuzzle) -> ExpectedSearch | None:
    order = shortest_order(puzzle)
    cells = cells_in_order((order,), puzzle.width, puzzle.height)
    labelled = expected_boards(puzzle, cells)
    once = expected_boards(puzzle, cells, identical_once=True)
    if labelled is None or once is None:
        return None
    return ExpectedSearch(labelled[-1], order, sum(once))


def _tile_classes(puzzle: EdgePuzzle) -> tuple[TileClassNumbers, ...]:
    """Return the classes that have tiles or cells."""
    tiles, cells = tiles_by_class(puzzle), cells_by_class(puzzle)
    return tuple(
        TileClassNumbers(str(kind), tiles[kind], cells[kind])
        for kind in TileClass
        if tiles[kind] or cells[kind]
    )


def _places(puzzle: EdgePuzzle) -> tuple[PlaceColours, ...]:
    edges = edges_by_place(puzzle)
    return tuple(
        PlaceColours(str(place), edges[place], tuple(sides_facing(puzzle, place).items()))
        for place in Place
    )


def _identical(puzzle: EdgePuzzle) -> tuple[IdenticalTiles, ...]:
    named = {hint.tile for hint in puzzle.hints}
    alike: dict[Tile, list[int]] = {}
    for number, tile in enumerate(puzzle.tiles):
        alike.setdefault(canonical_turn(tile), []).append(number)
    return tuple(
        IdenticalTiles(tuple(tiles), len(named.intersection(tiles)))
        for tiles in alike.values()
        if len(tiles) > 1
    )
