"""Arrays of the kernel of `rows`, and the numbers of their entries."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Slot s is bit s % 64 of word s // 64. An entry of `seen` is numbered in the same way by its row.
SLOT_BITS, SLOT_MASK = np.uint64(6), np.uint64(63)

# A row of `plan`, by depth: the first word of `free` with the tiles that may lie in the cell, and
# the word behind the last; where the colours begin in `seen` that the next cell sees of a tile
# here; the state that the next cell starts from before that colour is read; from NEIGHBOURS on, for
# each neighbour whose colour is read before, the place of its entry in `frames` and where its
# colours begin in `seen`, and NOTHING behind the last of them.
WORD, END, SEEN, START, NEIGHBOURS = (np.uint64(entry) for entry in range(5))
PLAN_BITS = np.uint64(4)  # a row has 16 entries, on squares the last three unused
MOST_NEIGHBOURS = 5  # for which a row has entries

# A row of `frames`, by depth: the tile put down last, as an entry of `seen` and as a slot, both
# with bit 0 before any is put down; candidates in its word that are not tried yet; the state for
# the next cell; the depth of the nearest cell before this one with candidates left, or NOTHING.
ENTRY, SLOT, LEFT, STATE, BACK = (np.uint64(entry) for entry in range(5))
FRAME_BITS = np.uint64(3)
NOTHING = np.uint64(2**64 - 1)


class RowsTables(NamedTuple):
    """Tables of the kernel, for n cells, r words of all rows and w words of slots.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `plan` | ((n + 1) · 16,) | uint64 | the step at each depth; see above |
    | `step` | (states · colours,) | uint32 | see `tables.steps_of` |
    | `masks` | (r + 1,) | uint64 | the slots that fit |
    | `fitting` | (states · colours,) | uint64 | the mask of the row that a step leads to |
    | `seen` | (sides · (r + 1) · 64,) | uint16 | by side, the colour that a tile shows there |
    | `taken` | (w · 64,) | uint64 | the change of a slot's word when its tile is put down |
    | `tile` | (w · 64,) | uint64 | the tile that a slot belongs to |
    | `later` | (any,) | uint64 | tiles that must lie behind the tile before them |

    Behind the last cell comes another cell, which always takes the only slot in the last word of
    `free`: this is how a full board is recognised. Identical tiles that are `each` tried are
    `later` than each other, so that a board counts once.
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
    """Changes in a second word of `free` when the tile of a slot is put down, by slot.

    Shape (w · 64,), uint64: the number of the `word`, and the `change` in it, mostly 0.
    """

    word: NDArray[np.uint64]
    change: NDArray[np.uint64]


class RowsStack(NamedTuple):
    """State of a search, for n cells, t tiles and w words of slots.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `free` | (n · (w + 1),) | uint64 | by depth, the slots that can be taken |
    | `frames` | (n · 8,) | uint64 | by depth; see above |
    | `fits` | (n,) | uint64 | number of tiles put down, by depth |
    | `placed_at` | (t,) | uint64 | scratch: the depth of each tile |
    | `words` | w words | uint64 | of these the kernel reads only the number |
    | `state` | (OWN,) | uint64 | see `dovetail.kernels.layout` |
    """

    free: NDArray[np.uint64]
    frames: NDArray[np.uint64]
    fits: NDArray[np.uint64]
    placed_at: NDArray[np.uint64]
    words: tuple[np.uint64, ...]
    state: NDArray[np.uint64]
