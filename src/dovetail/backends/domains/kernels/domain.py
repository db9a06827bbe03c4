"""Sets of types, of colours, and domains, as tuples of uint64 words.

Their lengths are part of their type, so that loops over them are unrolled and they stay in
registers: with arrays and lengths in variables a search took 1.6 times as long. What they are and
`tables.Tables` documents where they lie.
"""

import numpy as np

from dovetail.jit import kernel, tuple_setitem

ZERO, ONE = np.uint64(0), np.uint64(1)
SIX, SIXTY_THREE = np.uint64(6), np.uint64(63)


@kernel(inline=True)
def emptied(words):
    """As many words of no bits."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, ZERO)
    return words


@kernel(inline=True)
def both(words, others):
    """The bits that two sets have in common."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, words[k] & others[k])
    return words


@kernel(inline=True)
def joined(words, others, begin):
    """With the bits that lie in `others` from `begin` on."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, words[k] | others[begin + np.uint64(k)])
    return words


@kernel(inline=True)
def differs(words, others, begin):
    """Not 0 if not the same words lie in `others` from `begin` on."""
    any_bit = ZERO
    for k in range(len(words)):
        any_bit |= words[k] ^ others[begin + np.uint64(k)]
    return any_bit


@kernel(inline=True)
def types_of(plane, domain):
    """The union of a domain's planes, as words like `plane`."""
    for w in range(len(plane)):
        word = ZERO
        for p in range(len(domain) // len(plane)):
            word |= domain[p * len(plane) + w]
        plane = tuple_setitem(plane, w, word)
    return plane
