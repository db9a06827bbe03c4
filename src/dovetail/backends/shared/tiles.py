"""Tables of edge-matching puzzles for solvers: orientations, zones of the board, constraint models.

An orientation is a tile type with a rotation. An option puts an orientation into a cell; the same
orientation may lie in many cells, so that tables by orientation are smaller than tables by option.

In a plain frame, a tile's sides on the frame show 0 in every rotation. Hence cells and tile types
fall into zones (as a rule corners, borders and inner cells), and each tile type can lie in a single
zone. Other boards are a single zone. Colours that no edge can have both are numbered apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from dovetail.models.board_geometry import BoardGeometry, Frame
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.task import Task

NO_OPTION = -1
NO_ORIENTATION = -1
NO_COLOUR = -1


@dataclass(frozen=True, eq=False)
class TileOrientations:
    """m orientations of t types in c cells, with k colours numbered from 0, the frame's.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tile_type` | (m,) | int32 | the type, ascending: orientations of a type are consecutive |
    | `shown` | (m, sides) | int32 | colours shown, clockwise; on squares from the north |
    | `colour` | (k,) | int32 | the puzzle's colour |
    | `mates` | (k, p) | int32 | the colours that the other side of an edge may show, then −1 |
    | `copies` | (t,) | int32 | how many tiles there are of each type |
    | `least` | (t,) | int32 | how many of them have to be used |
    | `option` | (c, m) | int32 | the option with that orientation in that cell, −1 for none |

    The options may be fewer than the frame allows: hints and reductions have taken some out.
    A colour matches itself only, unless a puzzle is signed or has `matches`, and at most p colours.
    On boards without a plain frame, inner sides may show colour 0.
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
        """The only colour that the other side of an edge may show, shape (k,)."""
        assert self.mates.shape[1] == 1
        return self.mates[:, 0]


def warm_up() -> None:
    """Have numpy import what `unique` needs, which takes longer than most boards do."""
    np.unique(np.zeros(1))


def tile_orientations(options: EdgeOptions) -> TileOrientations:
    """Return the orientations of some options, sorted by type and then by the colours shown."""
    puzzle = options.puzzle
    rows = np.column_stack([options.tile_type, options.sides])
    order = np.lexsort(rows.T[::-1])
    in_order = rows[order]
    begins = np.ones(len(rows), dtype=bool)  # an orientation, among the rows in order
    begins[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    distinct, orientation = in_order[begins], np.empty(len(rows), dtype=np.int64)
    orientation[order] = np.cumsum(begins) - 1
    sides = distinct[:, 1:]
    values = {0, *np.unique(sides).tolist()}
    values.update(*map(puzzle.mates, values))
    in_turn = sorted(values, key=lambda value: (abs(value), value))  # the frame's first
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


# By plane and place in its zone the orientation of a type, the first, the second, … that it has in
# cells with some frame; `NO_ORIENTATION` where it has no more of them.
Planes = tuple[tuple[int, ...], ...]

# Which sides of a cell lie on the frame, and which sides' edges belong to the cell.
CellKind = tuple[Frame, tuple[bool, ...]]


@dataclass(frozen=True)
class Zone:
    """Cells that tiles of the same types fit, by their numbers, and these types."""

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
        """Which sides of each cell lie on the frame."""
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
        """Each inner edge as the cell that owns it, its side there and the cell beyond."""
        return list(self.geometry.edges())

    @cached_property
    def zones(self) -> list[Zone]:
        """Zones; those with most sides on the frame come first."""

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
        """Whether the sides of each orientation may lie on the frame, shape (m, sides)."""
        shown = self.orientations.colour[self.orientations.shown]
        colour = self.puzzle.frame_colour
        return np.ones_like(shown, dtype=bool) if colour is None else shown == colour

    @cached_property
    def planes(self) -> dict[Frame, Planes]:
        """Types and orientations that can lie in cells, by the cells' frame."""
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
        """The largest number of planes of any cell; of a variant the rotations, for few kernels."""
        return (
            len(self.puzzle.turns) if self.puzzle.variants else max(map(len, self.planes.values()))
        )

    def domain(self, frame: Frame, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the orientation of each bit of a domain of the cells with some frame.

        Bit t of each plane is for the type at place `places[t]` in its zone, or for none if that is
        −1. Bits that stand for no orientation have `NO_ORIENTATION`.
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
        """Return the colours that the edge on a side of a cell may have, by orientation there.

        The colour of an edge is the colour shown by the cell that owns it. The colours come with
        the indices into `orientations` that they belong to.
        """
        shown = self.orientations.shown[orientations, side]
        allowed = shown[:, None] if kind[1][side] else self.orientations.mates[shown]
        which, place = np.nonzero(allowed != NO_COLOUR)
        return which, allowed[which, place]

    @cached_property
    def palettes(self) -> dict[tuple[CellKind, int], list[int]]:
        """The colours that an edge can have, by the kind of either cell at it and its side there.

        Two palettes are the same or have no colour in common.
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
        """Whether each zone can be filled by its types, and all that must be used have a zone."""
        copies, least = self.orientations.copies, self.orientations.least
        types = [list(zone.types) for zone in self.zones]
        return bool(least.sum() == sum(least[its].sum() for its in types)) and all(
            least[its].sum() <= len(zone.cells) <= copies[its].sum()
            for its, zone in zip(types, self.zones, strict=True)
        )


def _with(colours: set[int], palettes: Iterable[set[int]]) -> Iterator[set[int]]:
    """Return the palettes, with `colours` and the palettes that they meet made a single one."""
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


@lru_cache(maxsize=1)  # a task is first refused or not, then prepared
def _zoned_board(options: EdgeOptions) -> ZonedBoard:
    puzzle = options.puzzle
    return ZonedBoard(puzzle, puzzle.geometry, tile_orientations(options))
