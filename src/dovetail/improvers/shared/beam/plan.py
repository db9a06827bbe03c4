"""A board as the beam search sees it: steps, lists of what fits, slots for open sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.improvers.shared.beam.kernels import layout
from dovetail.improvers.shared.beam.kernels.layout import States, Tiles
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.models.board_geometry import SIDES, opposite
from dovetail.random_stream import random_words

TILE_WORDS, SLOT_WORDS = 1, 2  # seeds of the random words that states are hashed by


class FillPlan:
    """How to fill the cells of an order on a board where other tiles lie.

    `tiles` has the tables of the kernels, `start` a level with one state. Lists and slots are
    those of this order; `placed` has shape (n,), −1 for the cells of the order.
    """

    def __init__(
        self,
        board: BoardArrays,
        placed: NDArray[np.int32],
        order: Sequence[int],
        potential: NDArray[np.float64],
    ) -> None:
        self._board, self._lies = board, placed
        self._slots: dict[tuple[int, int], int] = {}  # by cell and side, while a tile lies there
        self._free_slots: list[int] = []
        self._slot_count = 0
        self._begin: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        self._entries: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        self._lists: dict[tuple[int, tuple[int, ...]], int] = {}
        self._list_count = self._entry_count = 0
        laid = set(np.flatnonzero(placed >= 0).tolist())
        held = np.unique(placed[placed >= 0] // 4)
        free = ~np.isin(np.arange(4 * board.cells) // 4, held) & board.distinct
        self._fitting = {
            int(frame): np.flatnonzero(free & (board.frame == frame))
            for frame in np.unique(board.cell_frame)
        }
        given = [self._open(cell, side) for cell in laid for side in self._open_sides(cell, laid)]
        colours = [int(board.sides[placed[cell], side]) for cell, side in self._slots]
        steps = np.zeros((len(order), layout.STEP_SIZE), dtype=np.int64)
        for row, cell in zip(steps, order, strict=True):
            self._write_step(row, cell, laid)
            laid.add(cell)
        self.tiles = self._tables(steps, potential)
        self.start = self._start(held, given, colours)

    def _open_sides(self, cell: int, laid: set[int]) -> list[int]:
        """The sides of a cell beyond which cells are empty."""
        neighbours = self._board.neighbours[cell].tolist()
        return [side for side in SIDES if neighbours[side] >= 0 and neighbours[side] not in laid]

    def _open(self, cell: int, side: int) -> int:
        """The slot that an open side gets."""
        slot = self._free_slots.pop() if self._free_slots else self._slot_count
        self._slot_count = max(self._slot_count, slot + 1)
        self._slots[cell, side] = slot
        return slot

    def _write_step(self, row: NDArray[np.int64], cell: int, laid: set[int]) -> None:
        neighbours = self._board.neighbours[cell].tolist()
        # west and south first: by these most cells are filled
        known = [side for side in reversed(SIDES) if neighbours[side] in laid]
        frame = int(self._board.cell_frame[cell])
        row[layout.KNOWN], row[layout.ALL] = len(known), self._list(frame, ())
        for number, side in enumerate(known):
            slot = self._slots.pop((neighbours[side], opposite(side)))
            self._free_slots.append(slot)
            row[layout.BY_ONE + number] = self._list(frame, (side,))
            at = layout.KNOWN_SIDES + 2 * number
            row[at : at + 2] = side, slot
        if len(known) > 1:
            row[layout.BY_TWO] = self._list(frame, tuple(known[:2]))
        opened = self._open_sides(cell, laid)
        row[layout.OPEN] = len(opened)
        for number, side in enumerate(opened):  # slots are read before they are written anew
            at = layout.OPEN_SIDES + 2 * number
            row[at : at + 2] = side, self._open(cell, side)

    def _list(self, frame: int, sides: tuple[int, ...]) -> int:
        """The first of the lists by the colours of some sides, of what fits a frame."""
        key = frame, sides
        if key not in self._lists:
            fitting, colours = self._fitting[frame], self._board.colours
            number = np.zeros(len(fitting), dtype=np.int64)
            for side in sides:
                number = number * colours + self._board.sides[fitting, side]
            order = np.argsort(number, kind="stable")
            begin = np.searchsorted(number[order], np.arange(colours ** len(sides) + 1))
            self._lists[key] = self._list_count
            self._list_count += len(begin)
            self._begin.append(begin + self._entry_count)
            self._entries.append(fitting[order])
            self._entry_count += len(fitting)
        return self._lists[key]

    def _tables(self, steps: NDArray[np.int64], potential: NDArray[np.float64]) -> Tiles:
        board, slots = self._board, max(1, self._slot_count)
        by_slot = random_words(SLOT_WORDS, 0, slots * board.colours).reshape(slots, board.colours)
        return Tiles(
            sides=board.sides,
            steps=steps,
            begin=np.concatenate(self._begin).astype(np.int64),
            entries=np.concatenate(self._entries).astype(np.int32),
            potential=potential,
            tile_hash=random_words(TILE_WORDS, 0, board.cells),
            slot_hash=by_slot,
        )

    def _start(self, held: NDArray[np.int32], given: list[int], colours: list[int]) -> States:
        """The one state in which the given tiles lie."""
        board, tiles = self._board, self.tiles
        start = empty_states(1, board, len(tiles.slot_hash))
        for tile in held.tolist():
            start.used[0, tile // 64] |= np.uint64(1 << tile % 64)
        for slot, colour in zip(given, colours, strict=True):
            start.slots[0, slot] = colour
            start.facing[0, colour] += 1
        free = np.setdiff1d(np.arange(board.cells), held)
        start.left[0] = np.bincount(board.sides[4 * free].reshape(-1), minlength=board.colours)
        start.worth[0] = tiles.potential[start.left[0, 1:], start.facing[0, 1:]].sum()
        return start


def empty_states(width: int, board: BoardArrays, slots: int) -> States:
    """A level with room for `width` states."""
    return States(
        used=np.zeros((width, -(-board.cells // 64)), dtype=np.uint64),
        slots=np.zeros((width, slots), dtype=np.uint8),
        left=np.zeros((width, board.colours), dtype=np.int32),
        facing=np.zeros((width, board.colours), dtype=np.int32),
        matched=np.zeros(width, dtype=np.int32),
        worth=np.zeros(width, dtype=np.float64),
        hash=np.zeros(width, dtype=np.uint64),
    )


def max_sides(board: BoardArrays) -> int:
    """The largest number of sides of one colour."""
    return int(np.bincount(board.sides[::4].reshape(-1))[1:].max(initial=0))
