"""What the code that builds the kernels' arrays and the code that reads them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# The four entries of a node in `links`.
UP, DOWN, ITEM, SPACER = range(4)
ENTRIES = 4

# Rules, kept in `heuristic` by options taken: yield what has been taken where every item has two
# choices or more, and go on where one has fewer; branch on the item with fewest choices; on the
# cell with fewest open neighbours; from FIRST_ORDER on, on the cell that comes first in one of the
# orders. Rules that pick cells follow all others.
HAND_OVER, FEWEST_CHOICES, FEWEST_OPEN, FIRST_ORDER = range(4)


class ItemHeuristic(NamedTuple):
    """A heuristic that picks items of every kind; the others pick cells."""

    rule: int
    meaning: str
    """Completes "picks …" in the help."""


# By the letter of a stage. Parser, help and documentation read this table.
ITEM_HEURISTICS = {
    "s": ItemHeuristic(FEWEST_CHOICES, "the item with the fewest options left"),
}

# Entries of `state` beside the common ones; its work is nodes passed, called updates.
PLACED, REMOVED = range(OWN, OWN + 2)
STATE_SIZE = OWN + 2

# What the search does next, the phase of `state`.
DESCEND, UNDO, NEXT, DONE = (np.uint64(phase) for phase in range(4))


class DlxLinks(NamedTuple):
    """The linked matrix of a cover problem, see `tables`, and the capacities of its items.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `links` | (4 · nodes,) | uint32 | entries UP, DOWN, ITEM, SPACER of each node |
    | `colour` | (nodes,) | uint32 | the colour of a node, 0 for none |
    | `option` | (nodes,) | int32 | the option of a node, −1 on headers and spacers |
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
    """How the next item is picked. Of the items, the first m are cells that must be filled.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | () | uint64 | m |
    | `heuristic` | (most options taken + 1,) | uint64 | by options taken: the next step |
    | `guarded_items` | (most options taken + 1,) | uint64 | the items below it are looked at then:
    with 0 choices or 1 they come before the heuristic's item |
    | `ranks` | (orders · m,) | uint64 | of each order, the ranks of the cells |
    | `near_start` | (m + 1,) | uint64 | neighbours of cell v: `near_start[v]` to … [v + 1] |
    | `near` | (neighbours,) | uint64 | the items of the neighbours |
    """

    cells: np.uint64
    heuristic: NDArray[np.uint64]
    guarded_items: NDArray[np.uint64]
    ranks: NDArray[np.uint64]
    near_start: NDArray[np.uint64]
    near: NDArray[np.uint64]


class DlxStack(NamedTuple):
    """State between slices.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `choices` | (levels · items,) | int32 | by level, ways to go on with each item: see below |
    | `first_row` | (items,) | int32 | the choices at the root |
    | `level_item` | (levels,) | uint32 | the item branched on |
    | `level_node` | (levels,) | uint32 | the node of the option taken |
    | `level_removed` | (levels,) | uint32 | the height of `removed` on entry |
    | `level_width` | (levels,) | uint32 | the number of branches |
    | `level_tried` | (levels,) | uint32 | how many of them have been begun |
    | `removed` | (options + 1,) | uint32 | a node of each option taken out of the whole matrix |
    | `fits` | (levels,) | int64 | options taken, by how many had been taken before |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    | `until` | () | uint64 | a slice ends when this many options remain after taking one back |

    With `size` options left in its column and `need = max(0, capacity − slack)` still needed,
    an item has `choices = size + 1 − need`: take the first, or leave it out and take the
    second, …; at most size − need can be left out. For an item to be covered exactly once
    that is `size`. Not positive: it can no longer be covered.
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
