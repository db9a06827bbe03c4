"""What a board of edge domains is made of: families of cells, edges, their colours.

A tile's sides on the frame are 0, however it is turned, so that the cells fall into families,
corners, borders and inner cells as a rule, and each tile type can lie in the cells of one only.
Likewise colours that no edge can have both are numbered apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.looks import Looks
from dovetail.models.edges import EAST, NORTH, SOUTH, WEST

Frame = tuple[bool, bool, bool, bool]
NOWHERE = -1
STEP = {NORTH: (0, 1), EAST: (1, 0), SOUTH: (0, -1), WEST: (-1, 0)}


@dataclass(frozen=True)
class Family:
    """Cells that lie alike on the frame, by their numbers, and the types that fit there."""

    cells: tuple[int, ...]
    types: tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """The cells with one `frame`, which of north, east, south and west lie on it.

    `looks[plane][place]` is the look in which the type at that place of its family lies in such a
    cell, the first, the second, …; `NOWHERE` where a type has no more looks there.
    """

    family: int
    looks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Board:
    """The looks of a puzzle, sorted by where they can lie."""

    width: int
    height: int
    looks: Looks

    @cached_property
    def frames(self) -> list[Frame]:
        """Which sides of each cell lie on the frame."""
        return [
            (y == self.height - 1, x == self.width - 1, y == 0, x == 0)
            for x in range(self.width)
            for y in range(self.height)
        ]

    @cached_property
    def families(self) -> list[Family]:
        """Those with most sides on the frame come first."""
        cells, types = dict[Frame, list[int]](), dict[Frame, set[int]]()
        for cell, frame in enumerate(self.frames):
            cells.setdefault(_least_turn(frame), []).append(cell)
        for kind, shown in zip(self.looks.tile_type, self.looks.shown, strict=True):
            north, east, south, west = (shown == 0).tolist()
            types.setdefault(_least_turn((north, east, south, west)), set()).add(int(kind))
        return [
            Family(tuple(cells[frame]), tuple(sorted(types.get(frame, ()))))
            for frame in sorted(cells, key=lambda frame: (-sum(frame), frame))
        ]

    @cached_property
    def kinds(self) -> dict[Frame, Kind]:
        """The kinds of cells that the board has."""
        family_of = {cell: number for number, one in enumerate(self.families) for cell in one.cells}
        found = dict[Frame, Kind]()
        for cell, frame in enumerate(self.frames):
            if frame not in found:
                family = family_of[cell]
                found[frame] = Kind(family, self._planes(frame, self.families[family].types))
        return found

    def _planes(self, frame: Frame, types: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        turns: list[list[int]] = [[] for _ in types]
        place = {kind: number for number, kind in enumerate(types)}
        fits = ((self.looks.shown == 0) == np.array(frame)).all(axis=1)
        for look in np.flatnonzero(fits).tolist():
            turns[place[int(self.looks.tile_type[look])]].append(look)
        planes = max(1, max(map(len, turns), default=0))
        return tuple(
            tuple(looks[plane] if plane < len(looks) else NOWHERE for looks in turns)
            for plane in range(planes)
        )

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """The sides of a cell that do not lie on the frame, and the cells beyond."""
        x, y = divmod(cell, self.height)
        for side, on_frame in enumerate(self.frames[cell]):
            if not on_frame:
                right, up = STEP[side]
                yield side, (x + right) * self.height + y + up

    def edge_colours(self, frame: Frame, side: int) -> NDArray[np.int32]:
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
        sides = dict[tuple[Frame, int], set[int]]()
        for frame, kind in self.kinds.items():
            looks = [look for plane in kind.looks for look in plane if look != NOWHERE]
            for side in (side for side in range(4) if not frame[side]):
                sides[frame, side] = set(self.edge_colours(frame, side)[looks].tolist())
        palettes = list[set[int]]()
        for cell, frame in enumerate(self.frames):
            for side, beyond in self.neighbours(cell):
                either = sides[frame, side] | sides[self.frames[beyond], (side + 2) % 4]
                if not any(either <= palette for palette in palettes):
                    palettes = list(_with(either, palettes))
        return {
            key: sorted(next(palette for palette in palettes if colours <= palette))
            for key, colours in sides.items()
        }

    @property
    def is_balanced(self) -> bool:
        """Whether every family has as many tiles as cells, without which there is no board."""
        return all(
            self.looks.copies[list(family.types)].sum() == len(family.cells)
            for family in self.families
        )


def _least_turn(frame: Frame) -> Frame:
    """The same for all turns of a frame."""
    north, east, south, west = max(frame[turn:] + frame[:turn] for turn in range(4))
    return north, east, south, west


def _with(colours: set[int], palettes: Iterable[set[int]]) -> Iterator[set[int]]:
    """The palettes and some colours, made one palette with those that they meet."""
    for palette in palettes:
        if colours.isdisjoint(palette):
            yield palette
        else:
            colours = colours | palette
    yield colours
