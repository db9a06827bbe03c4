"""All rules, until nothing follows."""

import numpy as np

from dovetail.backends.colorpair.kernels.layout import (
    CYCLES,
    PENDING_COUNT,
    PREEMPTION,
    SHARED_EDGES,
    THREE_KNOWN,
)
from dovetail.backends.colorpair.kernels.pairs import ZERO
from dovetail.backends.colorpair.kernels.preempt import NOTHING_PUT, SHORT, preempt
from dovetail.backends.colorpair.kernels.remaining import can_close, can_share
from dovetail.backends.colorpair.kernels.settle import settle
from dovetail.jit import kernel


@kernel(borrows=True)
def propagate(tables, memory, at, rules, words):
    """Draw all conclusions from what has been put into the record at `at`.

    False: it has no completion, for the reason that is in `WHY` then.
    """
    while True:
        if not _follow(tables, memory, at, rules, words):
            memory[PENDING_COUNT] = ZERO
            return False
        if not rules & PREEMPTION:
            return True
        for word in range(np.uint64(len(words[1]))):
            if memory[at + tables[THREE_KNOWN] + word]:
                return True
        outcome = preempt(tables, memory, at, rules, words)
        if outcome == SHORT:
            memory[PENDING_COUNT] = ZERO
            return False
        if outcome == NOTHING_PUT:
            return True


@kernel(inline=True)
def _follow(tables, memory, at, rules, words):
    if not settle(tables, memory, at, rules, words):
        return False
    if rules & SHARED_EDGES and not can_share(tables, memory, at, rules, words):
        return False
    return not rules & CYCLES or can_close(tables, memory, at, rules, words)
