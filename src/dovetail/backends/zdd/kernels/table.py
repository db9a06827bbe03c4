"""The table of states with a known number of solutions: exact keys, open addressing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
HALF = np.uint64(32)
WINDOW = np.uint64(8)


class Table(NamedTuple):
    """Slots of w words of a state and v of its count, lowest first; an empty slot has a state of 0.

    A state begins at the slot that the upper bits of its hash name (the bits above `shift`), or
    behind it. `mask` is the number of slots − 1. While `may_grow`, a slice ends when `limit` slots
    are taken; then a state without an empty slot among its `WINDOW` slots replaces an entry. `one`
    is a count of 1.
    """

    slots: NDArray[np.uint64]
    one: NDArray[np.uint64]
    count_words: np.uint64
    shift: np.uint64
    mask: np.uint64
    limit: np.uint64
    may_grow: np.uint64


@kernel(inline=True)
def slot_of(key, at, words, shift):
    """Return the slot that the state from `at` on belongs into."""
    mixed = ZERO
    for k in range(words):
        mixed = (mixed ^ key[at + k]) * FIRST_FACTOR
        mixed ^= mixed >> HALF
    return (mixed * SECOND_FACTOR) >> shift


@kernel(inline=True)
def find(key, at, words, table):
    """Return whether the table has a state, and where: its slot, or the slot that it would get."""
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
def store(problem, key, at, sums, sum_at, table):
    """Enter the state from `at` on with its count; returns whether another state was forgotten."""
    words, slots = problem.words, table.slots
    known, slot = find(key, at, words, table)
    used = ZERO
    for k in range(words):
        used |= slots[slot + k]
        slots[slot + k] = key[at + k]
    for k in range(table.count_words):
        slots[slot + words + k] = sums[sum_at + k]
    return used != ZERO and not known


@kernel(inline=True)
def add(sums, at, counts, begin, words, weight):
    """Add a count of `words` words, `weight` times, to a sum with another word."""
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


@kernel(inline=True)
def subtract(number, counts, begin, words):
    """Subtract a count from a number of `words` words; return whether it was larger."""
    for step in range(words):
        k = words - ONE - step
        if number[k] != counts[begin + k]:
            if number[k] < counts[begin + k]:
                return False
            break
    borrow = ZERO
    for k in range(words):
        less = number[k] - borrow
        borrow = ONE if less > number[k] else ZERO
        rest = less - counts[begin + k]
        if rest > less:
            borrow = ONE
        number[k] = rest
    return True


@kernel
def move_slots(first, last, old, new, words):
    """Enter the states of the slots from `first` to `last` of a table into another table.

    The new table has at least as many slots, and as many words of a count.
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
