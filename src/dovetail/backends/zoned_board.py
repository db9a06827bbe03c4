"""What a board is made of: zones of cells, what can lie there, colours of edges.

A tile's sides on the frame are 0, however it is turned, so that the cells fall into zones,
corners, borders and inner cells as a rule, and each tile type can lie in the cells of one only.
Likewise colours that no edge can have both are numbered apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.looks import NO_LOOK, Looks, looks_of
from dovetail.models.board_geometry import SIDES, BoardGeometry, Frame, opposite
from dovetail.models.edges import EAST, NORTH
from dovetail.models.frame import Kind, frame_of, kind_of_frame
from dovetail.models.options.edges import EdgeOptions
from dovetail.models.task import Task

# By plane and place in its zone the look of a type, the first, the second, … that it has in
# cells with some frame; `NO_LOOK` where it has no more of them.
Planes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Zone:
    """All cells of one `models.frame.Kind`, by their numbers, and the types that fit there."""

    cells: tuple[int, ...]
    types: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ZonedBoard:
    """The looks of a puzzle, sorted by where they can lie."""

    geometry: BoardGeometry
    looks: Looks

    @cached_property
    def frames(self) -> list[Frame]:
        """Which sides of each cell lie on the frame."""
        return list(map(self.geometry.frame_at, self.geometry.positions))

    @cached_property
    def zones(self) -> list[Zone]:
        """Those with most sides on the frame come first."""
        cells, types = dict[Kind, list[int]](), dict[Kind, set[int]]()
        for cell in sorted(range(len(self.frames)), key=lambda cell: -sum(self.frames[cell])):
            cells.setdefault(kind_of_frame(self.frames[cell]), []).append(cell)
        shown = self.looks.shown.tolist()
        for tile_type, colours in zip(self.looks.tile_type.tolist(), shown, strict=True):
            types.setdefault(kind_of_frame(frame_of(colours)), set()).add(tile_type)
        return [Zone(tuple(its), tuple(sorted(types.get(kind, ())))) for kind, its in cells.items()]

    @cached_property
    def planes(self) -> dict[Frame, Planes]:
        """What can lie in cells, by their frame."""
        frames = dict[Frame, Zone]()
        for zone in self.zones:
            frames |= dict.fromkeys((self.frames[cell] for cell in zone.cells), zone)
        return {frame: self._planes(frame, zone.types) for frame, zone in frames.items()}

    def _planes(self, frame: Frame, types: Sequence[int]) -> Planes:
        turns: list[list[int]] = [[] for _ in types]
        place = {tile_type: number for number, tile_type in enumerate(types)}
        fits = ((self.looks.shown == 0) == np.array(frame)).all(axis=1)
        for look in np.flatnonzero(fits).tolist():
            turns[place[int(self.looks.tile_type[look])]].append(look)
        planes = max(1, max(map(len, turns), default=0))
        return tuple(
            tuple(looks[plane] if plane < len(looks) else NO_LOOK for looks in turns)
            for plane in range(planes)
        )

    def edge_colours(self, side: int) -> NDArray[np.int32]:
        """The colour of the edge on a side of a cell, by look, shape (m,).

        It is the one shown by the tile on the left or below.
        """
        shown = self.looks.shown[:, side]
        return shown if side in (NORTH, EAST) else self.looks.mate[shown]

    @cached_property
    def palettes(self) -> dict[tuple[Frame, int], list[int]]:
        """The colours that an edge can have, by the frame and the side of either cell at it.

        Two palettes are the same or have no colour in common.
        """
        shown = dict[tuple[Frame, int], set[int]]()
        for frame, planes in self.planes.items():
            looks = [look for plane in planes for look in plane if look != NO_LOOK]
            for side in SIDES:
                if not frame[side]:
                    shown[frame, side] = set(self.edge_colours(side)[looks].tolist())
        palettes = list[set[int]]()
        for cell, frame in enumerate(self.frames):
            for side, beyond in self.geometry.neighbours(cell):
                either = shown[frame, side] | shown[self.frames[beyond], opposite(side)]
                if not any(either <= palette for palette in palettes):
                    palettes = list(_with(either, palettes))
        return {
            key: sorted(next(palette for palette in palettes if colours <= palette))
            for key, colours in shown.items()
        }

    @property
    def is_balanced(self) -> bool:
        """Whether every zone has as many tiles as cells, without which there is no board."""
        return all(
            self.looks.copies[list(zone.types)].sum() == len(zone.cells) for zone in self.zones
        )


def _with(colours: set[int], palettes: Iterable[set[int]]) -> Iterator[set[int]]:
    """The palettes and some colours, made one palette with those that they meet."""
    for palette in palettes:
        if colours.isdisjoint(palette):
            yield palette
        else:
            colours = colours | palette
    yield colours


def zoned_board(task: Task) -> ZonedBoard:
    """The board of an edge-matching task, with the looks that its options have."""
    assert task.edges is not None
    return _zoned_board(task.edges)


@lru_cache(maxsize=1)  # a task is first refused or not, then prepared
def _zoned_board(options: EdgeOptions) -> ZonedBoard:
    return ZonedBoard(options.puzzle.geometry, looks_of(options))
