"""Contexts of cells, and slots: the bits that stand for tiles in the sets of `rows`.

A context is the set of allowed orientations of a cell, with the sides that are known when the cell
is filled. Cells with the same context share a part of the tables, which keeps the tables small.

Slot s is bit s % 64 of word s // 64. Types of tiles that can lie in the same cells form a group
with its own words: on the usual board the corner, border and inner tiles. The number of slots of a
tile is the greatest number of its orientations that fit the same known colours in some cell. The
slots of a tile are adjacent bits of a word, and so are the slots of all tiles of a type if one word
can hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.tiles import NO_COLOUR, NO_OPTION, TileOrientations
from dovetail.errors import ConfigError
from dovetail.kernels.layout import WORD_BITS
from dovetail.machine_code.board import WordRange
from dovetail.models.boards.geometry import BoardGeometry, Position
from dovetail.models.options.edges import MAX_OPTIONS


@dataclass(frozen=True)
class Neighbour:
    """A neighbour of a cell that is filled before the cell."""

    depth: int  # depth at which the neighbour is filled
    side: int  # side of the cell towards the neighbour


@dataclass(frozen=True, eq=False)
class Context:
    """The orientations allowed in some cells, by the colours that are known there.

    `orientations`, shape (m,), ascending, has an orientation once for every combination of known
    colours that it fits. `read` has these colours in the order in which they are read, an array of
    shape (m,) for each side. The last array is for the side towards the cell filled just before; it
    is 0 if that cell is no neighbour.
    """

    orientations: NDArray[np.int64]
    read: list[NDArray[np.int32]]

    @cached_property
    def agreeing(self) -> list[NDArray[np.int64]]:
        """Classes of the orientations by the first 0, 1, … colours read, arrays of shape (m,).

        In an array, orientations that agree on these colours have the same number. In the last
        array, orientations that fit the same colours have the same number.
        """
        found = [np.zeros(len(self.orientations), dtype=np.int64)]
        for colours in self.read:
            pairs = np.stack([found[-1], colours])
            found.append(np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1))
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """Number of classes in each array of `agreeing`."""
        return [int(numbers.max(initial=-1)) + 1 for numbers in self.agreeing]


def known_neighbours(order: Sequence[Position], geometry: BoardGeometry) -> list[list[Neighbour]]:
    """Return, for each cell in filling order, the neighbours filled before the cell."""
    depth_of, sides = {cell: depth for depth, cell in enumerate(order)}, range(geometry.side_count)
    known = []
    for depth, cell in enumerate(order):
        near = [depth_of.get(geometry.beyond(cell, side), depth) for side in sides]
        known.append([Neighbour(at, side) for side, at in enumerate(near) if at < depth])
    return known


def contexts_of(
    orientations: TileOrientations, cells: Sequence[int], known: Sequence[list[Neighbour]]
) -> list[Context]:
    """Return the contexts of `cells` in filling order; equal contexts are the same object.

    Raises `ConfigError` if tiles fit in more than `MAX_OPTIONS` ways. This can only happen if a
    colour matches several colours.
    """
    contexts: dict[tuple[bytes, tuple[int, ...], int | None], Context] = {}
    found, ways = [], 0
    mates = np.count_nonzero(orientations.mates != NO_COLOUR, axis=1)
    for depth, (cell, near) in enumerate(zip(cells, known, strict=True)):
        allowed = orientations.option[cell] != NO_OPTION
        earlier = tuple(neighbour.side for neighbour in near if neighbour.depth < depth - 1)
        last = next((neighbour.side for neighbour in near if neighbour.depth == depth - 1), None)
        key = allowed.tobytes(), earlier, last
        if key not in contexts:
            sides = orientations.shown[allowed][:, [neighbour.side for neighbour in near]]
            ways += int(mates[sides].prod(axis=1, dtype=float).sum())
            if ways > MAX_OPTIONS:
                raise ConfigError(
                    f"its tiles fit in {ways:,} ways by the colours known in {depth + 1} cells; "
                    f"the limit is {MAX_OPTIONS:,}"
                )
            contexts[key] = _context(orientations, np.flatnonzero(allowed), earlier, last)
        found.append(contexts[key])
    return found


def _context(
    orientations: TileOrientations,
    numbers: NDArray[np.int64],
    earlier: Sequence[int],
    last: int | None,
) -> Context:
    read = list[NDArray[np.int32]]()
    for side in [*earlier, *([] if last is None else [last])]:
        mates = orientations.mates[orientations.shown[numbers, side]]
        which, place = np.nonzero(mates != NO_COLOUR)
        numbers, read = numbers[which], [each[which] for each in read]
        read.append(mates[which, place])
    return Context(numbers, read if last is not None else [*read, np.zeros_like(numbers)])


@dataclass(frozen=True)
class TileSlots:
    """The slots of a tile."""

    number: int  # number of the tile, from 0
    first: int  # number of the first slot
    slots: int  # number of slots

    @property
    def word(self) -> int:
        return self.first // WORD_BITS

    @property
    def bit(self) -> int:
        """Bit of the first slot in its word."""
        return self.first % WORD_BITS

    @property
    def mask(self) -> int:
        """Slots of the tile as bits of their word."""
        return ((1 << self.slots) - 1) << self.bit


@dataclass(frozen=True, eq=False)
class Slots:
    """The slots of all tiles that have an option."""

    copies: dict[int, tuple[TileSlots, ...]]  # by type, the slots of its tiles
    words_of_type: dict[int, WordRange]  # by type, the words of its group

    @property
    def words(self) -> int:
        """Number of words of all groups."""
        return max((words.first + words.size for words in self.words_of_type.values()), default=1)

    @property
    def tiles(self) -> int:
        """Number of tiles that have slots."""
        return sum(map(len, self.copies.values()))

    def words_of(self, context: Context, orientations: TileOrientations) -> WordRange:
        """Return the words with the candidates of a context; any word for no candidates."""
        if len(context.orientations) == 0:
            return WordRange(0, 1)
        return self.words_of_type[int(orientations.tile_type[context.orientations[0]])]


def slots_of(contexts: Iterable[Context], orientations: TileOrientations) -> Slots:
    """Return the slots of all tiles that some context allows, type by type in each group."""
    allowed = [(context, orientations.tile_type[context.orientations]) for context in contexts]
    slots = _slots_by_type(allowed)
    copies, words_of_type = dict[int, tuple[TileSlots, ...]](), dict[int, WordRange]()
    word, number = 0, count()
    for types in _groups([set(types.tolist()) for _, types in allowed]):
        end = word * WORD_BITS
        for tile_type in types:
            its, each = list[TileSlots](), slots[tile_type]
            together = each * int(orientations.copies[tile_type])
            for _ in range(orientations.copies[tile_type]):
                block = each if its or together > WORD_BITS else together
                end += _gap(end, block)
                its.append(TileSlots(next(number), end, each))
                end += each
            copies[tile_type] = tuple(its)
        words = WordRange(word, -(-end // WORD_BITS) - word)
        words_of_type |= dict.fromkeys(types, words)
        word += words.size
    return Slots(copies, words_of_type)


def _slots_by_type(allowed: Sequence[tuple[Context, NDArray[np.int32]]]) -> dict[int, int]:
    """Return for each type the largest number of orientations that fit the same known colours."""
    max_at_once: dict[int, int] = {}
    for context, types in allowed:
        pairs, times = np.unique([types, context.agreeing[-1]], axis=1, return_counts=True)
        for tile_type, at_once in zip(pairs[0].tolist(), times.tolist(), strict=True):
            max_at_once[tile_type] = max(max_at_once.get(tile_type, 0), at_once)
    return max_at_once


def _gap(end: int, block: int) -> int:
    """Return the number of slots to skip after `end` so that `block` slots lie in one word."""
    return -end % WORD_BITS if end % WORD_BITS + block > WORD_BITS else 0


def _groups(allowed: Iterable[set[int]]) -> list[list[int]]:
    """Return the groups of types, sorted; types that are allowed together share a group."""
    groups: list[set[int]] = []
    for types in allowed:
        joined = [group for group in groups if not group.isdisjoint(types)]
        groups = [group for group in groups if group.isdisjoint(types)]
        groups.append(types.union(*joined))
    return sorted(sorted(group) for group in groups if group)
