"""The window on the board that the kernel searches in: a tuple of uint64 words.

Bit 0 is the target and bit k the cell k places behind it on the board; it is set when the cell
is not open. Nothing but the cells within the pieces' reach changes, and the window is as long
as that: what lies behind is as it was at first, and is taken from a table when it comes in.
"""

import numpy as np

from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import trailing_zeros

ZERO, ONE = np.uint64(0), np.uint64(1)
WORD_BITS, LAST_BIT = np.uint64(64), np.uint64(63)
FULL_WORD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def covered(window, masks, number):
    """The window with the cells of mask `number` filled."""
    at = number * np.uint64(len(window))
    for w in range(len(window)):
        window = tuple_setitem(window, w, window[w] | masks[at + np.uint64(w)])
    return window


@kernel(inline=True)
def is_free(window, masks, number):
    """Whether all cells of mask `number` are open."""
    at = number * np.uint64(len(window))
    taken = ZERO
    for w in range(len(window)):
        taken |= window[w] & masks[at + np.uint64(w)]
    return taken == ZERO


@kernel(inline=True)
def at_first_open(window, position, at_first):
    """The window whose target is the first open cell from here on, and where that lies.

    `at_first` has the words of the window at every place of the board before the search, shape
    (places · words,). There is an open cell.
    """
    words = np.uint64(len(window))
    while window[0] == FULL_WORD:
        position += WORD_BITS
        for w in range(len(window)):
            word = window[w + 1] if w + 1 < len(window) else ZERO
            word |= at_first[position * words + np.uint64(w)]
            window = tuple_setitem(window, w, word)
    passed = trailing_zeros(~window[0])
    position += passed
    for w in range(len(window)):
        later = window[w + 1] if w + 1 < len(window) else ZERO
        word = window[w] >> passed | later << ONE << (LAST_BIT - passed)
        word |= at_first[position * words + np.uint64(w)]
        window = tuple_setitem(window, w, word)
    return window, position
