"""The tables of `rows`: the tiles that fit some known colours, and the colours that they show.

An automaton leads from the colours on a cell's known sides to a row of the tables. The last colour
read is the colour towards the previous cell of the order. The other colours are thus read only once
for all tiles that are tried in the previous cell. If the previous cell is no neighbour, the
automaton reads a 0 instead.

The automaton has only states that occur, so that it stays small however many colours there are and
whichever sides are known. Cells with the same context share states. In state 0 and row 0 no tile
fits. The last state leads to the last row, which is for the full board.
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
from dovetail.models.boards.geometry import BoardGeometry, Position

IdenticalTiles = Literal["once", "each"]

MAX_BYTES = 2**28
MAX_WORDS = 512  # words of slots; each is an argument of the kernel, which can have 1,024 at most
BYTES_PER_STEP = 4 + 8  # `step` and `fitting`
BYTES_PER_ROW_WORD = 8 + WORD_BITS * (10 + 4)  # `masks`; `seen` and `orientation` of each slot


@dataclass(frozen=True)
class TableSection:
    """The states and rows of the tables for one context.

    The number of a row is the number of its first word. The rows of a context are adjacent.
    """

    context: Context
    state: int  # the first state of the context
    row: int  # the first row of the context
    words: WordRange  # words of `free` that a row of the context covers

    @property
    def start(self) -> int:
        """State before any colour is read; 0 if the context allows no orientation."""
        return self.state if len(self.context.orientations) else 0

    @property
    def next_state(self) -> int:
        """First state after the states of the context."""
        return self.state + sum(self.context.sizes[:-1])

    @property
    def next_row(self) -> int:
        """First row after the rows of the context."""
        return self.row + self.context.sizes[-1] * self.words.size

    @property
    def row_of(self) -> NDArray[np.int64]:
        """Row of each entry of the context's `orientations`."""
        return self.row + self.context.agreeing[-1] * self.words.size


@dataclass(frozen=True, eq=False)
class OrderedBoard:
    """A board with the order in which its cells are filled: all that the tables depend on.

    `cells`, `known` and `section_at` have, in the order of filling, the number of each cell, the
    neighbours filled before it, and the section of the tables for its context. `sections` has each
    section once.
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
        """Number of colours; the two signs of a colour count as two."""
        return len(self.orientations.mates)

    @property
    def table_bytes(self) -> int:
        """Size of the tables in bytes."""
        steps = self.sections[-1].next_state * self.colours
        return steps * BYTES_PER_STEP + self.sections[-1].next_row * BYTES_PER_ROW_WORD


@dataclass(frozen=True, eq=False)
class BoardTables:
    """Tables of the kernel, and the arrays from which a search begins and reads solutions.

    w is the number of words of slots; `seen` has e entries for each side.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (w + 1,) | uint64 | the slots that can be taken on the empty board |
    | `orientation` | (e,) | int32 | the orientation of the tile at an entry of `seen` |

    If identical tiles are tried `once`, only the first of several identical tiles is free at the
    beginning. Each other tile becomes free when the tile before it is put down.
    """

    tables: RowsTables
    others: OtherWords | None
    free: NDArray[np.uint64]
    orientation: NDArray[np.int32]


def ordered_board(
    orientations: TileOrientations, order: Sequence[Position], geometry: BoardGeometry
) -> OrderedBoard:
    """Return the board whose cells are filled in `order`.

    Raises `ConfigError` as `contexts_of` does.
    """
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
    """Return why the tables of the board cannot be made or used; None if they can."""
    known = max(
        sum(neighbour.depth < depth - 1 for neighbour in near)
        for depth, near in enumerate(board.known)
    )
    if known > layout.MOST_NEIGHBOURS:
        cell = f"a cell after {known} neighbours, not counting the previous cell"
        return f"order fills {cell}; the limit is {layout.MOST_NEIGHBOURS}"
    if board.slots.words > MAX_WORDS:
        return f"its tiles take {board.slots.words:,} words of bits; the limit is {MAX_WORDS}"
    return memory_refusal("its tables", board.table_bytes, MAX_BYTES)


def tables_of(board: OrderedBoard, identical_tiles: IdenticalTiles) -> BoardTables:
    """Return the tables of a board for which `too_large` returns None."""
    masks, seen, orientation = _rows(board)
    tile, later = _tiles(board.slots, identical_tiles)
    taken, others, free = _changes(board.slots, identical_tiles)
    step = steps_of(board.sections, board.colours).reshape(-1)
    fitting = masks.take(step, mode="clip")  # not every step leads to a row
    plan = _plan(board, len(orientation))
    tables = RowsTables(plan, step, masks, fitting, seen, taken, tile, later)
    return BoardTables(tables, others if others.change.any() else None, free, orientation)


def sections_of(contexts: Sequence[Context], words: Sequence[WordRange]) -> list[TableSection]:
    """Return the section of each context; `words` has the words of a row for each context."""
    state, row = 1, max(each.size for each in words)  # after state 0 and row 0
    sections = []
    for context, each in zip(contexts, words, strict=True):
        sections.append(TableSection(context, state, row, each))
        state, row = sections[-1].next_state, sections[-1].next_row
    return sections


def steps_of(sections: Sequence[TableSection], colours: int) -> NDArray[np.uint32]:
    """Return the automaton, shape (states, colours).

    The entry of a state and a colour is the next state, or the row if the colour is the last to be
    read. A next state is given by the index of its first entry in the flat array.
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
    assert board.colours <= 2**16  # the limit of two million options allows no more
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
    """Return `taken`, `OtherWords` and `free`."""
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
    """Return the array `plan`; `entries` is the number of entries for each side in `seen`."""
    plan = np.zeros((len(board.cells) + 1, 1 << int(layout.PLAN_BITS)), dtype=np.uint64)
    words = [*(section.words for section in board.section_at), WordRange(board.slots.words, 1)]
    plan[:, layout.WORD] = [each.first for each in words]
    plan[:, layout.END] = [each.first + each.size for each in words]
    starts = [*(section.start for section in board.section_at[1:]), board.sections[-1].next_state]
    plan[:-1, layout.START] = np.array(starts) * board.colours
    plan[:, layout.SEEN] = board.geometry.side_count * entries  # the entries without a colour
    plan[:, layout.NEIGHBOURS] = layout.NOTHING
    for depth, near in enumerate(board.known[1:]):  # `near`: neighbours of the cell at depth + 1
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
