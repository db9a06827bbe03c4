"""Tables of edge-matching puzzles for solvers: orientations, zones of the board, edge colours.

An orientation is a tile type with a rotation. An option puts an orientation into a cell. The same
orientation may lie in many cells, so that tables by orientation are smaller than tables by option.

In a plain frame, exactly the sides on the frame show colour 0. Therefore cells and tile types fall
into zones (as a rule corners, borders and inner cells), and each tile type belongs to one zone. A
board without a plain frame is a single zone. The colours that an edge may have form its palette;
two palettes are equal or disjoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from dovetail.models.boards.edges import EdgePuzzle, Tile
from dovetail.models.boards.geometry import BoardGeometry, Frame
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.task import Task

NO_OPTION = -1
NO_ORIENTATION = -1
NO_COLOUR = -1


@dataclass(frozen=True, eq=False)
class TileOrientations:
    """m orientations of t types in c cells, with k colours, of which 0 is the frame's.

    A colour matches at most p colours: itself only, unless a puzzle is signed or has `matches`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tile_type` | (m,) | int32 | the type, ascending: orientations of a type are consecutive |
    | `shown` | (m, sides) | int32 | colours shown, clockwise; on squares from the north |
    | `colour` | (k,) | int32 | the number that the puzzle has for each colour |
    | `mates` | (k, p) | int32 | colours that the other side of an edge may show, then −1 |
    | `copies` | (t,) | int32 | number of tiles of each type |
    | `least` | (t,) | int32 | number of tiles of each type that have to be used |
    | `option` | (c, m) | int32 | option that puts an orientation into a cell, −1 for none |

    Options that hints and reductions have removed are missing. On boards without a plain frame,
    inner sides may show colour 0.
    """

    tile_type: NDArray[np.int32]
    shown: NDArray[np.int32]
    colour: NDArray[np.int32]
    mates: NDArray[np.int32]
    copies: NDArray[np.int32]
    least: NDArray[np.int32]
    option: NDArray[np.int32]

    @property
    def mate(self) -> NDArray[np.int32]:
        """For each colour, the only colour that it matches, shape (k,); p must be 1."""
        assert self.mates.shape[1] == 1
        return self.mates[:, 0]


def warm_up() -> None:
    """Call `unique`, so that numpy imports its modules before preparation is timed."""
    np.unique(np.zeros(1))


def tile_orientations(options: EdgeOptions) -> TileOrientations:
    """Return the orientations of some options, sorted by type and then by the colours shown."""
    puzzle = options.puzzle
    rows = np.column_stack([options.tile_type, options.sides])
    order = np.lexsort(rows.T[::-1])
    in_order = rows[order]
    begins = np.ones(len(rows), dtype=bool)  # True for the first row of each orientation
    begins[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    distinct, orientation = in_order[begins], np.empty(len(rows), dtype=np.int64)
    orientation[order] = np.cumsum(begins) - 1
    sides = distinct[:, 1:]
    values = {0, *np.unique(sides).tolist()}
    values.update(*map(puzzle.mates, values))
    in_turn = sorted(values, key=lambda value: (abs(value), value))  # colour 0 first
    number = {value: n for n, value in enumerate(in_turn)}
    mates = [[number[it] for it in puzzle.mates(value) if it in number] for value in in_turn]
    option = np.full((len(puzzle.geometry.positions), len(distinct)), NO_OPTION, dtype=np.int32)
    option[options.cell, orientation] = np.arange(options.option_count, dtype=np.int32)
    shown = np.array([number[int(value)] for value in sides.ravel()], dtype=np.int32)
    return TileOrientations(
        tile_type=distinct[:, 0].astype(np.int32),
        shown=shown.reshape(sides.shape),
        colour=np.array(in_turn, dtype=np.int32),
        mates=np.array([*zip_longest(*mates, fillvalue=NO_COLOUR)], dtype=np.int32).T,
        copies=np.array([len(kind.tiles) for kind in options.types], dtype=np.int32),
        least=np.array([kind.least for kind in options.types], dtype=np.int32),
        option=option,
    )


# Orientations that fit cells with a certain frame. Entry [p][i] is the p-th fitting orientation,
# from 0, of the type at place i of the cells' zone; `NO_ORIENTATION` if fewer orientations fit.
Planes = tuple[tuple[int, ...], ...]

# For each side of a cell: whether the side lies on the frame, and whether the cell owns the inner
# edge there.
CellKind = tuple[Frame, tuple[bool, ...]]


@dataclass(frozen=True)
class Zone:
    """Numbers of cells that tiles of the same types fit, and the numbers of these types."""

    cells: tuple[int, ...]
    types: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ZonedBoard:
    """The orientations of a puzzle, sorted by where they can lie."""

    puzzle: EdgePuzzle
    geometry: BoardGeometry
    orientations: TileOrientations

    @property
    def frames(self) -> list[Frame]:
        """Sides of each cell that lie on the frame."""
        return self.geometry.frames

    @cached_property
    def kinds(self) -> list[CellKind]:
        """The kind of each cell."""
        owns = self.geometry.owns
        return [
            (frame, tuple(not outer and owns(cell, side) for side, outer in enumerate(frame)))
            for cell, frame in enumerate(self.frames)
        ]

    @cached_property
    def edges(self) -> list[tuple[int, int, int]]:
        """Inner edges, each as its owner cell, the side of that cell and the cell beyond."""
        return list(self.geometry.edges())

    @cached_property
    def zones(self) -> list[Zone]:
        """Zones, in descending order of the number of sides that their cells have on the frame."""

        @cache
        def family(frame: Frame) -> Tile:
            return self.puzzle.look(frame) if self.puzzle.has_plain_frame else ()

        cells, types = dict[Tile, list[int]](), dict[Tile, set[int]]()
        for cell in sorted(range(len(self.frames)), key=lambda cell: -sum(self.frames[cell])):
            cells.setdefault(family(self.frames[cell]), []).append(cell)
        outer = map(tuple, self._may_be_outer.tolist())
        for tile_type, frame in zip(self.orientations.tile_type.tolist(), outer, strict=True):
            types.setdefault(family(frame), set()).add(tile_type)
        return [
            Zone(tuple(its), tuple(sorted(types.get(frame, ())))) for frame, its in cells.items()
        ]

    @cached_property
    def _may_be_outer(self) -> NDArray[np.bool_]:
        """Mask of the sides of each orientation that may lie on the frame, shape (m, sides)."""
        shown = self.orientations.colour[self.orientations.shown]
        colour = self.puzzle.frame_colour
        return np.ones_like(shown, dtype=bool) if colour is None else shown == colour

    @cached_property
    def planes(self) -> dict[Frame, Planes]:
        """Orientations that fit cells, by the cells' frame; see `Planes`."""
        frames = dict[Frame, Zone]()
        for zone in self.zones:
            frames |= dict.fromkeys((self.frames[cell] for cell in zone.cells), zone)
        return {frame: self._planes(frame, zone.types) for frame, zone in frames.items()}

    def _planes(self, frame: Frame, types: Sequence[int]) -> Planes:
        turns: list[list[int]] = [[] for _ in types]
        place = {tile_type: number for number, tile_type in enumerate(types)}
        outer = self._may_be_outer
        fits = outer == frame if self.puzzle.has_plain_frame else outer | ~np.array(frame)
        for orientation in np.flatnonzero(fits.all(axis=1)).tolist():
            turns[place[int(self.orientations.tile_type[orientation])]].append(orientation)
        planes = max(1, max(map(len, turns), default=0))
        return tuple(
            tuple(
                orientations[plane] if plane < len(orientations) else NO_ORIENTATION
                for orientations in turns
            )
            for plane in range(planes)
        )

    @cached_property
    def plane_count(self) -> int:
        """Largest number of planes of any cell.

        For a puzzle with variants, the result is the number of rotations of a tile, so that few
        kernels are compiled.
        """
        return (
            len(self.puzzle.turns) if self.puzzle.variants else max(map(len, self.planes.values()))
        )

    def domain(self, frame: Frame, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the orientation of each bit of a domain, for cells with this frame.

        Bit t of each plane is for the type at place `places[t]` of the cells' zone; a place of −1
        is for no type. Bits that stand for no orientation have `NO_ORIENTATION`.
        """
        planes = self.planes[frame]
        turns = np.full((self.plane_count, len(planes[0]) + 1), NO_ORIENTATION, dtype=np.int64)
        turns[: len(planes), :-1] = planes
        return turns[:, places].ravel()

    def options(self, cell: int, domain: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the option of each bit of a domain of a cell, `NO_OPTION` for none."""
        options = np.append(self.orientations.option[cell], np.int32(NO_OPTION))
        chosen: NDArray[np.int32] = options[domain]
        return chosen

    def edge_colours(
        self, kind: CellKind, side: int, orientations: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the colours that an edge of a cell may have beside each orientation in the cell.

        The colour of an edge is the colour shown by the cell that owns it. The result is an array
        of indices into `orientations`, and an array of the colour that goes with each index.
        """
        shown = self.orientations.shown[orientations, side]
        allowed = shown[:, None] if kind[1][side] else self.orientations.mates[shown]
        which, place = np.nonzero(allowed != NO_COLOUR)
        return which, allowed[which, place]

    @cached_property
    def palettes(self) -> dict[tuple[CellKind, int], list[int]]:
        """Palette of an edge, by the kind of either of its cells and the side of that cell.

        Two palettes are equal or have no colour in common.
        """
        colours = dict[tuple[CellKind, int], set[int]]()
        for kind in dict.fromkeys(self.kinds):
            numbers = np.array(self.planes[kind[0]], dtype=np.int64).ravel()
            numbers = numbers[numbers != NO_ORIENTATION]
            for side, outer in enumerate(kind[0]):
                if not outer:
                    colours[kind, side] = set(self.edge_colours(kind, side, numbers)[1].tolist())
        palettes = list[set[int]]()
        for cell, side, beyond in self.edges:
            other = self.kinds[beyond], self.geometry.opposite(side)
            either = colours[self.kinds[cell], side] | colours[other]
            if not any(either <= palette for palette in palettes):
                palettes = list(_with(either, palettes))
        return {
            key: sorted(next(palette for palette in palettes if its <= palette))
            for key, its in colours.items()
        }

    @cached_property
    def is_balanced(self) -> bool:
        """True if the numbers of tiles allow all zones to be filled.

        The types of each zone have enough tiles for its cells, and its cells have room for the
        tiles that must be used. Each type that must be used has a zone.
        """
        copies, least = self.orientations.copies, self.orientations.least
        types = [list(zone.types) for zone in self.zones]
        return bool(least.sum() == sum(least[its].sum() for its in types)) and all(
            least[its].sum() <= len(zone.cells) <= copies[its].sum()
            for its, zone in zip(types, self.zones, strict=True)
        )


def _with(colours: set[int], palettes: Iterable[set[int]]) -> Iterator[set[int]]:
    """Yield the palettes, merging `colours` with all palettes that share a colour with them."""
    for palette in palettes:
        if colours.isdisjoint(palette):
            yield palette
        else:
            colours = colours | palette
    yield colours


def zoned_board(task: Task) -> ZonedBoard:
    """Return the board of an edge-matching task, with the orientations that its options have."""
    assert task.edges is not None
    return _zoned_board(task.edges)


@lru_cache(maxsize=1)  # checking a task and preparing its search both need the board
def _zoned_board(options: EdgeOptions) -> ZonedBoard:
    puzzle = options.puzzle
    return ZonedBoard(puzzle, puzzle.geometry, tile_orientations(options))
