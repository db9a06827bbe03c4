"""Slots: the bits that stand for tiles in the sets of `rows`.

Slot s is bit s % 64 of word s // 64. Types of tiles that can lie in the same cells make up a
group, which has words of its own: on the usual board the corner, border and inner tiles. A
tile has one slot, and further ones where it can fit in several ways at once: as many as it has
orientations among those that the known colours leave it in some cell. They are side by side in one
word, and so are those of all tiles of a type if a word can hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.contexts import Context
from dovetail.backends.shared.tile_orientations import TileOrientations
from dovetail.kernels.word_size import WORD_BITS


@dataclass(frozen=True)
class WordRange:
    """Words that lie side by side: the number of the first, and how many."""

    first: int
    count: int


@dataclass(frozen=True)
class TileSlots:
    """A tile: its number, and the `slots` slots that it has from `first` on."""

    number: int
    first: int
    slots: int

    @property
    def word(self) -> int:
        return self.first // WORD_BITS

    @property
    def bit(self) -> int:
        """Of its first slot in their word."""
        return self.first % WORD_BITS

    @property
    def mask(self) -> int:
        """Its slots as bits of their word."""
        return ((1 << self.slots) - 1) << self.bit


@dataclass(frozen=True, eq=False)
class Slots:
    """The tiles of each type that has an option, and the words of its group."""

    copies: dict[int, tuple[TileSlots, ...]]
    words_of_type: dict[int, WordRange]

    @property
    def words(self) -> int:
        """How many words the groups have in all."""
        return max((words.first + words.count for words in self.words_of_type.values()), default=1)

    @property
    def tiles(self) -> int:
        """How many tiles have slots; they are numbered from 0."""
        return sum(map(len, self.copies.values()))

    def words_of(self, context: Context, orientations: TileOrientations) -> WordRange:
        """The words that candidates of a context lie in; any where it has none."""
        if len(context.orientations) == 0:
            return WordRange(0, 1)
        return self.words_of_type[int(orientations.tile_type[context.orientations[0]])]


def slots_of(contexts: Iterable[Context], orientations: TileOrientations) -> Slots:
    """Give slots to all tiles that some context allows, copies of a type side by side."""
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
        word += words.count
    return Slots(copies, words_of_type)


def _slots_by_type(allowed: Sequence[tuple[Context, NDArray[np.int32]]]) -> dict[int, int]:
    """How many orientations of each type fit at once, at most."""
    max_at_once: dict[int, int] = {}
    for context, types in allowed:
        pairs, times = np.unique([types, context.agreeing[-1]], axis=1, return_counts=True)
        for tile_type, at_once in zip(pairs[0].tolist(), times.tolist(), strict=True):
            max_at_once[tile_type] = max(max_at_once.get(tile_type, 0), at_once)
    return max_at_once


def _gap(end: int, block: int) -> int:
    """How many slots to leave out so that the next `block` of them are in one word."""
    return -end % WORD_BITS if end % WORD_BITS + block > WORD_BITS else 0


def _groups(allowed: Iterable[set[int]]) -> list[list[int]]:
    """Types of which two are in one group where they are allowed together, least ones first."""
    groups: list[set[int]] = []
    for types in allowed:
        joined = [group for group in groups if not group.isdisjoint(types)]
        groups = [group for group in groups if group.isdisjoint(types)]
        groups.append(types.union(*joined))
    return sorted(sorted(group) for group in groups if group)
