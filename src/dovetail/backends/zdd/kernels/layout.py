"""What the kernels of `zdd` and those who call them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.kernels.state import OWN

# Which item a state branches on: the first open one; the first with at most one option, else the
# first open one; the one with fewest options, the first of these on ties.
FIXED, FORCED, FEWEST = range(3)

# Entries of a row of `branches`: the item branched on, the word of options that is looked at and
# what is left of it, the last word, how many branches there are and how many were begun, the option
# taken last.
ITEM, WORD, BITS, LAST_WORD, WIDTH, TRIED, TAKEN = (np.uint64(entry) for entry in range(7))
BRANCH_SIZE = np.uint64(7)

# Entries of `state` beside the common ones.
HITS, STATES, FORGOTTEN = range(OWN, OWN + 3)
STATE_SIZE = OWN + 3

# The phase of `state`; 0 before the search begins.
BEGUN, DONE = (np.uint64(phase) for phase in (1, 2))

# Why a slice ended, beside those of `kernels.slices`: the table needs more slots, or its counts
# more words.
TABLE_FULL, COUNT_FULL = 100, 101


class Problem(NamedTuple):
    """n options over states of w words; b items are branched on, and have the lowest bits.

    A state has a bit for each item, set while it is open; a coloured item has a field that is 1
    while it is open and 2 or more for its colours; a counted one has a field for how many options
    were taken. An option o that is taken makes `(state & ~clear[o]) + put[o]` of a state, and a
    field whose `guard` has no open item left is cleared then: no option is left that it bars.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `clear`, `put` | (n · w,) | uint64 | what an option does to a state |
    | `weight` | (n,) | uint64 | how many solutions one with the option stands for |
    | `affected` | (n · w,) | uint64 | items that may have fewer options once it is taken |
    | `compatible` | (n · l,) | uint64 | sets of the options that may also be taken |
    | `planes` | (items · l,) | uint64 | sets of the options that cover an item branched on |
    | `first_word`, `last_word` | (b,) | uint64 | words between which they lie |
    | `branching` | (w,) | uint64 | the items that may be branched on |
    | `touched_start`, `touched` | (n + 1,), (t,) | uint64 | fields guarded by items of an option |
    | `field_word`, `field_mask`, `guard` | (f,), (f,), (f · w,) | uint64 | fields with guards |
    | `counted_start`, `counted` | (n + 1,), (c,) | uint64 | counted items of an option |
    | `count_word`, `count_shift`, `count_mask` | (k,) | uint64 | the field of a counted item |
    | `min_count`, `max_count` | (k,) | uint64 | how many of its options a solution has |
    | `counted_planes` | (k · l,) | uint64 | sets of the options that a counted item is in |
    | `words`, `live_words` | () | uint64 | w and l |
    """

    clear: NDArray[np.uint64]
    put: NDArray[np.uint64]
    weight: NDArray[np.uint64]
    affected: NDArray[np.uint64]
    compatible: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    first_word: NDArray[np.uint64]
    last_word: NDArray[np.uint64]
    branching: NDArray[np.uint64]
    touched_start: NDArray[np.uint64]
    touched: NDArray[np.uint64]
    field_word: NDArray[np.uint64]
    field_mask: NDArray[np.uint64]
    guard: NDArray[np.uint64]
    counted_start: NDArray[np.uint64]
    counted: NDArray[np.uint64]
    count_word: NDArray[np.uint64]
    count_shift: NDArray[np.uint64]
    count_mask: NDArray[np.uint64]
    min_count: NDArray[np.uint64]
    max_count: NDArray[np.uint64]
    counted_planes: NDArray[np.uint64]
    words: np.uint64
    live_words: np.uint64


class Stack(NamedTuple):
    """What a slice hands to the next; all by level, of which there are b + 1.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `key` | (levels · w,) | uint64 | the state of a level |
    | `live` | (levels · l,) | uint64 | the options that may still be taken |
    | `single` | (levels · w,) | uint64 | items with one option left, where FORCED looks for them |
    | `sums` | (levels · (v + 1),) | uint64 | solutions so far, of v words and one to carry into |
    | `branches` | (levels · 7,) | uint64 | see above |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    """

    key: NDArray[np.uint64]
    live: NDArray[np.uint64]
    single: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    branches: NDArray[np.uint64]
    state: NDArray[np.uint64]


class Table(NamedTuple):
    """Slots of w words of a state and v of its count, lowest first; a state of 0 marks none.

    A state begins at the slot that the upper bits of its hash name (those above `shift`), or behind
    it. `mask` is the number of slots less one. While `may_grow`, a slice ends when `limit` slots
    are taken; then a state that finds none of its `WINDOW` slots empty takes one of them. `one` is
    a count of 1.
    """

    slots: NDArray[np.uint64]
    one: NDArray[np.uint64]
    count_words: np.uint64
    shift: np.uint64
    mask: np.uint64
    limit: np.uint64
    may_grow: np.uint64
