"""A cover problem as the kernels take it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Rows(NamedTuple):
    """A cover problem with i primary items and n options, as sets of options: rows.

    An item has a row, the options that it is in; and so has each colour of a secondary item, the
    options that give it another colour or none, its `whole` without those of the colour. Rows
    are numbered: first the items, then the colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `once` | (i,) | bool | the item is to be covered exactly once |
    | `whole` | (rows,) | uint32 | the row that a colour's is taken from; an item's own number |
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
