"""The tables of `rows`: which tiles fit where some colours are known, and their other colours.

An automaton leads from the colours on a cell's known sides to a row of the tables. The colours are
read in turn, the colour towards the cell filled just before at the end, so that all others are read
once for all tiles that are tried there. Where no known side lies that way a 0 is read.
There are only the states that occur, which keeps the automaton small however many colours there are
and whichever sides are known; cells of the same context share states. At state 0 and row 0 nothing
fits; the last state leads to the last row, for the full board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.rows.kernels import layout
from dovetail.backends.rows.kernels.layout import OtherWords, RowsTables
from dovetail.backends.rows.slots import (
    Context,
    Neighbour,
    Slots,
    contexts_of,
    known_neighbours,
    slots_of,
)
from dovetail.backends.shared.tiles import TileOrientations
from dovetail.kernels.layout import WORD_BITS
from dovetail.machine_code.board import WordRange
from dovetail.models.board_geometry import BoardGeometry, Position

IdenticalTiles = Literal["once", "each"]

MAX_BYTES = 2**28
MAX_WORDS = 512  # of bits for tiles: each is an argument of the kernel, of at most 1,024
BYTES_PER_STEP = 4 + 8  # `step` and `fitting`
BYTES_PER_ROW_WORD = 8 + WORD_BITS * (10 + 4)  # `masks`; `seen` and `orientation` of each slot


@dataclass(frozen=True)
class TableSection:
    """What a context has of the states and the rows: the first of each, and the words of a row.

    A row is known by its first word; the rows of a context lie side by side.
    """

    context: Context
    state: int
    row: int
    words: WordRange

    @property
    def start(self) -> int:
        """The state before any colour is read."""
        return self.state if len(self.context.orientations) else 0

    @property
    def next_state(self) -> int:
        """The first state behind its own."""
        return self.state + sum(self.context.sizes[:-1])

    @property
    def next_row(self) -> int:
        """The first row behind its own."""
        return self.row + self.context.sizes[-1] * self.words.size

    @property
    def row_of(self) -> NDArray[np.int64]:
        """The row that has each of the context's orientations."""
        return self.row + self.context.agreeing[-1] * self.words.size


@dataclass(frozen=True, eq=False)
class OrderedBoard:
    """A board whose cells are to be filled in an order: what its tables are made from.

    By depth, that is in the order of filling: `cells`, by number, their `known` neighbours and
    the section of the tables for their context.
    """

    geometry: BoardGeometry
    orientations: TileOrientations
    cells: list[int]
    known: list[list[Neighbour]]
    section_at: list[TableSection]
    sections: list[TableSection]
    slots: Slots

    @property
    def colours(self) -> int:
        """Number of colours, counting signs apart."""
        return len(self.orientations.mates)

    @property
    def table_bytes(self) -> int:
        """How much memory the tables take."""
        steps = self.sections[-1].next_state * self.colours
        return steps * BYTES_PER_STEP + self.sections[-1].next_row * BYTES_PER_ROW_WORD


@dataclass(frozen=True, eq=False)
class BoardTables:
    """What the kernel looks up on a board, and what a search begins with and ends in.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (w + 1,) | uint64 | the slots that can be taken when nothing lies on the board |
    | `orientation` | (entries,) | int32 | the orientation that the tile in a slot has |

    Of tiles that look the same, if they are tried `once`, only the first is free, and the next
    becomes so when it is put down.
    """

    tables: RowsTables
    others: OtherWords | None
    free: NDArray[np.uint64]
    orientation: NDArray[np.int32]


def ordered_board(
    orientations: TileOrientations, order: Sequence[Position], geometry: BoardGeometry
) -> OrderedBoard:
    """Return the board with its cells in an order."""
    cells, known = list(map(geometry.cell, order)), known_neighbours(order, geometry)
    context_at = contexts_of(orientations, cells, known)
    contexts = list(dict.fromkeys(context_at))
    slots = slots_of(contexts, orientations)
    sections = sections_of(
        contexts, [slots.words_of(context, orientations) for context in contexts]
    )
    section_of = dict(zip(contexts, sections, strict=True))
    section_at = [section_of[context] for context in context_at]
    return OrderedBoard(geometry, orientations, cells, known, section_at, sections, slots)


