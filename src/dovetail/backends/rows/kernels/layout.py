"""Arrays of the kernel of `rows`, and the numbers of their entries."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Slot s is bit s % 64 of word s // 64. Within a side of `seen`, entry e is for bit e % 64 of word
# e // 64 of the rows of the tables.
SLOT_BITS, SLOT_MASK = np.uint64(6), np.uint64(63)

# Entries of a row of `plan`; there is a row for each depth.
# WORD, END: the first word of `free` with tiles that may lie in the cell; the word after the last.
# SEEN: the index in `seen` of the first colour of the side towards the next cell; the colours are 0
# if the next cell is no neighbour.
# START: the state in which the automaton begins for the next cell.
# NEIGHBOURS: the first of two entries for each neighbour of the next cell whose colour is read
# before that of SEEN: the place of its ENTRY in `frames`, and the index at which its colours begin
# in `seen`. NOTHING follows the last neighbour.
WORD, END, SEEN, START, NEIGHBOURS = (np.uint64(entry) for entry in range(5))
PLAN_BITS = np.uint64(4)  # a row has 16 entries
MOST_NEIGHBOURS = 5  # a row has room for this number of neighbours

# Entries of a row of `frames`; there is a row for each depth.
# ENTRY, SLOT: the tile put down last, as an entry of `seen` and as a slot; before any tile is put
# down, bit 0 of the current word.
# LEFT: the untried candidates in the word of SLOT.
# STATE: the state of the automaton for the next cell, before it reads the colour of SEEN.
# BACK: the depth of the nearest earlier cell with untried candidates, or NOTHING.
ENTRY, SLOT, LEFT, STATE, BACK = (np.uint64(entry) for entry in range(5))
FRAME_BITS = np.uint64(3)  # a row has 8 entries
NOTHING = np.uint64(2**64 - 1)


class RowsTables(NamedTuple):
    """Tables of the kernel, for n cells and w words of slots.

    A set of candidates has the slots that fit beside some known colours, in one or more words. All
    these sets together have r words, without the set of the additional cell.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `plan` | ((n + 1) · 16,) | uint64 | a row for each depth; see `WORD` … |
    | `step` | (states · colours,) | uint32 | see `tables.steps_of` |
    | `masks` | (r + 1,) | uint64 | the words of all sets of candidates, one set after the other |
    | `fitting` | (states · colours,) | uint64 | first word of the set that a step leads to |
    | `seen` | ((sides + 1) · (r + 1) · 64,) | uint16 | by side, the colour that a tile shows |
    | `taken` | (w · 64,) | uint64 | by slot, the bits of its word that its tile changes |
    | `tile` | (w · 64,) | uint64 | by slot, the number of its tile |
    | `later` | (any,) | uint64 | tiles t that must be put down after tile t − 1 |

    An additional cell follows the last cell, so that the search treats the last cell like other
    cells. Its only candidate is the slot in the last word of `RowsStack.free`. If identical tiles
    are told apart, `later` orders them, so that a board counts once.
    """

    plan: NDArray[np.uint64]
    step: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    fitting: NDArray[np.uint64]
    seen: NDArray[np.uint16]
    taken: NDArray[np.uint64]
    tile: NDArray[np.uint64]
    later: NDArray[np.uint64]


class OtherWords(NamedTuple):
    """Second word of `free` that changes when the tile of a slot is put down.

    Both arrays have shape (w · 64,) and dtype uint64. `word` is the number of the word. `change`
    has the bits that change in it, mostly none.
    """

    word: NDArray[np.uint64]
    change: NDArray[np.uint64]


class RowsStack(NamedTuple):
    """State of a search; n cells, t tiles, w words of slots.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (n · (w + 1),) | uint64 | by depth, the slots that can be taken |
    | `frames` | (n · 8,) | uint64 | a row for each depth; see `ENTRY` … |
    | `fits` | (n,) | uint64 | by depth, the number of tiles put down |
    | `placed_at` | (t,) | uint64 | scratch: the depth of each tile |
    | `words` | w words | uint64 | any values; the kernel is compiled for their number |
    | `state` | (OWN,) | uint64 | see `dovetail.kernels.layout` |
    """

    free: NDArray[np.uint64]
    frames: NDArray[np.uint64]
    fits: NDArray[np.uint64]
    placed_at: NDArray[np.uint64]
    words: tuple[np.uint64, ...]
    state: NDArray[np.uint64]
