"""Array layouts of the bitset kernels, shared with their callers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN
from dovetail.machine_code.layout import BLOCK_LANES

LANES = BLOCK_LANES  # items of a block

# Entries of a row of `frames`: the number of options of the frame, of words of a set of options,
# and of blocks of items; the indices at which its parts of `names`, `planes` and `table` begin; the
# level at which it was packed.
OPTIONS, WORDS, BLOCKS, NAMES, PLANES, TABLE, PACKED_AT = (np.uint64(entry) for entry in range(7))
FRAME_SIZE = np.uint64(7)

# Entries of a row of `branches`: the lane of the item branched on, the number of branches, the
# number of branches begun, the option taken last (all bits set for none), the number of closed
# lanes of the frame, and the number of primary and secondary items that no option taken before has.
LANE, WIDTH, TRIED, TAKEN, CLOSED, ITEMS_LEFT = (np.uint64(entry) for entry in range(6))
BRANCH_SIZE = np.uint64(6)

# Entries of a row of `levels` of `OptionLists`:
# LIST_AT, PAIRS: the index in `masks` of the list of options, and its number of pairs of blocks.
# BRANCHES_AT, OPEN: the index in `masks` of the first branch, and the word of the open items.
# CHECKED: the number of branches that were checked.
# VIABLE: bit k is set if untried branch k was checked and leaves choices for all open items.
# NAMED, NAME: the word of an option taken here (0 for none), and the option's number.
LIST_AT, PAIRS, BRANCHES_AT, OPEN, CHECKED, VIABLE, NAMED, NAME = (
    np.uint64(entry) for entry in range(8)
)
LIST_SIZE = np.uint64(8)

# Entries of `state` after the common entries: the number of the current frame, the number of
# options taken, the number of frames packed, the level whose options were listed (0 for none), and
# the number of listings. The common entry PHASE is 1 if the search is exhausted.
FRAME, PLACED, PACKS, LISTED, LISTS = range(OWN, OWN + 5)
STATE_SIZE = OWN + 5


class BitsetRows(NamedTuple):
    """A cover problem with i primary items and n options, as sets of options called rows.

    The row of an item is the set of options that have the item. The row of a colour of a secondary
    item is the set of options that have the item in another colour or without colour. Rows of items
    come first, then rows of colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `once` | (i,) | bool | True for an item to be covered exactly once |
    | `whole` | (rows,) | uint32 | row of a colour's item; for a row of an item, its own number |
    | `mark_start` | (n + 1,) | uint32 | index in `mark` at which each option begins |
    | `mark` | (marks,) | uint32 | rows of each option's items and colours |
    | `rival_start` | (n + 1,) | uint32 | index in `rival` at which each option begins |
    | `rival` | (rivals,) | uint32 | rows whose options are incompatible with the option |
    | `closes` | (n,) | uint32 | number of each option's items to be covered exactly once |
    | `counted_start` | (n + 1,) | uint32 | index in `counted` at which each option begins |
    | `counted` | (counted members,) | uint32 | each option's items with other bounds |
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
    """The frames of a search, at most f; each is packed from the frame before it.

    The parts of `names`, `planes` and `table` for a frame begin at its entries `NAMES`, `PLANES`
    and `TABLE`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `frames` | (f · 7,) | uint64 | a row for each frame: the entries OPTIONS to PACKED_AT |
    | `names` | – | uint32 | number in the problem of each option of a frame |
    | `item_of` | (f · items,) | uint32 | item in each lane of a frame |
    | `lane_of` | (f · items,) | uint32 | lane of each item of a frame |
    | `planes` | – | uint64 | see `frames.fewest_choices`; 0 in lanes without an item |
    | `table` | – | uint64 | compatible options of each option of a frame, WORDS words |
    | `scratch` | (rows · words,) | uint64 | rows of a frame while it is built, in planes |
    """

    frames: NDArray[np.uint64]
    names: NDArray[np.uint32]
    item_of: NDArray[np.uint32]
    lane_of: NDArray[np.uint32]
    planes: NDArray[np.uint64]
    table: NDArray[np.uint64]
    scratch: NDArray[np.uint64]


class BitsetStack(NamedTuple):
    """State of a search between slices, for at most t options taken.

    There are t + 2 levels, and one more for each item with other bounds than exactly once.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `alive` | (levels · `words`,) | uint64 | by level, the alive options of its frame |
    | `words` | () | uint64 | number of words of a set of all options |
    | `branches` | (levels · 6,) | uint64 | a row for each level: the entries LANE to ITEMS_LEFT |
    | `fits` | (t + 1,) | int64 | number of options taken, by options taken before |
    | `state` | (STATE_SIZE,) | uint64 | the common entries, and FRAME to LISTS |
    | `price` | () | uint64 | cost of packing an option; unit: reading a word of a block |
    """

    alive: NDArray[np.uint64]
    words: np.uint64
    branches: NDArray[np.uint64]
    fits: NDArray[np.int64]
    state: NDArray[np.uint64]
    price: np.uint64


class Counts(NamedTuple):
    """The part of the stack for items with other bounds than exactly once, by level and lane.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `need` | (levels · `lanes`,) | int64 | options that the item still needs, 1 if it is closed |
    | `capacity` | (levels · `lanes`,) | int64 | options that the item may still have |
    | `lanes` | () | uint64 | number of lanes of a level |
    """

    need: NDArray[np.int64]
    capacity: NDArray[np.int64]
    lanes: np.uint64


class OptionLists(NamedTuple):
    """The part of the stack in which options are words of items; see `item_masks`.

    Levels from `state[LISTED]` on have lists. In `masks`, the list of a level follows the branches
    of the level above. In the rows of `branches` of these levels, TAKEN is the word of an option,
    and LANE is not used. n is the number of options. The unit of costs is the cost of reading a
    word of a block.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | – | uint64 | options of all lists as words of items |
    | `names` | (n,) | uint32 | number in the problem of each option of the first list |
    | `bits` | (all items,) | uint64 | the bit that stands for each item, 0 for none |
    | `levels` | (levels · 8,) | uint64 | a row for each level: the entries LIST_AT to NAME |
    | `planes` | (PLANES + 1,) | uint64 | see `item_masks.keep_disjoint` |
    | `too_many_items` | () | uint64 | with this number of items left, or more, nothing is listed |
    | `cost` | () | uint64 | cost of a node |
    | `price` | () | uint64 | cost of listing an option |
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
    """Planes of a frame: the index of the first entry, and the numbers of words and of blocks."""

    first: np.uint64
    words: np.uint64
    blocks: np.uint64


class SliceLimits(NamedTuple):
    """Limits of a slice: steps of about ten nanoseconds, and the total nodes of the search."""

    work: np.uint64
    nodes: np.uint64
