"""The rule of single places: what no more cells can take than there are tiles left."""

import numpy as np

from dovetail.backends.domains.kernels.domain import (
    ONE,
    SIX,
    ZERO,
    types_of,
)
from dovetail.backends.domains.kernels.layout import MAX_COPIES
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.words import loaded

CONTRADICTION, NOTHING_FORCED, SOME_FORCED = range(3)
DISTINGUISHED = np.uint64(MAX_COPIES)


@kernel
def force_places(words, records, at, domains_at, members, copies_left_at, max_copies, scratch):
    """Give types that have just as many cells as copies left those cells, which are queued.

    `CONTRADICTION` when a type has fewer, or a cell would have to take two types; what has been
    changed then is of no use. The arguments are those of `search`.

    The cells of a type are counted in unary, by bits of all types at once: `at_least` gets, for
    j = 0, 1, …, the types that more than j cells can take.
    """
    cell_words, domain, types = words.cells, words.domain, words.types
    queue, at_least = scratch.queue, scratch.at_least
    domain_words, type_words = np.uint64(len(domain)), np.uint64(len(types))
    untaken, touched, result = at + cell_words, at + cell_words + cell_words, NOTHING_FORCED
    for zone in range(np.uint64(len(max_copies))):
        counted = min(max_copies[zone], DISTINGUISHED)
        for k in range((counted + ONE) * type_words):
            at_least[k] = ZERO
        for word in range(cell_words):
            rest = records[untaken + word] & members[zone * cell_words + word]
            while rest:
                cell = (word << SIX) + trailing_zeros(rest)
                rest &= rest - ONE
                its = types_of(
                    types, loaded(domain, records, at + domains_at + cell * domain_words)
                )
                for w in range(len(types)):
                    again, k = its[w], np.uint64(w)
                    for _ in range(counted):
                        once_more = at_least[k] & again
                        at_least[k] |= again
                        again = once_more
                        k += type_words
                    at_least[k] |= again
        forced_any = ZERO
        for w in range(type_words):
            forced, here, k = ZERO, at + copies_left_at[zone] + w, w
            for copies in range(ONE, counted + ONE):
                wanted = records[here]
                here += type_words
                if wanted & ~at_least[k]:
                    return CONTRADICTION
                if copies < max_copies[zone]:
                    wanted &= ~records[here]  # those of which just so many copies are left
                k += type_words
                forced |= wanted & ~at_least[k]
            at_least[w] = forced
            forced_any |= forced
        if forced_any == ZERO:
            continue
        result = SOME_FORCED
        for word in range(cell_words):
            rest = records[untaken + word] & members[zone * cell_words + word]
            while rest:
                cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
                rest ^= bit
                here = at + domains_at + cell * domain_words
                its, many = types_of(types, loaded(domain, records, here)), ZERO
                for w in range(len(types)):
                    many += ones(its[w] & at_least[np.uint64(w)])
                if many > ONE:
                    return CONTRADICTION
                if many == ONE:
                    for _ in range(len(domain) // len(types)):
                        for w in range(type_words):
                            records[here] &= at_least[w]
                            here += ONE
                    records[touched + word] |= bit
                    queue[word] |= bit
    return result
