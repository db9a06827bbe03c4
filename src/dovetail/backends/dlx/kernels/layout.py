"""Arrays and constants that the kernels of `dlx` and their callers share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# The four entries of a node in `links`.
UP, DOWN, ITEM, SPACER = range(4)
ENTRIES = 4

# Rules in `heuristic`. HAND_OVER: if every open item has at least 2 choices, yield the options
# taken, else branch on the item with the fewest. FEWEST_CHOICES: branch on the item with the fewest
# choices. FEWEST_OPEN: branch on the cell with the fewest open neighbours. FIRST_ORDER + k: branch
# on the first cell in order k. Rules that pick cells come after all others.
HAND_OVER, FEWEST_CHOICES, FEWEST_OPEN, FIRST_ORDER = range(4)


class ItemHeuristic(NamedTuple):
    """A heuristic that picks items of every kind; all other heuristics pick cells."""

    rule: int
    meaning: str
    """Completes "picks …" in the help."""


# Heuristics by the letter of a stage, for the parser, the help and the documentation.
ITEM_HEURISTICS = {
    "s": ItemHeuristic(FEWEST_CHOICES, "the item with the fewest options left"),
}

# Entries of `state` after the common entries: the number of options taken, and the height of
# `removed`. The entry WORK counts steps, called updates; see `search.search`.
PLACED, REMOVED = range(OWN, OWN + 2)
STATE_SIZE = OWN + 2

# Values of `state[PHASE]`, the next step of the search.
DESCEND, UNDO, NEXT, DONE = (np.uint64(phase) for phase in range(4))


class DlxLinks(NamedTuple):
    """The linked matrix of a cover problem, see `tables`, and the capacities of its items.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `links` | (4 · nodes,) | uint32 | entries UP, DOWN, ITEM, SPACER of each node |
    | `colour` | (nodes,) | uint32 | the colour of a node, 0 for none |
    | `option` | (nodes,) | int32 | the option of a node, −1 for headers and spacers |
    | `capacity` | (items,) | uint32 | how many more options the item can take |
    | `slack` | (items,) | uint32 | upper − lower bound |
    | `once` | (items,) | uint8 | 1 for an item to be covered exactly once |
    | `painted` | (items,) | uint32 | 1 + the level that gave a secondary item its colour, or 0 |
    | `bit` | (items,) | uint64 | bit i % 64 for a primary item i, 0 for a secondary one |
    | `active` | (words,) | uint64 | bit i % 64 of word i // 64: primary item i is open |
    """

    links: NDArray[np.uint32]
    colour: NDArray[np.uint32]
    option: NDArray[np.int32]
    capacity: NDArray[np.uint32]
    slack: NDArray[np.uint32]
    once: NDArray[np.uint8]
    painted: NDArray[np.uint32]
    bit: NDArray[np.uint64]
    active: NDArray[np.uint64]


class DlxRules(NamedTuple):
    """Rules that pick the next item, for a search that takes at most t options.

    The first m items are the cells that must be filled. If an item below `guarded_items` has at
    most 1 choice, it comes before the item of the heuristic.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | () | uint64 | m |
    | `heuristic` | (t + 1,) | uint64 | rule for the next item, by number of options taken |
    | `guarded_items` | (t + 1,) | uint64 | number of guarded items, by number of options taken |
    | `ranks` | (orders · m,) | uint64 | ranks of the cells in each order |
    | `near_start` | (m + 1,) | uint64 | index in `near` of the first neighbour of each cell |
    | `near` | (neighbours,) | uint64 | items of the neighbours of all cells |
    """

    cells: np.uint64
    heuristic: NDArray[np.uint64]
    guarded_items: NDArray[np.uint64]
    ranks: NDArray[np.uint64]
    near_start: NDArray[np.uint64]
    near: NDArray[np.uint64]


class DlxStack(NamedTuple):
    """State of a search between slices.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `choices` | (levels · items,) | int32 | by level, the choices of each item: see below |
    | `first_row` | (items,) | int32 | the choices at the root |
    | `level_item` | (levels,) | uint32 | the item branched on |
    | `level_node` | (levels,) | uint32 | the node of the option taken |
    | `level_removed` | (levels,) | uint32 | the height of `removed` on entry |
    | `level_width` | (levels,) | uint32 | the number of branches |
    | `level_tried` | (levels,) | uint32 | the number of branches begun |
    | `removed` | (options + 1,) | uint32 | a node of each option removed from the whole matrix |
    | `fits` | (levels,) | int64 | number of options taken, by the number taken before |
    | `state` | (STATE_SIZE,) | uint64 | the common entries, PLACED and REMOVED |
    | `until` | () | uint64 | if an option is undone and this many remain taken, the slice ends |

    If an item has `size` options left in its column and still needs `need = max(0, capacity −
    slack)` of them, it has `choices = size + 1 − need`. The item can take the first option, or
    leave out the first and take the second, and so on; at most `size − need` options can be left
    out. An item that is covered exactly once has `size` choices. An item without a positive number
    of choices cannot be covered any more.
    """

    choices: NDArray[np.int32]
    first_row: NDArray[np.int32]
    level_item: NDArray[np.uint32]
    level_node: NDArray[np.uint32]
    level_removed: NDArray[np.uint32]
    level_width: NDArray[np.uint32]
    level_tried: NDArray[np.uint32]
    removed: NDArray[np.uint32]
    fits: NDArray[np.int64]
    state: NDArray[np.uint64]
    until: np.uint64
