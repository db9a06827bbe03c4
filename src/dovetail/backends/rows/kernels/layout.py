"""What the kernel and those who call it agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# What a tile demands of its four neighbours, north, east, south, west, is in one word.
COLOUR_BITS = 16
COLOUR_MASK = np.uint64(2**COLOUR_BITS - 1)

# Slot s is bit s % 64 of word s // 64.
SLOT_BITS = np.uint64(6)

# A row of `plan`, by depth: which words of `free` have the tiles that may lie in the cell, and
# how the next cell's row is found: the state to start from, how many of its neighbours are
# looked at, the shift and mask that take the last colour out of what is put down here (mask 0:
# there is none), and from NEIGHBOURS on, for each neighbour filled before this cell, where in
# `frames` its demands are and the shift that takes the colour out of them.
WORD, WORDS, START, EARLIER, SHIFT, MASK, NEIGHBOURS = (np.uint64(entry) for entry in range(7))
PLAN_BITS = np.uint64(4)  # a row has 16 entries, the last two unused

# A row of `frames`, by depth: candidates not yet tried, the row that they come from and the
# number of their word of `free`, what this word held before any was put down, and the state for
# the next cell before its last colour is read; then what was put down: its demands, its entry in
# `shows` and its slot.
LEFT, ROW, AT, BEFORE, STATE, DEMANDS, ENTRY, SLOT = (np.uint64(entry) for entry in range(8))
FRAME_BITS = np.uint64(3)


class Tables(NamedTuple):
    """What the kernel looks up, for n cells, r words of all rows and w words of slots.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `plan` | ((n + 1) · 16,) | uint64 | what is done at each depth; see above |
    | `step` | (states · colours,) | uint32 | see `automaton` |
    | `masks` | (r + 1,) | uint64 | the slots that fit |
    | `shows` | ((r + 1) · 64,) | uint64 | the colours that the tile in a slot demands of others |
    | `taken` | (w · 64,) | uint64 | what changes in the word of a slot when its tile is put down |
    | `tile` | (w · 64,) | uint64 | the tile that a slot belongs to |
    | `later` | (any,) | uint64 | tiles that must lie behind the tile before them |

    Behind the last cell comes one more, which always takes the only slot in the last word of
    `free`: this is how a full board is recognised. Identical tiles that are `each` tried are
    `later` than one another, so that a board counts once.
    """

    plan: NDArray[np.uint64]
    step: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    shows: NDArray[np.uint64]
    taken: NDArray[np.uint64]
    tile: NDArray[np.uint64]
    later: NDArray[np.uint64]


class OtherWords(NamedTuple):
    """What putting down the tile of a slot changes in a second word of `free`, by slot.

    Shape (w · 64,), uint64: the number of the `word`, and the `change` in it, mostly 0.
    """

    word: NDArray[np.uint64]
    change: NDArray[np.uint64]


class Stack(NamedTuple):
    """What a slice hands to the next, for n cells, t tiles and w words of slots.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (w + 1,) | uint64 | the slots that can be taken |
    | `frames` | (n · 8,) | uint64 | by depth; see above |
    | `fits` | (n,) | uint64 | how many tiles have been put down, by depth |
    | `placed_at` | (t,) | uint64 | scratch: at which depth each tile lies |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    """

    free: NDArray[np.uint64]
    frames: NDArray[np.uint64]
    fits: NDArray[np.uint64]
    placed_at: NDArray[np.uint64]
    state: NDArray[np.uint64]


class Population(NamedTuple):
    """At most p nodes of a level and of the next, for n cells and w + 1 words of `free`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (2 · p · (w + 1),) | uint64 | the slots that can be taken at each node |
    | `demands` | (2 · p · n,) | uint64 | by depth, what the tile there demands of its neighbours |
    | `chosen` | (3, p) | uint64 | of the next level: the node before, entry of `shows`, and slot |
    """

    free: NDArray[np.uint64]
    demands: NDArray[np.uint64]
    chosen: NDArray[np.uint64]
