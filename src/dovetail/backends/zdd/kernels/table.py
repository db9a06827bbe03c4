"""The table of states whose solutions have been counted: exact keys, open addressing."""

import numpy as np

from dovetail.jit import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
HALF = np.uint64(32)
WINDOW = np.uint64(8)


@kernel(inline=True)
def slot_of(key, at, words, shift):
    """The slot that the state from `at` on belongs into."""
    mixed = ZERO
    for k in range(words):
        mixed = (mixed ^ key[at + k]) * FIRST_FACTOR
        mixed ^= mixed >> HALF
    return (mixed * SECOND_FACTOR) >> shift


@kernel(inline=True)
def find(key, at, words, table):
    """Whether the table has a state, and where: else where the empty slot is that ends its run."""
    slots, mask = table.slots, table.mask
    stride = words + table.count_words
    slot = slot_of(key, at, words, table.shift)
    tries = ZERO
    while True:
        begin = slot * stride
        differs = used = ZERO
        for k in range(words):
            stored = slots[begin + k]
            differs |= stored ^ key[at + k]
            used |= stored
        if differs == ZERO:
            return True, begin
        if used == ZERO:
            return False, begin
        tries += ONE
        if table.may_grow == ZERO and tries == WINDOW:
            return False, slot_of(key, at, words, table.shift) * stride
        slot = (slot + ONE) & mask


@kernel(inline=True)
def add(sums, at, counts, begin, words, weight):
    """Add a count of so many words, `weight` times, to a sum that has one word more."""
    for _ in range(weight):
        carry = ZERO
        for k in range(words):
            more = sums[at + k] + carry
            carry = ONE if more < carry else ZERO
            total = more + counts[begin + k]
            if total < more:
                carry = ONE
            sums[at + k] = total
        sums[at + words] += carry


@kernel
def move_slots(first, last, old, new, words):
    """Enter the states of the slots from `first` to `last` of a table into another one.

    The new one has as many slots at least, and as many words of a count.
    """
    count_words, more_words = old.count_words, new.count_words
    stride = words + count_words
    for slot in range(first, last):
        begin = slot * stride
        used = ZERO
        for k in range(words):
            used |= old.slots[begin + k]
        if used != ZERO:
            _, to = find(old.slots, begin, words, new)
            for k in range(stride):
                new.slots[to + k] = old.slots[begin + k]
            for k in range(stride, words + more_words):
                new.slots[to + k] = ZERO
