"""Options of an edge-matching puzzle: an option puts a tile into a cell in a rotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.boards.edges import EdgePuzzle, Tile, turned
from dovetail.models.boards.geometry import SQUARE, Frame, Motion, lattice_cells, lattice_of_board
from dovetail.models.cover import CoverProblem
from dovetail.models.options.base import CellItems, OptionGroups
from dovetail.models.request import Representatives, Symmetry
from dovetail.models.solution import EdgeSolution
from dovetail.models.symmetry import RowNumbers

# A 20 x 20 board of distinct tiles has 640,000 options. An option takes about 400 bytes to build.
MAX_OPTIONS = 2_000_000
NO_EDGE = -1


@dataclass(frozen=True)
class TileType:
    """Interchangeable tiles: equal up to rotation and, without counts, all hinted or all free."""

    sides: Tile
    tiles: tuple[int, ...]
    """Tile number of each copy; copies that have to be used come first."""
    least: int
    """Number of copies that have to be used."""


@dataclass(frozen=True, eq=False)
class BoardEdges:
    """The inner edges of a board."""

    names: tuple[str, ...]  # name of each edge, by number
    # Number of the edge on each side of a cell, −1 on the frame, shape (cells, sides).
    at: NDArray[np.int32]
    # True if the cell owns the edge, which then has the colour of this side; shape as `at`.
    owned: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class EdgeOptions:
    """Options of a board: option o puts a tile of type `tile_type[o]` into cell `cell[o]`.

    The tile shows the colours `sides[o]`. There are n options, and cells have s sides.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cell` | (n,) | int32 | cell number, x slowest |
    | `tile_type` | (n,) | int32 | index into `types` |
    | `sides` | (n, s) | int32 | the colours shown, clockwise; on squares from the north |

    Rotations in which a tile looks alike are a single option.
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

        The colour of an inner edge is the colour shown by the cell that owns it, on squares the
        cell to its left or below. If a colour matches several colours, each edge has instead an
        uncoloured item for each colour. The owner's options that show the colour cover the item,
        and so do the other cell's options that clash with it.
        """
        return self._cover(self._edge_items() if self.puzzle.has_single_mates else self._clashes())

    @property
    def symmetric_cover(self) -> CoverProblem:
        """Cover problem with the solutions of `cover`; the board's symmetries map items to items.

        If a colour matches several colours, each edge has an uncoloured item for each colour and
        each of its two cells, since a symmetry may move an edge's owner to the other side.
        """
        if self.puzzle.has_single_mates:
            return self.cover
        (item, colour, names), (items, colours, more) = self._clashes(), self._clashes(swapped=True)
        items[items >= 0] += len(names)
        return self._cover((np.hstack([item, items]), np.hstack([colour, colours]), names + more))

    def _cover(
        self, edge_items: tuple[NDArray[np.int32], NDArray[np.int32], Sequence[str]]
    ) -> CoverProblem:
        """Return the cover problem with the given items of edges; see `_edge_items`."""
        cells, types = len(self.puzzle.geometry.positions), len(self.types)
        items, colours, names = edge_items
        items = np.where(items >= 0, items + cells + types, NO_EDGE)
        members = np.column_stack([self.cell, cells + self.tile_type, items])
        colours = np.pad(colours, ((0, 0), (2, 0)))
        used = members >= 0
        names = (
            *(f"{x},{y}" for x, y in self.puzzle.geometry.positions),
            *(f"tile {kind.tiles[0]}" for kind in self.types),
            *names,
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
    def edges(self) -> BoardEdges:
        """Inner edges; on squares, edges between two columns come first."""
        geometry = self.puzzle.geometry
        edges = sorted(geometry.edges(), key=lambda edge: -edge[1])
        at = np.full((len(geometry.positions), geometry.side_count), NO_EDGE, np.int32)
        owned = np.zeros(at.shape, dtype=bool)
        for number, (cell, side, neighbour) in enumerate(edges):
            at[cell, side] = at[neighbour, geometry.opposite(side)] = number
            owned[cell, side] = True
        names = tuple(_edge_name(self.puzzle, cell, beyond) for cell, _, beyond in edges)
        return BoardEdges(names, at, owned)

    def _edge_items(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Sequence[str]]:
        """Return the item and its colour for each option and side, and the names of the items.

        Items are numbered from 0, −1 for none.
        """
        owned, value = self.edges.owned[self.cell], self.sides.copy()
        if self.puzzle.signed:
            value[~owned] *= -1
        for colour in {colour for pair in self.puzzle.matches for colour in pair}:
            value[(self.sides == colour) & ~owned] = self.puzzle.mate(colour)
        return self.edges.at[self.cell], edge_values(self.puzzle, value), self.edges.names

    def _clashes(
        self, *, swapped: bool = False
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], list[str]]:
        """Return the same as `_edge_items`, with an uncoloured item for each edge and colour.

        There is a column for each side and colour. Options of the edge's owner cover the item if
        they show the colour. Options of the other cell cover the item if they clash with the
        colour. With `swapped`, the two cells change roles.
        """
        shown, number = np.unique(self.sides, return_inverse=True)
        number, edge = number.reshape(self.sides.shape), self.edges.at[self.cell][..., None]
        match = self.puzzle.match(*np.meshgrid(shown, shown))
        owned = self.edges.owned[self.cell][..., None] != swapped
        covers = np.where(owned, np.eye(len(shown), dtype=bool)[number], ~match[number])
        every = np.arange(len(shown), dtype=np.int32)
        item = np.where(covers & (edge != NO_EDGE), edge * len(shown) + every, NO_EDGE)
        item = item.reshape(len(item), self.sides.shape[1] * len(shown))
        end = " facing" * swapped
        names = [f"{name} {colour}{end}" for name in self.edges.names for colour in shown]
        return item, np.zeros(item.shape, np.int32), names

    @cached_property
    def cells(self) -> CellItems:
        geometry = self.puzzle.geometry
        near = geometry.neighbour_table
        lattice = lattice_of_board(geometry.lattice)
        return CellItems(
            required=len(near),
            item=np.arange(len(near), dtype=np.int32),
            positions=lattice.positions(lattice_cells(geometry.lattice, self._places)),
            neighbours=near[:, ::-1],
        )

    @property
    def _places(self) -> NDArray[np.int64]:
        """Positions of the cells, shape (cells, 2)."""
        return np.array(self.puzzle.geometry.positions, dtype=np.int64)

    @property
    def option_groups(self) -> OptionGroups:
        """Groups of options by tile type; names are tile numbers."""
        names = tuple(tuple(map(str, dict.fromkeys(kind.tiles))) for kind in self.types)
        once = tuple(kind.least == len(kind.tiles) == 1 for kind in self.types)
        return OptionGroups("tile", self.tile_type, names, once)

    def subset(self, kept: NDArray[np.int64]) -> EdgeOptions:
        """Return the options with the numbers `kept`, in this order."""
        return replace(
            self, cell=self.cell[kept], tile_type=self.tile_type[kept], sides=self.sides[kept]
        )

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        """Return the board's rotations that the hints allow, as permutations of the options.

        Reflections are included if tiles may be flipped. Only the identity is returned for `ALL`,
        or if tiles must not turn. The shape is (g, options), with the identity first.
        """
        return self.moved_options(self.motions(symmetry))

    def motions(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return the numbers of the board's motions that are symmetries, 0 (identity) first.

        For `ALL`, only 0 is returned.
        """
        if symmetry == Symmetry.ALL:
            return (0,)
        return tuple(number for number, image in enumerate(self._moved) if image is not None)

    def moved_options(self, motions: Sequence[int]) -> NDArray[np.int32]:
        """Return the distinct permutations of the options by motions, shape (g, options)."""
        found = dict[bytes, NDArray[np.int32]]()
        for number in motions:
            permutation = self._moved[number]
            assert permutation is not None
            found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def ranks(self, representatives: Representatives) -> NDArray[np.int64]:
        """Return the rank of each option, shape (n,).

        Of symmetric options, symmetry breaking keeps the option with the lowest rank.
        """
        ranks = np.arange(self.option_count)
        if representatives == Representatives.TOP_LEFT:
            x, y = self._places[self.cell].T
            ranks[np.lexsort((-y, x))] = np.arange(self.option_count)
        return ranks

    def solution(self, chosen: Sequence[int]) -> EdgeSolution:
        left = [list(kind.tiles) for kind in self.types]
        for hint in self.puzzle.hints:
            left[self._type_of_tile[hint.tile]].remove(hint.tile)
        grid: list[list[tuple[int, int] | None]]
        grid = [[None] * self.puzzle.width for _ in range(self.puzzle.height)]
        for option in sorted(chosen):
            x, y = self.puzzle.geometry.position(int(self.cell[option]))
            hinted = self.puzzle.hinted.get((x, y))
            tile = left[self.tile_type[option]].pop(0) if hinted is None else hinted.tile
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
    def _moved(self) -> tuple[NDArray[np.int32] | None, ...]:
        """Permutation of the options by each motion of the board; None for one that is no symmetry.

        Reflections are left out unless tiles may be flipped. If tiles must not turn, only the
        identity is considered.
        """
        motions = self.puzzle.geometry.motions
        if self.puzzle.fixed:
            motions = motions[:1]
        return tuple(
            self._permutation(motion)
            for motion in motions
            if self.puzzle.flippable or not motion.is_reflection
        )

    def _permutation(self, motion: Motion) -> NDArray[np.int32] | None:
        """Return the image of each option; None if an image is not an option."""
        cell, sides = motion.image[self.cell], self.sides[:, motion.sides]
        image = np.column_stack([cell, self.tile_type, sides]).astype(np.int32)
        table = np.column_stack([self.cell, self.tile_type, self.sides])
        permutation = RowNumbers(table).of(image).astype(np.int32)
        return permutation if np.all(permutation != -1) else None


def edge_options(puzzle: EdgePuzzle, *, labelled: bool = False) -> EdgeOptions:
    """Return all options that agree with the frame and the hints, ordered by cell, then type.

    With `labelled`, each tile has its own type. Raises `PuzzleError` if more than `MAX_OPTIONS`
    options agree with the frame.
    """
    types = _tile_types(puzzle, labelled)
    type_of_tile = _type_of_tile(types)
    named = set() if puzzle.counts else {type_of_tile[hint.tile] for hint in puzzle.hints}
    hinted = {
        puzzle.geometry.cell(hint.position): (type_of_tile[hint.tile], puzzle.hint_sides(hint))
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
    table = np.array(rows, dtype=np.int32).reshape(-1, 2 + puzzle.geometry.side_count)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return EdgeOptions(puzzle, types, table[:, 0], table[:, 1], table[:, 2:])


def edge_values(puzzle: EdgePuzzle, colours: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a number from 1 for each colour of an inner edge, distinct for distinct colours."""
    if puzzle.signed:
        return np.where(colours > 0, 2 * colours, 1 - 2 * colours).astype(np.int32)
    return colours + np.int32(not puzzle.has_plain_frame)


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
    """Return the numbers of the cells with each combination of sides on the frame."""
    cells: dict[Frame, list[int]] = {}
    for cell, frame in enumerate(puzzle.geometry.frames):
        cells.setdefault(frame, []).append(cell)
    return cells


def _edge_name(puzzle: EdgePuzzle, cell: int, neighbour: int) -> str:
    (x, y), (to_x, to_y) = map(puzzle.geometry.position, (cell, neighbour))
    if puzzle.lattice != SQUARE:
        return f"{x},{y}|{to_x},{to_y}"
    return f"{x}|{to_x},{y}" if y == to_y else f"{x},{y}|{to_y}"
