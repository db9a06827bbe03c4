"""The tables of `rows`: which tiles fit where some colours are known, and what they then show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.rows.automaton import Section, sections_of, steps_of
from dovetail.backends.rows.contexts import Neighbour, contexts_of, known_neighbours
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import OtherWords, Tables
from dovetail.backends.rows.slots import Slots, WordRange, slots_of
from dovetail.backends.shared.tile_orientations import TileOrientations
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.board_geometry import BoardGeometry, Position, opposite

IdenticalTiles = Literal["once", "each"]

MAX_BYTES = 2**28
BYTES_PER_STEP = 4
BYTES_PER_ROW_WORD = 8 + WORD_BITS * (8 + 4)  # `masks`, and for each slot `shows` and `orientation`


@dataclass(frozen=True, eq=False)
class OrderedBoard:
    """A board whose cells are to be filled in an order: what its tables are made from.

    By depth, that is in the order of filling: `cells`, by number, their `known` neighbours and
    the section of the tables for their context.
    """

    orientations: TileOrientations
    cells: list[int]
    known: list[list[Neighbour]]
    section_at: list[Section]
    sections: list[Section]
    slots: Slots

    @property
    def side_at(self) -> list[int | None]:
        """By depth, the side of the cell on which the next cell lies; None where it does not."""
        following = [*self.known[1:], list[Neighbour]()]
        return [
            next((opposite(one.side) for one in near if one.depth == depth), None)
            for depth, near in enumerate(following)
        ]

    @property
    def table_bytes(self) -> int:
        """How much memory the tables take."""
        steps = self.sections[-1].next_state * len(self.orientations.mate)
        return steps * BYTES_PER_STEP + self.sections[-1].next_row * BYTES_PER_ROW_WORD


@dataclass(frozen=True, eq=False)
class BoardTables:
    """What the kernel looks up on a board, and what a search begins with and ends in.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (w + 1,) | uint64 | the slots that can be taken when nothing lies on the board |
    | `orientation` | (entries of `shows`,) | int32 | the orientation that the tile in a slot has |

    Of tiles that look the same, if they are tried `once`, only the first is free, and the next
    becomes so when it is put down.
    """

    tables: Tables
    others: OtherWords | None
    free: NDArray[np.uint64]
    orientation: NDArray[np.int32]

    def put_down(self, free: NDArray[np.uint64], slot: int) -> None:
        """Change `free` as the kernel does when the tile of a slot is put down."""
        free[slot // WORD_BITS] ^= self.tables.taken[slot]
        if self.others is not None:
            free[self.others.word[slot]] ^= self.others.change[slot]


def ordered_board(
    orientations: TileOrientations, order: Sequence[Position], geometry: BoardGeometry
) -> OrderedBoard:
    """The board with its cells in an order."""
    cells, known = list(map(geometry.cell, order)), known_neighbours(order)
    context_at = contexts_of(orientations, cells, known)
    contexts = list(dict.fromkeys(context_at))
    slots = slots_of(contexts, orientations)
    sections = sections_of(
        contexts, [slots.words_of(context, orientations) for context in contexts]
    )
    section_of = dict(zip(contexts, sections, strict=True))
    return OrderedBoard(
        orientations, cells, known, [section_of[context] for context in context_at], sections, slots
    )


def too_large(board: OrderedBoard) -> str | None:
    """Why the tables would not fit, None if they do."""
    if board.table_bytes > MAX_BYTES:
        return f"its tables would take {board.table_bytes:,} bytes; the limit is {MAX_BYTES:,}"
    return None


def tables_of(board: OrderedBoard, identical_tiles: IdenticalTiles) -> BoardTables:
    """The tables of a board that is not too large."""
    masks, shows, orientation = _rows(board)
    tile, later = _tiles(board.slots, identical_tiles)
    taken, others, free = _changes(board.slots, identical_tiles)
    step = steps_of(board.sections, len(board.orientations.mate)).reshape(-1)
    tables = Tables(_plan(board), step, masks, shows, taken, tile, later)
    return BoardTables(tables, others if others.change.any() else None, free, orientation)


def first_row(board: OrderedBoard, tables: BoardTables) -> np.uint64:
    """The row of `masks` for the first cell, of which no neighbour is known."""
    return np.uint64(tables.tables.step[board.section_at[0].start * len(board.orientations.mate)])


def _rows(board: OrderedBoard) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int32]]:
    """The arrays `masks`, `shows` and `orientation`."""
    assert (
        len(board.orientations.mate) <= 1 << layout.COLOUR_BITS
    )  # those of two million options are fewer
    demanded = board.orientations.mate[board.orientations.shown].astype(np.uint64)
    packed = (demanded << np.arange(4, dtype=np.uint64) * np.uint64(layout.COLOUR_BITS)).sum(axis=1)
    tile_type = board.orientations.tile_type.tolist()
    words = board.sections[-1].next_row + 1
    masks = np.zeros(words, dtype=np.uint64)
    shows = np.zeros(words * WORD_BITS, dtype=np.uint64)
    orientation = np.zeros(words * WORD_BITS, dtype=np.int32)
    masks[-1] = 1
    for section in board.sections:
        at_once = Counter[tuple[int, int]]()  # orientations of one type in one row
        for number, row in zip(
            section.context.orientations.tolist(), section.row_of.tolist(), strict=True
        ):
            slot = at_once[row, tile_type[number]]
            at_once[row, tile_type[number]] += 1
            for tile in board.slots.copies[tile_type[number]]:
                word, bit = row + tile.word - section.words.first, tile.bit + slot
                masks[word] |= np.uint64(1 << bit)
                shows[word * WORD_BITS + bit] = packed[number]
                orientation[word * WORD_BITS + bit] = number
    return masks, shows, orientation


def _tiles(
    slots: Slots, identical_tiles: IdenticalTiles
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The arrays `tile` and `later`."""
    owner = np.zeros(slots.words * WORD_BITS, dtype=np.uint64)
    later = list[int]()
    for copies in slots.copies.values():
        for tile in copies:
            owner[tile.first : tile.first + tile.slots] = tile.number
        if identical_tiles == "each":
            later.extend(tile.number for tile in copies[1:])
    return owner, np.array(later, dtype=np.uint64)


