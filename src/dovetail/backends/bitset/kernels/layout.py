"""Array layouts of the bitset kernels, shared with their callers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN
from dovetail.machine_code.layout import BLOCK_LANES

LANES = BLOCK_LANES  # items of a block

# Entries of a row of `frames`: how many options the frame has and how many words they take, how
# many blocks its items take; where its part of `names`, `planes` and `table` begins; the level
# that it was packed at.
OPTIONS, WORDS, BLOCKS, NAMES, PLANES, TABLE, PACKED_AT = (np.uint64(entry) for entry in range(7))
FRAME_SIZE = np.uint64(7)

# Entries of a row of `branches`: the lane of the item branched on, how many branches it has, how
# many of them have been begun, the option taken last, how many lanes of the frame are closed, how
# many items of any kind none of the options taken before has.
LANE, WIDTH, TRIED, TAKEN, CLOSED, ITEMS_LEFT = (np.uint64(entry) for entry in range(6))
BRANCH_SIZE = np.uint64(6)

# Entries of a row of `levels` of `OptionLists`: where the list of options begins in `masks`, how
# many pairs of blocks it takes, where the options that cover the item branched on begin, the items
# that are open; the end of the branches that were checked and, as bits from the next one on, those
# of them that are not tried yet and leave choices; an option taken, and the number of that option.
LIST_AT, PAIRS, BRANCHES_AT, OPEN, CHECKED, VIABLE, NAMED, NAME = (
    np.uint64(entry) for entry in range(8)
)
LIST_SIZE = np.uint64(8)

# Entries of `state` beside the common ones; its phase is 1 when the search is exhausted. LISTED is
# the level whose options were listed, 0 for none, and LISTS how often that was done.
FRAME, PLACED, PACKS, LISTED, LISTS = range(OWN, OWN + 5)
STATE_SIZE = OWN + 5


class BitsetRows(NamedTuple):
    """A cover problem with i primary items and n options, as sets of options: rows.

    An item has a row, the options that it is in; and so has each colour of a secondary item, the
    options that give it another colour or none: its `whole` less the options of the colour. Rows
    are numbered: first the items, then the colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `once` | (i,) | bool | the item is to be covered exactly once |
    | `whole` | (rows,) | uint32 | the row that a colour's row is part of; an item's own number |
    | `mark_start` | (n + 1,) | uint32 | marks of option o: `mark_start[o]` to … [o + 1] |
    | `mark` | (marks,) | uint32 | the rows of an option's items and colours |
    | `rival_start` | (n + 1,) | uint32 | the same for rivals |
    | `rival` | (rivals,) | uint32 | rows whose options an option cannot be taken together with |
    | `closes` | (n,) | uint32 | how many items to be covered exactly once an option is in |
    | `counted_start` | (n + 1,) | uint32 | the same for counted items |
    | `counted` | (counted members,) | uint32 | items with other bounds that an option is in |
    """

    once: NDArray[np.bool_]
    whole: NDArray[np.uint32]
    mark_start: NDArray[np.uint32]
    mark: NDArray[np.uint32]
    rival_start: NDArray[np.uint32]
    rival: NDArray[np.uint32]
    closes: NDArray[np.uint32]
    counted_start: NDArray[np.uint32]
    counted: NDArray[np.uint32]


class Frames(NamedTuple):
    """The frames that a search is in, at most f; each is packed in the frame before it.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `frames` | (f · 7,) | uint64 | see above |
    | `names` | – | uint32 | from `NAMES` on: the problem's number of each option of a frame |
    | `item_of` | (f · items,) | uint32 | of each frame, the item in each lane |
    | `lane_of` | (f · items,) | uint32 | of each frame, the lane of each of its items |
    | `planes` | – | uint64 | from `PLANES` on: see `frames.fewest_choices`; 0 in lanes of no item |
    | `table` | – | uint64 | from `TABLE` on: WORDS words for each option: its compatible options |
    | `scratch` | (rows · words,) | uint64 | the rows of a frame while it is built, in planes |
    """

    frames: NDArray[np.uint64]
    names: NDArray[np.uint32]
    item_of: NDArray[np.uint32]
    lane_of: NDArray[np.uint32]
    planes: NDArray[np.uint64]
    table: NDArray[np.uint64]
    scratch: NDArray[np.uint64]


class BitsetStack(NamedTuple):
    """State between slices; all arrays are by level but `fits` and `state`.

    There are as many levels as options can be taken and counted items left, and two.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `alive` | (levels · `words`,) | uint64 | the options of a level's frame that are alive |
    | `words` | () | uint64 | the words of a set of all options |
    | `branches` | (levels · 6,) | uint64 | see above |
    | `fits` | (most options taken + 1,) | int64 | options taken, by options taken before |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    | `price` | () | uint64 | what packing an option costs, in words of a block looked at |
    """

    alive: NDArray[np.uint64]
    words: np.uint64
    branches: NDArray[np.uint64]
    fits: NDArray[np.int64]
    state: NDArray[np.uint64]
    price: np.uint64


class Counts(NamedTuple):
    """The part of the stack for items that are not to be covered exactly once, by level and lane.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `need` | (levels · `lanes`,) | int64 | options that an item still needs, 1 for closed items |
    | `capacity` | (levels · `lanes`,) | int64 | options that it may still have |
    | `lanes` | () | uint64 | the lanes of a level |
    """

    need: NDArray[np.int64]
    capacity: NDArray[np.int64]
    lanes: np.uint64


class OptionLists(NamedTuple):
    """The part of the stack where options are words of items: see `item_masks`.

    Levels from `state[LISTED]` on have lists, each behind the branches of the level above it. In
    their rows of `branches` TAKEN is the word of an option, and LANE is not used.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | – | uint64 | the options of all lists as words of items |
    | `names` | (n,) | uint32 | the problem's number of each option of the first list |
    | `bits` | (all items,) | uint64 | the bit that stands for each item, 0 for none |
    | `levels` | (levels · 8,) | uint64 | see above |
    | `planes` | (PLANES + 1,) | uint64 | see `item_masks.keep_disjoint` |
    | `too_many_items` | () | uint64 | from this number of items left, options are not listed |
    | `cost` | () | uint64 | what a node takes, in words of a block looked at |
    | `price` | () | uint64 | the same for listing an option |
    """

    masks: NDArray[np.uint64]
    names: NDArray[np.uint32]
    bits: NDArray[np.uint64]
    levels: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    too_many_items: np.uint64
    cost: np.uint64
    price: np.uint64


class Extent(NamedTuple):
    """Where the planes of a frame begin, how many words they have and how many blocks."""

    first: np.uint64
    words: np.uint64
    blocks: np.uint64


class SliceLimits(NamedTuple):
    """Limits of a slice: steps of about ten nanoseconds, and nodes in all."""

    work: np.uint64
    nodes: np.uint64