def too_large(board: OrderedBoard) -> str | None:
    """Return why the tables would not fit, None if they do."""
    known = max(
        sum(neighbour.depth < depth - 1 for neighbour in near)
        for depth, near in enumerate(board.known)
    )
    if known > layout.MOST_NEIGHBOURS:
        most = layout.MOST_NEIGHBOURS
        return f"its order fills a cell after {known} neighbours; the limit is {most}"
    if board.slots.words > MAX_WORDS:
        return f"its tiles take {board.slots.words:,} words of bits; the limit is {MAX_WORDS}"
    return memory_refusal("its tables", board.table_bytes, MAX_BYTES)


def tables_of(board: OrderedBoard, identical_tiles: IdenticalTiles) -> BoardTables:
    """Return the tables of a board that is not too large."""
    masks, seen, orientation = _rows(board)
    tile, later = _tiles(board.slots, identical_tiles)
    taken, others, free = _changes(board.slots, identical_tiles)
    step = steps_of(board.sections, board.colours).reshape(-1)
    fitting = masks.take(step, mode="clip")  # not every step leads to a row
    plan = _plan(board, len(orientation))
    tables = RowsTables(plan, step, masks, fitting, seen, taken, tile, later)
    return BoardTables(tables, others if others.change.any() else None, free, orientation)


def sections_of(contexts: Sequence[Context], words: Sequence[WordRange]) -> list[TableSection]:
    """States and rows for each context, whose rows have the words beside it."""
    state, row = 1, max(each.size for each in words)  # behind state 0 and row 0
    sections = []
    for context, each in zip(contexts, words, strict=True):
        sections.append(TableSection(context, state, row, each))
        state, row = sections[-1].next_state, sections[-1].next_row
    return sections


def steps_of(sections: Sequence[TableSection], colours: int) -> NDArray[np.uint32]:
    """Return the automaton, shape (states, colours): the next state, at the end the row.

    A state is numbered by where its entries begin when the array is flat.
    """
    step = np.zeros((sections[-1].next_state + 1, colours), dtype=np.uint32)
    step[-1] = sections[-1].next_row
    for section in sections:
        begins = accumulate(section.context.sizes[:-2], initial=section.state)
        agreeing = section.context.agreeing[:-1]  # before the last colour is read
        states = [begin + number for begin, number in zip(begins, agreeing, strict=True)]
        leads_to = [*(state * colours for state in states[1:]), section.row_of]
        for state, colour, to in zip(states, section.context.read, leads_to, strict=True):
            step[state, colour] = to
    return step


def _rows(board: OrderedBoard) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.int32]]:
    """Return the arrays `masks`, `seen` and `orientation`."""
    assert board.colours <= 2**16  # those of two million options are fewer
    tile_type = board.orientations.tile_type.tolist()
    words = board.sections[-1].next_row + 1
    masks = np.zeros(words, dtype=np.uint64)
    sides = board.geometry.side_count
    seen = np.zeros((sides + 1, words * WORD_BITS), dtype=np.uint16)
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
                seen[:sides, word * WORD_BITS + bit] = board.orientations.shown[number]
                orientation[word * WORD_BITS + bit] = number
    return masks, seen.reshape(-1), orientation


def _tiles(
    slots: Slots, identical_tiles: IdenticalTiles
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the arrays `tile` and `later`."""
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
    """Return the array `taken`, the other words, and `free`."""
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


def _plan(board: OrderedBoard, entries: int) -> NDArray[np.uint64]:
    """Return the array `plan` for a number of entries of each side in `seen`."""
    plan = np.zeros((len(board.cells) + 1, 1 << int(layout.PLAN_BITS)), dtype=np.uint64)
    words = [*(section.words for section in board.section_at), WordRange(board.slots.words, 1)]
    plan[:, layout.WORD] = [each.first for each in words]
    plan[:, layout.END] = [each.first + each.size for each in words]
    starts = [*(section.start for section in board.section_at[1:]), board.sections[-1].next_state]
    plan[:-1, layout.START] = np.array(starts) * board.colours
    plan[:, layout.SEEN] = board.geometry.side_count * entries  # no colour
    plan[:, layout.NEIGHBOURS] = layout.NOTHING
    for depth, near in enumerate(board.known[1:]):  # of the cell after the one at this depth
        row, at = plan[depth], int(layout.NEIGHBOURS)
        for neighbour in near:
            begins = board.geometry.opposite(neighbour.side) * entries
            if neighbour.depth == depth:
                row[layout.SEEN] = begins
            else:
                place = (neighbour.depth << int(layout.FRAME_BITS)) + int(layout.ENTRY)
                row[at : at + 2] = place, begins
                at += 2
        row[at] = layout.NOTHING
    return plan.reshape(-1)