def _changes(
    slots: Slots, identical_tiles: IdenticalTiles
) -> tuple[NDArray[np.uint64], OtherWords, NDArray[np.uint64]]:
    """The array `taken`, the other words, and `free`."""
    taken, other_word, other = np.zeros((3, slots.words * WORD_BITS), dtype=np.uint64)
    free = np.zeros(slots.words + 1, dtype=np.uint64)
    free[-1] = 1
    for copies in slots.copies.values():
        for tile, following in zip_longest(copies, copies[1:]):
            its = slice(tile.first, tile.first + tile.slots)
            taken[its] = tile.mask
            if identical_tiles == "each" or tile == copies[0]:
                free[tile.word] |= np.uint64(tile.mask)
            if identical_tiles == "once" and following is not None:
                change = taken if following.word == tile.word else other
                change[its] |= np.uint64(following.mask)
                other_word[its] = following.word
    return taken, OtherWords(other_word, other), free


def _plan(board: OrderedBoard) -> NDArray[np.uint64]:
    """The array `plan`."""
    plan = np.zeros((len(board.cells) + 1, 1 << int(layout.PLAN_BITS)), dtype=np.uint64)
    words = [*(section.words for section in board.section_at), WordRange(board.slots.words, 1)]
    plan[:, layout.WORD] = [each.first for each in words]
    plan[:, layout.WORDS] = [each.count for each in words]
    starts = [*(section.start for section in board.section_at[1:]), board.sections[-1].next_state]
    plan[:-1, layout.START] = np.array(starts) * len(board.orientations.mate)
    for depth, near in enumerate(board.known[1:]):  # of the cell after the one at this depth
        row, at = plan[depth], int(layout.NEIGHBOURS)
        for one in near:
            shift = opposite(one.side) * layout.COLOUR_BITS
            if one.depth == depth:
                row[layout.SHIFT], row[layout.MASK] = shift, layout.COLOUR_MASK
            else:
                demands = (one.depth << int(layout.FRAME_BITS)) + int(layout.DEMANDS)
                row[at : at + 2] = demands, shift
                row[layout.EARLIER] += np.uint64(1)
                at += 2
    return plan.reshape(-1)
