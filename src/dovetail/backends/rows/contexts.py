"""Contexts of cells: what may lie there, and which sides are known when they are filled.

Cells of one context share a part of the tables, which is what makes these small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.tile_orientations import NO_OPTION, TileOrientations
from dovetail.models.board_geometry import SIDES, Position, beyond


@dataclass(frozen=True)
class Neighbour:
    """A neighbour filled earlier: at which depth, and which side of the cell lies towards it."""

    depth: int
    side: int


@dataclass(frozen=True, eq=False)
class Context:
    """What may lie in some cells, by the colours that are known there.

    `orientations` are the m allowed ones, ascending, and `shown` their colours, shape (m, 4). The
    colours on the sides `earlier` are known before the cell filled just before has its tile;
    that on the side `last`, where it is not None, comes with it.
    """

    orientations: NDArray[np.int64]
    shown: NDArray[np.int32]
    earlier: tuple[int, ...]
    last: int | None

    @property
    def read(self) -> list[NDArray[np.int32]]:
        """What each orientation shows on the known sides in turn; 0 if `last` is None."""
        nothing = np.zeros(len(self.orientations), dtype=np.int32)
        last = nothing if self.last is None else self.shown[:, self.last]
        return [*(self.shown[:, side] for side in self.earlier), last]

    @cached_property
    def agreeing(self) -> list[NDArray[np.int64]]:
        """Classes of orientations that agree on the first colours read; for no colour, one, ….

        In the last array those that fit at once have the same number.
        """
        found = [np.zeros(len(self.orientations), dtype=np.int64)]
        for colours in self.read:
            pairs = np.stack([found[-1], colours])
            found.append(np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1))
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """How many numbers there are in each array of `agreeing`."""
        return [int(numbers.max(initial=-1)) + 1 for numbers in self.agreeing]


def known_neighbours(order: Sequence[Position]) -> list[list[Neighbour]]:
    """For each cell in the order of filling its neighbours filled earlier, by side."""
    depth_of = {cell: depth for depth, cell in enumerate(order)}
    known = []
    for depth, cell in enumerate(order):
        near = [depth_of.get(beyond(cell, side), depth) for side in SIDES]
        known.append([Neighbour(at, side) for side, at in enumerate(near) if at < depth])
    return known


def contexts_of(
    orientations: TileOrientations, cells: Sequence[int], known: Sequence[list[Neighbour]]
) -> list[Context]:
    """The contexts of `cells`, which are in the order of filling; equal ones are one object."""
    contexts: dict[tuple[bytes, tuple[int, ...], int | None], Context] = {}
    found = []
    for depth, (cell, near) in enumerate(zip(cells, known, strict=True)):
        allowed = orientations.option[cell] != NO_OPTION
        earlier = tuple(one.side for one in near if one.depth < depth - 1)
        last = next((one.side for one in near if one.depth == depth - 1), None)
        key = allowed.tobytes(), earlier, last
        if key not in contexts:
            numbers = np.flatnonzero(allowed)
            contexts[key] = Context(numbers, orientations.shown[numbers], earlier, last)
        found.append(contexts[key])
    return found
