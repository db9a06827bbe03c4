"""The options of an edge-matching puzzle: a tile in a rotation in a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
    Tile,
    canonical_turn,
    frame_of,
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


@dataclass(frozen=True, eq=False)
class EdgeOptions:
    """Option o puts a tile of type `tile_type[o]`, showing `sides[o]`, into cell `cell[o]`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cell` | (n,) | int32 | cell number, x · height + y |
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
        return self.puzzle.width * self.puzzle.height

    @cached_property
    def cover(self) -> CoverProblem:
        """Cover problem: cells (x slowest) and tile types are primary, inner edges secondary.

        The colour of an inner edge is the colour shown by the tile to its left or below.
        """
        width, height = self.puzzle.width, self.puzzle.height
        cells, types = width * height, len(self.types)
        upright = (width - 1) * height  # edges between columns
        level = width * (height - 1)  # edges between rows
        x, y = self.cell // height, self.cell % height
        first_upright, first_level = cells + types, cells + types + upright
        absent = -1
        members = np.column_stack(
            [
                self.cell,
                cells + self.tile_type,
                np.where(y < height - 1, first_level + x * (height - 1) + y, absent),
                np.where(x < width - 1, first_upright + x * height + y, absent),
                np.where(y > 0, first_level + x * (height - 1) + y - 1, absent),
                np.where(x > 0, first_upright + (x - 1) * height + y, absent),
            ]
        ).astype(np.int32)
        colours = np.zeros_like(members)
        for side, outward in ((NORTH, True), (EAST, True), (SOUTH, False), (WEST, False)):
            shown = self.sides[:, side]
            colours[:, 2 + side] = _edge_colour(shown, outward, self.puzzle.signed)
        used = members != absent
        names = (
            *(f"{i},{j}" for i in range(width) for j in range(height)),
            *(f"tile {kind.tiles[0]}" for kind in self.types),
            *(f"{i}|{i + 1},{j}" for i in range(width - 1) for j in range(height)),
            *(f"{i},{j}|{j + 1}" for i in range(width) for j in range(height - 1)),
        )
        assert len(names) == cells + types + upright + level
        bounds = np.array([1] * cells + [len(kind.tiles) for kind in self.types], np.int32)
        return CoverProblem(
            name=self.puzzle.name,
            item_names=names,
            lower=bounds,
            upper=bounds,
            start=np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int64),
            item=members[used],
            colour=colours[used],
        )

    @cached_property
    def cells(self) -> CellItems:
        width, height = self.puzzle.width, self.puzzle.height
        number = np.arange(width * height, dtype=np.int32)
        framed = np.full((width + 2, height + 2), -1, dtype=np.int32)
        framed[1:-1, 1:-1] = number.reshape(width, height)
        near = [framed[:-2, 1:-1], framed[1:-1, :-2], framed[2:, 1:-1], framed[1:-1, 2:]]
        return CellItems(
            required=len(number),
            item=number,
            positions=np.column_stack(np.divmod(number, height)).astype(np.float64),
            neighbours=np.stack(near, axis=-1).reshape(-1, 4),
        )

    @property
    def option_groups(self) -> OptionGroups:
        """Options by tile type; names are tile numbers."""
        names = tuple(tuple(map(str, kind.tiles)) for kind in self.types)
        once = tuple(len(kind.tiles) == 1 for kind in self.types)
        return OptionGroups("tile", self.tile_type, names, once)

    def subset(self, kept: NDArray[np.int64]) -> EdgeOptions:
        """Return some of the options, by number."""
        return replace(
            self, cell=self.cell[kept], tile_type=self.tile_type[kept], sides=self.sides[kept]
        )

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return rotations of a square board or the half turn of another, as the hints allow."""
        return self.turned_options(self.quarter_turns(symmetry))

    def quarter_turns(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return the numbers of quarter turns that are symmetries of the board, 0 first."""
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
            x, y = np.divmod(self.cell, self.puzzle.height)
            ranks[np.lexsort((-y, x))] = np.arange(self.option_count)
        return ranks

    def solution(self, chosen: Sequence[int]) -> EdgeSolution:
        left = [list(kind.tiles) for kind in self.types]
        for hint in self.puzzle.hints:
            left[self._type_of_tile[hint.tile]].remove(hint.tile)
        hinted = {(hint.x, hint.y): hint.tile for hint in self.puzzle.hints}
        grid = [[(-1, 0)] * self.puzzle.width for _ in range(self.puzzle.height)]
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
        return next(r for r in range(4) if turned(self.puzzle.tiles[tile], r) == shown)

    @cached_property
    def _type_of_tile(self) -> dict[int, int]:
        return {tile: t for t, kind in enumerate(self.types) for tile in kind.tiles}

    @cached_property
    def _turned(self) -> tuple[NDArray[np.int32] | None, ...]:
        """Permutations of the options by 0 to 3 quarter turns of the board."""
        return tuple(map(self._permutation, range(4)))

    def _permutation(self, quarter_turns: int) -> NDArray[np.int32] | None:
        """Return the image of each option under clockwise quarter turns; None if no symmetry."""
        width, height = self.puzzle.width, self.puzzle.height
        if width != height and quarter_turns % 2:
            return None
        x, y = self.cell // height, self.cell % height
        for _ in range(quarter_turns):
            x, y = y, width - 1 - x
            width, height = height, width
        sides = np.roll(self.sides, quarter_turns, axis=1)
        image = np.column_stack([x * height + y, self.tile_type, sides]).astype(np.int32)
        table = np.column_stack([self.cell, self.tile_type, self.sides])
        permutation = RowNumbers(table).of(image).astype(np.int32)
        return permutation if np.all(permutation != -1) else None


def edge_options(puzzle: EdgePuzzle, *, labelled: bool = False) -> EdgeOptions:
    """Return all options that agree with the frame and the hints, by cell, type and look.

    Raises `PuzzleError` for more than two million options.
    """
    types = _tile_types(puzzle, labelled)
    type_of_tile = {tile: t for t, kind in enumerate(types) for tile in kind.tiles}
    named = {type_of_tile[hint.tile] for hint in puzzle.hints}
    hinted = {
        puzzle.geometry.cell((hint.x, hint.y)): (
            type_of_tile[hint.tile],
            turned(puzzle.tiles[hint.tile], hint.rotation),
        )
        for hint in puzzle.hints
    }
    cells_by_frame = _cells_by_frame(puzzle)
    orientations = [
        (t, orientation, cells_by_frame.get(frame_of(orientation), []))
        for t, kind in enumerate(types)
        for orientation in dict.fromkeys(turned(kind.sides, r) for r in range(4))
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
    if labelled:
        return tuple(TileType(sides, (tile,)) for tile, sides in enumerate(puzzle.tiles))
    named = {hint.tile for hint in puzzle.hints}
    groups: dict[tuple[Tile, bool], list[int]] = {}
    for tile, sides in enumerate(puzzle.tiles):
        groups.setdefault((canonical_turn(sides), tile in named), []).append(tile)
    return tuple(TileType(sides, tuple(tiles)) for (sides, _), tiles in groups.items())


def _cells_by_frame(puzzle: EdgePuzzle) -> dict[Frame, list[int]]:
    """Return the cells by their sides on the frame."""
    cells: dict[Frame, list[int]] = {}
    for cell, position in enumerate(puzzle.geometry.positions):
        cells.setdefault(puzzle.geometry.frame_at(position), []).append(cell)
    return cells


def _edge_colour(shown: NDArray[np.int32], outward: bool, signed: bool) -> NDArray[np.int32]:
    """Return the colour, from 1 up, of an edge on which a tile shows `shown`.

    In signed puzzles an edge has the colour of the tile to its left or below (`outward` sides); the
    other tile shows the negative.
    """
    if not signed:
        return shown
    value = shown if outward else -shown
    return np.where(value > 0, 2 * value, 1 - 2 * value).astype(np.int32)
