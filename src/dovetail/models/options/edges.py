"""The options of an edge-matching puzzle: a tile in a rotation in a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    EdgePuzzle,
    Frame,
    Position,
    Tile,
    opposite,
    turned,
)
from dovetail.models.options.base import CellItems
from dovetail.models.placements import OptionGroups
from dovetail.models.request import Representatives, Symmetry
from dovetail.models.solution import EdgeSolution
from dovetail.models.symmetry import RowNumbers

# A 20x20 board of distinct tiles has 640,000. An option takes about 400 bytes while it is built.
MAX_OPTIONS = 2_000_000


@dataclass(frozen=True)
class TileType:
    """Interchangeable tiles: equal up to rotation, and either all hinted or none."""

    sides: Tile
    tiles: tuple[int, ...]
    """A number for each copy; copies that have to be used come first."""
    least: int
    """How many copies have to be used."""


@dataclass(frozen=True, eq=False)
class EdgeOptions:
    """Option o puts a tile of type `tile_type[o]`, showing `sides[o]`, into cell `cell[o]`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cell` | (n,) | int32 | cell number, x slowest |
    | `tile_type` | (n,) | int32 | index into `types` |
    | `sides` | (n, 4) | int32 | the colours shown: north, east, south, west |

    Rotations of a tile that look alike are one option.
    """

    puzzle: EdgePuzzle
    types: tuple[TileType, ...]
    cell: NDArray[np.int32]
    tile_type: NDArray[np.int32]
    sides: NDArray[np.int32]

    @property
    def option_count(self) -> int:
        return len(self.cell)

    @property
    def placements_per_solution(self) -> int | None:
        return len(self.puzzle.geometry.positions)

    @cached_property
    def cover(self) -> CoverProblem:
        """Cover problem: cells (x slowest) and tile types are primary, inner edges secondary.

        The colour of an inner edge is the colour shown by the tile to its left or below.
        """
        geometry, absent = self.puzzle.geometry, -1
        cells, types = len(geometry.positions), len(self.types)
        edges = [  # between columns, then between rows
            (cell, side, neighbour)
            for edge_side in (EAST, NORTH)
            for cell in range(cells)
            for side, neighbour in geometry.neighbours(cell)
            if side == edge_side
        ]
        edge_at = np.full((cells, 4), absent)
        for number, (cell, side, neighbour) in enumerate(edges, start=cells + types):
            edge_at[cell, side] = edge_at[neighbour, opposite(side)] = number
        members = np.column_stack([self.cell, cells + self.tile_type, edge_at[self.cell]])
        members = members.astype(np.int32)
        colours = np.zeros_like(members)
        for side, outward in ((NORTH, True), (EAST, True), (SOUTH, False), (WEST, False)):
            colours[:, 2 + side] = _edge_colour(self.puzzle, self.sides[:, side], outward)
        used = members != absent
        names = (
            *(f"{x},{y}" for x, y in geometry.positions),
            *(f"tile {kind.tiles[0]}" for kind in self.types),
            *(_edge_name(geometry.position(cell), side) for cell, side, _ in edges),
        )
        bounds = [(1, 1)] * cells + [(kind.least, len(kind.tiles)) for kind in self.types]
        lower, upper = np.array(bounds, np.int32).T
        return CoverProblem(
            name=self.puzzle.name,
            item_names=names,
            lower=lower,
            upper=upper,
            start=np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int64),
            item=members[used],
            colour=colours[used],
        )

    @cached_property
    def cells(self) -> CellItems:
        x, y = self._places.T
        framed = np.pad(self._number_at, 1, constant_values=-1)
        near = [framed[x, y + 1], framed[x + 1, y], framed[x + 2, y + 1], framed[x + 1, y + 2]]
        return CellItems(
            required=len(x),
            item=np.arange(len(x), dtype=np.int32),
            positions=self._places.astype(np.float64),
            neighbours=np.stack(near, axis=-1),
        )

    @property
    def _places(self) -> NDArray[np.int64]:
        """Positions of the cells, shape (cells, 2)."""
        return np.array(self.puzzle.geometry.positions, dtype=np.int64)

    @property
    def _number_at(self) -> NDArray[np.int32]:
        """Number of the cell at each position, −1 for a hole, shape (width, height)."""
        number = np.full((self.puzzle.width, self.puzzle.height), -1, dtype=np.int32)
        number[tuple(self._places.T)] = np.arange(len(self._places))
        return number

    @property
    def option_groups(self) -> OptionGroups:
        """Options by tile type; names are tile numbers."""
        names = tuple(tuple(map(str, dict.fromkeys(kind.tiles))) for kind in self.types)
        once = tuple(kind.least == len(kind.tiles) == 1 for kind in self.types)
        return OptionGroups("tile", self.tile_type, names, once)

    def subset(self, kept: NDArray[np.int64]) -> EdgeOptions:
        """Return some of the options, by number."""
        return replace(
            self, cell=self.cell[kept], tile_type=self.tile_type[kept], sides=self.sides[kept]
        )

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return rotations of a square board or the half turn of another, as the hints allow.

        The board may be flipped if the tiles may, and not be turned if they must not.
        """
        return self.turned_options(self.quarter_turns(symmetry))

    def quarter_turns(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return the numbers of quarter turns that are symmetries of the board, 0 first.

        From 4 on the board is flipped first.
        """
        if symmetry == Symmetry.ALL:
            return (0,)
        return tuple(turns for turns, image in enumerate(self._turned) if image is not None)

    def turned_options(self, quarter_turns: Sequence[int]) -> NDArray[np.int32]:
        """Return the distinct permutations of the options by these turns, shape (g, options)."""
        found = dict[bytes, NDArray[np.int32]]()
        for turns in quarter_turns:
            permutation = self._turned[turns]
            assert permutation is not None
            found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def ranks(self, representatives: Representatives) -> NDArray[np.int64]:
        """Return the rank of each option, shape (n,); the lowest of symmetric options is kept."""
        ranks = np.arange(self.option_count)
        if representatives == Representatives.TOP_LEFT:
            x, y = self._places[self.cell].T
            ranks[np.lexsort((-y, x))] = np.arange(self.option_count)
        return ranks

    def solution(self, chosen: Sequence[int]) -> EdgeSolution:
        left = [list(kind.tiles) for kind in self.types]
        for hint in self.puzzle.hints:
            left[self._type_of_tile[hint.tile]].remove(hint.tile)
        hinted = {(hint.x, hint.y): hint.tile for hint in self.puzzle.hints}
        grid: list[list[tuple[int, int] | None]]
        grid = [[None] * self.puzzle.width for _ in range(self.puzzle.height)]
        for option in sorted(chosen):
            x, y = self.puzzle.geometry.position(int(self.cell[option]))
            tile = hinted.get((x, y))
            if tile is None:
                tile = left[self.tile_type[option]].pop(0)
            grid[y][x] = (tile, self._rotation(tile, option))
        return EdgeSolution(tuple(tuple(row) for row in grid))

    def placed(self, option: int) -> tuple[int, int, int, int]:
        """Return (x, y, tile, rotation) of an option; the tile is the first of its type."""
        x, y = self.puzzle.geometry.position(int(self.cell[option]))
        tile = self.types[self.tile_type[option]].tiles[0]
        return x, y, tile, self._rotation(tile, option)

    def _rotation(self, tile: int, option: int) -> int:
        shown = tuple(self.sides[option].tolist())
        return next(r for r in self.puzzle.turns if turned(self.puzzle.tiles[tile], r) == shown)

    @cached_property
    def _type_of_tile(self) -> dict[int, int]:
        return _type_of_tile(self.types)

    @cached_property
    def _turned(self) -> tuple[NDArray[np.int32] | None, ...]:
        """Permutations of the options by the turns of the board."""
        return tuple(map(self._permutation, self.puzzle.turns))

    def _permutation(self, turns: int) -> NDArray[np.int32] | None:
        """Return the image of each option under clockwise quarter turns; None if no symmetry.

        From 4 on the board is flipped first.
        """
        places = self._places
        left, low = places.min(axis=0).tolist()
        width, height = (places.max(axis=0) - (left, low) + 1).tolist()
        if width != height and turns % 2:
            return None
        (x, y), sides = (places[self.cell] - (left, low)).T, self.sides
        if turns >= 4:
            x, sides = width - 1 - x, sides[:, [NORTH, WEST, SOUTH, EAST]]
        for _ in range(turns % 4):
            x, y = y, width - 1 - x
            width, height = height, width
        sides = np.roll(sides, turns % 4, axis=1)
        cell = self._number_at[x + left, y + low]
        image = np.column_stack([cell, self.tile_type, sides]).astype(np.int32)
        table = np.column_stack([self.cell, self.tile_type, self.sides])
        permutation = RowNumbers(table).of(image).astype(np.int32)
        return permutation if np.all(permutation != -1) else None


def edge_options(puzzle: EdgePuzzle, *, labelled: bool = False) -> EdgeOptions:
    """Return all options that agree with the frame and the hints, by cell, type and look.

    Raises `PuzzleError` for more than two million options.
    """
    types = _tile_types(puzzle, labelled)
    type_of_tile = _type_of_tile(types)
    named = set() if puzzle.counts else {type_of_tile[hint.tile] for hint in puzzle.hints}
    hinted = {
        puzzle.geometry.cell((hint.x, hint.y)): (
            type_of_tile[hint.tile],
            turned(puzzle.tiles[hint.tile], hint.rotation),
        )
        for hint in puzzle.hints
    }
    cells_by_frame = _cells_by_frame(puzzle)
    orientations = [
        (t, orientation, cells)
        for t, kind in enumerate(types)
        for orientation in dict.fromkeys(turned(kind.sides, r) for r in puzzle.turns)
        for frame, cells in cells_by_frame.items()
        if puzzle.fits(orientation, frame)
    ]
    number = sum(len(cells) for _, _, cells in orientations)
    if number > MAX_OPTIONS:
        raise PuzzleError(f"the board has {number:,} options; the limit is {MAX_OPTIONS:,}")
    rows = [
        (cell, t, *orientation)
        for t, orientation, cells in orientations
        for cell in cells
        if (hinted[cell] == (t, orientation) if cell in hinted else t not in named)
    ]
    table = np.array(rows, dtype=np.int32).reshape(-1, 6)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return EdgeOptions(puzzle, types, table[:, 0], table[:, 1], table[:, 2:])


def _tile_types(puzzle: EdgePuzzle, labelled: bool) -> tuple[TileType, ...]:
    cells = len(puzzle.geometry.positions)
    counts = puzzle.copies
    named = set() if puzzle.counts else {hint.tile for hint in puzzle.hints}
    groups: dict[tuple[Tile, object], list[int]] = {}
    for tile, sides in enumerate(puzzle.tiles):
        key = (sides, tile) if labelled else (puzzle.look(sides), tile in named)
        groups.setdefault(key, []).append(tile)
    types = []
    for (sides, _), tiles in groups.items():
        required = [tile for tile in tiles for _ in range(counts[tile][0])]
        more = (
            tile for tile in tiles for _ in range(min(cells, counts[tile][1] - counts[tile][0]))
        )
        types.append(TileType(sides, tuple(islice(chain(required, more), cells)), len(required)))
    return tuple(types)


def _type_of_tile(types: Sequence[TileType]) -> dict[int, int]:
    return {tile: t for t, kind in enumerate(types) for tile in kind.tiles}


def _cells_by_frame(puzzle: EdgePuzzle) -> dict[Frame, list[int]]:
    """Return the cells by their sides on the frame."""
    cells: dict[Frame, list[int]] = {}
    for cell, position in enumerate(puzzle.geometry.positions):
        cells.setdefault(puzzle.geometry.frame_at(position), []).append(cell)
    return cells


def _edge_name(position: Position, side: int) -> str:
    x, y = position
    return f"{x}|{x + 1},{y}" if side == EAST else f"{x},{y}|{y + 1}"


def _edge_colour(puzzle: EdgePuzzle, shown: NDArray[np.int32], outward: bool) -> NDArray[np.int32]:
    """Return the colour, from 1 up, of an edge on which a tile shows `shown`.

    An edge has the colour of the tile to its left or below (`outward` sides); the other tile shows
    the mate.
    """
    value = shown if outward else puzzle.mates(shown)
    if puzzle.signed:
        return np.where(value > 0, 2 * value, 1 - 2 * value).astype(np.int32)
    return value + np.int32(not puzzle.has_plain_frame)
